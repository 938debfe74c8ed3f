#include "report/place/place_words.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/model/capacity_providers.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/memory_doubt.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

using capacity::GpuForm;

std::string instances_of(std::int64_t count) {
  return count_of(count, "instance");
}

/// Instances that could have taken the task. Over time some of the scenario's have gone, or are yet to come.
std::int64_t asked(const Scenario& scenario, const Failure& failure) {
  if (scenario.workloads[failure.attempt.workload].kind == WorkloadKind::kDaemon) return 1;
  return static_cast<std::int64_t>(lists_every_instance(failure) ? failure.instances.size()
                                                                 : scenario.instances.size());
}

/// Free whole GPUs per instance, from what each was short of; only where every instance is listed.
std::string free_gpus(const Failure& failure, std::int64_t wanted) {
  std::int64_t total = 0;
  std::int64_t largest = 0;
  for (const auto& rejection : failure.instances) {
    const std::int64_t free = wanted - rejection.shortfall.gpus;
    total += free;
    largest = std::max(largest, free);
  }
  if (failure.instances.size() > kFullExplanationLimit || total == 0)
    return total == 0 && wanted > 1 ? ", none is free" : "";
  return fmt::format(" (free {} in total, largest block {})", total, largest);
}

std::string gpu_words(const capacity::TaskRequirement& task, const Failure& failure) {
  switch (task.gpu_form) {
    case GpuForm::kAll:
      return "have GPUs and all of them free";
    case GpuForm::kNeuron:
      return "have Neuron devices that ECS assigns and all of them free";
    case GpuForm::kFraction:
      return fmt::format("have {} of a fractional GPU left", from_millionths(task.gpu_fraction_millionths));
    case GpuForm::kMps:
      return fmt::format("have a GPU with {} MiB left to share", task.mps_memory);
    default:
      return fmt::format("have {}{}", count_of(task.gpu_count, "free GPU"), free_gpus(failure, task.gpu_count));
  }
}

std::string port_words(const capacity::TaskRequirement& task) {
  if (task.tcp_ports.size() + task.udp_ports.size() > 3) return "have the host ports free";
  std::vector<std::string> ports;
  for (const auto port : task.tcp_ports) ports.push_back(fmt::format("TCP {}", port));
  for (const auto port : task.udp_ports) ports.push_back(fmt::format("UDP {}", port));
  return fmt::format("have host port{} {} free", ports.size() == 1 ? "" : "s", join(ports, ", "));
}

/// A first line is no place for two thousand characters.
std::string beginning_of(const std::string& expression) {
  constexpr std::size_t kShown = 160;
  if (code_points(expression) <= kShown) return expression;
  std::size_t end = 0;
  for (std::size_t i = 0; i < kShown; ++i) decode_utf8(expression, end);
  return expression.substr(0, end) + "...";
}

std::string constraint_words(const Workload& workload) {
  std::vector<std::string> expressions;
  for (const auto& constraint : workload.constraints) {
    if (constraint.type == ConstraintType::kMemberOf) expressions.push_back(beginning_of(constraint.source));
  }
  return "satisfy memberOf " + join(expressions, " and ");
}

/// Those of the required attributes that the nearest instances lack, not all that the task requires.
std::string attribute_words(const Failure& failure) {
  std::set<std::string> missing;
  for (const auto& rejection : failure.instances)
    missing.insert(rejection.shortfall.attributes.begin(), rejection.shortfall.attributes.end());
  return std::string("have the required attribute") + (missing.size() == 1 ? " " : "s ") +
         fmt::format("{}", fmt::join(missing, ", "));
}

