#include "fleet/ideal/packing_question.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/requirement.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "fleet/ideal/dimensions.hpp"
#include "fleet/ideal/empty_bins.hpp"
#include "fleet/ideal/task_groups.hpp"
#include "fleet/ideal/unchecked_needs.hpp"
#include "fleet/ideal/unplaceable.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/vcpu_quota.hpp"
#include "fleet/recommended/start_rank.hpp"
#include "packing/packing_problem.hpp"
#include "placement/engine/filters.hpp"
#include "placement/model/capacity_providers.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

namespace {

/// What tasks of one shape have each to themselves on an instance: fixed host ports, and with distinctInstance the
/// task group.
struct Exclusive {
  std::vector<std::uint16_t> tcp_ports;
  std::vector<std::uint16_t> udp_ports;
  std::string distinct_group;  ///< Empty without distinctInstance.

  bool any() const { return !tcp_ports.empty() || !udp_ports.empty() || !distinct_group.empty(); }
  bool operator==(const Exclusive&) const = default;
  bool operator<(const Exclusive& other) const {
    return std::tie(tcp_ports, udp_ports, distinct_group) <
           std::tie(other.tcp_ports, other.udp_ports, other.distinct_group);
  }
};

struct Tokens {
  std::vector<std::uint64_t> of_shape;
  std::vector<std::string> relaxed;  ///< Ports and groups that there was no token left for: "tcp 80", "group x".
};

using ShapeNumbers = std::vector<std::uint32_t>;  // ascending

std::map<std::string, ShapeNumbers> contenders(const std::vector<Exclusive>& shapes) {
  std::map<std::string, ShapeNumbers> found;
  for (std::uint32_t shape = 0; shape < shapes.size(); ++shape) {
    for (const auto port : shapes[shape].tcp_ports) found[fmt::format("tcp {}", port)].push_back(shape);
    for (const auto port : shapes[shape].udp_ports) found[fmt::format("udp {}", port)].push_back(shape);
    const auto& group = shapes[shape].distinct_group;
    if (!group.empty()) found[fmt::format("group {}", group)].push_back(shape);
  }
  return found;
}

/// One token for each set of shapes that contend for the same thing; what a set within a larger one contends for needs
/// none of its own. The largest sets come first.
Tokens assign_tokens(const std::vector<Exclusive>& shapes) {
  std::map<ShapeNumbers, std::vector<std::string>> names;
  for (const auto& [name, set] : contenders(shapes)) {
    if (set.size() > 1) names[set].push_back(name);
  }
  std::vector<ShapeNumbers> sets;
  for (const auto& [set, of_set] : names) sets.push_back(set);
  std::stable_sort(sets.begin(), sets.end(),
                   [](const ShapeNumbers& a, const ShapeNumbers& b) { return a.size() > b.size(); });

  Tokens tokens{std::vector<std::uint64_t>(shapes.size()), {}};
  std::vector<const ShapeNumbers*> given;
  for (const ShapeNumbers& set : sets) {
    const bool is_within_another = std::any_of(given.begin(), given.end(), [&](const ShapeNumbers* larger) {
      return std::includes(larger->begin(), larger->end(), set.begin(), set.end());
    });
    if (is_within_another) continue;
    if (given.size() == packing::kMaxTokens) {
      const auto& left = names.at(set);
      tokens.relaxed.insert(tokens.relaxed.end(), left.begin(), left.end());
      continue;
    }
    for (const auto shape : set) tokens.of_shape[shape] |= std::uint64_t{1} << given.size();
    given.push_back(&set);
  }
  return tokens;
}

using packing::Budget;

/// Without existing instances: they are there whether they are used or not.
template <class Weight>
Budget budget_of(const Market& market, std::int64_t limit, const std::vector<BinOrigin>& bins, Weight weight) {
  Budget budget;
  budget.limit = limit;
  for (const BinOrigin& bin : bins)
    budget.weights.push_back(bin.standing.empty() ? weight(market.offers[bin.offer]) : 0);
  return budget;
}

void add_unless_idle(Budget budget, std::vector<Budget>& budgets) {
  const auto& weights = budget.weights;
  if (std::any_of(weights.begin(), weights.end(), [](std::int64_t weight) { return weight > 0; }))
    budgets.push_back(std::move(budget));
}

void limit_supplies(const Market& market, const std::vector<BinOrigin>& bins, packing::PackingProblem& problem) {
  // Types of one offer, or of the same existing instances, share the supply.
  std::map<std::pair<std::uint32_t, std::optional<std::uint32_t>>, std::vector<std::size_t>> types;
  for (std::size_t type = 0; type < bins.size(); ++type) {
    const auto& standing = bins[type].standing;
    types[{bins[type].offer, standing.empty() ? std::nullopt : std::optional(standing.front())}].push_back(type);
  }
  for (const auto& [supply, own] : types) {
    const BinOrigin& first = bins[own.front()];
    const std::int64_t limit = first.standing.empty() ? market.offers[first.offer].limit : std::ssize(first.standing);
    if (limit == packing::kUnlimited) continue;
    if (own.size() == 1) {
      problem.types[own.front()].limit = limit;
      continue;
    }
    Budget budget{std::vector<std::int64_t>(bins.size()), limit};
    for (const std::size_t type : own) budget.weights[type] = 1;
    problem.budgets.push_back(std::move(budget));
  }
}

/// Limits the types of the problem, which are `bins`: those of one offer by themselves where it has but one, else, as
/// those of one instance type, of a vCPU quota and of a Savings Plan, together.
void add_limits(const Market& market, const std::vector<BinOrigin>& bins, packing::PackingProblem& problem) {
  limit_supplies(market, bins, problem);
  for (const TypeLimit& limit : market.limits) {
    const auto weight = [&](const Offer& offer) -> std::int64_t {
      return !offer.is_owned && offer.profile.instance_type == limit.instance_type ? 1 : 0;
    };
    add_unless_idle(budget_of(market, limit.count, bins, weight), problem.budgets);
  }
  for (const QuotaLimit& quota : market.quotas) {
    const auto weight = [&](const Offer& offer) { return offer.quota == quota.quota ? vcpus_of(offer.profile) : 0; };
    add_unless_idle(budget_of(market, quota.left(), bins, weight), problem.budgets);
  }
  for (const SpendLimit& limit : market.spend_limits) {
    const auto weight = [&](const Offer& offer) { return offer.spend_limit == limit.name ? offer.spends : 0; };
    Budget budget = budget_of(market, limit.hourly, bins, weight);
    // The charge of a budget is rounded for each unit: in as large units as the prices have in common, that matters
    // less.
    std::int64_t unit = 0;
    for (const std::int64_t own : budget.weights) unit = std::gcd(unit, own);
    for (std::int64_t& own : budget.weights) own /= std::max<std::int64_t>(1, unit);
    budget.limit /= std::max<std::int64_t>(1, unit);
    add_unless_idle(std::move(budget), problem.budgets);
  }
  // A type of which a budget has no room for one: the search need not find that out.
  for (const Budget& budget : problem.budgets) {
    for (std::size_t type = 0; type < problem.types.size(); ++type) {
      if (budget.weights[type] > budget.limit) problem.types[type].limit = 0;
    }
  }
}

using placement::Scenario;
using placement::Workload;
using query::Predicate;

using Zones = std::set<std::string>;

/// Visits the expressions of a workload; `function` gets every predicate on the zone.
template <class Function>
void each_look(const Workload& workload, Function function) {
  for (const auto& constraint : workload.constraints) {
    if (!constraint.expression) continue;
    for (const Predicate& predicate : constraint.expression->predicates()) {
      if (predicate.subject == query::Subject::kAttribute && predicate.attribute == "ecs.availability-zone")
        function(predicate);
    }
  }
}

Zones zones_named(const Scenario& scenario) {
  Zones zones;
  for (const auto& profile : scenario.profiles) {
    if (!profile.availability_zone.empty()) zones.insert(profile.availability_zone);
  }
  for (const Workload& workload : scenario.workloads) {
    if (workload.availability_zones)
      zones.insert(workload.availability_zones->begin(), workload.availability_zones->end());
    each_look(workload, [&](const Predicate& predicate) {
      using query::Operator;
      const Operator operation = predicate.operation;
      const bool names_values = operation == Operator::kEqual || operation == Operator::kIn ||
                                operation == Operator::kNotEqual || operation == Operator::kNotIn;
      if (!names_values) return;
      for (const auto& value : predicate.values) zones.insert(value.text);
    });
  }
  return zones;
}

bool cares(const Workload& workload, const Zones& zones) {
  bool looks = false;
  each_look(workload, [&](const Predicate&) { looks = true; });
  const auto& own = workload.availability_zones;
  const auto is_allowed = [&](const std::string& zone) {
    return std::find(own->begin(), own->end(), zone) != own->end();
  };
  return looks || (own && !std::all_of(zones.begin(), zones.end(), is_allowed));
}

/// The zones that distinguish instances, if some workload cares: sorted; empty when none does. `stated`:
/// where the fleet may be; empty = in any zone that the scenario names.
std::vector<std::string> zones_to_tell_apart(const Scenario& scenario, const std::vector<std::string>& stated) {
  const Zones zones = stated.empty() ? zones_named(scenario) : Zones(stated.begin(), stated.end());
  const bool anybody = std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                                   [&](const Workload& workload) { return cares(workload, zones); });
  if (!anybody) return {};
  return {zones.begin(), zones.end()};
}

}  // namespace

