// Remedies on the side of what is asked for: ports, strategies, zones, providers, constraints, sizes.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/model/profiles.hpp"
#include "placement/model/scenario.hpp"
#include "study/why/remedy_search.hpp"

namespace bayplan::study {

namespace {

/// A memberOf constraint that asks for less.
struct RelaxedConstraint {
  std::string without;  ///< The part that is left out.
  placement::Constraint constraint;
};

using namespace placement;  // NOLINT: the study of placements is about nothing else

using query::Node;

/// The node as it was written, with parentheses of its own.
std::string text_of(const Constraint& constraint, std::uint32_t index) {
  const auto& expression = *constraint.expression;
  const Node& node = expression.nodes()[index];
  if (node.kind == Node::Kind::kPredicate) {
    const auto span = expression.predicates()[node.predicate].span;
    return constraint.source.substr(span.begin, span.length());
  }
  std::vector<std::string> operands;
  for (const auto operand : node.operands) operands.push_back(text_of(constraint, operand));
  if (node.kind == Node::Kind::kNot) return "not(" + operands.front() + ")";
  return "(" + join(operands, node.kind == Node::Kind::kAnd ? " and " : " or ") + ")";
}

/// The constraint without one of the parts that must all hold, for each of them; empty where it is one part.
std::vector<RelaxedConstraint> relaxed_constraints(const Constraint& constraint) {
  std::vector<RelaxedConstraint> found;
  if (!constraint.expression || constraint.expression->root().kind != Node::Kind::kAnd) return found;
  std::vector<std::string> parts;
  for (const auto operand : constraint.expression->root().operands) parts.push_back(text_of(constraint, operand));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto rest = parts;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const std::string source = join(rest, " and ");
    auto parsed = query::parse(source);
    if (!parsed) continue;
    found.push_back({parts[i],
                     {ConstraintType::kMemberOf, source,
                      std::make_shared<const query::Expression>(std::move(*parsed.expression))}});
  }
  return found;
}

}  // namespace

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using capacity::GpuForm;
using capacity::TaskRequirement;
using Ports = std::vector<std::uint16_t>;

constexpr std::size_t kMaxWorkloads = 4;
constexpr std::int64_t kLeastKept = 2;  ///< A size below 1/kLeastKept of the request is no answer.
constexpr int kBisections = 16;
constexpr std::int64_t kMillionths = 1'000'000;

bool contains(const Ports& ports, std::uint16_t port) {
  return std::binary_search(ports.begin(), ports.end(), port);
}

/// The next port above that neither the instance nor the task takes; 0 when there is none.
std::uint16_t next_free(const Ports& taken, const Ports& wanted, std::uint16_t from) {
  for (std::uint32_t port = from + 1u; port <= 65535; ++port) {
    const auto candidate = static_cast<std::uint16_t>(port);
    if (!contains(taken, candidate) && !contains(wanted, candidate)) return candidate;
  }
  return 0;
}

/// In host mode the container listens on the host's port itself: none is dynamic.
bool uses_host_network(const RemedySearch& search) {
  const auto& definitions = search.scenario().task_definitions;
  const std::uint32_t index = search.trace().workload().task_definition;
  return index < definitions.size() && definitions[index].definition.effective_network_mode() == "host";
}

std::vector<PortChange> port_changes(const RemedySearch& search, const Rejection& rejection) {
  std::vector<PortChange> changes;
  const bool is_dynamic = !uses_host_network(search);
  const auto& state = search.trace().standing().states[rejection.instance];
  const auto add = [&](bool is_udp, const Ports& conflicts, const Ports& taken, const Ports& wanted) {
    for (const auto port : conflicts)
      changes.push_back({is_udp, port, is_dynamic ? std::uint16_t{0} : next_free(taken, wanted, port)});
  };
  const auto& task = search.requirement();
  // Above the limit of reserved ports every fixed one counts.
  const bool is_over = rejection.shortfall.ports_over_limit > 0;
  if (is_over && !is_dynamic) return {};
  add(false, is_over ? task.tcp_ports : rejection.shortfall.tcp_ports, state.tcp_ports, task.tcp_ports);
  add(true, is_over ? task.udp_ports : rejection.shortfall.udp_ports, state.udp_ports, task.udp_ports);
  return changes;
}

