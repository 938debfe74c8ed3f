#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lint/config/ignore.hpp"
#include "lint/files/file_patterns.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// One entry of `perFileIgnores`.
struct FileIgnore {
  Ignore ignore;
  std::string folder;                 ///< Absolute path of the folder of the config.
  std::optional<FilePatterns> files;  ///< Nothing: every file.
  std::string path;                   ///< "containerDefinitions[sidecar]"; empty: the whole file.

  bool names_files() const;  ///< Whether the patterns have no wildcards.
};

/// Whether `path` names what `named_path` names, or something around it. In a template or an answer the path may begin
/// at the definition.
bool is_within(std::string_view named_path, std::string_view path, const FileReport& report);

/// What comments and the config silence. One for a whole run: it remembers what was of use.
class Ignores {
 public:
  /// `now`: seconds since 1970. The references must outlive it.
  Ignores(const std::vector<FileIgnore>& of_config, const Selection& selection, const Tools& tools, const Files& files,
          std::int64_t now);
  Ignores(const Ignores&) = delete;
  Ignores& operator=(const Ignores&) = delete;

  /// Marks the findings that are meant, and adds what is to be reported of its comments. Safe to use from
  /// several threads.
  void apply(FileReport& report) const;

  /// Entries of the config that have ended or silenced nothing in the files of the run. Of an entry whose files may
  /// not all have been looked at nothing is said: `folders` were searched, from the root.
  std::vector<Error> notes(const std::vector<std::string>& folders) const;

 private:
  struct Use {
    std::atomic<bool> silenced = false;
    std::atomic<bool> may_be_needed = false;  ///< A rule was skipped, or part of the file was not read.
  };
  struct Entry {
    explicit Entry(const FileIgnore& one) : written(one), uses(std::make_unique<Use[]>(one.ignore.rules.size())) {}

    const FileIgnore& written;
    std::unique_ptr<Use[]> uses;         ///< One entry per rule.
    std::atomic<bool> is_meant = false;  ///< Some file of the run.
    std::mutex mutex;
    std::set<std::string> files;  ///< Meant by an entry that names its files.
  };

  static void note_file(Entry& entry, const std::string& path);
  void apply_entry(const Entry& entry, FileReport& report) const;
  void apply_comments(FileReport& report) const;
  std::optional<Error> apply_comment(const Ignore::Rule& rule, const std::string& reason, Span covers,
                                     FileReport& report) const;
  bool may_be_needed(const Ignore::Rule& rule, const FileReport& report) const;
  bool is_enabled(const Ignore::Rule& rule) const;
  bool names(const Ignore::Rule& rule, std::string_view code) const;

  const Selection& selection_;
  const Tools& tools_;
  const Files& files_;
  std::int64_t now_;
  std::vector<std::unique_ptr<Entry>> entries_;
};

}  // namespace bayplan::lint
