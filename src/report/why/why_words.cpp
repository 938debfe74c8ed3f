#include "report/why/why_report.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/figures.hpp"
#include "report/document/memory_doubt.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::Why;

namespace {

using capacity::GpuForm;

const std::string& id_of(const Why& why, std::uint32_t instance) {
  return scenario_of(why).instances[instance].id;
}

std::string in_zone(const InstanceProfile& profile) {
  return profile.availability_zone.empty() ? "" : fmt::format(" in {}", profile.availability_zone);
}

std::string provider_words(const Why& why, const InstanceProfile& profile) {
  const auto& own = profile.capacity_provider_name;
  return (own.empty() ? "belongs to no capacity provider" : "belongs to capacity provider " + own) +
         fmt::format(", needs {}", why.trace->capacity_provider());
}

std::string port_words(const Why& why, std::uint32_t instance, std::uint16_t port, bool is_udp) {
  const auto holder = study::port_holder(why, instance, port, is_udp);
  const auto& profile = why.trace->profile_of(instance);
  const auto& reserved = is_udp ? profile.reserved_udp_ports : profile.reserved_tcp_ports;
  const bool is_own = std::binary_search(reserved.begin(), reserved.end(), port);
  return fmt::format("{} port {} is taken{}", is_udp ? "UDP" : "TCP", port,
                     !holder.empty() ? " by " + holder
                     : is_own        ? " by the instance itself"
                                     : "");
}

std::string gpu_words(const capacity::TaskRequirement& task, const Shortfall& lacking, bool has_neuron) {
  switch (task.gpu_form) {
    case GpuForm::kAll:
      return "not all of its GPUs are free";
    case GpuForm::kNeuron:
      return has_neuron ? "not all of its Neuron devices are free" : "has no Neuron device that ECS assigns";
    case GpuForm::kFraction:
      return fmt::format("{} GPU short", from_millionths(lacking.gpu_fraction_millionths));
    case GpuForm::kMps:
      return fmt::format("{} MiB of GPU memory short", lacking.mps_memory);
    default:
      return fmt::format("{} short", count_of(lacking.gpus, "GPU"));
  }
}

/// What one failed check means on the instance.
std::string words_for(const Why& why, Check check, const Rejection& rejection) {
  const auto& profile = why.trace->profile_of(rejection.instance);
  const auto& task = why.trace->workload().requirement;
  const auto& lacking = rejection.shortfall;
  std::vector<std::string> parts;
  switch (check) {
    case Check::kStatus:
      return "is " + std::string(name_of(profile.status));
    case Check::kCapacityProvider:
      return provider_words(why, profile);
    case Check::kAgent:
      return "agent not connected";
    case Check::kAttribute:
      return "lacks " + join(lacking.attributes, ", ");
    case Check::kLocation:
      return "is" + in_zone(profile);
    case Check::kCpu:
      return fmt::format("{} short", count_of(lacking.cpu, "CPU unit"));
    case Check::kMemory:
      return fmt::format("{} MiB short", lacking.memory);
    case Check::kPorts:
      for (const auto port : lacking.tcp_ports) parts.push_back(port_words(why, rejection.instance, port, false));
      for (const auto port : lacking.udp_ports) parts.push_back(port_words(why, rejection.instance, port, true));
      if (lacking.ports_over_limit > 0)
        parts.push_back(fmt::format("{} above the limit of 100 reserved ports", lacking.ports_over_limit));
      return join(parts, ", ");
    case Check::kGpu:
    case Check::kNeuronDevice:
      return gpu_words(task, lacking, profile.neuron_devices > 0);
    case Check::kNetworkInterface:
      return "no network interface left";
    case Check::kEbsAttachment:
      return fmt::format("{} short", count_of(lacking.ebs_attachments, "EBS attachment"));
    case Check::kMemberOf:
      for (const auto& broken : why.trace->broken_constraints(rejection.instance)) parts.push_back(broken.because);
      return join(parts, "; ");
    case Check::kDistinctInstance:
      return "has a task of " + why.trace->workload().group;
  }
  return {};
}

/// " (29100 MiB left, 30000 wanted)"; empty where a check has no figures.
std::string figures_for(const Why& why, Check check, const Rejection& rejection) {
  const auto& task = why.trace->workload().requirement;
  const auto& state = why.trace->standing().states[rejection.instance];
  switch (check) {
    case Check::kCpu:
      return fmt::format(" ({} of {} available)", state.cpu, task.cpu);
    case Check::kMemory:
      return fmt::format(" ({} of {} MiB available)", state.memory, task.memory);
    case Check::kEbsAttachment: {
      const auto& profile = why.trace->profile_of(rejection.instance);
      const auto wanted = task.ebs_volumes + (profile.interfaces_take_attachments ? task.network_interfaces : 0);
      return fmt::format(" ({} of {} attachments available, needs {})", free_attachments(state),
                         profile.ebs_attachments, wanted);
    }
    case Check::kGpu:
      if (task.gpu_form == GpuForm::kMps)
        return fmt::format(" ({} of {} MiB available on one GPU)", task.mps_memory - rejection.shortfall.mps_memory,
                           task.mps_memory);
      if (task.gpu_form != GpuForm::kCount || state.gpus.empty()) return "";
      return fmt::format(" ({} of {} GPUs free, needs {})", idle_gpus(state.gpus), state.gpus.size(), task.gpu_count);
    default:
      return "";
  }
}

std::string ports_text(const capacity::TaskRequirement& task) {
  std::vector<std::string> ports;
  for (const auto port : task.tcp_ports) ports.push_back(fmt::format("TCP {}", port));
  for (const auto port : task.udp_ports) ports.push_back(fmt::format("UDP {}", port));
  constexpr std::size_t kShown = 4;
  const std::size_t more = ports.size() > kShown ? ports.size() - kShown : 0;
  ports.resize(ports.size() - more);
  return join(ports, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string gpu_text(const capacity::TaskRequirement& task) {
  switch (task.gpu_form) {
    case GpuForm::kAll:
      return "all of its GPUs";
    case GpuForm::kNeuron:
      return "all of its Neuron devices";
    case GpuForm::kFraction:
      return from_millionths(task.gpu_fraction_millionths) + " GPU";
    case GpuForm::kMps:
      return fmt::format("{} MiB on one GPU", task.mps_memory);
    default:
      return count_of(task.gpu_count, "GPU");
  }
}

std::string choice_words(const Why& why) {
  const auto candidates = why.trace->funnel().candidates.size();
  const auto tied = why.ranking.best.size();
  const auto& narrowings = why.ranking.narrowings;
  if (candidates == 1) return "the only candidate";
  if (tied > 1) return fmt::format("the first of {} tied instances among {} candidates", tied, candidates);
  const bool drawn = std::any_of(narrowings.begin(), narrowings.end(), [](const auto& narrowing) {
    return narrowing.strategy.type == StrategyType::kRandom;
  });
  return fmt::format(fmt::runtime(drawn ? "chosen at random from {} candidates" : "the best of {} candidates"),
                     candidates);
}

/// " (5 of 7 placed)", of a workload of several tasks.
std::string share_placed(const Why& why) {
  const auto& outcome = why.trace->outcome();
  const auto is_alike = [&](const auto& one) { return one.attempt.workload == why.trace->attempt().workload; };
  const auto placed = std::count_if(outcome.placements.begin(), outcome.placements.end(), is_alike);
  const auto all = placed + std::count_if(outcome.failures.begin(), outcome.failures.end(), is_alike);
  return all < 2 ? "" : fmt::format(" ({} of {} placed)", placed, all);
}

std::string constraint_text(const Constraint& constraint) {
  return constraint.type == ConstraintType::kDistinctInstance ? "distinctInstance" : constraint.source;
}

}  // namespace

std::string why_headline(const Why& why) {
  const auto name = task_id(scenario_of(why), why.trace->attempt());
  if (!why.instance) {
    const auto fitting = why.failure->would_fit;
    return fmt::format(
        "NO  {} cannot be placed{}: {}", name,
        fitting ? fmt::format(" (all or nothing, {} of its group would fit)", *fitting) : share_placed(why),
        why_not(scenario_of(why), *why.failure));
  }
  const auto& profile = why.trace->profile_of(*why.instance);
  const auto doubt = memory_sentence(why.memory_uncertainty);
  return fmt::format("YES {}{} is placed on {}{}, {}{}{}", name, share_placed(why), id_of(why, *why.instance),
                     in_zone(profile), choice_words(why), doubt.empty() ? "" : ".", doubt);
}

std::string asked_for(const Why& why) {
  const auto& workload = why.trace->workload();
  std::vector<std::string> parts{describe(workload.requirement)};
  std::vector<std::string> strategies;
  for (const auto& strategy : effective_strategies(workload, scenario_of(why).ties))
    strategies.push_back(strategy_text(strategy));
  parts.push_back(join(strategies, " ") + (workload.strategies.empty() ? " (the default)" : ""));
  for (const auto& constraint : workload.constraints) {
    parts.push_back((constraint.type == ConstraintType::kMemberOf ? "memberOf " : "") + constraint_text(constraint));
  }
  const auto provider = why.trace->capacity_provider();
  if (!provider.empty()) parts.push_back("capacity provider " + std::string(provider));
  const auto& definition = scenario_of(why).task_definitions[workload.task_definition];
  return fmt::format("{} needs {}", definition.name, join(parts, "; "));
}

std::string check_name(Check check, InstanceStatus status) {
  const std::string text = reason_text(check, status);
  return check == Check::kMemberOf || check == Check::kDistinctInstance ? text.substr(0, text.find(' ')) : text;
}

namespace {

/// "1 EBS volume"; with the interface, which takes an attachment on the types that share the limit.
std::string attachments_text(const capacity::TaskRequirement& task) {
  if (task.ebs_volumes == 0) return "1 attachment for its interface";
  return count_of(task.ebs_volumes, "EBS volume") + (task.network_interfaces > 0 ? " and 1 interface" : "");
}

}  // namespace

std::string wanted_by(const Why& why, const study::FunnelStep& step) {
  const auto& workload = why.trace->workload();
  const auto& task = workload.requirement;
  switch (step.check) {
    case Check::kCapacityProvider:
      return std::string(why.trace->capacity_provider());
    case Check::kAttribute: {
      auto wanted = task.required_attributes;
      const auto platform = capacity::wanted_platform(task);
      wanted.insert(wanted.end(), platform.begin(), platform.end());
      return join(wanted, ", ");
    }
    case Check::kLocation:
      return join(workload.availability_zones.value_or(std::vector<std::string>{}), ", ");
    case Check::kCpu:
      return count_of(task.cpu, "CPU unit");
    case Check::kMemory:
      return fmt::format("{} MiB", task.memory);
    case Check::kPorts:
      return ports_text(task);
    case Check::kGpu:
    case Check::kNeuronDevice:
      return gpu_text(task);
    case Check::kNetworkInterface:
      return "1 interface";
    case Check::kEbsAttachment:
      return attachments_text(task);
    case Check::kMemberOf:
      return step.constraint ? workload.constraints[*step.constraint].source : "";
    case Check::kDistinctInstance:
      return workload.group;
    default:
      return "";
  }
}

std::string why_rejected(const Why& why, const Rejection& rejection) {
  std::vector<std::string> parts;
  for (const Check check : rejection.failed.list()) parts.push_back(words_for(why, check, rejection));
  return join(parts, "; ");
}

std::string closest_match(const Why& why) {
  if (why.failure == nullptr || !why.failure->closest) return {};
  const auto& rejections = why.trace->rejections();
  const auto closest = std::find_if(rejections.begin(), rejections.end(),
                                    [&](const auto& one) { return one.instance == *why.failure->closest; });
  std::vector<std::string> parts;
  for (const Check check : closest->failed.list())
    parts.push_back(words_for(why, check, *closest) + figures_for(why, check, *closest));
  const auto& profile = why.trace->profile_of(closest->instance);
  const auto zone = profile.availability_zone.empty() ? "" : fmt::format(" ({})", profile.availability_zone);
  return fmt::format("{}{}, {}", id_of(why, closest->instance), zone, join(parts, "; "));
}

std::vector<const Rejection*> rejections_to_show(const Why& why, bool nearest_only, bool nearest_first) {
  std::vector<const Rejection*> shown;
  for (const auto& rejection : why.trace->rejections()) shown.push_back(&rejection);
  if (!nearest_only && !nearest_first) return shown;
  const auto& task = why.trace->workload().requirement;
  std::stable_sort(shown.begin(), shown.end(), [&](const Rejection* a, const Rejection* b) {
    return is_nearer(nearness(*a, task), nearness(*b, task));
  });
  if (nearest_only && shown.size() > kNearMisses) shown.resize(kNearMisses);
  return shown;
}

std::string ranked_by(const Why& why, const study::Narrowing& narrowing) {
  const auto& strategy = narrowing.strategy;
  if (strategy.type == StrategyType::kRandom) return fmt::format("random, seed {}", scenario_of(why).seed);
  if (strategy.type == StrategyType::kBinpack) {
    return strategy.field == "cpu" ? fmt::format("least CPU remains ({})", count_of(*narrowing.best, "unit"))
                                   : fmt::format("least MEMORY remains ({} MiB)", *narrowing.best);
  }
  const std::string tasks = fmt::format("fewest tasks of {} ({})", why.trace->workload().group, *narrowing.best);
  if (strategy.attribute().empty()) return tasks;
  std::vector<std::string> values;
  for (const auto& value : narrowing.values) values.push_back(value.empty() ? "(absent)" : value);
  return fmt::format("{} in {}", tasks, join(values, " and "));
}

}  // namespace bayplan::report