/// Workloads with tasks placed before the attempt, those with most first.
std::vector<std::uint32_t> placed_workloads(const RemedySearch& search) {
  std::map<std::uint32_t, std::int64_t> tasks;
  for (const auto& placement : search.trace().outcome().placements) {
    if (placement.attempt.step >= search.trace().attempt().step) break;
    if (search.scenario().workloads[placement.attempt.workload].kind != WorkloadKind::kDaemon)
      ++tasks[placement.attempt.workload];
  }
  std::vector<std::uint32_t> workloads;
  for (const auto& [workload, count] : tasks) workloads.push_back(workload);
  std::stable_sort(workloads.begin(), workloads.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return tasks[a] > tasks[b]; });
  return workloads;
}

bool try_binpack(RemedySearch& search, std::vector<std::uint32_t> workloads, const std::string& field) {
  const std::vector<Strategy> strategies{{StrategyType::kBinpack, field}};
  std::erase_if(workloads,
                [&](std::uint32_t workload) { return search.scenario().workloads[workload].strategies == strategies; });
  return !workloads.empty() && search.offer(ChangeStrategy{std::move(workloads), strategies});
}

bool try_strategies_of(RemedySearch& search, const std::vector<std::uint32_t>& placed) {
  for (const std::string field : {"memory", "cpu"}) {
    for (std::size_t i = 0; i < std::min(kMaxWorkloads, placed.size()); ++i) {
      if (try_binpack(search, {placed[i]}, field)) return true;
    }
    if (placed.size() > 1 && try_binpack(search, placed, field)) return true;
  }
  return false;
}

ChangeSize size_of(const RemedySearch& search) {
  const auto& task = search.requirement();
  return {search.workload(), task.cpu, task.memory, task.gpu_count};
}

/// What the task could have on the instance, where it is at least half of what it asks for.
std::optional<ChangeSize> size_within(const RemedySearch& search, const Rejection& rejection) {
  const auto& task = search.requirement();
  ChangeSize size = size_of(search);
  size.cpu -= rejection.shortfall.cpu;
  size.memory -= rejection.shortfall.memory;
  size.gpus -= rejection.shortfall.gpus;
  const bool is_enough = size.cpu * kLeastKept >= task.cpu && size.memory * kLeastKept >= task.memory &&
                         size.gpus * kLeastKept >= task.gpu_count;
  const bool is_some = (task.cpu == 0 || size.cpu > 0) && (task.memory == 0 || size.memory > 0) &&
                       (task.gpu_count == 0 || size.gpus > 0);
  if (!is_enough || !is_some) return std::nullopt;
  return size;
}

bool may_ask_for_fewer_gpus(const TaskRequirement& task) {
  return task.gpu_form == GpuForm::kCount && task.gpu_containers.size() == 1;
}

/// Instances that hold the task at that size, in their state at its attempt.
std::int64_t count_holders(const RemedySearch& search, const ChangeSize& size) {
  const auto& task = search.requirement();
  const auto holds = [&](const Rejection& rejection) {
    for (const Check check : rejection.failed.list()) {
      if (check != Check::kCpu && check != Check::kMemory && check != Check::kGpu) return false;
    }
    const auto& lacking = rejection.shortfall;
    return task.cpu - lacking.cpu >= size.cpu && task.memory - lacking.memory >= size.memory &&
           (lacking.gpus == 0 || task.gpu_count - lacking.gpus >= size.gpus);
  };
  const auto& rejections = search.trace().rejections();
  return std::count_if(rejections.begin(), rejections.end(), holds);
}

/// Earlier tasks of the workload shrink too: a larger memory may do for all of them.
ChangeSize largest_memory(RemedySearch& search, ChangeSize least) {
  MiB low = least.memory;
  MiB high = search.requirement().memory;
  for (int i = 0; i < kBisections && high - low > 1; ++i) {
    ChangeSize size = least;
    size.memory = low + (high - low) / 2;
    (search.would_help(size) ? low : high) = size.memory;
  }
  least.memory = low;
  return least;
}

bool has_earlier_tasks(const RemedySearch& search) {
  return asked_task(search.trace().outcome(), search.trace().attempt()).position > 0;
}

/// The largest share of what is asked: where the least of its parts is the most.
std::optional<ChangeSize> best_size(const RemedySearch& search, std::initializer_list<Check> checks) {
  const auto& task = search.requirement();
  const auto kept = [&](const ChangeSize& size) {
    const auto share = [](std::int64_t part, std::int64_t whole) {
      return whole == 0 ? kMillionths : part * kMillionths / whole;
    };
    return std::min({share(size.cpu, task.cpu), share(size.memory, task.memory), share(size.gpus, task.gpu_count)});
  };
  std::optional<ChangeSize> best;
  for (const auto* rejection : search.failing_only(checks)) {
    const auto size = size_within(search, *rejection);
    if (size && (!best || kept(*size) > kept(*best))) best = size;
  }
  return best;
}

