#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"
#include "lint/files/file_kind.hpp"
#include "lint/files/file_patterns.hpp"
#include "lint/files/passed_over.hpp"

namespace bayplan::lint {

/// A file to look at, and how it came to be looked at.
struct Candidate {
  std::string path;
  Search search = Search::kNamed;
  std::optional<std::string> content;  ///< What standard input held; else the file is read.
  std::string folder = {};             ///< The folder that was searched; empty for a file that was named.
};

struct FoundFiles {
  bool has_folders = false;             ///< Some path was a folder.
  std::size_t excluded = 0;             ///< Files that the config leaves out.
  std::vector<Candidate> candidates;    ///< Each path once; named files as given, folders in byte order.
  std::vector<Error> errors;            ///< Paths that are neither file nor readable folder.
  std::vector<PassedOver> passed_over;  ///< Each path once, in byte order.
};

/// What a search in folders omits in addition to the folders of tools.
struct SearchOptions {
  bool respect_gitignore = true;
  const FilePatterns* include = nullptr;          ///< Patterns in addition to the known endings.
  const FilePatterns* exclude = nullptr;          ///< Holds for files that were named too.
  const FilePatterns* exclude_by_flag = nullptr;  ///< The same, from the command line.
};

/// Files as named, ignored by git or not; of folders every JSON, YAML and template file inside, but for folders of
/// tools (.git, node_modules ...) and what .gitignore leaves out. What git tracks is not left out.
FoundFiles find_files(const std::vector<std::string>& paths, const Files& files, const SearchOptions& options = {});

/// Whether a found file may hold what is linted: a look at the bytes that spares parsing all others.
bool may_be_linted(std::string_view bytes);

/// Whether a file of a searched folder is looked at, by the ending of its name.
bool has_known_ending(std::string_view name);

}  // namespace bayplan::lint
