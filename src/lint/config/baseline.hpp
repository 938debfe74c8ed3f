#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// One finding of a baseline. `file` is relative to the folder of the baseline, and so is the fingerprint: neither
/// depends on the folder that the program runs in.
struct BaselineEntry {
  std::string file;
  std::string path;  ///< The path with names instead of positions: "containerDefinitions[web].memory".
  std::string code;
  std::string fingerprint;

  auto key() const { return std::tie(file, path, code, fingerprint); }
  bool operator<(const BaselineEntry& other) const { return key() < other.key(); }
};

/// How findings are called from the folder of a baseline.
class BaselineNames {
 public:
  BaselineNames(const std::string& baseline, const Files& files);

  std::string file_of(const FileReport& report) const;
  /// `file` is what `file_of` gave.
  static BaselineEntry entry_of(const LintFinding& finding, const FileReport& report, const std::string& file);

 private:
  const Files& files_;
  std::string folder_;  ///< Absolute path of the folder.
};

/// Findings that are known and do not count. One for a whole run: it remembers what was found again.
class Baseline {
 public:
  Baseline(const std::string& path, const Files& files, std::vector<BaselineEntry> entries);

  /// Marks the findings that are in it. Safe to use from several threads.
  void apply(FileReport& report, const Selection& selection, const Tools& tools) const;
  /// Entries of files of the run whose rule had its say and found nothing any more.
  std::size_t count_fixed() const;

 private:
  struct Entry {
    std::string code;
    mutable std::atomic<bool> is_found = false;
    mutable std::atomic<bool> is_looked_for = false;  ///< Its rule looked at the file, and at all of it.
  };
  using Entries = std::map<std::string, Entry, std::less<>>;  ///< Keyed by fingerprint.

  BaselineNames names_;
  std::map<std::string, Entries, std::less<>> files_;  ///< Keyed by the names of the files.
};

/// Every fault has its place; then there is no baseline.
struct BaselineFile {
  std::unique_ptr<const Baseline> baseline;
  std::vector<Error> errors;
};
BaselineFile read_baseline(const std::string& path, const Files& files);

/// The findings of a run, to be written as a baseline.
class NewBaseline {
 public:
  NewBaseline(std::string path, Files& files) : path_(std::move(path)), files_(files), names_(path_, files) {}

  void add(const FileReport& report);  ///< What nothing else silences.
  Result<bool> write() const;          ///< Whole or not at all.

  const std::string& path() const { return path_; }
  std::size_t size() const { return entries_.size(); }
  std::size_t file_count() const;

 private:
  std::string path_;
  Files& files_;
  BaselineNames names_;
  std::set<BaselineEntry> entries_;
};

/// Marks every finding that nothing else silences as one of the baseline that is being made.
void silence_all(FileReport& report);

}  // namespace bayplan::lint