/// Operating system and architecture, which decide whether an image runs.
std::pair<bool, std::string> platform_of(const InstanceProfile& profile) {
  const auto stated = profile.attributes.find("ecs.cpu-architecture");
  return {is_windows(profile), stated == profile.attributes.end() ? std::string() : stated->second};
}

/// Whether the task stays on a platform of instances that satisfy the constraint. A constraint often keeps an image
/// where it runs, whatever the attribute is called. Where no instance satisfies it, only a cluster of one platform is
/// safe.
RemedySearch::MayGoTo within_platforms(const PlacementTrace& trace, std::uint32_t constraint) {
  if (trace.workload().constraints[constraint].type == ConstraintType::kDistinctInstance) return {};
  std::set<std::pair<bool, std::string>> satisfying, all;
  for (std::uint32_t i = 0; i < trace.scenario().instances.size(); ++i) {
    const auto platform = platform_of(trace.profile_of(i));
    all.insert(platform);
    const auto broken = trace.broken_constraints(i);
    const bool is_broken =
        std::any_of(broken.begin(), broken.end(), [&](const auto& one) { return one.constraint == constraint; });
    if (!is_broken) satisfying.insert(platform);
  }
  if (satisfying.empty() && all.size() == 1) satisfying = all;
  return [&trace, platforms = std::move(satisfying)](std::uint32_t instance) {
    return platforms.contains(platform_of(trace.profile_of(instance)));
  };
}

/// Less of the constraint, where that is enough.
bool try_relaxing(RemedySearch& search, std::uint32_t constraint, const RemedySearch::MayGoTo& may_go_to) {
  bool is_enough = false;
  for (auto& less : relaxed_constraints(search.trace().workload().constraints[constraint])) {
    is_enough |= search.offer(
        RelaxConstraint{search.workload(), constraint, std::move(less.without), std::move(less.constraint)}, 0, 0,
        may_go_to);
  }
  return is_enough;
}

}  // namespace

void try_ports(RemedySearch& search) {
  for (const auto* rejection : search.failing_only({Check::kPorts})) {
    auto changes = port_changes(search, *rejection);
    const bool is_possible = !changes.empty() && std::none_of(changes.begin(), changes.end(), [&](const auto& change) {
      return change.to == 0 && uses_host_network(search);
    });
    if (is_possible && search.offer_either(ChangePorts{search.workload(), std::move(changes)})) return;
  }
}

void try_strategies(RemedySearch& search) {
  const auto placed = placed_workloads(search);
  if (try_strategies_of(search, placed)) return;
  const auto is_run = [&](std::uint32_t workload) {
    return search.scenario().workloads[workload].kind == WorkloadKind::kTasks;
  };
  const bool may_sort = search.scenario().order == TaskOrder::kGiven && is_run(search.workload());
  if (may_sort && std::any_of(placed.begin(), placed.end(), is_run))
    search.offer(ChangeOrder{TaskOrder::kLargestFirst});
}

void try_request(RemedySearch& search) {
  for (const auto* rejection : search.failing_only({Check::kLocation})) {
    const auto& zone = search.trace().profile_of(rejection->instance).availability_zone;
    if (search.offer(AddZone{search.workload(), zone})) break;
  }
  if (!search.failing_only({Check::kCapacityProvider}).empty()) search.offer(AnyProvider{search.workload()});
  if (search.failing_only({Check::kMemberOf, Check::kDistinctInstance}).empty()) return;
  const auto count = static_cast<std::uint32_t>(search.trace().workload().constraints.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto may_go_to = within_platforms(search.trace(), i);
    if (!try_relaxing(search, i, may_go_to)) search.offer(DropConstraint{search.workload(), i}, 0, 0, may_go_to);
  }
}

void try_size(RemedySearch& search) {
  auto size = best_size(search, {Check::kCpu, Check::kMemory});
  if (has_earlier_tasks(search) && !search.failing_only({Check::kMemory}).empty()) {
    const MiB half = (search.requirement().memory + 1) / kLeastKept;
    auto least = size.value_or(size_of(search));
    if (!size) least.memory = half;
    if (size || search.would_help(least)) size = largest_memory(search, least);
  }
  if (size) search.offer(*size, 0, count_holders(search, *size));
  if (!may_ask_for_fewer_gpus(search.requirement())) return;
  if (const auto fewer = best_size(search, {Check::kGpu})) search.offer(*fewer, 0, count_holders(search, *fewer));
}

}  // namespace bayplan::study
