#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "catalog/catalog.hpp"
#include "cli/application.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/commands/sweep_results.hpp"
#include "cli/io/guarded_files.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/jobs_option.hpp"
#include "cli/options/options.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/shard_option.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/prices.hpp"
#include "report/sweep/sweep_report.hpp"
#include "study/sweep/sweep.hpp"
#include "study/sweep/sweep_scenarios.hpp"

namespace bayplan::cli {

/// Formats of the summary; "jsonl" has the scenarios themselves.
constexpr std::array<Format<report::SweepReport>, 4> kSummaryFormats{
    {{"text", report::sweep_document, report::Medium::kText},
     {"json", report::write_sweep_json},
     {"html", report::sweep_document, report::Medium::kPage},
     {"markdown", report::sweep_document, report::Medium::kComment}}};

/// bayplan sweep GRID [--shard I/N]
class SweepCommand : public Command {
 public:
  std::string_view name() const override { return "sweep"; }
  std::string_view summary() const override {
    return "Place a grid of scenarios on all cores, in one run or in shards";
  }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<study::Shard> shard(const Streams& io) const;

  std::vector<std::string> grids_;
  std::optional<std::string> shard_;
  std::int64_t jobs_ = 0;
  bool fresh_ = false;
  bool all_ = false;
  bool allow_partial_ = false;
  bool no_lint_ = false;
};

namespace {

/// More scenarios than this run only with --all: a product of axes is easily larger than meant.
constexpr std::int64_t kMostUnasked = 100'000;

/// "262,144 scenarios (about 2m10s with 2 threads)": by a sample of scenarios from all over the block, tried for half a
/// second.
std::string describe_extent(const study::GridScenario& grid, const catalog::Catalog& catalog, const study::Block& block,
                            unsigned threads) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kSample = 64;
  study::SweepEvaluator evaluator(grid, catalog);
  const auto began = Clock::now();
  std::chrono::duration<double> elapsed{};
  std::int64_t tried = 0;
  for (; tried < kSample && elapsed < std::chrono::milliseconds(500); ++tried) {
    if (!evaluator.evaluate(block.begin + block.size() / kSample * tried)) break;
    elapsed = Clock::now() - began;
  }
  auto extent = report::with_separators(block.size()) + " scenarios";
  if (tried == 0) return extent;
  const double seconds =
      elapsed.count() / static_cast<double>(tried) * static_cast<double>(block.size()) / static_cast<double>(threads);
  return extent + fmt::format(" (about {} with {} thread{})",
                              report::duration(std::max<std::int64_t>(1, std::llround(seconds))), threads,
                              threads == 1 ? "" : "s");
}

/// How far a sweep is, and how fast.
class SweepProgress {
 public:
  SweepProgress(Streams& io, const study::Block& block) : line_(io), block_(block) {}

  void show(std::int64_t next);  ///< All before `next` are done.
  void clear() { line_.clear(); }

