#include "report/timeline/timeline_words.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/engine/group_launches.hpp"
#include "report/document/figures.hpp"
#include "timeline/reservation.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else
using placement::InstanceGroup;
using placement::Scenario;

namespace {

const InstanceGroup* find_managed_group(const Scenario& scenario, const Task& task) {
  const auto provider = capacity_provider_of(scenario, task);
  if (provider.empty()) return nullptr;
  for (const auto& group : scenario.timetable.groups) {
    if (group.is_managed && group.capacity_provider == provider) return &group;
  }
  return nullptr;
}

bool grows_for(const Scenario& scenario, const InstanceGroup& group, const placement::Workload& workload) {
  const auto is_distinct = [](const auto& one) { return one.type == placement::ConstraintType::kDistinctInstance; };
  const auto& constraints = workload.constraints;
  const WaitingKind kind{&workload.requirement, std::any_of(constraints.begin(), constraints.end(), is_distinct), 1};
  return instances_to_add(scenario, group, {&kind, 1}).has_value();
}

/// Launched and not terminated; those that go at this instant still count.
std::int64_t size_of(const TimelineReport& report, const InstanceGroup& group, Seconds at) {
  const auto index = static_cast<std::uint32_t>(&group - report.scenario().timetable.groups.data());
  const auto& instances = report.history().instances;
  return std::count_if(instances.begin(), instances.end(), [&](const Instance& one) {
    return one.group == index && one.launched_at <= at && one.terminated_at.value_or(at) >= at;
  });
}

std::string type_names(const Scenario& scenario, const InstanceGroup& group) {
  std::vector<std::string> names;
  for (const auto& type : group.types) names.push_back(scenario.profiles[type.profiles.front()].instance_type);
  return join(names, ", ");
}

std::string unexplained(const Task& task) {
  if (task.stop == StopCause::kJobFailed) return "with the rest of its job";
  if (task.stop == StopCause::kStopTask) return "stopTask";
  return "behind others in the queue";
}

bool is_provisioning(const TaskWithoutPlace& one, const Task& task) {
  return one.state == TaskWithoutPlace::State::kProvisioning || task.stop == StopCause::kProvisioningTimeout;
}

}  // namespace

std::string group_reason(const TimelineReport& report, const Task& task, Seconds at) {
  const auto& scenario = report.scenario();
  const auto* group = find_managed_group(scenario, task);
  if (group == nullptr) return {};
  if (group->managed_instances) {
    if (placement::can_launch_for(scenario, *group, scenario.workloads[*task.workload])) return {};
    return fmt::format("none of the {} instance types of {} can run one", group->types.size(),
                       group->capacity_provider);
  }
  if (!grows_for(scenario, *group, scenario.workloads[*task.workload])) {
    const auto what = group->types.size() == 1 ? "" : "the minimum of ";
    return fmt::format("{} does not grow for it: {}{} {} not hold one", group->capacity_provider, what,
                       type_names(scenario, *group), group->types.size() == 1 ? "does" : "do");
  }
  if (size_of(report, *group, at) < group->max_size) return {};
  return fmt::format("{} is at its maxSize of {}", group->capacity_provider, group->max_size);
}

std::string reason_words(const TimelineReport& report, const TaskWithoutPlace& one) {
  const Task& task = report.history().tasks[one.task];
  if (task.stop == StopCause::kProvisioningLimit) {
    return fmt::format("{} are PROVISIONING already",
                       count_of(report.scenario().timetable.timing.provisioning_limit, "task"));
  }
  if (one.why == nullptr) return unexplained(task);
  if (!is_provisioning(one, task)) return report.why_words(*one.why);
  const bool has_failed = one.state == TaskWithoutPlace::State::kFailed;
  const auto group = group_reason(report, task, has_failed ? one.at : report.history().end);
  if (group.empty()) return report.why_words(*one.why);
  return one.why->instances.empty() ? group : group + "; " + report.why_words(*one.why);
}

