#include "cli/sweep_run.hpp"

#include <algorithm>
#include <memory>

#include "base/fill.hpp"
#include "cli/guarded_files.hpp"
#include "report/sweep/sweep_report.hpp"

namespace bayplan::cli {

namespace {

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

Error cannot_write(const Error& error) {
  return {.message = "cannot write: " + error.message, .file = error.file};
}

}  // namespace

void Trouble::note(Error error) {
  const std::lock_guard lock(mutex_);
  if (!is_there_.exchange(true)) error_ = std::move(error);
}

void Trouble::note_mistakes(const std::vector<std::string>& mistakes) {
  const std::lock_guard lock(mutex_);
  if (!is_there_.exchange(true)) mistakes_ = mistakes;
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
    fail(io_, cannot_write(*refused));
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
    if (!written) trouble_.note(cannot_write(written.error()));
    return written.ok();
  }
  if (lines_ != nullptr) io_.out << lines;
  return static_cast<bool>(io_.out);  // what ails it is told when the program ends
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
      error.message = fill("scenario {}: {}", {index, error.message});
      trouble_.note(std::move(error));
      return {};
    }
    if (!evaluator->mistakes().empty()) trouble_.note_mistakes(evaluator->mistakes());
    return {report::sweep_line(grid_.fingerprint, index, named_point(grid_.grid, index), *result),
            report::figures_of(*result)};
  };
}

int SweepRun::stopped(std::int64_t next) const {
  return fail(io_, {.message = fill("stopped after {} of {} scenarios", {next - block_.begin, block_.size()}),
                    .help = results_ ? "The same command goes on from there."
                                     : "With --output jsonl=FILE the same command would go on from there."});
}

/// It goes to standard output unless the lines do, and unless it was asked for elsewhere.
int SweepRun::write_summary() const {
  auto outputs = options_.outputs;
  std::erase_if(outputs, [](const Output& output) { return output.format == "jsonl"; });
  if (outputs.empty() && (lines_ == nullptr || results_) && !global_.quiet) outputs.push_back({"text", {}});
  const report::SweepReport report{grid_.grid, summary_, options_.shard, grid_.scenario.assumptions};
  return write_outputs(outputs, io_, [&](std::string_view, std::ostream& out, bool is_standard) {
    report::write_sweep_text(
        out, report, {style_of(global_, io_, is_standard), report::glyphs_for(io_.environment), global_.verbose});
  });
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
    if (const auto finished = results_->finish(); !finished) return fail(io_, cannot_write(finished.error()));
  }
  return write_summary();
}

}  // namespace bayplan::cli