/// Completes "0 of N instances ...".
std::string words_for(Check check, const Workload& workload, const Failure& failure) {
  const auto& task = workload.requirement;
  switch (check) {
    case Check::kStatus:
      return "are ACTIVE";
    case Check::kCapacityProvider:
      return "belong to the capacity provider " +
             std::string(provider_name(workload, failure.attempt.capacity_provider));
    case Check::kAgent:
      return "have a connected agent";
    case Check::kAttribute:
      return attribute_words(failure);
    case Check::kLocation:
      return "are in " + join(workload.availability_zones.value_or(std::vector<std::string>{}), ", ");
    case Check::kCpu:
      return fmt::format("have {} CPU units left", task.cpu);
    case Check::kMemory:
      return fmt::format("have {} MiB left", task.memory);
    case Check::kPorts:
      return port_words(task);
    case Check::kGpu:
    case Check::kNeuronDevice:
      return gpu_words(task, failure);
    case Check::kNetworkInterface:
      return "have a network interface left";
    case Check::kEbsAttachment:
      return "have a free EBS attachment";
    case Check::kMemberOf:
      return constraint_words(workload);
    case Check::kDistinctInstance:
      return "have no task of " + workload.group + " (distinctInstance)";
  }
  return {};
}

Check first_check(const Failure& failure) {
  const Rejection* closest = failure.closest ? find_rejection(failure, *failure.closest) : nullptr;
  return (closest != nullptr ? closest : &failure.instances.front())->failed.first();
}

/// Describes how full a live cluster is.
std::string nothing_to_place(const PlaceReport& report) {
  if (report.scenario.in_use.empty()) return "YES nothing to place";
  std::int64_t tasks = 0;
  for (const auto& use : report.scenario.in_use) tasks += use.tasks;
  return fmt::format("YES nothing to place: {} on {} of {}",
                     tasks == 1 ? "1 task runs" : fmt::format("{} tasks run", tasks), report.summary.instances_used,
                     instances_of(report.summary.instances));
}

/// "1st", "2nd", "13th"
std::string ordinal(std::int64_t number) {
  const std::int64_t last = number % 100 / 10 == 1 ? 0 : number % 10;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

bool has_cpu_tasks_on_gpus(const PlaceReport& report) {
  return std::any_of(report.cluster_findings.begin(), report.cluster_findings.end(),
                     [](const auto& finding) { return finding.id == "cpu-tasks-on-gpu-instances"; });
}

}  // namespace

