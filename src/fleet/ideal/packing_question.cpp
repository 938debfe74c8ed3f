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

bool is_within(const ShapeNumbers& set, const ShapeNumbers& larger) {
  return std::includes(larger.begin(), larger.end(), set.begin(), set.end());
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
    if (std::any_of(given.begin(), given.end(), [&](const ShapeNumbers* larger) { return is_within(set, *larger); }))
      continue;
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

/// An offer, or the instances that stand alike.
using Supply = std::tuple<std::uint32_t, std::optional<std::uint32_t>>;

Supply compute_supply(const BinOrigin& bin) {
  if (bin.standing.empty()) return {bin.offer, std::nullopt};
  return {bin.offer, bin.standing.front()};
}

std::int64_t limit_of_supply(const Market& market, const BinOrigin& bin) {
  if (!bin.standing.empty()) return static_cast<std::int64_t>(bin.standing.size());
  return market.offers[bin.offer].limit;
}

/// Without those that stand: they are there whether they are used or not.
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
  std::map<Supply, std::vector<std::size_t>> types;
  for (std::size_t type = 0; type < bins.size(); ++type) types[compute_supply(bins[type])].push_back(type);
  for (const auto& [supply, own] : types) {
    const std::int64_t limit = limit_of_supply(market, bins[own.front()]);
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

/// A type of which a budget has no room for one: the search need not find that out.
void forbid_too_large(packing::PackingProblem& problem) {
  for (const Budget& budget : problem.budgets) {
    for (std::size_t type = 0; type < problem.types.size(); ++type) {
      if (budget.weights[type] > budget.limit) problem.types[type].limit = 0;
    }
  }
}

/// Limits the types of the problem, which are `bins`: those of one offer by themselves where it has but one, else, as
/// those of one instance type and of a vCPU quota, together.
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
    add_unless_idle(budget_of(market, quota.vcpus, bins, weight), problem.budgets);
  }
  forbid_too_large(problem);
}

using placement::Scenario;
using placement::Workload;
using query::Predicate;

using Zones = std::set<std::string>;

bool looks_at_zone(const Predicate& predicate) {
  return predicate.subject == query::Subject::kAttribute && predicate.attribute == "ecs.availability-zone";
}

bool names_its_values(const Predicate& predicate) {
  using query::Operator;
  const Operator operation = predicate.operation;
  return operation == Operator::kEqual || operation == Operator::kIn || operation == Operator::kNotEqual ||
         operation == Operator::kNotIn;
}

