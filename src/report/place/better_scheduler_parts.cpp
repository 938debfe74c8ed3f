#include "report/place/better_scheduler_parts.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/start_task_lines.hpp"

namespace bayplan::report {

using placement::ConstraintType;
using placement::TaskOrder;
using placement::WorkloadKind;
using study::BetterScheduler;
using study::SchedulerResult;
using study::SchedulerWay;

namespace {

constexpr std::string_view kTooLarge =
    "A better scheduler: not searched, the cluster is too large; bayplan place --policy best-fit simulates one";
constexpr std::size_t kShownCommands = 3;
constexpr std::size_t kNamedWorkloads = 3;

bool places_more(const BetterScheduler& found) {
  return found.result.placed > found.as_written.placed;
}

/// "7 of 7 tasks", "14 tasks" of workloads without a count, "3 of 6 instances".
std::string result_words(const PlaceReport& report, const SchedulerResult& result) {
  const auto& workloads = report.scenario.workloads;
  if (!places_more(*report.scheduler.found))
    return fmt::format("{} of {} instances", result.instances, report.scenario.instances.size());
  const bool has_open_end =
      std::any_of(workloads.begin(), workloads.end(), [](const auto& workload) { return !workload.count; });
  if (has_open_end) return count_of(result.placed, "task");
  return fmt::format("{} of {} tasks", with_separators(result.placed),
                     with_separators(std::ssize(report.outcome.placements) + std::ssize(report.outcome.failures)));
}

/// Returns how much less an hour costs than with the strategies as written; nothing where a price is unknown or there
/// is no difference.
std::optional<MicroUsd> saving_of(const BetterScheduler& found, const SchedulerResult& result) {
  if (places_more(found) || !result.hourly_cost || !found.as_written.hourly_cost) return std::nullopt;
  const auto saving = *found.as_written.hourly_cost - *result.hourly_cost;
  return saving > 0 ? std::optional(saving) : std::nullopt;
}

std::string saving_words(const BetterScheduler& found, const SchedulerResult& result) {
  const auto saving = saving_of(found, result);
  return saving ? fmt::format(" ({})", signed_cost(-*saving)) : std::string();
}

std::string better_scheduler_words(const PlaceReport& report) {
  const auto& found = *report.scheduler.found;
  const auto who = found.policy ? fmt::format("policy {}", placement::name_of(*found.policy))
                                : fmt::format("another strategy of ECS");
  return fmt::format(
      "{} {} {}{}, the strategies as written {} {}", who, places_more(found) ? "places" : "needs",
      result_words(report, found.result), saving_words(found, found.result), places_more(found) ? "place" : "need",
      places_more(found) ? with_separators(found.as_written.placed) : with_separators(found.as_written.instances));
}

std::string names_of(const PlaceReport& report, const std::vector<std::uint32_t>& workloads) {
  std::vector<std::string> names;
  for (const auto workload : workloads) {
    if (names.size() == kNamedWorkloads && workloads.size() > kNamedWorkloads + 1) {
      names.push_back(fmt::format("{} more", workloads.size() - kNamedWorkloads));
      break;
    }
    names.push_back(report.scenario.workloads[workload].name);
  }
  const auto last = names.back();
  names.pop_back();
  return names.empty() ? last : join(names, ", ") + " and " + last;
}

/// "memberOf attribute:ecs.instance-type !~ p3.* for web and infer"
std::vector<std::string> constraint_groups(const PlaceReport& report, const SchedulerWay& way) {
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> groups;
  for (const auto& [workload, constraint] : way.constraints) {
    const auto& source = constraint.source;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == source; });
    if (group == groups.end()) group = groups.insert(groups.end(), {source, {}});
    group->second.push_back(workload);
  }
  std::vector<std::string> words;
  for (const auto& [source, workloads] : groups)
    words.push_back(fmt::format("constraint memberOf \"{}\" for {}", source, names_of(report, workloads)));
  return words;
}

/// Names what to set in ECS: "binpack:memory for all services and tasks, largest tasks first".
std::string setting_words(const PlaceReport& report, const SchedulerWay& way) {
  if (way.start_task) {
    const auto& workloads = report.scenario.workloads;
    const bool has_others = std::any_of(workloads.begin(), workloads.end(), [](const auto& one) {
      return one.kind != WorkloadKind::kDaemon && !placement::is_startable(one);
    });
    return fmt::format("StartTask{}, policy {}", has_others ? " for standalone tasks only" : "",
                       placement::name_of(*way.start_task));
  }
  auto parts = constraint_groups(report, way);
  if (way.strategy)
    parts.push_back(fmt::format("strategy {} for all services and tasks", placement::strategy_text(*way.strategy)));
  if (way.order != report.scenario.order) parts.emplace_back("the largest tasks started first");
  return join(parts, ", ");
}

std::string way_words(const PlaceReport& report, const SchedulerWay& way) {
  return fmt::format("{}: {}{}", setting_words(report, way), result_words(report, way.result),
                     saving_words(*report.scheduler.found, way.result));
}

/// What ECS cannot do of it; empty where it can do all.
std::string limit_of_ways(const PlaceReport& report) {
  const auto& found = *report.scheduler.found;
  if (!found.ways.empty()) {
    const auto& last = found.ways.back().result;
    if (places_more(found) ? last.placed >= found.result.placed : !is_better(found.result, last)) return {};
  }
  return "ECS cannot do all of this: it decides where the tasks of a service go";
}