using capacity::GpuForm;
using placement::Scenario;
using placement::Workload;

namespace {

/// Task groups with equal values of these are one shape: no bin distinguishes them.
struct Alike {
  packing::Amounts size{};
  Exclusive exclusive;
  std::vector<bool> allowed;
  bool operator==(const Alike&) const = default;
  bool operator<(const Alike& other) const {
    return std::tie(size, exclusive, allowed) < std::tie(other.size, other.exclusive, other.allowed);
  }
};

/// The question in work: task groups, and the bins that each may go to (one entry per group, then per bin).
struct Groups {
  std::vector<TaskGroup> list;
  Allowed allowed;
};

const capacity::TaskRequirement& requirement_of(const EmptyBins& bins, const TaskGroup& group) {
  return bins.scenario.workloads[group.workload].requirement;
}

/// Whether some task group that wants GPUs, ALL of them or not, may go to the bin.
bool may_hold_gpu_tasks(const EmptyBins& bins, const Groups& groups, std::uint32_t bin, bool all) {
  for (std::size_t i = 0; i < groups.list.size(); ++i) {
    const auto& requirement = requirement_of(bins, groups.list[i]);
    if (groups.allowed[i][bin] && requirement.wants_gpu() && (requirement.gpu_form == GpuForm::kAll) == all)
      return true;
  }
  return false;
}

/// Lists bins of which none holds the same tasks as another one. Existing instances are merged into the first of their
/// kind, whose `standing` then names all of them.
std::vector<std::uint32_t> merge_equal_instances(const Dimensions& dimensions, const Groups& groups, EmptyBins& bins) {
  // What of an existing instance decides which tasks it holds.
  using State = std::tuple<std::uint32_t, std::string, packing::Amounts, std::vector<bool>, std::vector<std::int64_t>>;
  std::vector<std::uint32_t> different;
  std::map<State, std::uint32_t> known;
  for (std::uint32_t bin = 0; bin < bins.origins.size(); ++bin) {
    const BinOrigin& origin = bins.origins[bin];
    if (origin.standing.empty()) {
      different.push_back(bin);
      continue;
    }
    std::vector<bool> allowed;
    for (const auto& of_group : groups.allowed) allowed.push_back(of_group[bin]);
    std::vector<std::int64_t> devices;
    for (const auto& device : bins.states[bin].gpus) {
      devices.insert(devices.end(), {static_cast<std::int64_t>(device.state), device.memory, device.remaining_memory,
                                     device.fraction_millionths, device.remaining_fraction_millionths});
    }
    const State state{origin.offer, origin.availability_zone, dimensions.capacity_of(bin, false), std::move(allowed),
                      std::move(devices)};
    const auto [first, is_new] = known.emplace(state, bin);
    if (is_new) {
      different.push_back(bin);
    } else {
      bins.origins[first->second].standing.push_back(origin.standing.front());
    }
  }
  return different;
}

/// The most CPU that tasks of these sizes reserve before some other resource ends. `cpu`: the dimension of CPU.
CpuUnits most_cpu(const std::vector<packing::Amounts>& sizes, const packing::Amounts& capacity, std::size_t cpu,
                  std::size_t dimensions) {
  CpuUnits most = packing::kUnlimited;
  for (std::size_t d = 0; d < dimensions; ++d) {
    CpuUnits by_this = 0;
    for (const auto& size : sizes) {
      by_this = size[d] == 0 ? packing::kUnlimited : std::max(by_this, size[cpu] * capacity[d] / size[d]);
      if (by_this == packing::kUnlimited) break;
    }
    most = std::min(most, by_this);
  }
  return most;
}

/// The surplus CPU credits of an instance that its tasks fill, by steps: one step for instances without credits.
/// `reserved`: by daemons and by what runs there.
std::vector<CreditStep> credit_steps_of(const Market& market, const EmptyBins& bins, const Groups& groups,
                                        const Dimensions& dimensions, std::uint32_t bin,
                                        const packing::Amounts& capacity, CpuUnits reserved) {
  const auto& names = dimensions.names();
  const auto cpu = static_cast<std::size_t>(std::find(names.begin(), names.end(), "CPU") - names.begin());
  const bool has_cpu = cpu < names.size();  // false when no task reserves CPU
  const auto& profile = market.offers[bins.origins[bin].offer].profile;
  const CpuUnits room = has_cpu ? capacity[cpu] : 0;
  // Credits of what runs there are paid whether tasks are added or not.
  const MicroUsd before = bins.origins[bin].standing.empty() ? 0 : surplus_credits(market.credits, profile, reserved);
  const auto credits = [&](CpuUnits added) {
    return surplus_credits(market.credits, profile, reserved + added) - before;
  };
  if (credits(room) == 0) return {{room, 0}};
  CpuUnits unit = 0;
  std::int64_t wanted = 0;
  std::vector<packing::Amounts> sizes;
  bool has_idle = false;  // tasks that reserve no CPU
  for (std::size_t i = 0; i < groups.list.size(); ++i) {
    if (!groups.allowed[i][bin]) continue;
    const auto size = dimensions.size_of(requirement_of(bins, groups.list[i]));
    has_idle |= !has_cpu || size[cpu] == 0;
    if (!has_cpu || size[cpu] == 0) continue;
    unit = std::gcd(unit, size[cpu]);
    wanted += size[cpu] * groups.list[i].count;
    sizes.push_back(size);
  }
  const CpuUnits most = most_cpu(sizes, capacity, cpu, names.size());
  auto steps = credit_steps(room, std::min<std::int64_t>(wanted, most), unit, credits);
  if (steps.size() > 1 && steps.front().cpu == 0 && !has_idle) steps.erase(steps.begin());
  return steps;
}

/// Adds the types of the problem, and what each represents. Returns the bin of each type.
std::vector<std::uint32_t> add_bins(const Market& market, const Groups& groups, const Dimensions& dimensions,
                                    EmptyBins& bins, Question& question) {
  std::vector<std::uint32_t> bin_of_type;
  const auto add_bin = [&](std::uint32_t bin, bool whole_gpus) {
    const BinOrigin& origin = bins.origins[bin];
    const Offer& offer = market.offers[origin.offer];
    const MicroUsd price = origin.standing.empty() ? offer.hourly_price : 0;
    const packing::Amounts capacity = dimensions.capacity_of(bin, whole_gpus);
    const CpuUnits room = std::max<CpuUnits>(0, bins.states[bin].cpu);
    const CpuUnits reserved = offer.profile.cpu - bins.states[bin].cpu;
    const auto steps = credit_steps_of(market, bins, groups, dimensions, bin, capacity, reserved);
    question.has_credit_steps |= steps.size() > 1 || steps.front().credits > 0;
    const auto cpu = std::find(question.dimensions.begin(), question.dimensions.end(), "CPU");
    for (const CreditStep& step : steps) {
      packing::BinType type{capacity, price + step.credits};
      if (steps.size() > 1) type.capacity[static_cast<std::size_t>(cpu - question.dimensions.begin())] = step.cpu;
      question.problem.types.push_back(type);
      question.bins.push_back({origin.offer, origin.availability_zone, whole_gpus, origin.standing, room, reserved});
      bin_of_type.push_back(bin);
    }
  };
  // Where some tasks take ALL GPUs and others some of them, a bin is two types: one instance serves only one of both.
  for (const std::uint32_t bin : merge_equal_instances(dimensions, groups, bins)) {
    const bool all = may_hold_gpu_tasks(bins, groups, bin, true);
    if (!all || may_hold_gpu_tasks(bins, groups, bin, false)) add_bin(bin, false);
    if (all) add_bin(bin, true);
  }
  return bin_of_type;
}

/// Adds the shapes of the problem: one for all task groups that no bin distinguishes.
void add_shapes(const EmptyBins& bins, const Groups& groups, const Dimensions& dimensions,
                const std::vector<std::uint32_t>& bin_of_type, Question& question) {
  std::map<Alike, std::uint32_t> known;
  std::vector<Exclusive> exclusives;
  for (std::size_t i = 0; i < groups.list.size(); ++i) {
    const TaskGroup& group = groups.list[i];
    const Workload& workload = bins.scenario.workloads[group.workload];
    const auto& requirement = workload.requirement;
    std::vector<bool> allowed;  // by bin type
    for (std::size_t type = 0; type < bin_of_type.size(); ++type) {
      const bool suits =
          !requirement.wants_gpu() || question.bins[type].whole_gpus == (requirement.gpu_form == GpuForm::kAll);
      allowed.push_back(suits && groups.allowed[i][bin_of_type[type]]);
    }
    const Exclusive exclusive{requirement.tcp_ports, requirement.udp_ports,
                              is_distinct(workload) ? workload.group : std::string()};
    const auto next = static_cast<std::uint32_t>(question.shapes.size());
    const auto [entry, is_new] =
        known.emplace(Alike{dimensions.size_of(requirement), exclusive, std::move(allowed)}, next);
    if (is_new) {
      question.problem.shapes.push_back(
          {entry->first.size, 0, entry->first.allowed, exclusive.any() ? 1 : packing::kUnlimited, 0});
      question.shapes.emplace_back();
      exclusives.push_back(exclusive);
    }
    ShapeOrigin& origin = question.shapes[entry->second];
    question.problem.shapes[entry->second].count += group.count;
    if (!origin.workloads.empty() && origin.workloads.back() == group.workload) {
      origin.counts.back() += group.count;
    } else {
      origin.workloads.push_back(group.workload);
      origin.counts.push_back(group.count);
    }
  }
  const Tokens tokens = assign_tokens(exclusives);
  for (std::size_t shape = 0; shape < exclusives.size(); ++shape)
    question.problem.shapes[shape].tokens = tokens.of_shape[shape];
  if (tokens.relaxed.empty()) return;
  question.relaxed.push_back(
      {"ports", {}, fmt::format("not kept apart on one instance: {}", join(tokens.relaxed, ", "))});
}

Assumption unstated_architecture(const Scenario& scenario, const UncheckedNeeds& needs) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string_view> names;
  for (const auto workload : needs.unstated()) names.push_back(scenario.workloads[workload].name);
  const std::string more = names.size() > kNamed ? fmt::format("{} more", names.size() - kNamed) : std::string();
  if (names.size() > kNamed) names.resize(kNamed);
  if (!more.empty()) names.push_back(more);
  const auto usual = usual_architectures(scenario);
  return {"architecture-not-stated",
          {},
          fmt::format("{} without runtimePlatform.cpuArchitecture: planned on {} alone", one_of(names, "and"),
                      one_of({usual.begin(), usual.end()}, "and"))};
}

