#include "report/place_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/assumptions.hpp"
#include "report/cluster_words.hpp"
#include "report/figures.hpp"
#include "report/glyphs.hpp"
#include "report/left_out.hpp"
#include "report/markdown_page.hpp"
#include "report/place_words.hpp"
#include "report/rollout_words.hpp"
#include "report/timeline_headline.hpp"
#include "report/timeline_names.hpp"
#include "report/timeline_reasons.hpp"
#include "report/timeline_tables.hpp"
#include "report/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using placement::GpuDevice;
using timeline::Seconds;

namespace {

constexpr std::size_t kNamesOfPage = 40;
constexpr std::size_t kLeftOutOfPage = 20;
constexpr std::size_t kInstancesOfPage = 100;
constexpr std::size_t kRangesOfCell = 12;
constexpr std::size_t kLongestRange = 60;  ///< Columns: spread tasks have numbers with gaps, thousands of them.

std::string gpus_cell(const std::vector<GpuDevice>& devices) {
  return devices.empty() ? "-" : fmt::format("{} of {}", idle_gpus(devices), devices.size());
}

std::string tasks_cell(const PlaceReport& report, std::uint32_t instance,
                       const std::vector<std::uint32_t>& placements) {
  const auto& profile = report.scenario.profiles[report.scenario.instances[instance].profile];
  std::vector<std::string> parts;
  if (const auto state = instance_state_words(profile); !state.empty()) parts.emplace_back(state);
  const auto running = report.outcome.instances[instance].tasks - static_cast<std::int64_t>(placements.size());
  if (running > 0) parts.push_back(fmt::format("{} running", running));
  std::vector<placement::Turn> turns;
  for (const auto placement : placements) turns.push_back(report.outcome.placements[placement].turn);
  auto ranges = task_ranges(report.scenario, turns);
  const std::size_t all = ranges.size();
  ranges.resize(std::min(all, kRangesOfCell));
  for (const auto& range : ranges) parts.push_back(cut(printable(range), kLongestRange, Glyphs{}));
  if (all > kRangesOfCell) parts.push_back(fmt::format("and {} more", all - kRangesOfCell));
  return join(parts, " ");
}

/// Those that somebody has to look at come first.
std::vector<std::uint32_t> workloads_by_need(const std::vector<std::int64_t>& failed) {
  std::vector<std::uint32_t> order(failed.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_partition(order.begin(), order.end(), [&](std::uint32_t workload) { return failed[workload] > 0; });
  return order;
}

void add_workloads(MarkdownPage& page, const PlaceReport& report, const std::vector<LeftOut>& left_out) {
  const auto& workloads = report.scenario.workloads;
  std::vector<std::int64_t> placed(workloads.size());
  std::vector<std::int64_t> failed(workloads.size());
  for (const auto& placement : report.outcome.placements) ++placed[placement.turn.workload];
  for (const auto& one : left_out) failed[one.workload] += one.tasks;
  MarkdownPage::Table table{{"tasks of", "each asks for", "placed", "without a place"}, {false, false, true, true}, {}};
  for (const auto workload : workloads_by_need(failed)) {
    table.rows.push_back({workloads[workload].name, describe(workloads[workload].requirement),
                          std::to_string(placed[workload]), std::to_string(failed[workload])});
  }
  page.table(table, kNamesOfPage);
}

void add_left_out(MarkdownPage& page, const std::vector<LeftOut>& left_out) {
  const std::size_t shown = std::min(kLeftOutOfPage, left_out.size());
  for (std::size_t i = 0; i < shown; ++i) page.item(left_out[i].names, left_out[i].state + ": " + left_out[i].why);
  if (shown < left_out.size()) page.item("", fmt::format("and {} more", left_out.size() - shown));
  if (shown > 0) page.end_items();
}

void add_limits(MarkdownPage& page, const PlaceReport& report) {
  const auto limits = limits_of(report);
  for (const auto& limit : limits) page.item("", limit_words(report, limit));
  if (!limits.empty()) page.end_items();
}

void add_remedy(MarkdownPage& page, const PlaceReport& report) {
  if (report.remedy) page.line("What would help:", remedy_words(*report.remedy));
}

void add_instances(MarkdownPage& page, const PlaceReport& report) {
  const auto& scenario = report.scenario;
  if (scenario.instances.empty()) return;
  MarkdownPage::Table table{{"instance", "type", "zone", "free GPUs", "CPU", "memory", "tasks"},
                            {false, false, false, true, true, true, false},
                            {}};
  const auto placements = placements_by_instance(report);
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& profile = scenario.profiles[scenario.instances[i].profile];
    const auto& state = report.outcome.instances[i];
    table.rows.push_back({scenario.instances[i].id, profile.instance_type, profile.availability_zone,
                          gpus_cell(state.gpus), percent(profile.cpu - state.cpu, profile.cpu),
                          percent(profile.memory - state.memory, profile.memory),
                          tasks_cell(report, i, placements[i])});
  }
  page.open_details(count_of(static_cast<std::int64_t>(table.rows.size()), "instance"));
  page.table(table, kInstancesOfPage);
  page.close_details();
}

std::string time_cell(const std::optional<timeline::Delay>& delay, Seconds timeline::Delay::*which) {
  return delay ? duration((*delay).*which) : "-";
}

void add_names(MarkdownPage& page, const TimelineReport& report) {
  MarkdownPage::Table table{{"tasks of", "arrived", "ran", "ended", "failed", "waiting", "wait p50", "p95", "worst"},
                            {false, true, true, true, true, true, true, true, true},
                            {}};
  for (const auto& name : report.figures().names) {
    table.rows.push_back(
        {name.name, std::to_string(name.arrived), std::to_string(name.ran), std::to_string(name.ended),
         std::to_string(name.failed), std::to_string(name.waiting), time_cell(name.to_place, &timeline::Delay::p50),
         time_cell(name.to_place, &timeline::Delay::p95), time_cell(name.to_place, &timeline::Delay::worst)});
  }
  page.table(table, kNamesOfPage);
}

void add_deployments(MarkdownPage& page, const TimelineReport& report) {
  const auto& deployments = report.history().deployments;
  MarkdownPage::Table table{{"deployment", "starts", "ends", "state"}, {false, true, true, false}, {}};
  for (std::uint32_t i = 0; i < deployments.size(); ++i) {
    const auto& one = deployments[i];
    std::string state = one.is_stuck ? "never finishes" : std::string(rollout_state(one.state));
    if (const auto* held = report.held(i); held != nullptr) state += ": " + holdup_words(report, *held);
    table.rows.push_back({deployment_name(report.scenario(), one), duration(one.started_at),
                          one.ended_at ? duration(*one.ended_at) : "-", state});
  }
  page.table(table, kNamesOfPage);
}

void add_losses(MarkdownPage& page, const TimelineReport& report) {
  const auto& figures = report.figures();
  std::size_t told = 0;
  for (const auto& one : figures.cut_off) {
    if (++told > kLeftOutOfPage) continue;
    page.item(task_id(report.scenario(), report.history().tasks[one.task]),
              fmt::format("cut off after {}: {}", duration(one.ran), cut_off_words(report, one)));
  }
  for (const auto& one : figures.held_drains) {
    if (++told > kLeftOutOfPage) continue;
    page.item(report.history().instances[one.instance].id, "never drained: " + held_drain_words(report, one));
  }
  if (told > kLeftOutOfPage) page.item("", fmt::format("and {} more", told - kLeftOutOfPage));
  if (told > 0) page.end_items();
}

std::string run_totals(const TimelineReport& report) {
  const auto& figures = report.figures();
  std::vector<std::string> parts{"The run goes to " + duration(report.history().end)};
  if (figures.cost.unpriced == 0 && !figures.cost.types.empty())
    parts.push_back(fmt::format("costs ${} ({})", money(figures.cost.total), report.scenario().region));
  parts.push_back(fmt::format("uses at most {} at a time", count_of(figures.most_instances, "instance")));
  return join(parts, ", ");
}

}  // namespace

