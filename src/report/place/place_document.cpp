#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/explain/ecs_words.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/place/better_scheduler_parts.hpp"
#include "report/place/cluster_data.hpp"
#include "report/place/cluster_picture.hpp"
#include "report/place/instance_columns.hpp"
#include "report/place/left_out.hpp"
#include "report/place/place_report.hpp"
#include "report/place/place_tables.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kExplainedTasks = 3;         ///< The most tasks that each instance of the map explains.
constexpr std::size_t kFailuresOfFirstScreen = 6;  ///< Page: if there are more, they are shown below the map.
constexpr std::size_t kShownRows = 4;
constexpr std::ptrdiff_t kFirstRows = kShownInstances;  ///< Of a sorted list that is too long.
constexpr std::size_t kNamesOfComment = 40;
constexpr std::size_t kInstancesOfComment = 100;

/// Those that somebody has to look at come first.
std::vector<std::uint32_t> workloads_by_need(const std::vector<std::int64_t>& failed) {
  std::vector<std::uint32_t> order(failed.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t workload) { return failed[workload] > 0; });
  return order;
}

void add_workloads(ReportDocument& document, const PlaceReport& report, const std::vector<LeftOut>& left_out) {
  const auto& workloads = report.scenario.workloads;
  std::vector<std::int64_t> placed(workloads.size());
  std::vector<std::int64_t> failed(workloads.size());
  for (const auto& placement : report.outcome.placements) ++placed[placement.attempt.workload];
  for (const auto& one : left_out) failed[one.workload] += one.tasks;
  Table table({"tasks of", "each needs", number_column("placed"), number_column("not placed")});
  for (const auto workload : workloads_by_need(failed)) {
    table.add({workloads[workload].name, describe(workloads[workload].requirement), std::to_string(placed[workload]),
               std::to_string(failed[workload])});
  }
  document.table(std::move(table), {.comment = kNamesOfComment});
}

/// One failure for each distinct reason.
std::vector<const Failure*> distinct_failures(const Outcome& outcome) {
  std::vector<const Failure*> distinct;
  for (const auto& failure : outcome.failures) {
    if (!failure.same_as) distinct.push_back(&failure);
  }
  return distinct;
}

/// The closest misses, of those that are `shown`.
std::vector<std::uint32_t> rows_of_interest(const PlaceReport& report, std::vector<std::uint32_t> shown) {
  constexpr std::size_t kMost = 10;
  std::sort(shown.begin(), shown.end());
  std::set<std::uint32_t> rows;
  for (const auto* failure : distinct_failures(report.outcome)) {
    if (rows.size() == kMost) break;
    if (failure->closest && std::binary_search(shown.begin(), shown.end(), *failure->closest))
      rows.insert(*failure->closest);
  }
  return {rows.begin(), rows.end()};
}

/// Terminal: why the task of the failure is not placed, in lines below it.
void add_reasons(ReportDocument& document, const PlaceReport& report, const Failure& failure) {
  const auto& scenario = report.scenario;
  const bool is_run_task = scenario.workloads[failure.attempt.workload].kind == WorkloadKind::kTasks;
  if (failure.closest) document.line(4, "closest match: " + closest_words(scenario, failure));
  if (const auto counts = reason_counts(scenario, failure); !counts.empty()) document.line(4, "rejected: " + counts);
  if (!failure.closest && is_run_task)
    document.line(4, "RunTask answers: " + failure_reason(scenario, failure), Medium::kText);
  if (is_provisioning(scenario, failure)) {
    document.line(4, fmt::format("state: PROVISIONING, until {} has started an instance",
                                 capacity_provider_of(scenario, failure.attempt)));
  } else if (!is_run_task) {
    document.paragraph(
        {.text = "event: " + failure_message(scenario, failure), .tone = Tone::kFaint, .indent = 4, .hanging = 2},
        Medium::kFullText);
  } else {
    document.later(Medium::kFullText, [&scenario, &failure](ReportDocument& text) {
      Table answers({"", "", ""});
      for (const auto& one : api_failures(scenario, failure))
        answers.add({"   ", one.instance ? scenario.instances[*one.instance].id : std::string("-"), one.reason});
      text.line(4, "RunTask answers");
      text.table(std::move(answers));
    });
  }
}