std::string spot_words(const TimelineReport& report) {
  const auto interruptions = count_interruptions(report.everything(), report.history());
  if (interruptions.empty()) return {};
  std::vector<std::string> pools;
  std::int64_t count = 0;
  for (const auto& [pool, notices] : interruptions) {
    pools.push_back(fmt::format("{} {}", pool, notices));
    count += notices;
  }
  return printable(fmt::format("Spot: {} ({})", count_of(count, "interruption"), join(pools, ", ")));
}

std::string below_desired_words(const TimelineReport& report) {
  const auto& scenario = report.everything();
  std::vector<std::string> services;
  for (const auto& below : compute_below_desired(scenario, report.history())) {
    std::vector<std::string> parts;
    for (const auto& part : below.parts) {
      if (part.event == kNoIndex) continue;  // the rest of the total
      const auto& subject = placement::named_subject(scenario.timetable.events[*part.event].event);
      parts.push_back(fmt::format("{} after {}{}", duration(part.seconds), duration(part.at),
                                  subject.empty() ? "" : " (" + subject + ")"));
    }
    const auto& name = scenario.workloads[scenario.timetable.services[below.service].workload].name;
    const auto since = join(parts, ", ");
    services.push_back(fmt::format("{} {}{}", name, duration(below.total), since.empty() ? "" : ": " + since));
  }
  return services.empty() ? std::string() : printable("Below desiredCount: " + join(services, "; "));
}

std::string cut_off_words(const TimelineReport& report, const InterruptedTask& interrupted_tasks) {
  const auto& history = report.history();
  const auto& task = history.tasks[interrupted_tasks.task];
  const auto& instance = history.instances[*task.instance].id;
  const auto at = duration(task.stopped_at.value_or(history.end));
  for (auto cause = interrupted_tasks.cause; cause != kNoIndex; cause = history.events[*cause].cause) {
    const Event& event = history.events[*cause];
    if (event.kind == EventKind::kScaleIn || event.kind == EventKind::kDesiredCapacitySet)
      return fmt::format("{} was scaled in at {}", instance, at);
    if (event.kind == EventKind::kSpotInterruption) return fmt::format("{} (Spot) was interrupted at {}", instance, at);
    if (event.kind == EventKind::kZoneLost) {
      const auto& lost = report.scenario().timetable.events[event.subject].event;
      return fmt::format("{} was lost at {}", placement::named_subject(lost), at);
    }
  }
  return fmt::format("{} was terminated at {}", instance, at);
}

std::string held_drain_words(const TimelineReport& report, const BlockedDrain& drain) {
  const auto& scenario = report.scenario();
  const auto& history = report.history();
  const auto& name = scenario.workloads[scenario.timetable.services[drain.service].workload].name;
  const auto& deployments = history.deployments;
  const auto is_own = [&](OptionalIndex deployment) {
    return deployment != kNoIndex && deployments[*deployment].service == drain.service;
  };
  for (const auto& one : report.without_place()) {
    const Task& task = history.tasks[one.task];
    if (one.state != TaskWithoutPlace::State::kFailed && is_own(task.deployment))
      return fmt::format("{} cannot be placed: {}", task_id(scenario, task), reason_words(report, one));
  }
  if (drain.terms.upper() <= drain.terms.desired && drain.terms.lower() >= drain.terms.desired) {
    return fmt::format(
        "{} must keep {} of {} healthy (minimumHealthyPercent {}) and cannot start any in addition "
        "(maximumPercent {})",
        name, drain.terms.lower(), drain.terms.desired, drain.terms.minimum_healthy_percent,
        drain.terms.maximum_percent);
  }
  for (const auto index : report.unfinished()) {
    if (is_own(index) && deployments[index].state == Deployment::State::kFailed)
      return fmt::format("the deployment of {} failed: it starts nothing more",
                         deployment_name(scenario, deployments[index]));
  }
  return fmt::format("{} keeps {} of {} healthy (minimumHealthyPercent {}, maximumPercent {})", name,
                     drain.terms.lower(), drain.terms.desired, drain.terms.minimum_healthy_percent,
                     drain.terms.maximum_percent);
}

}  // namespace bayplan::report
