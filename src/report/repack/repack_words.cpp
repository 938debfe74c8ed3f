#include "report/repack/repack_report.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/place/place_words.hpp"
#include "report/place/placement_assumptions.hpp"

namespace bayplan::report {

using study::RepackName;
using study::RepackPlan;
using study::RepackStep;
using study::StayingInstances;
using study::StayReason;

namespace {

std::string saving_words(const RepackPlan& plan) {
  auto types = plan.unpriced;
  for (auto& type : types) type = type.empty() ? "a type not stated" : type;
  const auto unknown = fmt::format("price unknown for {}", join(types, ", "));
  if (plan.saving == 0) return unknown;
  auto words = fmt::format("saves ${}/h ({}/month)", usd(plan.saving), monthly(plan.saving));
  if (plan.before.hourly_cost) {
    words += fmt::format(" of ${}/h ({}/month)", usd(*plan.before.hourly_cost), monthly(*plan.before.hourly_cost));
  }
  return plan.unpriced.empty() ? words : fmt::format("{} ({})", words, unknown);
}

std::int64_t count_ended(const RepackPlan& plan) {
  std::int64_t sum = 0;
  for (const auto& name : plan.names) sum += name.ended;
  return sum;
}

std::string work_words(const RepackPlan& plan) {
  std::string words = plan.moves == 0 ? "no moves" : count_of(plan.moves, "move");
  if (const auto ended = count_ended(plan); ended > 0)
    words += fmt::format(", when {} {} ended", count_of(ended, "RunTask task"), ended == 1 ? "has" : "have");
  return words;
}

/// What instances that stay have in common, for the first line.
std::string nothing_words(const RepackReport& report) {
  if (report.plan.before.instances == 0) return "Nothing to remove: the cluster has no instances";
  const auto& staying = report.plan.staying;
  const bool are_bounded = std::any_of(staying.begin(), staying.end(),
                                       [](const StayingInstances& own) { return own.why == StayReason::kMaxMoves; });
  if (are_bounded) return fmt::format("No instance can be removed within {}", count_of(*report.max_moves, "move"));
  return fmt::format("None of {} can be removed", count_of(report.plan.before.instances, "instance"));
}

}  // namespace

bool RepackReport::is_worth_it() const {
  return !plan.steps.empty() && (!min_saving || plan.saving >= *min_saving);
}

std::string repack_headline(const RepackReport& report) {
  const auto& plan = report.plan;
  if (plan.steps.empty()) return nothing_words(report);
  const auto what = fmt::format("{} of {}", plan.instances, count_of(plan.before.instances, "instance"));
  if (report.is_worth_it()) return fmt::format("Remove {}: {} with {}", what, saving_words(plan), work_words(plan));
  return fmt::format("Not worth it: removing {} saves ${}/h{}, less than ${}/h; {}", what, usd(plan.saving),
                     plan.unpriced.empty() ? "" : " (of known prices)", usd(*report.min_saving), work_words(plan));
}

std::string step_words(const RepackPlan& plan, const RepackStep& step) {
  std::vector<std::string> parts;
  for (const auto& own : step.moves) parts.push_back(fmt::format("{} {}", own.count, plan.names[own.name].name));
  auto words = parts.empty() ? std::string(step.ends.empty() ? "none: empty" : "none") : join(parts, ", ");
  if (step.ends.empty()) return words;
  parts.clear();
  for (const auto& own : step.ends) parts.push_back(fmt::format("{} {}", own.count, plan.names[own.name].name));
  return fmt::format("{}; waits for {}", words, join(parts, ", "));
}

std::string staying_words(const RepackPlan& plan, const StayingInstances& staying) {
  const auto name = staying.name ? plan.names[*staying.name].name : std::string();
  const bool is_one = staying.instances.size() == 1;
  switch (staying.why) {
    case StayReason::kNoPlace:
      return fmt::format("{} does not fit elsewhere{}", name,
                         staying.reason.empty() ? "" : fmt::format(" ({})", staying.reason));
    case StayReason::kHeld:
      return fmt::format("{} may neither start nor stop a task (minimumHealthyPercent {}, maximumPercent {})", name,
                         plan.scenario->workloads[plan.names[*staying.name].workload].minimum_healthy_percent,
                         plan.scenario->workloads[plan.names[*staying.name].workload].maximum_percent);
    case StayReason::kZones:
      return fmt::format("{} would run in fewer zones (--keep-zones)", name);
    case StayReason::kMaxMoves:
      return "could go next, with more moves (--max-moves)";
    case StayReason::kMinRatio:
      return fmt::format("{} too little for the tasks that would move (--min-ratio)", is_one ? "saves" : "save");
    case StayReason::kStandalone:
      return fmt::format("{} {} RunTask tasks, which ECS does not restart (--wait-for-tasks)",
                         is_one ? "holds" : "hold", name);
    case StayReason::kUnknown:
      return fmt::format("{} {} tasks, whose definition is not described", is_one ? "holds" : "hold", name);
    case StayReason::kHidden:
      return fmt::format("{} tasks that are not described (describe-tasks)", is_one ? "has" : "have");
    case StayReason::kMinSize:
      return fmt::format("{} kept by minSize of the group of {}", is_one ? "is" : "are", staying.subject);
    case StayReason::kDraining:
      return fmt::format("{} DRAINING already, with tasks", is_one ? "is" : "are");
    case StayReason::kDisconnected:
      return fmt::format("{} tasks, and an agent that is not connected", is_one ? "has" : "have");
    case StayReason::kNotActive:
      return fmt::format("{} not ACTIVE", is_one ? "is" : "are");
  }
  return {};
}

std::string limit_words(const RepackPlan& plan) {
  if (plan.is_best && !plan.steps.empty()) return "Proven optimal: no plan saves more.";
  if (!plan.limit || plan.limit->saving <= plan.saving) return {};
  const auto& binds = plan.limit->binds;
  const auto why = binds.empty() ? std::string()
                   : binds == "PORTS" || binds == "distinctInstance"
                       ? fmt::format(" ({} only)", binds)
                       : fmt::format(" ({} only, tasks divisible)", binds);
  return fmt::format("Upper bound on the saving: {}{}", hourly_with_month(plan.limit->saving), why);
}

std::string zone_words(const RepackPlan& plan, const RepackName& name) {
  const auto shorts = short_zones(*plan.scenario);
  std::vector<std::string> zones;
  for (const auto& zone : name.zones_after) {
    const auto known = shorts.find(zone);
    zones.push_back(known == shorts.end() ? zone : known->second);
  }
  auto words = zones.empty() ? "-" : zones.size() > 4 ? fmt::format("{} zones", zones.size()) : join(zones, ",");
  if (name.zones_after.size() < name.zones_before.size())
    words += fmt::format(" ({} before)", name.zones_before.size());
  return words;
}

std::string fewer_zones_words(const RepackPlan& plan) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (const auto& name : plan.names) {
    if (name.zones_after.size() < name.zones_before.size() && name.is_service) names.push_back(name.name);
  }
  if (names.empty()) return {};
  const auto count = static_cast<std::int64_t>(names.size());
  const auto more = names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : std::string();
  names.resize(std::min(names.size(), kShown));
  return fmt::format("{} end{} up in fewer zones: {}{}; --keep-zones prevents it", count_of(count, "service"),
                     count == 1 ? "s" : "", join(names, ", "), more);
}