/// A line for all tasks that fail for the same reasons, and these below it.
void add_failures(ReportDocument& document, const PlaceReport& report, const Screen& screen) {
  const auto distinct = distinct_failures(report.outcome);
  if (distinct.empty()) return;
  document.gap();
  document.line(0, "Not placed");
  const std::size_t shown = screen.options.verbose ? distinct.size() : std::min(kShownRows, distinct.size());
  std::map<const Failure*, std::vector<PlacementAttempt>> alike;
  for (std::size_t i = 0; i < shown; ++i) alike[distinct[i]] = {};
  for (const auto& failure : report.outcome.failures) {
    const auto group = alike.find(&explained(report.outcome, failure));
    if (group != alike.end()) group->second.push_back(failure.attempt);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& failure = *distinct[i];
    const auto names = join(task_ranges(report.scenario, alike[&failure]), " ");
    const auto needs = describe(report.scenario.workloads[failure.attempt.workload].requirement);
    document.line(2, {in_bold(names), {"  " + needs}});
    if (failure.would_fit) document.line(4, fmt::format("all or nothing: {} would fit", *failure.would_fit));
    add_reasons(document, report, failure);
  }
  document.left_out(distinct.size() - shown);
}

/// How many of a task fit, and in a terminal why no more.
void add_limits(ReportDocument& document, const PlaceReport& report) {
  const auto limits = limits_of(report);
  if (limits.empty()) return;
  document.section("limits", "Capacity");
  document.line(0, "No room for more");
  std::vector<RichText> words;
  for (const auto& limit : limits) {
    words.emplace_back(limit_words(report, limit));
    document.paragraph(words.back(), Medium::kPage);
    if (limit.why == nullptr) {
      document.line(2, words.back());
      continue;
    }
    const auto needs = describe(report.scenario.workloads[limit.workload].requirement);
    document.line(2, {in_bold(task_id(report.scenario, limit.why->attempt)), {"  " + needs}});
    add_reasons(document, report, *limit.why);
  }
  document.list(std::move(words), Medium::kComment);
}

Table runs_table(const TieRuns& runs) {
  Table table({"", number_column("min"), number_column("median"), number_column("max")});
  const auto add = [&](const std::string& name, const Distribution& numbers) {
    table.add({name, std::to_string(numbers.min), std::to_string(numbers.median), std::to_string(numbers.max)});
  };
  for (const auto& name : runs.names) {
    if (name.fit) add(name.name + " fit", *name.fit);
    if (name.unplaced.max > 0) add(name.name + " not placed", name.unplaced);
  }
  return table;
}

/// Terminal: what differs from run to run, and which run the report shows.
void add_shown_run(ReportDocument& document, const PlaceReport& report) {
  if (!report.runs) return;
  const auto& runs = *report.runs;
  document.table(runs_table(runs), {.text = kShownRows});
  const auto differs = [](const auto& name) { return name.fit && name.fit->min < name.fit->max; };
  const bool fails = report.summary.without_place() > 0;
  const bool is_worst = fails || std::any_of(runs.names.begin(), runs.names.end(), differs);
  document.paragraph(fmt::format("Shown below: {} (--runs 1 --seed {})",
                                 is_worst ? "the worst order" : "one of these orders", runs.worst_seed));
  if (fails) document.paragraph(worst_run(report).substr(kBelowVerdict));
}

/// Page: what other orders of ties do.
void add_tie_orders(ReportDocument& document, const PlaceReport& report) {
  document.paragraph(tie_orders_words(report));
  if (const auto& runs = report.runs ? report.runs : report.tie_orders.others; runs) document.table(runs_table(*runs));
}