void write_place_markdown(std::ostream& out, const PlaceReport& report) {
  MarkdownPage page;
  page.heading("bayplan place: " + headline(report));
  for (const auto& note : launch_type_notes(report.assumptions)) page.line("Note:", note);
  page.line(cluster_totals(report.scenario, report.summary));
  const auto without_place = left_out(report);
  add_workloads(page, report, without_place);
  add_left_out(page, without_place);
  add_limits(page, report);
  add_remedy(page, report);
  if (const auto words = tie_orders_words(report); !words.empty()) page.line(words);
  page.findings(report.cluster_findings);
  add_instances(page, report);
  page.assumptions(report.assumptions);
  page.write(out);
}

void write_timeline_markdown(std::ostream& out, const TimelineReport& report) {
  MarkdownPage page;
  page.heading("bayplan place: " + timeline_headline(report));
  for (const auto& note : launch_type_notes(report.cluster().assumptions)) page.line("Note:", note);
  page.line(run_totals(report));
  add_names(page, report);
  add_deployments(page, report);
  add_left_out(page, left_out(report));
  add_losses(page, report);
  page.findings(report.cluster().cluster_findings);
  page.line("At the end:", cluster_totals(report.scenario(), report.cluster().summary));
  add_instances(page, report.cluster());
  page.assumptions(report.cluster().assumptions);
  page.write(out);
}

}  // namespace bayplan::report
