#pragma once
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/application.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/sweep_progress.hpp"
#include "cli/sweep_results.hpp"
#include "study/sweep.hpp"
#include "study/sweep_scenarios.hpp"

namespace bayplan::cli {

/// What ends a sweep before its time, from whichever thread; the first stays.
class Trouble {
 public:
  void note(Error error);
  void note_mistakes(const std::vector<std::string>& mistakes);  ///< Faults of the program.
  bool is_there() const { return is_there_; }
  int tell(Streams& io) const;

 private:
  std::mutex mutex_;
  std::atomic<bool> is_there_{false};
  Error error_;
  std::vector<std::string> mistakes_;
};

/// A shard of a grid from its first scenario, or from where an earlier run ended, to the summary.
class SweepRun {
 public:
  struct Options {
    study::Shard shard;
    unsigned threads = 1;
    bool fresh = false;
    std::vector<Output> outputs;
  };

  SweepRun(const study::GridScenario& grid, const catalog::Catalog& catalog, Options options,
           const GlobalOptions& global, Streams& io);

  int run();

 private:
  bool open_results();
  bool take(const study::SweptBlock& swept);
  bool write(const std::string& lines);
  study::SweepWorker make_worker();
  int stopped(std::int64_t next) const;
  int write_summary() const;

  const study::GridScenario& grid_;
  const catalog::Catalog& catalog_;
  const Options options_;
  const GlobalOptions& global_;
  Streams& io_;
  const study::Block block_;
  const Output* lines_;  ///< Where the lines go; null when nobody wants them.
  std::optional<SweepResults> results_;
  study::SweepSummary summary_;
  SweepProgress progress_;
  Trouble trouble_;
};

}  // namespace bayplan::cli
