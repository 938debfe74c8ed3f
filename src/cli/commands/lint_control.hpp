#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cli/application.hpp"
#include "lint/config/baseline.hpp"
#include "lint/config/config.hpp"
#include "lint/config/ignores.hpp"

namespace bayplan::cli {

/// How the command line has findings silenced.
struct ControlFlags {
  bool no_ignores = false;
  std::string baseline;
  std::string create_baseline;
};

/// What silences findings of one run: comments, config, baseline; and what is reported of these in the end.
class LintControl {
 public:
  LintControl(const ControlFlags& flags, const lint::Config& config, const lint::Options& options,
              const lint::Tools& tools, Streams& io);

  /// Reads the baseline; false when that is of no use, which is reported.
  bool open();
  /// Marks the findings of one file that are ignored or known; safe to call from several threads.
  void ignore(lint::FileReport& report) const;
  /// Does the same and prepares entries of a new baseline.
  void amend(lint::FileReport& report) const;
  /// Adds a report; must be called in the order of the files, one at a time.
  void take(const lint::FileReport& report);
  /// Writes the new baseline unless something could not be read, and reports what has no effect any more. `searched`:
  /// the paths of the command line. Gives kUnusable when a baseline could not be written.
  int finish(const std::vector<std::string>& searched, bool is_complete, bool quiet);

 private:
  int write_baseline(bool is_complete, bool quiet);
  void tell_notes(const std::vector<std::string>& searched);

  const ControlFlags& flags_;
  const lint::Options& options_;
  const lint::Tools& tools_;
  Streams& io_;
  lint::Ignores ignores_;
  std::unique_ptr<const lint::Baseline> baseline_;
  std::unique_ptr<lint::NewBaseline> new_baseline_;
  std::vector<Error> notes_;
};

}  // namespace bayplan::cli
