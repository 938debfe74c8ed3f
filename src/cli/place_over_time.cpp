#include "cli/place_over_time.hpp"

#include "base/limits.hpp"
#include "base/strings.hpp"
#include "cli/formats.hpp"
#include "cli/guarded_files.hpp"
#include "cli/load.hpp"
#include "report/document/figures.hpp"
#include "report/place/place_report.hpp"
#include "report/timeline/earlier_report.hpp"
#include "report/timeline/timeline_report.hpp"
#include "study/rollout.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify.hpp"

namespace bayplan::cli {
namespace {

using report::EarlierReport;

/// A report may be as large as a snapshot.
Result<EarlierReport> read_report(const std::string& file, const placement::Scenario& scenario, GlobalOptions global,
                                  Streams& io) {
  if (global.max_input == 0) global.max_input = static_cast<std::int64_t>(Limits().snapshot_bytes);
  const auto document = load_document(file, global, io);
  if (!document) return document.error();
  auto earlier = report::read_earlier_report(*document, file);
  if (!earlier) return earlier.error();
  const auto& until = scenario.timetable.until;
  if (until && *until < earlier->end) {
    return Error{.message = "the report goes to " + report::duration(earlier->end) + " already, --until to " +
                            report::duration(*until),
                 .file = file};
  }
  return earlier;
}

struct Simulated {
  const report::TimelineReport& report;
  const OverTimeOptions& options;
};

/// Those of `place`, of a run over time.
constexpr std::array<Format<Simulated>, 6> kTimelineFormats{
    {{"text",
      [](std::ostream& out, const Simulated& run, const report::TextOptions& options) {
        report::write_timeline_text(out, run.report, {options, run.options.view});
      }},
     {"json", [](std::ostream& out,
                 const Simulated& run) { report::write_timeline_json(out, run.report, {run.options.placements}); }},
     {"html", [](const Simulated& run, report::Medium medium) { return report::timeline_document(run.report, medium); },
      report::Medium::kPage},
     {"markdown",
      [](const Simulated& run, report::Medium medium) { return report::timeline_document(run.report, medium); },
      report::Medium::kComment},
     {"csv",
      [](std::ostream& out, const Simulated& run) { report::write_timeline_csv(out, run.report.figures().series); }},
     {"svg", [](std::ostream& out, const Simulated& run) { report::write_timeline_svg(out, run.report); }}}};

}  // namespace

int place_over_time(const placement::Scenario& scenario, const std::vector<Output>& outputs,
                    const OverTimeOptions& options, const GlobalOptions& global, Streams& io, Stats& stats) {
  std::optional<EarlierReport> earlier;
  if (options.continue_from) {
    stats.phase("read report");
    auto read = read_report(*options.continue_from, scenario, global, io);
    if (!read) return fail(io, read.error());
    earlier = std::move(*read);
    may_be_replaced(io, *options.continue_from);  // the run that goes on may well be written over what it goes on from
  }
  stats.phase("simulate");
  const auto history = timeline::simulate(scenario);
  stats.size(count_of(static_cast<std::int64_t>(history.events.size()), "event"));
  if (!history.errors.empty()) return fail_all(io, history.errors);
  stats.phase("verify");
  if (const auto mistakes = timeline::verify(scenario, history); !mistakes.empty()) return internal_error(io, mistakes);
  std::optional<report::ContinuedFrom> continued;
  if (earlier) {
    if (const auto difference = report::first_difference(*earlier, scenario, history)) return fail(io, *difference);
    continued = {earlier->file, earlier->end, earlier->events.size()};
  }
  stats.phase("study");
  auto held = study::held_deployments(scenario, history);
  stats.phase("report");
  const report::TimelineReport report(scenario, history, continued, std::move(held));
  const int written = write_report(outputs, kTimelineFormats, Simulated{report, options}, global, io);
  stats.print(io.err);
  if (written != kClean) return written;
  return report.has_failures() ? kFindings : kClean;
}

}  // namespace bayplan::cli