 private:
  ProgressLine line_;
  study::Block block_;
  std::int64_t done_before_ = -1;  ///< When the first block came: an earlier run's are no measure of speed.
};

/// What ends a sweep before its time, from whichever thread; the first stays.
class Trouble {
 public:
  void note(Error error);
  void note_mistakes(std::int64_t index, const std::vector<std::string>& mistakes);  ///< Faults of the program.
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
  const Output* lines_;  ///< Where the lines go; null when they are not wanted.
  std::optional<SweepResults> results_;
  study::SweepSummary summary_;
  SweepProgress progress_;
  Trouble trouble_;
};

void SweepProgress::show(std::int64_t next) {
  const std::int64_t done = next - block_.begin;
  if (done_before_ < 0) done_before_ = done;
  if (!line_.is_due()) return;
  line_.show(fmt::format("sweep: {} of {} scenarios ({}%), {} per second", done, block_.size(),
                         100 * done / block_.size(),
                         (done - done_before_) * 1000 / std::max<std::int64_t>(1, line_.elapsed().count())));
}

study::SweepSummary empty_summary(const study::WrittenGrid& grid) {
  std::vector<study::SummaryAxis> axes;
  for (const auto& axis : grid.axes) axes.push_back({axis.size(), axis.seeds.has_value(), axis.is_circumstance()});
  return study::SweepSummary(std::move(axes));
}

report::SweepPoint named_point(const study::WrittenGrid& grid, std::int64_t index) {
  report::SweepPoint named;
  const auto positions = study::point_at(grid, index);
  for (std::size_t i = 0; i < positions.size(); ++i)
    named.emplace_back(grid.axes[i].name, report::point_name(grid.axes[i], positions[i]));
  return named;
}

const Output* find_lines(const std::vector<Output>& outputs) {
  const auto found =
      std::find_if(outputs.begin(), outputs.end(), [](const Output& output) { return output.format == "jsonl"; });
  return found == outputs.end() ? nullptr : &*found;
}

void Trouble::note(Error error) {
  const std::lock_guard lock(mutex_);
  if (!is_there_.exchange(true)) error_ = std::move(error);
}

void Trouble::note_mistakes(std::int64_t index, const std::vector<std::string>& mistakes) {
  const std::lock_guard lock(mutex_);
  if (is_there_.exchange(true)) return;
  for (const auto& mistake : mistakes) mistakes_.push_back(fmt::format("scenario {}: {}", index, mistake));
}

int Trouble::tell(Streams& io) const {
  return mistakes_.empty() ? fail(io, error_) : internal_error(io, mistakes_);
}

SweepRun::SweepRun(const study::GridScenario& grid, const catalog::Catalog& catalog, Options options,
                   const GlobalOptions& global, Streams& io)
    : grid_(grid),
      catalog_(catalog),
      options_(std::move(options)),
      global_(global),
      io_(io),
      block_(study::block_of(options_.shard, study::size_of(grid.grid))),
      lines_(find_lines(options_.outputs)),
      summary_(empty_summary(grid.grid)),
      progress_(io, block_) {}

bool SweepRun::open_results() {
  if (lines_ == nullptr || lines_->file.empty()) return true;
  for (const auto& file : {lines_->file, lines_->file + ".partial"}) {
    const auto refused = io_.guard == nullptr ? std::nullopt : io_.guard->refusal(file);
    if (!refused) continue;
    fail(io_, cannot_write(*refused, refused->file));
    return false;
  }
  auto opened = SweepResults::open(lines_->file, {grid_.fingerprint, block_}, options_.fresh, io_.files, summary_);
  if (!opened) {
    fail(io_, opened.error());
    return false;
  }
  results_.emplace(std::move(*opened));
  if (!results_->note().empty() && !global_.quiet) io_.err << "bayplan: " << results_->note() << '\n';
  return true;
}

bool SweepRun::write(const std::string& lines) {
  if (results_) {
    const auto written = results_->append(lines);
    if (!written) trouble_.note(cannot_write(written.error(), written.error().file));
    return written.ok();
  }
  if (lines_ != nullptr) io_.out << lines;
  return static_cast<bool>(io_.out);  // the error is reported when the program ends
}

bool SweepRun::take(const study::SweptBlock& swept) {
  if (trouble_.is_there() || !write(swept.lines)) return false;
  std::int64_t index = swept.first;
  for (const auto& figures : swept.figures) summary_.add(index++, figures);
  progress_.show(index);
  return true;
}

/// Answers and writes the lines of one thread.
study::SweepWorker SweepRun::make_worker() {
  auto evaluator = std::make_shared<study::SweepEvaluator>(grid_, catalog_);
  return [this, evaluator](std::int64_t index) -> study::SweptScenario {
    if (trouble_.is_there()) return {};
    const auto result = evaluator->evaluate(index);
    if (!result) {
      Error error = result.error();
      error.message = fmt::format("scenario {}: {}", index, error.message);
      trouble_.note(std::move(error));
      return {};
    }
    if (!evaluator->mistakes().empty()) {
      trouble_.note_mistakes(index, evaluator->mistakes());
      return {};
    }
    return {report::sweep_line(grid_.fingerprint, index, named_point(grid_.grid, index), *result),
            report::compute_figures(*result)};
  };
}

int SweepRun::stopped(std::int64_t next) const {
  return fail(io_, {.message = fmt::format("stopped after {} of {} scenarios", next - block_.begin, block_.size()),
                    .help = results_ ? "Kept in " + lines_->file + ".partial; the same command continues from there."
                                     : "Nothing was kept. With --output jsonl=FILE the same command continues."});
}

/// It goes to standard output unless the lines do, and unless it was asked for elsewhere.
int SweepRun::write_summary() const {
  auto outputs = options_.outputs;
  std::erase_if(outputs, [](const Output& output) { return output.format == "jsonl"; });
  if (outputs.empty() && (lines_ == nullptr || results_) && !global_.quiet) outputs.push_back({"text", {}});
  const report::SweepReport report{grid_.grid,
                                   summary_,
                                   options_.shard,
                                   grid_.policies,
                                   grid_.scenario.assumptions,
                                   report::find_price_range(grid_.scenario)};
  return write_report(outputs, kSummaryFormats, report, global_, io_);
}

int SweepRun::run() {
  if (!open_results()) return kUnusable;
  study::SweepJob job;
  job.block = {results_ ? results_->next() : block_.begin, block_.end};
  job.threads = options_.threads;
  job.make_worker = [this] { return make_worker(); };
  job.take = [this](const study::SweptBlock& swept) { return take(swept); };
  job.stop = [this] { return io_.interrupted != nullptr && io_.interrupted(); };
  const std::int64_t next = study::run_sweep(job);
  progress_.clear();
  if (trouble_.is_there()) return trouble_.tell(io_);
  if (!io_.out) return kUnusable;
  if (next < block_.end) return stopped(next);
  if (results_) {
    if (const auto finished = results_->finish(); !finished)
      return fail(io_, cannot_write(finished.error(), finished.error().file));
  }
  return write_summary();
}

}  // namespace

