#include "report/timeline/timeline_report.hpp"

#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_tables.hpp"
#include "report/place/place_words.hpp"
#include "report/timeline/timeline_tables.hpp"
#include "report/timeline/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else

namespace {

/// "2 p3.2xlarge for 1h34m", "3 c5.large for 2h10m together"
std::string paid_words(const TypeCost& type) {
  constexpr Seconds kHour = 3'600;
  constexpr Seconds kLong = 100 * kHour;
  const auto who = fmt::format("{} {}", type.instances, type.instance_type);
  if (type.each) return who + " for " + duration(*type.each);
  if (type.seconds < kLong) return who + " for " + duration(type.seconds) + " together";
  return who + fmt::format(" for {} hours together", (type.seconds + kHour / 2) / kHour);
}

void write_cost(std::ostream& out, const TimelineReport& report) {
  constexpr std::size_t kShownTypes = 4;
  const auto& cost = report.figures().cost;
  if (cost.types.empty()) return;
  std::vector<std::string> types;
  for (const auto& type : cost.types) {
    if (types.size() < kShownTypes) types.push_back(paid_words(type));
  }
  if (cost.types.size() > kShownTypes) types.push_back(fmt::format("{} more types", cost.types.size() - kShownTypes));
  std::string text =
      fmt::format("Simulated cost: ${} ({}): {}", money(cost.total), report.scenario().region, join(types, ", "));
  std::vector<std::string> waste;
  if (cost.idle > 0) waste.push_back(fmt::format("${} for {}", money(cost.idle), idle_words(report)));
  if (cost.booting > 0) waste.push_back(fmt::format("${} while booting", money(cost.booting)));
  if (!waste.empty()) text += "; including " + join(waste, ", ");
  if (cost.unpriced > 0)
    text += fmt::format("; excluding {} without a known price", count_of(cost.unpriced, "instance"));
  out << wrapped(printable(text), 2) << '\n';
}

void write_end(std::ostream& out, const TimelineReport& report) {
  const auto& history = report.history();
  if (report.continued()) {
    const auto& earlier = *report.continued();
    out << wrapped(printable(fmt::format("Continues {}, which ends at {}: all {} were reproduced", earlier.file,
                                         duration(earlier.end),
                                         count_of(static_cast<std::int64_t>(earlier.events), "event"))),
                   2)
        << '\n';
    if (history.end <= earlier.end) {
      out << (history.end_reason == EndReason::kUntil ? "--until is not later: nothing new\n"
                                                      : "That run had already ended: nothing more can happen\n");
    }
  }
  if (history.end_reason == EndReason::kEndless) {
    out << wrapped(fmt::format("The run never ends: it only repeats for {}, so the simulation stops at {} "
                               "(settings.timing endlessAfter)",
                               duration(report.scenario().timetable.timing.endless_after), duration(history.end)),
                   2)
        << '\n';
  } else if (history.end_reason == EndReason::kUntil) {
    out << fmt::format("Stopped at {} with events pending\n", duration(history.end));
  }
}

/// The instances, where something is left on them.
void write_end_state(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options) {
  const auto& cluster = report.cluster();
  if (cluster.scenario.instances.empty()) {
    out << fmt::format("\nNo instances remain at {}\n", duration(report.history().end));
  } else {
    out << fmt::format("\nCluster at {}\n", duration(report.history().end));
    const bool wants_rows = options.verbose || options.view.wide || options.view.chooses();
    if (wants_rows || cluster.summary.instances_used > 0) {
      write_cluster(out, cluster, options);
    } else {
      write_totals(out, cluster, options.style);
    }
  }
  if (report.booting() > 0) out << count_of(report.booting(), "more instance") << " launched but not yet active\n";
}

/// `out` has what is shown so far; `footer`: lines that follow.
void write_body(std::ostringstream& out, const TimelineReport& report, const PlaceTextOptions& options,
                std::size_t footer) {
  const auto& style = options.style;
  out << style.answer(answer_lines(printable(timeline_headline(report)), options.quiet)) << '\n';
  write_notes(out, report.cluster().assumptions, style);
  if (options.quiet) return;
  write_cost(out, report);
  write_end(out, report);
  out << '\n';
  write_task_times(out, report, options);
  write_waits(out, report, options);
  write_spot(out, report);
  if (options.verbose) write_gpu_time(out, report);
  write_timeline_chart(out, report, options);
  write_deployments(out, report, options);
  write_without_place(out, report, options);
  write_cut_off(out, report, options);
  write_held_drains(out, report, options);
  if (options.verbose) write_groups(out, report, options);
  const auto taken = line_count(out.str()) + footer;
  const auto left = taken < kTerminalLines ? kTerminalLines - taken : 0;
  write_timeline_log(out, report, options, options.shows_everything() ? kTerminalLines / 2 : left);
  if (options.shows_everything()) write_end_state(out, report, options);
}

/// What holds for the whole report.
void write_footer(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options) {
  const auto& cluster = report.cluster();
  if (!cluster.assumptions.empty() || !cluster.cluster_findings.empty()) out << '\n';
  write_cluster_findings_text(out, cluster.cluster_findings, options.verbose, options.style);
  write_assumptions_text(out, cluster.assumptions, options.verbose, options.style);
}

}  // namespace

void write_timeline_text(std::ostream& out, const TimelineReport& report, const PlaceTextOptions& options) {
  std::ostringstream body;
  std::ostringstream footer;
  if (!options.quiet) write_footer(footer, report, options);
  write_body(body, report, options, line_count(footer.str()));
  write_first_screen(out, body.str(), footer.str(), options.shows_everything());
}

}  // namespace bayplan::report
