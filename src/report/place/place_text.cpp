#include "report/place/place_report.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/explain/ecs_words.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/better_scheduler_parts.hpp"
#include "report/place/place_tables.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kShownFailures = 4;
constexpr std::size_t kRowsOfInterest = 10;

/// Text of the report without the failures that say the same as another.
std::vector<const Failure*> distinct_failures(const Outcome& outcome) {
  std::vector<const Failure*> distinct;
  for (const auto& failure : outcome.failures) {
    if (!failure.same_as) distinct.push_back(&failure);
  }
  return distinct;
}

/// The closest misses, of those that are `shown`.
std::vector<std::uint32_t> rows_of_interest(const PlaceReport& report, std::vector<std::uint32_t> shown) {
  std::sort(shown.begin(), shown.end());
  std::set<std::uint32_t> rows;
  for (const auto* failure : distinct_failures(report.outcome)) {
    if (rows.size() == kRowsOfInterest) break;
    if (failure->closest && std::binary_search(shown.begin(), shown.end(), *failure->closest))
      rows.insert(*failure->closest);
  }
  return {rows.begin(), rows.end()};
}

/// Returns the first of a sorted list.
std::vector<std::uint32_t> first_of(std::vector<std::uint32_t> sorted) {
  sorted.resize(std::min(sorted.size(), kShownInstances));
  return sorted;
}

/// Writes failures as RunTask would answer.
void write_api_failures(std::ostream& out, const PlaceReport& report, const Failure& failure) {
  out << "    RunTask answers\n";
  Table table({"", "", ""});
  for (const auto& one : api_failures(report.scenario, failure)) {
    const auto instance = one.instance ? report.scenario.instances[*one.instance].id : std::string("-");
    table.add({"   ", printable(instance), one.reason});
  }
  print_table(out, table, Style(false));
}

/// A line below a task, broken to fit, with its end.
std::string reason_line(const std::string& text) {
  constexpr std::size_t kIndent = 4;
  return std::string(kIndent, ' ') + wrapped(printable(text), kIndent + 2) + '\n';
}

void write_reasons(std::ostream& out, const PlaceReport& report, const Failure& failure,
                   const PlaceTextOptions& options) {
  const auto& workload = report.scenario.workloads[failure.attempt.workload];
  if (failure.closest) {
    const Rejection* closest = find_rejection(failure, *failure.closest);
    const auto& instance = report.scenario.instances[*failure.closest];
    const auto lacking = closest == nullptr ? std::string{} : shortfall_text(report.scenario, failure, *closest);
    out << reason_line(fmt::format("closest match: {}, {}{}", instance.id, failure_reason(report.scenario, failure),
                                   lacking.empty() ? "" : " (" + lacking + ")"));
  }
  const auto counts = reason_counts(report.scenario, failure);
  if (!counts.empty()) out << reason_line("rejected: " + counts);
  if (!failure.closest && workload.kind == WorkloadKind::kTasks && !options.verbose)
    out << reason_line("RunTask answers: " + failure_reason(report.scenario, failure));
  if (is_provisioning(report.scenario, failure)) {
    out << reason_line(fmt::format("state: PROVISIONING, until {} has started an instance",
                                   capacity_provider_of(report.scenario, failure.attempt)));
  } else if (workload.kind != WorkloadKind::kTasks && options.verbose) {
    out << options.style.dim(reason_line("event: " + failure_message(report.scenario, failure)));
  } else if (options.verbose) {
    write_api_failures(out, report, failure);
  }
}

/// `alike`: the tasks that fail for the reasons of `failure`.
void write_failure(std::ostream& out, const PlaceReport& report, const Failure& failure,
                   const std::vector<PlacementAttempt>& alike, const PlaceTextOptions& options) {
  const auto& workload = report.scenario.workloads[failure.attempt.workload];
  const auto names = join(task_ranges(report.scenario, alike), " ");
  out << "  " << options.style.bold(printable(names)) << "  " << describe(workload.requirement) << '\n';
  if (failure.would_fit) out << fmt::format("    all or nothing: {} would fit\n", *failure.would_fit);
  write_reasons(out, report, failure, options);
}

void write_failures(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  const auto distinct = distinct_failures(report.outcome);
  if (distinct.empty()) return;
  out << "\nNot placed\n";
  const std::size_t shown = options.verbose ? distinct.size() : std::min(kShownFailures, distinct.size());
  std::map<const Failure*, std::vector<PlacementAttempt>> alike;
  for (std::size_t i = 0; i < shown; ++i) alike[distinct[i]] = {};
  for (const auto& failure : report.outcome.failures) {
    const auto group = alike.find(&explained(report.outcome, failure));
    if (group != alike.end()) group->second.push_back(failure.attempt);
  }
  for (std::size_t i = 0; i < shown; ++i) write_failure(out, report, *distinct[i], alike[distinct[i]], options);
  print_left_out(out, distinct.size() - shown);
}

