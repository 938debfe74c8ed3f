#include "fleet/ideal/empty_bins.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/offers/purchase.hpp"
#include "placement/engine/filters.hpp"
#include "placement/model/constraints.hpp"

namespace bayplan::fleet {

using namespace placement;  // NOLINT: bins are what placement sees of an instance

namespace {

/// The workloads of the scenario on no instances yet.
Scenario without_instances(const Scenario& scenario) {
  Scenario result;
  result.region = scenario.region;
  result.task_definitions = scenario.task_definitions;
  result.workloads = scenario.workloads;
  result.needs = scenario.needs;
  for (Workload& workload : result.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) continue;
    for (Constraint& constraint : workload.constraints) constraint.ignores_tasks = true;
  }
  return result;
}

/// The tasks that run, and those of the workloads that can start: a task that requires another one on its instance can
/// start only if that one can. The sizes and the attributes of instances are not looked at.
query::PossibleTasks possible_tasks(const Scenario& scenario) {
  query::PossibleTasks possible;
  std::map<std::uint32_t, std::int64_t> running;  // by instance
  for (const RunningTask& task : scenario.running) {
    possible.groups.insert(task.group);
    ++running[task.instance];
  }
  for (std::uint32_t i = 0; i < scenario.in_use.size(); ++i)
    possible.has_others |= scenario.in_use[i].tasks > running[i];
  for (const Workload& workload : scenario.in_flight.workloads) possible.groups.insert(workload.group);

  std::vector<const Workload*> waiting;
  for (const Workload& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon || workload.count != 0) waiting.push_back(&workload);
  }
  const auto start = [&](const Workload* workload) {
    const bool may_start =
        std::all_of(workload->constraints.begin(), workload->constraints.end(), [&](const Constraint& constraint) {
          return !constraint.expression || query::may_hold(*constraint.expression, possible);
        });
    if (may_start) possible.groups.insert(workload->group);
    return may_start;
  };
  // A workload that can start may satisfy the constraints of others, until a fixed point. The number of rounds is
  // limited for long chains; workloads that are left then count as possible, which only makes the answer less strict.
  constexpr int kMostRounds = 20;
  for (int round = 0; std::erase_if(waiting, start) > 0; ++round) {
    if (round < kMostRounds) continue;
    for (const Workload* workload : waiting) possible.groups.insert(workload->group);
    break;
  }
  return possible;
}

std::vector<BinOrigin> list_bin_origins(const Market& market, std::uint32_t index,
                                        const std::vector<std::string>& zones) {
  const Offer& offer = market.offers[index];
  std::vector<BinOrigin> origins;
  for (const std::uint32_t instance : offer.standing) origins.push_back({index, {}, false, {instance}});
  if (!offer.standing.empty()) return origins;
  const std::string& own = offer.profile.availability_zone;
  if (!own.empty() || zones.empty()) return {{index, own, false, {}}};
  for (const std::string& zone : zones) origins.push_back({index, zone, false, {}});
  return origins;
}

class Setup {
 public:
  Setup(const Scenario& scenario, const Market& market) : scenario_(scenario), market_(market) {
    bins_.scenario = without_instances(scenario);
    bins_.tasks = possible_tasks(scenario);
  }

  void add(BinOrigin origin) {
    const auto index = static_cast<std::uint32_t>(bins_.origins.size());
    const Offer& offer = market_.offers[origin.offer];
    InstanceProfile profile;
    if (origin.standing.empty()) {
      profile = profile_of(offer, origin.availability_zone);
      bins_.states.push_back(empty_instance(profile));
    } else {
      const std::uint32_t instance = origin.standing.front();
      profile = scenario_.profiles[scenario_.instances[instance].profile];
      origin.availability_zone = profile.availability_zone;
      bins_.states.push_back(starting_state(scenario_, instance, bins_.groups));
    }
    bins_.scenario.instances.push_back({profile.instance_type, index});
    bins_.scenario.profiles.push_back(std::move(profile));
    bins_.origins.push_back(std::move(origin));
  }

  EmptyBins finish() && {
    std::vector<bool> is_kept(bins_.origins.size(), true);
    ProfileChecks checks(bins_.scenario);
    for (const Workload& workload : bins_.scenario.workloads) {
      if (workload.kind == WorkloadKind::kDaemon) start_everywhere(workload, checks, is_kept);
    }
    keep(is_kept);
    return std::move(bins_);
  }

 private:
  void start_everywhere(const Workload& daemon, ProfileChecks& checks, std::vector<bool>& is_kept) {
    const std::uint32_t group = bins_.groups.number(daemon.group);
    const Filter filter(bins_.scenario, bins_.groups, daemon, group, checks);
    for (std::uint32_t bin = 0; bin < is_kept.size(); ++bin) {
      InstanceState& state = bins_.states[bin];
      if (!is_kept[bin] || !filter.wants_daemon(bin, state)) continue;
      const CheckSet failed = filter.failing(bin, state, {});
      if (failed.empty()) {
        take(state, daemon.requirement, group);
      } else if (bins_.origins[bin].standing.empty()) {
        is_kept[bin] = false;
        leave_out(bins_.scenario.profiles[bin].instance_type, daemon, failed);
      }
    }
  }

  void leave_out(const std::string& instance_type, const Workload& daemon, CheckSet failed) {
    std::string why = fmt::format("daemon service {} has no room: {}", daemon.name, reason_text(failed.first()));
    const bool is_known = std::any_of(bins_.left_out.begin(), bins_.left_out.end(), [&](const LeftOut& known) {
      return known.instance_type == instance_type && known.why == why;
    });
    if (!is_known) bins_.left_out.push_back({instance_type, std::move(why)});
  }

  void keep(const std::vector<bool>& is_kept) {
    std::uint32_t next = 0;
    for (std::uint32_t bin = 0; bin < is_kept.size(); ++bin) {
      if (!is_kept[bin]) continue;
      if (bin != next) {
        bins_.origins[next] = std::move(bins_.origins[bin]);
        bins_.states[next] = std::move(bins_.states[bin]);
        bins_.scenario.profiles[next] = std::move(bins_.scenario.profiles[bin]);
        bins_.scenario.instances[next].id = std::move(bins_.scenario.instances[bin].id);
      }
      ++next;
    }
    bins_.origins.resize(next);
    bins_.states.resize(next);
    bins_.scenario.profiles.resize(next);
    bins_.scenario.instances.resize(next);
  }

  const Scenario& scenario_;
  const Market& market_;
  EmptyBins bins_;
};

}  // namespace

std::vector<bool> bins_that_may_meet(const EmptyBins& bins, const query::Expression& expression) {
  const auto with_tasks = query::predicates_with(expression, bins.tasks);
  std::vector<bool> met;
  for (const InstanceProfile& profile : bins.scenario.profiles)
    met.push_back(query::may_hold(expression, ProfileView(profile, nullptr, nullptr), with_tasks));
  return met;
}

EmptyBins empty_bins(const Scenario& scenario, const Market& market, const std::vector<std::string>& zones) {
  Setup setup(scenario, market);
  for (std::uint32_t i = 0; i < market.offers.size(); ++i) {
    for (BinOrigin& origin : list_bin_origins(market, i, zones)) setup.add(std::move(origin));
  }
  return std::move(setup).finish();
}

EmptyBins empty_bins(const Scenario& scenario, const Market& market, const std::vector<BinOrigin>& origins) {
  Setup setup(scenario, market);
  for (const BinOrigin& origin : origins) setup.add(origin);
  return std::move(setup).finish();
}

}  // namespace bayplan::fleet