/// What ECS looks at for tasks of the workload and no packing does.
std::vector<Relaxation> relaxations_of(const Workload& workload) {
  std::vector<Relaxation> relaxed;
  for (const auto& constraint : workload.constraints) {
    if (constraint.depends_on_tasks())
      relaxed.push_back({"task-constraint", workload.name, constraint.source + " looks at tasks"});
  }
  // ECS spreads the tasks of services without strategies over the zones.
  const auto& strategies = workload.strategies;
  const bool spreads = strategies.empty()
                           ? workload.kind == placement::WorkloadKind::kService
                           : std::any_of(strategies.begin(), strategies.end(), [](const placement::Strategy& strategy) {
                               return strategy.type == placement::StrategyType::kSpread;
                             });
  if (spreads) relaxed.push_back({"spread", workload.name, "ECS spreads its tasks, a packing need not"});
  return relaxed;
}

}  // namespace

Question make_packing_question(const Scenario& scenario, const Market& market, const QuestionOptions& options) {
  Question question;
  question.zones = zones_to_tell_apart(scenario, options.zones);
  EmptyBins bins = empty_bins(scenario, market, question.zones);
  UncheckedNeeds needs(bins);

  // Where each task group may go. Needs that ECS does not check restrict groups of one workload alike, so all groups
  // are restricted before any is reported as unplaceable.
  std::vector<TaskGroup> every_group = group_tasks(scenario, options.headroom_percent);
  Allowed every_allowed;
  placement::ProfileChecks checks(bins.scenario);
  const auto usual = usual_architectures(scenario);
  std::map<std::string_view, std::vector<bool>> met_by_bins;  // memberOf that looks at tasks, as written
  for (const TaskGroup& group : every_group) {
    const Workload& workload = bins.scenario.workloads[group.workload];
    const placement::Filter filter(bins.scenario, bins.groups, workload, bins.groups.number(workload.group), checks);
    const auto provider = placement::provider_name(workload, group.capacity_provider);
    std::vector<bool> allowed(bins.origins.size());
    for (std::uint32_t bin = 0; bin < allowed.size(); ++bin)
      allowed[bin] = filter.passes(bin, bins.states[bin], provider);
    for (const placement::Constraint& constraint : workload.constraints) {
      if (!constraint.expression || !constraint.expression->depends_on_tasks()) continue;
      auto& met = met_by_bins[constraint.source];
      if (met.empty()) met = bins_that_may_meet(bins, *constraint.expression);
      for (std::uint32_t bin = 0; bin < allowed.size(); ++bin) allowed[bin] = allowed[bin] && met[bin];
    }
    needs.restrict(group.workload, usual, allowed);
    every_allowed.push_back(std::move(allowed));
  }
  Groups groups;
  for (std::size_t i = 0; i < every_group.size(); ++i) {
    if (std::find(every_allowed[i].begin(), every_allowed[i].end(), true) == every_allowed[i].end()) {
      question.unplaceable.push_back(unplaceable_group(bins, needs, every_group[i]));
    } else {
      groups.list.push_back(every_group[i]);
      groups.allowed.push_back(std::move(every_allowed[i]));
    }
  }

  const Dimensions dimensions(bins, groups.list, groups.allowed);
  question.dimensions = dimensions.names();
  question.problem.dimensions = dimensions.names().size();
  question.relaxed = dimensions.relaxed();
  const std::vector<std::uint32_t> bin_of_type = add_bins(market, groups, dimensions, bins, question);
  add_limits(market, question.bins, question.problem);
  add_shapes(bins, groups, dimensions, bin_of_type, question);

  std::set<std::uint32_t> planned;
  for (const TaskGroup& group : groups.list) planned.insert(group.workload);
  for (const auto workload : planned) {
    auto relaxed = relaxations_of(scenario.workloads[workload]);
    question.relaxed.insert(question.relaxed.end(), relaxed.begin(), relaxed.end());
  }
  question.left_out = std::move(bins.left_out);
  question.constraints = needs.constraints();
  if (!needs.unstated().empty()) question.assumptions.push_back(unstated_architecture(scenario, needs));
  return question;
}

}  // namespace bayplan::fleet