void write_limits(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  const auto limits = limits_of(report);
  if (limits.empty()) return;
  out << "\nNo room for more\n";
  for (const auto& limit : limits) {
    const auto& workload = report.scenario.workloads[limit.workload];
    if (limit.why == nullptr) {
      out << "  " << wrapped(printable(limit_words(report, limit)), 4) << '\n';
      continue;
    }
    out << "  " << options.style.bold(printable(task_id(report.scenario, limit.why->attempt))) << "  "
        << describe(workload.requirement) << '\n';
    write_reasons(out, report, *limit.why, options);
  }
}

/// What differs from run to run, and which run the report shows.
void write_runs(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  if (!report.runs) return;
  const auto& runs = *report.runs;
  Table table({"", number_column("min"), number_column("median"), number_column("max")});
  std::size_t rows = 0;
  const auto add = [&](const std::string& name, const Distribution& numbers) {
    if (++rows > kShownFailures && !options.verbose) return;
    table.add({name, std::to_string(numbers.min), std::to_string(numbers.median), std::to_string(numbers.max)});
  };
  for (const auto& name : runs.names) {
    if (name.fit) add(name.name + " fit", *name.fit);
    if (name.unplaced.max > 0) add(name.name + " not placed", name.unplaced);
  }
  if (!table.rows.empty()) print_table(out, table, options.style);
  if (rows > kShownFailures && !options.verbose) print_left_out(out, rows - kShownFailures);
  const auto differs = [](const NameRuns& name) { return name.fit && name.fit->min < name.fit->max; };
  const bool fails = report.summary.without_place() > 0;
  const bool is_worst = fails || std::any_of(runs.names.begin(), runs.names.end(), differs);
  out << fmt::format("Shown below: {} (--runs 1 --seed {})", is_worst ? "the worst order" : "one of these orders",
                     runs.worst_seed);
  if (fails) out << "\n" << wrapped(printable(worst_run(report).substr(4)), 0);
  out << '\n';
}

void write_tie_orders(std::ostream& out, const PlaceReport& report) {
  const auto words = tie_orders_words(report);
  if (!words.empty()) out << wrapped(words, 0) << '\n';
}

void write_remedy(std::ostream& out, const PlaceReport& report) {
  const auto& fixes = report.remedies.list;
  if (fixes.empty()) {
    if (const auto words = next_step_words(report); !words.empty()) out << '\n' << wrapped(printable(words), 2) << '\n';
    return;
  }
  const auto flags = added_flags(fixes.front().added);
  out << wrapped("\nFix: " + printable(remedy_words(fixes.front()) + (flags.empty() ? "" : ": " + flags)), 2) << '\n';
}

/// Groups instances by type if there are many.
void write_instances_of(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  if (report.scenario.instances.empty()) return;
  const auto& view = options.view;
  const auto shown = viewed_instances(report, view);
  write_view_words(out, report, shown.size(), options);
  if (shown.empty()) return;
  const auto write_rows = view.wide ? write_wide_table : write_instance_table;
  if (options.verbose || shown.size() <= (view.wide ? kShownWide : kShownInstances))
    return write_rows(out, report, shown, options);
  const auto write_summary = view.wide ? write_cluster_groups : write_type_table;
  write_summary(out, report, shown, options);
  const auto rows = view.sortings.empty() ? rows_of_interest(report, shown) : first_of(shown);
  if (rows.empty()) return;
  if (view.wide) out << '\n';
  out << (view.sortings.empty() ? std::string("Closest matches\n")
                                : fmt::format("the first {} (-v: all)\n", rows.size()));
  write_rows(out, report, rows, options);
}

}  // namespace

void write_cluster(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  if (options.view.wide) write_totals(out, report, options.style);
  write_instances_of(out, report, options);
  if (!options.view.wide) write_totals(out, report, options.style);
}

void write_totals(std::ostream& out, const PlaceReport& report, const Style& style) {
  const auto totals = cluster_totals(report.scenario, report.summary);
  const auto* joint = totals.find(':') == std::string::npos ? ": " : ", ";
  out << style.dim(wrapped(fmt::format("{}{}seed {}", totals, joint, report.scenario.seed), 2)) << '\n';
}

namespace {

void write_body(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  const auto& style = options.style;
  out << style.answer(answer_lines(printable(headline(report)), options.quiet)) << '\n';
  write_notes(out, report.assumptions, style);
  if (options.quiet) return;
  write_runs(out, report, options);
  write_cluster(out, report, options);
  write_failures(out, report, options);
  write_limits(out, report, options);
  if (!options.verbose) return;
  write_free_gpus(out, report, options);
  write_gpu_ids(out, report, options);
}

/// What to do, and what holds for the whole report: no first screen is too short for it.
void write_footer(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  write_remedy(out, report);
  write_better_scheduler_text(out, report, options);
  write_tie_orders(out, report);
  if (!report.assumptions.empty() || !report.cluster_findings.empty()) out << '\n';
  write_cluster_findings_text(out, report.cluster_findings, options.verbose, options.style);
  write_assumptions_text(out, report.assumptions, options.verbose, options.style);
}

}  // namespace

void write_place_text(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options) {
  std::ostringstream body;
  std::ostringstream footer;
  write_body(body, report, options);
  if (!options.quiet) write_footer(footer, report, options);
  write_first_screen(out, body.str(), footer.str(), options.shows_everything());
}

}  // namespace bayplan::report