std::string unplaced_words(const RepackPlan& plan) {
  const auto count = plan.without_place();
  if (count == 0) return {};
  return fmt::format("{} not placed before the first step, and not after the last",
                     count_of(count, "task") + (count == 1 ? " is" : " are"));
}

std::string no_deployment_words(const RepackPlan& plan) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (const auto& name : plan.names) {
    if (name.deploys_before != true || name.deploys_after != false) continue;
    const auto* settings = placement::settings_of(plan.scenario->timetable, name.workload);
    const bool runs_both = settings != nullptr && settings->runs_both();
    names.push_back(runs_both ? fmt::format("{} ({} runs both revisions)", name.name, settings->name()) : name.name);
  }
  if (names.empty()) return {};
  const auto count = static_cast<std::int64_t>(names.size());
  const auto more = names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : std::string();
  names.resize(std::min(names.size(), kShown));
  return fmt::format(
      "After the last step {} can no longer deploy: {}{}; add instances for a deployment, or stop earlier",
      count_of(count, "service"), join(names, ", "), more);
}

std::vector<Assumption> collect_assumptions(const RepackPlan& plan) {
  auto all = plan.scenario->assumptions;
  const auto own = placement_assumptions(plan.facts);
  all.insert(all.end(), own.begin(), own.end());
  if (plan.steps.empty()) return all;
  std::set<std::string> providers;
  for (const auto& step : plan.steps) {
    for (const auto instance : step.instances)
      providers.insert(plan.scenario->profiles[plan.scenario->instances[instance].profile].capacity_provider_name);
  }
  for (const auto& provider : providers) {
    all.push_back(
        {"group-shrinks", provider,
         provider.empty()
             ? "where an Auto Scaling group launched an instance, its desired capacity is lowered with it (and "
               "minSize, where that forbids it); else the group launches another"
             : "the desired capacity of its Auto Scaling group is lowered with each instance (and minSize, "
               "where that forbids it); else the group launches another"});
  }
  all.push_back(
      {"no-headroom", "",
       "the plan leaves room for the running tasks, not for growth, a deployment or a lost zone: run bayplan whatif "
       "before the last steps"});
  if (!plan.scenario->timetable.groups.empty()) {
    all.push_back(
        {"groups-launch-nothing", "", "Auto Scaling groups keep minSize, and launch or end no instance meanwhile"});
  }
  if (plan.steps.size() > 1) {
    all.push_back({"step-after-step", "",
                   "a step begins when the instances of the one before are empty and terminated, and no service has "
                   "changed since"});
  }
  return all;
}

std::string_view word_of(StayReason why) {
  switch (why) {
    case StayReason::kNoPlace:
      return "no-place";
    case StayReason::kHeld:
      return "healthy-percents";
    case StayReason::kZones:
      return "fewer-zones";
    case StayReason::kMaxMoves:
      return "max-moves";
    case StayReason::kMinRatio:
      return "min-ratio";
    case StayReason::kStandalone:
      return "standalone-tasks";
    case StayReason::kUnknown:
      return "definition-not-described";
    case StayReason::kHidden:
      return "tasks-not-described";
    case StayReason::kMinSize:
      return "min-size";
    case StayReason::kDraining:
      return "draining";
    case StayReason::kDisconnected:
      return "agent-not-connected";
    case StayReason::kNotActive:
      return "not-active";
  }
  return {};
}

}  // namespace bayplan::report