/// Page: every fix; else what to type next.
void add_remedies(ReportDocument& document, const PlaceReport& report) {
  const auto next = next_step_words(report);
  if (report.remedies.list.empty() && next.empty()) return;
  document.section("remedies", "Fixes");
  if (report.remedies.list.empty()) {
    document.paragraph(next);
    return;
  }
  std::vector<RichText> fixes;
  for (const auto& remedy : report.remedies.list) {
    const auto flag = remedy_flag(remedy);
    fixes.push_back(flag.empty() ? RichText(remedy_words(remedy))
                                 : RichText{{remedy_words(remedy) + ": bayplan whatif "}, in_command(flag)});
  }
  document.paragraph(report.remedies.list.size() == 1 ? "Simulated: with it, every task is placed."
                                                      : "Simulated: with any one of these, every task is placed.");
  document.list(std::move(fixes));
}

/// Terminal and comment: the first fix; else, in a terminal, what to type next.
void add_first_remedy(ReportDocument& document, const PlaceReport& report) {
  const auto next = next_step_words(report);
  if (report.remedies.list.empty() && next.empty()) return;
  document.gap();
  if (report.remedies.list.empty()) return document.line(0, next);
  const auto& fix = report.remedies.list.front();
  const auto flags = added_flags(fix.added);
  const auto words = " " + remedy_words(fix);
  document.line(
      0,
      flags.empty() ? RichText{in_bold("Fix:"), {words}} : RichText{in_bold("Fix:"), {words + ": "}, in_command(flags)},
      kTerminal | Medium::kComment);
}

/// Whether every tie order that was tried places every task: what one order places, another may not.
bool is_good(const PlaceReport& report) {
  return report.tie_orders.all_fit() && report.summary.without_place() == 0;
}

/// "4 GPUs short"; the check that failed where nothing is short.
std::string rejected_here_words(const Scenario& scenario, const Failure& failure,
                                const placement::Rejection& rejection) {
  const auto& profile = scenario.profiles[scenario.instances[rejection.instance].profile];
  auto words = shortfall_text(scenario, failure, rejection);
  if (!words.empty()) return words;
  return reason_text(rejection.failed.first(), profile.status);
}

/// What a task that is not placed lacks on each instance: a column of indices into "reasons", 0 = not said.
void write_page_rejections(JsonWriter& json, const PlaceReport& report) {
  const auto& scenario = report.scenario;
  std::size_t count = 0;
  json.key("rejections").begin_array();
  for (const auto& failure : report.outcome.failures) {
    if (failure.same_as || failure.instances.empty() || count++ >= kExplainedTasks) continue;
    std::vector<std::string> reasons(1);
    std::vector<std::size_t> why(scenario.instances.size());
    for (const auto& rejection : failure.instances) {
      const auto words = rejected_here_words(scenario, failure, rejection);
      const auto found = std::find(reasons.begin(), reasons.end(), words);
      why[rejection.instance] = static_cast<std::size_t>(found - reasons.begin());
      if (found == reasons.end()) reasons.push_back(words);
    }
    json.begin_object().member("task", task_id(scenario, failure.attempt));
    write_list(json, "reasons", reasons);
    write_list(json, "why", why);
    json.end_object();
  }
  json.end_array();
}

/// Terminal.
void add_totals(ReportDocument& document, const PlaceReport& report) {
  const auto totals = cluster_totals(report.scenario, report.summary);
  const auto* joint = totals.find(':') == std::string::npos ? ": " : ", ";
  document.paragraph(
      {.text = fmt::format("{}{}seed {}", totals, joint, report.scenario.seed), .tone = Tone::kFaint, .hanging = 2},
      kTerminal);
}

}  // namespace

void add_cluster(ReportDocument& document, const PlaceReport& report, const ClusterView& view) {
  if (view.wide) add_totals(document, report);
  document.later(kTerminal, [&report, view](ReportDocument& text, const Screen& screen) {
    if (report.scenario.instances.empty()) return;
    const auto& options = screen.options;
    const auto shown = viewed_instances(report, view);
    add_view_words(text, report, view, shown.size());
    if (shown.empty()) return;
    const auto add_rows = [&](const std::vector<std::uint32_t>& rows) {
      if (!view.wide) return text.table(make_first_screen_table(report, rows, options));
      for (auto& block : make_wide_table(report, rows, options)) text.add(std::move(block));
    };
    if (options.verbose || shown.size() <= (view.wide ? kShownWide : kShownInstances)) return add_rows(shown);
    // Too many for a row each: groups, then the rows that the reader looks for.
    view.wide ? add_cluster_groups(text, report, shown, options.glyphs)
              : text.table(make_type_table(report, shown, options.glyphs));
    const bool is_sorted = !view.sortings.empty();
    const auto rows = is_sorted ? std::vector(shown.begin(), shown.begin() + std::min(std::ssize(shown), kFirstRows))
                                : rows_of_interest(report, shown);
    if (rows.empty()) return;
    if (view.wide) text.gap();
    text.line(0, is_sorted ? fmt::format("the first {} (-v: all)", rows.size()) : std::string("Closest matches"));
    add_rows(rows);
  });
  if (!view.wide) add_totals(document, report);
}

