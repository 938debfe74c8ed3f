#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"
#include "lint/lint_files.hpp"
#include "study/diff/diff_fields.hpp"

namespace bayplan::study {

/// A task definition of OLD or NEW, in ECS's words.
struct SideDefinition {
  std::size_t report = 0;                          ///< Index into DiffSide::reports: the file that holds it.
  std::string file;                                ///< Its name, as reports say it.
  std::string family;                              ///< The family in the file; empty when the file has none.
  std::string name;                                ///< What a template or plan calls it; else empty.
  std::string pointer;                             ///< Where it is in the file.
  std::shared_ptr<const text::Document> document;  ///< Its spans are those of the file.
  model::TaskDefinition task;
  ComparedDefinition compared;
  bool is_refused = false;  ///< Has an error of its own; `compare` finds it out.
};

/// OLD or NEW, read and linted.
struct DiffSide {
  std::string path;  ///< The name that the user gave.
  std::vector<lint::FileReport> reports;
  std::vector<SideDefinition> definitions;  ///< Sorted by file, then in its order.

  /// Null for nothing.
  const SideDefinition* definition(std::optional<std::size_t> index) const {
    return index ? &definitions[*index] : nullptr;
  }
};

/// Where OLD or NEW is.
struct SideRequest {
  std::string path;
  std::optional<std::string> content;  ///< Content of standard input.
};

struct ReadSide {
  DiffSide side;  ///< Not usable when there are errors.
  std::vector<Error> errors;
};

/// Reads a file, a folder or nothing at all: an empty file and /dev/null hold no definition, as git hands them for a
/// file that is new or gone.
ReadSide read_side(const SideRequest& request, const lint::Options& options, const lint::Tools& tools,
                   const Files& files, const lint::Amend& amend = {});

}  // namespace bayplan::study