std::vector<TasksToStart> tasks_of(const PlaceReport& report, const SchedulerWay& way) {
  std::vector<TasksToStart> tasks;
  for (const auto& [workload, instance, count] : way.started)
    tasks.push_back({workload, container_instance_id(report.scenario, instance), count});
  return tasks;
}

/// The command that shows the placement under the policy.
std::string policy_command(const PlaceReport& report) {
  const auto& found = *report.scheduler.found;
  if (!found.policy || report.scenario.file.empty()) return {};
  return fmt::format("bayplan place {} --policy {}", shell_word(report.scenario.file),
                     placement::name_of(*found.policy));
}

void write_result(JsonWriter& json, const SchedulerResult& result) {
  json.member("placed", result.placed).member("instances", result.instances);
  write_usd(json, "hourlyCost", result.hourly_cost);
}

void write_way(JsonWriter& json, const PlaceReport& report, const SchedulerWay& way, bool lists_commands) {
  json.begin_object();
  json.member("kind", way.start_task ? "startTask" : !way.constraints.empty() ? "constraints" : "strategy");
  json.member("setting", setting_words(report, way));
  if (way.start_task) json.member("policy", placement::name_of(*way.start_task));
  if (way.strategy) json.member("strategy", placement::strategy_text(*way.strategy));
  json.member("order", way.order == TaskOrder::kLargestFirst ? "largestFirst" : "given");
  if (!way.constraints.empty()) {
    json.key("constraints").begin_array();
    for (const auto& [workload, constraint] : way.constraints) {
      json.begin_object(JsonWriter::Layout::kLine).member("name", report.scenario.workloads[workload].name);
      json.member("type", "memberOf").member("expression", constraint.source).end_object();
    }
    json.end_array();
  }
  write_result(json, way.result);
  if (way.start_task && lists_commands) {
    const auto tasks = tasks_of(report, way);
    if (const auto note = start_task_note(tasks); !note.empty()) json.member("note", note);
    json.key("commands").begin_array();
    for (const auto& line : start_task_lines(report.scenario, tasks)) json.value(line);
    json.end_array();
  }
  json.end_object();
}

}  // namespace

void add_better_scheduler(ReportDocument& document, const PlaceReport& report) {
  if (report.scheduler.is_too_large && report.summary.without_place() > 0) {
    document.add(block::Gap{}, Medium::kFullText);
    document.line(0, kTooLarge, Medium::kFullText);
  }
  if (!report.scheduler.found) return;
  const auto& found = *report.scheduler.found;
  // Instances that only an own scheduler would save are of no use to those who have services.
  const Media terminal = found.ways.empty() && !places_more(found) ? Media(Medium::kFullText) : kTerminal;
  const auto summary = better_scheduler_words(report);
  document.section("scheduler", "A better scheduler", terminal | kCommentAndPage);
  document.line(0, "A better scheduler", terminal);
  document.line(2, summary, terminal);
  document.paragraph(summary, Medium::kPage);
  document.paragraph({.text = summary, .lead = "A better scheduler:"}, Medium::kComment);
  // A terminal shows the calls below their way, other media fold them below all.
  std::vector<RichText> items;
  Blocks calls;
  for (const auto& way : found.ways) {
    const auto words = way_words(report, way);
    items.emplace_back("With ECS: " + words);
    document.line(2, "with ECS: " + words);
    const auto tasks = tasks_of(report, way);
    const auto note = start_task_note(tasks);
    const auto lines = start_task_lines(report.scenario, tasks);
    std::string all, first;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      all += lines[i] + '\n';
      if (i < kShownCommands) first += lines[i] + '\n';
    }
    if (!lines.empty()) {
      document.add(block::Code{.lines = first, .indent = 4}, Medium::kText);
      document.add(block::Code{.lines = all, .indent = 4}, Medium::kFullText);
      Blocks inside;
      if (!note.empty()) inside.emplace_back(block::Paragraph{"First " + note});
      inside.emplace_back(block::Code{all});
      calls.emplace_back(block::Details{count_of(std::ssize(lines), "StartTask call"), std::move(inside)});
    }
    if (lines.size() > kShownCommands)
      document.line(4, fmt::format("and {} more commands (-v)", lines.size() - kShownCommands), Medium::kText);
    document.line(4, note);
  }
  const auto limit = limit_of_ways(report);
  document.line(2, limit, terminal);
  if (!limit.empty()) items.emplace_back(limit);
  if (const auto command = policy_command(report); !command.empty()) {
    const RichText see{{"To see where the policy places tasks: "}, in_command(command)};
    document.line(2, see, terminal);
    items.push_back(see);
  }
  document.list(std::move(items), kCommentAndPage);
  for (auto& block : calls) document.add(std::move(block), kCommentAndPage);
}

void write_better_scheduler_json(JsonWriter& json, const PlaceReport& report, const PlaceJsonOptions& options) {
  if (report.scheduler.is_too_large && report.summary.without_place() > 0) json.key("betterScheduler").null();
  if (!report.scheduler.found) return;
  const auto& found = *report.scheduler.found;
  json.key("betterScheduler").begin_object().key("policy");
  found.policy ? json.value(placement::name_of(*found.policy)) : json.null();
  write_result(json, found.result);
  json.key("asWritten").begin_object(JsonWriter::Layout::kLine);
  write_result(json, found.as_written);
  json.end_object();
  write_usd(json, "hourlySaving", saving_of(found, found.result));
  json.key("ways").begin_array();
  for (const auto& way : found.ways) write_way(json, report, way, options.placements);
  json.end_array().end_object();
}

}  // namespace bayplan::report