void add_instance_list(ReportDocument& document, const PlaceReport& report) {
  std::vector<std::uint32_t> all(report.scenario.instances.size());
  if (all.empty()) return;
  std::iota(all.begin(), all.end(), 0U);
  auto table = make_instance_table(report, std::move(all), InstanceTableKind::kComment, Glyphs{}, nullptr).table;
  auto summary = count_of(static_cast<std::int64_t>(table.rows.size()), "instance");
  document.folded(std::move(summary), {block::ShownTable{std::move(table), {.comment = kInstancesOfComment}}});
}

void add_cluster_views(ReportDocument& document) {
  document.section("cluster", "Cluster");
  document.view("cluster",
                "The map and the list of instances need JavaScript; the text report below has the same data.");
  document.section("fragmentation", "Fragmentation");
  document.view("fragmentation", "This chart needs JavaScript.");
}

ReportDocument place_document(const PlaceReport& report, const ClusterView& view) {
  ReportDocument document("place");
  document.answer(report.scenario.file, headline(report), is_good(report));
  document.notes(notes_of(report.assumptions));
  document.prices = price_words(find_price_range(report.scenario));
  document.has_all_lines = view.is_asked();
  document.later(kTerminal, [&report](ReportDocument& text) { add_shown_run(text, report); });
  add_cluster(document, report, view);
  document.later(kTerminal,
                 [&report](ReportDocument& text, const Screen& screen) { add_failures(text, report, screen); });
  // A page shows the figures and the map first, a comment what each service has.
  document.later(Medium::kPage, [&report](ReportDocument& page) {
    const auto without_place = left_out(report);
    page.section("summary", "Summary");
    page.add(block::Figures{cluster_figures(report.summary)});
    add_tie_orders(page, report);
    add_remedies(page, report);
    add_better_scheduler(page, report);
    if (without_place.size() <= kFailuresOfFirstScreen) add_left_out_table(page, report.scenario, without_place);
    add_cluster_views(page);
    if (without_place.size() > kFailuresOfFirstScreen) add_left_out_table(page, report.scenario, without_place);
  });
  document.later(Medium::kComment, [&report](ReportDocument& comment) {
    const auto without_place = left_out(report);
    comment.paragraph(cluster_totals(report.scenario, report.summary));
    add_workloads(comment, report, without_place);
    add_left_out_list(comment, without_place);
  });
  add_limits(document, report);
  document.later(Medium::kFullText, [&report](ReportDocument& text) {
    add_free_gpus(text, report);
    add_gpu_ids(text, report);
  });

  // What to do, and what holds for the whole report: no first screen is too short for it.
  ReportDocument end("place");
  end.later(kTerminal | Medium::kComment, [&report](ReportDocument& part) {
    add_first_remedy(part, report);
    add_better_scheduler(part, report);
    part.paragraph(tie_orders_words(report));
    part.gap();
  });
  end.add(block::ClusterFindings{report.cluster_findings});
  end.later(Medium::kComment, [&report](ReportDocument& comment) { add_instance_list(comment, report); });
  end.add(block::Assumptions{report.assumptions});
  document.footer = std::move(end.blocks);
  document.has_text = true;
  document.data = [&report](JsonWriter& json) {
    json.begin_object();
    write_cluster_data(json, make_cluster_picture(report));
    write_page_rejections(json, report);
    json.end_object();
  };
  return document;
}

}  // namespace bayplan::report