std::vector<std::string_view> SweepCommand::formats() const {
  auto names = list_names(kSummaryFormats);
  names.insert(names.begin() + 1, "jsonl");
  return names;
}

void SweepCommand::describe(OptionSet& options) {
  options.positional("GRID", grids_, "A scenario and the axes along which it varies, YAML or JSON", true);
  options.option("--shard", shard_, "I/N",
                 "Only shard I of N, from 1; slurm or aws-batch: read both from the array job's environment");
  options.option("-j,--jobs", jobs_, "N", "Threads (default: one per core)");
  options.flag("--fresh", fresh_, "Start over and replace the results of an earlier run");
  options.flag("--all", all_, "Run even more than 100,000 scenarios");
  describe_partial(options, allow_partial_);
  options.flag("--no-lint", no_lint_, "Simulate even what ECS would reject");
  options.examples(
      "  bayplan sweep examples/night-fleet/grid.yaml\n"
      "  bayplan sweep examples/compare-policies/grid.yaml\n"
      "  bayplan sweep examples/night-fleet/grid.yaml --output jsonl=all.jsonl\n"
      "                                  # stopped? the same command continues\n"
      "  bayplan sweep examples/night-fleet/grid.yaml --shard 1/2 \\\n"
      "    --output jsonl=part-1.jsonl\n"
      "  bayplan sweep examples/night-fleet/grid.yaml --shard 2/2 \\\n"
      "    --output jsonl=part-2.jsonl\n"
      "  cat part-*.jsonl > whole.jsonl &&\n"
      "    bayplan sweep examples/night-fleet/grid.yaml --output jsonl=whole.jsonl");
}

Result<study::Shard> SweepCommand::shard(const Streams& io) const {
  if (!shard_) return study::Shard{};
  return parse_shard(*shard_, io.environment);
}

int SweepCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  if (grids_.size() > 1)
    return fail(io, {.message = "sweep takes one grid, not " + std::to_string(grids_.size()),
                     .help = "Write one sweep per grid."});
  const auto threads = parse_jobs(jobs_);
  if (!threads) return fail(io, threads.error());
  const auto part = shard(io);
  if (!part) return fail(io, part.error());

  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  stats.phase("read");
  const auto loaded = study::load_grid(grids_.front(), io.files, catalog, input_limits(global), allow_partial_);
  if (!loaded.grid) return fail_all(io, loaded.errors);
  stats.phase("lint");
  if (!no_lint_ && !accept_scenario(loaded.grid->scenario, {}, global, io)) return kUnusable;
  stats.phase("check");
  if (const auto errors = study::check_points(*loaded.grid, catalog); !errors.empty()) return fail_all(io, errors);
  const auto block = study::block_of(*part, study::size_of(loaded.grid->grid));
  const Output* lines = find_lines(*outputs);
  const bool is_done = lines != nullptr && !lines->file.empty() && !fresh_ && io.files.exists(lines->file);
  if (block.size() > kMostUnasked && !is_done) {
    const auto extent = describe_extent(*loaded.grid, catalog, block, *threads);
    if (!all_)
      return fail(io, {.message = "the grid has " + extent + "; more than 100,000 require --all",
                       .help = "Pass --all, drop an axis, take larger steps, or run a part with --shard."});
    if (!global.quiet) io.err << "bayplan: sweep: " << extent << '\n';
  }
  stats.phase("sweep");
  const int code = SweepRun(*loaded.grid, catalog, {*part, *threads, fresh_, *outputs}, global, io).run();
  stats.print();
  return code;
}

std::unique_ptr<Command> sweep_command() {
  return std::make_unique<SweepCommand>();
}

}  // namespace bayplan::cli