/// Visits the expressions of a workload; `function` gets every predicate on the zone.
template <class Function>
void each_look(const Workload& workload, Function function) {
  for (const auto& constraint : workload.constraints) {
    if (!constraint.expression) continue;
    for (const Predicate& predicate : constraint.expression->predicates()) {
      if (looks_at_zone(predicate)) function(predicate);
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
      if (!names_its_values(predicate)) return;
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

/// The zones that instances are to be told apart by, as some workload cares: sorted; empty when none does. `stated`:
/// where the fleet may stand; empty = in any zone that the scenario names.
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

/// Lots that a bin cannot tell apart.
struct Alike {
  packing::Amounts size{};
  Exclusive exclusive;
  std::vector<bool> allowed;
  bool operator==(const Alike&) const = default;
  bool operator<(const Alike& other) const {
    return std::tie(size, exclusive, allowed) < std::tie(other.size, other.exclusive, other.allowed);
  }
};

Exclusive exclusive_of(const Workload& workload) {
  return {workload.requirement.tcp_ports, workload.requirement.udp_ports,
          is_distinct(workload) ? workload.group : std::string()};
}

class Asking {
 public:
  Asking(const Scenario& scenario, const Market& market, const QuestionOptions& options)
      : scenario_(scenario),
        market_(market),
        zones_(zones_to_tell_apart(scenario, options.zones)),
        bins_(empty_bins(scenario, market, zones_)),
        needs_(bins_),
        task_groups_(group_tasks(scenario, options.headroom_percent)) {}

  Question ask() && {
    allow_lots();
    take_out_unplaceable();
    const Dimensions packing_dimensions(bins_, task_groups_, allowed_);
    question_.dimensions = packing_dimensions.names();
    question_.problem.dimensions = packing_dimensions.names().size();
    question_.relaxed = packing_dimensions.relaxed();
    const auto cpu = std::find(question_.dimensions.begin(), question_.dimensions.end(), "CPU");
    if (cpu != question_.dimensions.end()) cpu_ = static_cast<std::size_t>(cpu - question_.dimensions.begin());
    add_bins(packing_dimensions);
    add_limits(market_, question_.bins, question_.problem);
    add_shapes(packing_dimensions);
    add_notes();
    return std::move(question_);
  }

 private:
  const Workload& workload_of(std::size_t task_group) const {
    return bins_.scenario.workloads[task_groups_[task_group].workload];
  }
  bool takes_all_gpus(std::size_t task_group) const {
    return workload_of(task_group).requirement.gpu_form == GpuForm::kAll;
  }

  void allow_lots() {
    placement::ProfileChecks checks(bins_.scenario);
    const auto usual = usual_architectures(scenario_);
    for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
      const Workload& workload = workload_of(task_group);
      const placement::Filter filter(bins_.scenario, bins_.groups, workload, bins_.groups.number(workload.group),
                                     checks);
      const auto provider = placement::provider_name(workload, task_groups_[task_group].capacity_provider);
      std::vector<bool> allowed(bins_.origins.size());
      for (std::uint32_t bin = 0; bin < allowed.size(); ++bin)
        allowed[bin] = filter.passes(bin, bins_.states[bin], provider);
      needs_.restrict(task_groups_[task_group].workload, usual, allowed);
      allowed_.push_back(std::move(allowed));
    }
  }

  void take_out_unplaceable() {
    std::vector<TaskGroup> task_groups;
    Allowed allowed;
    for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
      if (std::find(allowed_[task_group].begin(), allowed_[task_group].end(), true) == allowed_[task_group].end()) {
        question_.unplaceable.push_back(unplaceable_group(bins_, needs_, task_groups_[task_group]));
      } else {
        task_groups.push_back(task_groups_[task_group]);
        allowed.push_back(std::move(allowed_[task_group]));
      }
    }
    task_groups_ = std::move(task_groups);
    allowed_ = std::move(allowed);
  }

  /// Whether some task group that wants GPUs, ALL of them or not, may go to the bin.
  bool has_gpu_lots(std::uint32_t bin, bool all) const {
    for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
      if (allowed_[task_group][bin] && workload_of(task_group).requirement.wants_gpu() &&
          takes_all_gpus(task_group) == all)
        return true;
    }
    return false;
  }

  /// What of an instance that stands decides which tasks it holds.
  using ExistingInstances =
      std::tuple<std::uint32_t, std::string, packing::Amounts, std::vector<bool>, std::vector<std::int64_t>>;

  ExistingInstances standing_of(const Dimensions& packing_dimensions, std::uint32_t bin) const {
    std::vector<bool> allowed;
    for (const auto& of_lot : allowed_) allowed.push_back(of_lot[bin]);
    std::vector<std::int64_t> devices;
    for (const auto& device : bins_.states[bin].gpus) {
      devices.insert(devices.end(), {static_cast<std::int64_t>(device.state), device.memory, device.remaining_memory,
                                     device.fraction_millionths, device.remaining_fraction_millionths});
    }
    const BinOrigin& origin = bins_.origins[bin];
    return {origin.offer, origin.availability_zone, packing_dimensions.capacity_of(bin, false), std::move(allowed),
            std::move(devices)};
  }

  /// Bins without those that stand just as an earlier one does, which stands for them.
  std::vector<std::uint32_t> different_bins(const Dimensions& packing_dimensions) {
    std::vector<std::uint32_t> different;
    std::map<ExistingInstances, std::uint32_t> known;
    for (std::uint32_t bin = 0; bin < bins_.origins.size(); ++bin) {
      const auto& standing = bins_.origins[bin].standing;
      const auto first =
          standing.empty() ? bin : known.emplace(standing_of(packing_dimensions, bin), bin).first->second;
      if (first == bin) {
        different.push_back(bin);
      } else {
        bins_.origins[first].standing.push_back(standing.front());
      }
    }
    return different;
  }

  /// Two bin types where some tasks take ALL GPUs and others some of them.
  void add_bins(const Dimensions& packing_dimensions) {
    for (const std::uint32_t bin : different_bins(packing_dimensions)) {
      const bool all = has_gpu_lots(bin, true);
      if (!all || has_gpu_lots(bin, false)) add_bin(packing_dimensions, bin, false);
      if (all) add_bin(packing_dimensions, bin, true);
    }
  }

  void add_bin(const Dimensions& packing_dimensions, std::uint32_t bin, bool whole_gpus) {
    const BinOrigin& origin = bins_.origins[bin];
    const Offer& offer = market_.offers[origin.offer];
    const MicroUsd price = origin.standing.empty() ? offer.hourly_price : 0;
    const packing::Amounts capacity = packing_dimensions.capacity_of(bin, whole_gpus);
    const CpuUnits room = std::max<CpuUnits>(0, bins_.states[bin].cpu);
    const CpuUnits reserved = offer.profile.cpu - bins_.states[bin].cpu;
    const auto steps = credit_steps_of(packing_dimensions, bin, capacity, reserved);
    question_.has_credit_steps |= steps.size() > 1 || steps.front().credits > 0;
    for (const CreditStep& step : steps) {
      packing::BinType type{capacity, price + step.credits};
      if (steps.size() > 1) type.capacity[*cpu_] = step.cpu;
      question_.problem.types.push_back(type);
      question_.bins.push_back({origin.offer, origin.availability_zone, whole_gpus, origin.standing, room, reserved});
      bin_of_type_.push_back(bin);
    }
  }

  /// One step for instances without credits. `reserved`: by daemons and what runs there.
  std::vector<CreditStep> credit_steps_of(const Dimensions& packing_dimensions, std::uint32_t bin,
                                          const packing::Amounts& capacity, CpuUnits reserved) const {
    const auto& offer = market_.offers[bins_.origins[bin].offer];
    const CpuUnits room = cpu_ ? capacity[*cpu_] : 0;
    const MicroUsd before =
        bins_.origins[bin].standing.empty() ? 0 : surplus_credits(market_.credits, offer.profile, reserved);
    const auto credits = [&](CpuUnits cpu) {
      return surplus_credits(market_.credits, offer.profile, reserved + cpu) - before;
    };
    if (credits(room) == 0) return {{room, 0}};
    CpuUnits unit = 0;
    std::int64_t wanted = 0;
    std::vector<packing::Amounts> sizes;
    bool has_idle = false;  // tasks that reserve no CPU
    for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
      if (!allowed_[task_group][bin]) continue;
      const auto size = packing_dimensions.size_of(workload_of(task_group).requirement);
      has_idle |= !cpu_ || size[*cpu_] == 0;
      if (!cpu_ || size[*cpu_] == 0) continue;
      unit = std::gcd(unit, size[*cpu_]);
      wanted += size[*cpu_] * task_groups_[task_group].count;
      sizes.push_back(size);
    }
    auto steps = credit_steps(room, std::min<std::int64_t>(wanted, most_cpu(sizes, capacity)), unit, credits);
    if (steps.size() > 1 && steps.front().cpu == 0 && !has_idle) steps.erase(steps.begin());
    return steps;
  }

  /// No tasks of these sizes reserve more CPU before some other resource ends.
  CpuUnits most_cpu(const std::vector<packing::Amounts>& sizes, const packing::Amounts& capacity) const {
    CpuUnits most = packing::kUnlimited;
    for (std::size_t d = 0; d < question_.problem.dimensions; ++d) {
      CpuUnits by_this = 0;
      for (const auto& size : sizes) {
        by_this = size[d] == 0 ? packing::kUnlimited : std::max(by_this, size[*cpu_] * capacity[d] / size[d]);
        if (by_this == packing::kUnlimited) break;
      }
      most = std::min(most, by_this);
    }
    return most;
  }

  /// Returns one entry per bin type.
  std::vector<bool> allowed_types(std::size_t task_group) const {
    const bool wants_gpu = workload_of(task_group).requirement.wants_gpu();
    std::vector<bool> allowed;
    for (std::size_t type = 0; type < bin_of_type_.size(); ++type) {
      const bool suits = !wants_gpu || question_.bins[type].whole_gpus == takes_all_gpus(task_group);
      allowed.push_back(suits && allowed_[task_group][bin_of_type_[type]]);
    }
    return allowed;
  }

  void add_shapes(const Dimensions& packing_dimensions) {
    std::map<Alike, std::uint32_t> known;
    std::vector<Exclusive> exclusives;
    for (std::size_t task_group = 0; task_group < task_groups_.size(); ++task_group) {
      const Workload& workload = workload_of(task_group);
      Alike alike{packing_dimensions.size_of(workload.requirement), exclusive_of(workload), allowed_types(task_group)};
      const auto next = static_cast<std::uint32_t>(question_.shapes.size());
      const auto [entry, is_new] = known.emplace(std::move(alike), next);
      if (is_new) {
        const Alike& shape = entry->first;
        question_.problem.shapes.push_back(
            {shape.size, 0, shape.allowed, shape.exclusive.any() ? 1 : packing::kUnlimited, 0});
        question_.shapes.emplace_back();
        exclusives.push_back(shape.exclusive);
      }
      count(task_groups_[task_group], entry->second);
    }
    add_tokens(exclusives);
  }

  void count(const TaskGroup& task_group, std::uint32_t shape) {
    ShapeOrigin& origin = question_.shapes[shape];
    question_.problem.shapes[shape].count += task_group.count;
    if (!origin.workloads.empty() && origin.workloads.back() == task_group.workload) {
      origin.counts.back() += task_group.count;
      return;
    }
    origin.workloads.push_back(task_group.workload);
    origin.counts.push_back(task_group.count);
  }

  void add_tokens(const std::vector<Exclusive>& exclusives) {
    const Tokens tokens = assign_tokens(exclusives);
    for (std::size_t shape = 0; shape < exclusives.size(); ++shape)
      question_.problem.shapes[shape].tokens = tokens.of_shape[shape];
    if (tokens.relaxed.empty()) return;
    question_.relaxed.push_back(
        {"ports", {}, fmt::format("not kept apart on one instance: {}", join(tokens.relaxed, ", "))});
  }

  void add_notes() {
    std::set<std::uint32_t> planned;
    for (const TaskGroup& task_group : task_groups_) planned.insert(task_group.workload);
    for (const auto workload : planned) relax(scenario_.workloads[workload]);
    question_.zones = std::move(zones_);
    question_.left_out = std::move(bins_.left_out);
    question_.constraints = needs_.constraints();
    if (!needs_.unstated().empty()) question_.assumptions.push_back(unstated_architecture());
  }

  Assumption unstated_architecture() const {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string_view> names;
    for (const auto workload : needs_.unstated()) names.push_back(scenario_.workloads[workload].name);
    const std::string more = names.size() > kNamed ? fmt::format("{} more", names.size() - kNamed) : std::string();
    if (names.size() > kNamed) names.resize(kNamed);
    if (!more.empty()) names.push_back(more);
    const auto usual = usual_architectures(scenario_);
    return {"architecture-not-stated",
            {},
            fmt::format("{} without runtimePlatform.cpuArchitecture: planned on {} alone", one_of(names, "and"),
                        one_of({usual.begin(), usual.end()}, "and"))};
  }

  void relax(const Workload& workload) {
    for (const auto& constraint : workload.constraints) {
      if (constraint.expression && constraint.expression->depends_on_tasks())
        question_.relaxed.push_back({"task-constraint", workload.name, constraint.source + " looks at tasks"});
    }
    const auto& strategies = workload.strategies;
    const bool spreads =
        strategies.empty() ? workload.kind == placement::WorkloadKind::kService
                           : std::any_of(strategies.begin(), strategies.end(), [](const placement::Strategy& strategy) {
                               return strategy.type == placement::StrategyType::kSpread;
                             });
    if (spreads) question_.relaxed.push_back({"spread", workload.name, "ECS spreads its tasks, a packing need not"});
  }

  const Scenario& scenario_;
  const Market& market_;
  std::vector<std::string> zones_;
  EmptyBins bins_;
  UncheckedNeeds needs_;
  std::vector<TaskGroup> task_groups_;
  Allowed allowed_;
  std::vector<std::uint32_t> bin_of_type_;
  std::optional<std::size_t> cpu_;  ///< The dimension; nothing when no task reserves CPU.
  Question question_;
};

}  // namespace

Question make_packing_question(const Scenario& scenario, const Market& market, const QuestionOptions& options) {
  return Asking(scenario, market, options).ask();
}

}  // namespace bayplan::fleet