std::string number_ranges(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

std::vector<std::string> task_ranges(const Scenario& scenario, const std::vector<PlacementAttempt>& attempts) {
  std::vector<std::pair<std::string_view, std::vector<std::int64_t>>> names;
  std::map<std::string_view, std::size_t> position;
  for (const auto& attempt : attempts) {
    const std::string_view name = scenario.workloads[attempt.workload].name;
    const auto [entry, is_new] = position.try_emplace(name, names.size());
    if (is_new) names.push_back({name, {}});
    names[entry->second].second.push_back(attempt.number);
  }
  std::vector<std::string> ranges;
  for (const auto& [name, numbers] : names) ranges.push_back(fmt::format("{}#{}", name, number_ranges(numbers)));
  return ranges;
}

std::string why_not(const Scenario& scenario, const Failure& failure) {
  if (failure.instances.empty()) return "the cluster has no container instances";
  const auto& workload = scenario.workloads[failure.attempt.workload];
  const Check check = first_check(failure);
  const std::int64_t all = asked(scenario, failure);
  if (workload.kind == WorkloadKind::kDaemon) {
    const auto& rejection = failure.instances.front();
    const auto& instance = scenario.instances[rejection.instance];
    const auto lacking = shortfall_text(scenario, failure, rejection);
    return reason_text(check, scenario.profiles[instance.profile].status) + " on " + instance.id +
           (lacking.empty() ? "" : " (" + lacking + ")");
  }
  if (failure.rejected.of(check) == all) {
    return fmt::format("0 of {} instances {}", all, words_for(check, workload, failure));
  }
  return fmt::format("0 of {} qualify ({})", instances_of(all), reason_counts(scenario, failure));
}

std::string shortfall_text(const Scenario& scenario, const Failure& failure, const Rejection& rejection) {
  const auto& lacking = rejection.shortfall;
  const auto& task = scenario.workloads[failure.attempt.workload].requirement;
  std::vector<std::string> parts;
  if (!lacking.attributes.empty()) parts.push_back("lacks " + join(lacking.attributes, ", "));
  if (lacking.cpu > 0) parts.push_back(fmt::format("{} short", count_of(lacking.cpu, "CPU unit")));
  if (lacking.memory > 0) parts.push_back(fmt::format("{} MiB short", lacking.memory));
  for (const auto port : lacking.tcp_ports) parts.push_back(fmt::format("TCP port {} is taken", port));
  for (const auto port : lacking.udp_ports) parts.push_back(fmt::format("UDP port {} is taken", port));
  if (lacking.ports_over_limit > 0) {
    parts.push_back(fmt::format("{} above the limit of 100 reserved ports", lacking.ports_over_limit));
  }
  const auto& profile = scenario.profiles[scenario.instances[rejection.instance].profile];
  if (lacking.gpus > 0) {
    parts.push_back(task.gpu_form == GpuForm::kAll
                        ? std::string(profile.gpu_count == 0 ? "has no GPU" : "not all of its GPUs are free")
                        : fmt::format("{} short", count_of(lacking.gpus, "GPU")));
  }
  if (lacking.neuron_devices > 0) {
    parts.emplace_back(profile.neuron_devices == 0 ? "has no Neuron device that ECS assigns"
                                                   : "not all of its Neuron devices are free");
  }
  if (lacking.gpu_fraction_millionths > 0 && profile.gpu_fraction_millionths == 1'000'000) {
    parts.push_back("has no GPU that can be shared in fractions");
  } else if (lacking.gpu_fraction_millionths > 0) {
    parts.push_back(fmt::format("{} GPU short", from_millionths(lacking.gpu_fraction_millionths)));
  }
  if (lacking.mps_memory > 0) parts.push_back(fmt::format("{} MiB of GPU memory short", lacking.mps_memory));
  if (lacking.network_interfaces > 0) parts.push_back("no network interface left");
  if (lacking.ebs_attachments > 0)
    parts.push_back(fmt::format("{} short", count_of(lacking.ebs_attachments, "EBS attachment")));
  return join(parts, ", ");
}

std::string closest_words(const Scenario& scenario, const Failure& failure) {
  if (!failure.closest) return {};
  const auto* closest = find_rejection(failure, *failure.closest);
  const auto lacking = closest == nullptr ? std::string() : shortfall_text(scenario, failure, *closest);
  return fmt::format("{}, {}{}", scenario.instances[*failure.closest].id, failure_reason(scenario, failure),
                     lacking.empty() ? "" : " (" + lacking + ")");
}

std::string reason_counts(const Scenario& scenario, const Failure& failure) {
  std::vector<std::string> parts;
  const std::int64_t all = asked(scenario, failure);
  const auto add = [&](const std::string& reason, std::int64_t count) {
    if (count == 0) return;
    std::string_view text = reason;
    if (text.ends_with(" placement constraint unsatisfied.")) text = text.substr(0, text.find(' '));
    parts.push_back(fmt::format("{} {} of {}", text, count, all));
  };
  for (std::size_t i = 0; i < kStatusCount; ++i) {
    add(reason_text(Check::kStatus, static_cast<InstanceStatus>(i)), failure.rejected.by_status[i]);
  }
  for (std::size_t i = 1; i < kCheckCount; ++i) add(reason_text(static_cast<Check>(i)), failure.rejected.by_check[i]);
  return join(parts, ", ");
}

std::string limit_words(const PlaceReport& report, const FitLimit& limit) {
  const auto& name = report.scenario.workloads[limit.workload].name;
  if (limit.why == nullptr) return fmt::format("{}: at least {} fit", name, limit.fit);
  const auto why = failure_reason(report.scenario, *limit.why);
  return limit.fit == 0 ? fmt::format("{}: none fits: {}", name, why)
                        : fmt::format("{}: {} {}; the {} fails: {}", name, limit.fit, limit.fit == 1 ? "fits" : "fit",
                                      ordinal(limit.fit + 1), why);
}

namespace {

/// What ECS refuses comes before what waits.
const Failure& first_to_tell(const PlaceReport& report) {
  const auto& failures = report.outcome.failures;
  const auto refused = std::find_if(failures.begin(), failures.end(),
                                    [&](const Failure& failure) { return !is_provisioning(report.scenario, failure); });
  return refused == failures.end() ? failures.front() : *refused;
}

std::string words_of_failures(const PlaceReport& report) {
  const auto& failures = report.outcome.failures;
  const Failure& first = first_to_tell(report);
  std::vector<PlacementAttempt> alike;
  for (const auto& failure : failures) {
    if (&explained(report.outcome, failure) == &first) alike.push_back(failure.attempt);
  }
  const std::string names = join(task_ranges(report.scenario, alike), " ");
  std::string why = why_not(report.scenario, first);
  const bool wants_gpu = report.scenario.workloads[first.attempt.workload].requirement.wants_gpu();
  if (wants_gpu && report.summary.gpu.stranded > 0 && has_cpu_tasks_on_gpus(report)) {
    why += fmt::format("; CPU-only tasks strand {}", count_of(report.summary.gpu.stranded, "free GPU"));
  }
  const std::string whole =
      first.would_fit ? fmt::format(" (all or nothing, {} would fit)", *first.would_fit) : std::string();
  const auto& summary = report.summary;
  const std::string state =
      is_provisioning(report.scenario, first)
          ? fmt::format("PROVISIONING until {} has room", capacity_provider_of(report.scenario, first.attempt))
          : std::string("not placed");
  if (alike.size() == failures.size()) return fmt::format("{} {}{}: {}", names, state, whole, why);
  const auto all = count_of(summary.placed + summary.without_place(), "task");
  const std::string counts = summary.provisioning == 0 ? fmt::format("{} of {} not placed", summary.unplaced, all)
                             : summary.unplaced == 0   ? fmt::format("{} of {} PROVISIONING", summary.provisioning, all)
                                                       : fmt::format("{} of {} not placed, {} PROVISIONING",
                                                                     summary.unplaced, all, summary.provisioning);
  return fmt::format("{}; {}{}: {}", counts, names, whole, why);
}

/// Workloads without a count are all there is to place.
std::string words_of_limits(const PlaceReport& report, const std::vector<FitLimit>& limits) {
  const bool fits = std::any_of(limits.begin(), limits.end(), [](const FitLimit& limit) { return limit.fit > 0; });
  const std::string_view answer = fits ? "YES " : "NO  ";
  if (limits.size() == 1) {
    const FitLimit& only = limits.front();
    if (only.why == nullptr) return std::string(answer) + limit_words(report, only);
    return fmt::format("{}{} ({})", answer, limit_words(report, only), why_not(report.scenario, *only.why));
  }
  std::vector<std::string> parts;
  for (const auto& limit : limits) {
    parts.push_back(fmt::format("{}: {} fit", report.scenario.workloads[limit.workload].name, limit.fit));
  }
  return std::string(answer) + join(parts, ", ");
}

/// Every task that was placed is of a workload without a count.
bool places_open_ends_only(const PlaceReport& report) {
  const auto limits = limits_of(report);
  std::int64_t fit = 0;
  for (const auto& limit : limits) fit += limit.fit;
  return !limits.empty() && fit == report.summary.placed;
}

/// Counts the instances on which this run places tasks; tasks that already run do not count.
std::int64_t instances_placed_on(const PlaceReport& report) {
  std::vector<bool> is_used(report.scenario.instances.size());
  for (const auto& placement : report.outcome.placements) is_used[placement.instance] = true;
  return std::count(is_used.begin(), is_used.end(), true);
}

std::string words_of_one_run(const PlaceReport& report) {
  const auto& summary = report.summary;
  if (summary.without_place() > 0) return "NO  " + words_of_failures(report);
  if (places_open_ends_only(report)) return words_of_limits(report, limits_of(report));
  if (summary.placed == 0) return nothing_to_place(report);
  return fmt::format("YES {} of {} task{} placed on {} of {} instance{}", with_separators(summary.placed),
                     with_separators(summary.placed), summary.placed == 1 ? "" : "s",
                     with_separators(instances_placed_on(report)), with_separators(summary.instances),
                     summary.instances == 1 ? "" : "s");
}

/// "train: 12 to 14 fit, web: 3 fit in 200 tie orders"
std::string words_of_fits(const TieRuns& runs) {
  std::vector<std::string> parts;
  for (const auto& name : runs.names) {
    if (!name.fit) continue;
    const auto range = name.fit->min == name.fit->max ? fmt::format("{}", name.fit->min)
                                                      : fmt::format("{} to {}", name.fit->min, name.fit->max);
    parts.push_back(fmt::format("{}: {} fit", name.name, range));
  }
  return fmt::format("{} in {}", join(parts, ", "), count_of(runs.runs, "tie order"));
}

std::string words_of_runs(const PlaceReport& report, const TieRuns& runs) {
  if (report.summary.without_place() == 0 && places_open_ends_only(report)) return "YES " + words_of_fits(runs);
  if (runs.placed_all == runs.runs) {
    return fmt::format("YES everything placed in {}",
                       runs.runs == 1 ? "the one tie order tried" : fmt::format("all {} tie orders", runs.runs));
  }
  const std::int64_t all = report.summary.placed + report.summary.without_place();
  return fmt::format("NO  everything placed in {} of {}; the worst leaves {} of {} (seed {})",
                     percent(runs.placed_all, runs.runs), count_of(runs.runs, "tie order"), runs.unplaced.max,
                     count_of(all, "task"), runs.worst_seed);
}

}  // namespace

std::string remedy_words(const study::Remedy& remedy) {
  if (std::holds_alternative<study::ChangeOrder>(remedy.change))
    return "start the largest tasks first (settings.order: largestFirst), at no cost";
  if (const auto* change = std::get_if<study::ChangeStrategy>(&remedy.change))
    return fmt::format("use {} for all services and tasks, at no cost", strategy_text(change->strategies.front()));
  if (const auto* change = std::get_if<study::TurnOnTrunking>(&remedy.change))
    return fmt::format("enable awsvpcTrunking for {} and relaunch its instances (+$0/h)", change->instance_type);
  std::string text = "add " + added_words(remedy.added);
  if (remedy.hourly_cost) text += " (" + signed_cost(*remedy.hourly_cost) + ")";
  return text;
}

std::string added_words(const std::vector<scenario::InstancesArgument>& added) {
  std::vector<std::string> parts;
  for (const auto& one : added) {
    std::string words = fmt::format("{} {}", one.count, one.instance_type);
    if (!one.availability_zones.empty()) words += " in " + join(one.availability_zones, ", ");
    std::vector<std::string> attributes;
    for (const auto& [name, value] : one.attributes) attributes.push_back(name + "=" + value);
    if (!attributes.empty()) words += " with " + join(attributes, ", ");
    if (!one.capacity_provider.empty()) words += " in provider " + one.capacity_provider;
    parts.push_back(std::move(words));
  }
  return one_of({parts.begin(), parts.end()}, "and");
}

std::string added_flags(const std::vector<scenario::InstancesArgument>& added) {
  std::vector<std::string> flags;
  for (const auto& one : added) {
    const auto text = scenario::text_of(one);
    // A shell takes '=' as it is inside of a word.
    std::string plain = text;
    std::erase(plain, '=');
    flags.push_back("--add " + (shell_word(plain) == plain ? text : shell_word(text)));
  }
  return join(flags, " ");
}

void write_added_events(JsonWriter& json, const std::vector<scenario::InstancesArgument>& added) {
  if (added.empty()) return;
  json.key("events").begin_array();
  for (const auto& one : added) {
    json.begin_object().key("addInstances").begin_object().member("instanceType", one.instance_type);
    json.member("count", one.count);
    if (!one.availability_zones.empty()) json.member("availabilityZone", one.availability_zones.front());
    if (!one.attributes.empty()) {
      json.key("attributes").begin_object();
      for (const auto& [name, value] : one.attributes) json.member(name, value);
      json.end_object();
    }
    if (!one.capacity_provider.empty()) json.member("capacityProviderName", one.capacity_provider);
    json.end_object().end_object();
  }
  json.end_array().member("flags", added_flags(added));
}

std::string remedy_flag(const study::Remedy& remedy) {
  if (const auto* change = std::get_if<study::ChangeStrategy>(&remedy.change))
    return "--strategy " + strategy_text(change->strategies.front());
  return added_flags(remedy.added);
}

std::string next_step_words(const PlaceReport& report) {
  if (report.runs || report.outcome.failures.empty()) return {};
  const auto& scenario = report.scenario;
  const auto& task = scenario.workloads[report.outcome.failures.front().attempt.workload].name;
  const auto file = scenario.file.empty() ? std::string() : " " + shell_word(scenario.file);
  const auto& searched = report.remedies;
  std::string_view found = scenario.policy ? "No fix found with instances of a single type"
                                           : "No fix found with another strategy or with instances of a single type";
  if (searched.exhausted)
    found = searched.tried > 0 ? "No fix found by adding the first types tried" : "Too large to simulate fixes";
  if (scenario.policy)
    return fmt::format("{}. bayplan why and bayplan fleet know only the strategies of ECS, not the policy", found);
  if (file.empty()) return fmt::format("{}; 'bayplan why' explains a task, 'bayplan fleet' plans instances", found);
  return fmt::format("{}. To explain a task: bayplan why {}{}. To plan instances: bayplan fleet{}", found,
                     shell_word(task), file, file);
}

std::string add_flag(const placement::AddInstances& change) {
  const auto& profile = change.profiles.front();
  const bool has_own_attributes = std::any_of(profile.attributes.begin(), profile.attributes.end(),
                                              [](const auto& one) { return !one.first.starts_with("ecs."); });
  if (profile.type == nullptr || !profile.capacity_provider_name.empty() || profile.gpu_sharing || has_own_attributes)
    return {};
  const auto& zone = profile.availability_zone;
  return fmt::format("--add {}={}{}{}", profile.instance_type, change.instances.size(), zone.empty() ? "" : "@", zone);
}

namespace {

/// " (policy best-fit, which ECS does not offer)"
std::string policy_words(const placement::Scenario& scenario) {
  if (!scenario.policy) return {};
  return fmt::format(" (policy {}, which ECS does not offer)", placement::name_of(*scenario.policy));
}

std::string words_of_placement(const PlaceReport& report) {
  if (report.runs) return words_of_runs(report, *report.runs);
  const auto& orders = report.tie_orders;
  if (orders.all_fit() || orders.fit == 0) {
    const auto words = words_of_one_run(report);
    return orders.untried ? words + " in the " + count_of(orders.tried, "tie order") + " tried" : words;
  }
  const auto share = fmt::format("NO  fits in {} of {}", orders.fit, count_of(orders.tried, "tie order"));
  if (report.summary.without_place() > 0) return share + "; shown here: " + words_of_failures(report);
  return fmt::format("{}; the worst leaves {} of {} not placed", share, orders.others->unplaced.max,
                     count_of(report.summary.placed, "task"));
}

}  // namespace

std::string headline(const PlaceReport& report) {
  const auto doubt = memory_sentence(report.memory_uncertainty);
  return words_of_placement(report) + policy_words(report.scenario) + (doubt.empty() ? "" : "." + doubt);
}

std::string worst_run(const PlaceReport& report) {
  return words_of_one_run(report);
}

std::string tie_orders_words(const PlaceReport& report) {
  const auto& orders = report.tie_orders;
  if (orders.untried && !orders.others) return "Other tie orders may place more or fewer tasks (--runs 20)";
  if (!orders.others) return {};
  if (orders.fit > 0) {
    return fmt::format(
        "Ties are shown in file order{}; --runs 200 shows the worst order, --ties first tries only this one",
        report.summary.without_place() == 0 ? " (everything placed)" : "");
  }
  const auto& others = *orders.others;
  const bool is_better = others.unplaced.min < report.summary.without_place();
  return fmt::format("Of {} other tie orders, the {} leaves {} not placed (--runs 200)", others.runs,
                     is_better ? "best" : "worst",
                     count_of(is_better ? others.unplaced.min : others.unplaced.max, "task"));
}

}  // namespace bayplan::report
