#include "fleet/recommended/launch_orders.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "fleet/recommended/fill_fleet.hpp"
#include "placement/model/random.hpp"

namespace bayplan::fleet {

using placement::Call;
using placement::Scenario;
using placement::Workload;
using placement::WorkloadKind;

namespace {

/// The most tasks that one RunTask call starts (API_RunTask, count).
constexpr std::int64_t kMaxPerCall = 10;

bool stays_whole(const Workload& workload) {
  return workload.all_or_nothing || (workload.kind == WorkloadKind::kTasks && workload.capacity_providers.size() > 1);
}

/// Calls of at most `most` tasks where they may be taken apart.
std::vector<Call> in_parts(const Scenario& scenario, const std::vector<Call>& calls, std::int64_t most) {
  std::vector<Call> parts;
  for (Call call : calls) {
    std::int64_t left = call.count;
    if (stays_whole(scenario.workloads[call.workload])) {
      parts.push_back(call);
      left = 0;
    }
    for (; left > 0; left -= most) {
      call.count = std::min(left, most);
      parts.push_back(call);
    }
  }
  return parts;
}

/// Three ways to draw an order, and of four orders in a row one has ties against the fleet.
constexpr std::uint64_t kOrdersEachType = 12;

template <class T>
void shuffle(std::vector<T>& list, std::mt19937_64& generator) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[placement::draw(generator, i)]);
}

/// What runs already names its instance by position.
bool may_be_moved(const Scenario& scenario) {
  return scenario.in_use.empty() && scenario.running.empty();
}

/// Those of one type, each type in turn by the order.
void move_one_type_to_the_front(Scenario& scenario, std::uint64_t order) {
  const auto type_of = [&](const placement::ContainerInstance& instance) -> const std::string& {
    return scenario.profiles[instance.profile].instance_type;
  };
  std::set<std::string> types;
  for (const auto& instance : scenario.instances) types.insert(type_of(instance));
  if (types.empty()) return;
  const auto& first = *std::next(types.begin(), static_cast<std::ptrdiff_t>(order % types.size()));
  std::stable_partition(scenario.instances.begin(), scenario.instances.end(),
                        [&](const auto& instance) { return type_of(instance) == first; });
}

std::vector<Call> workload_by_workload(std::size_t workloads, std::vector<Call> calls, std::mt19937_64& generator) {
  std::vector<std::uint32_t> order(workloads);
  for (std::uint32_t i = 0; i < workloads; ++i) order[i] = i;
  shuffle(order, generator);
  std::vector<std::uint32_t> attempt(workloads);
  for (std::uint32_t i = 0; i < workloads; ++i) attempt[order[i]] = i;
  std::stable_sort(calls.begin(), calls.end(),
                   [&](const Call& a, const Call& b) { return attempt[a.workload] < attempt[b.workload]; });
  return calls;
}

}  // namespace

LaunchOrders::LaunchOrders(const Scenario& scenario)
    : written_(scenario.calls), ties_(scenario.ties), seed_(scenario.seed) {
  std::vector<bool> is_called(scenario.workloads.size());
  for (const Call& call : scenario.calls) is_called[call.workload] = true;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const Workload& workload = scenario.workloads[i];
    if (workload.kind != WorkloadKind::kDaemon && !is_called[i] && workload.count.value_or(0) > 0)
      complete_.push_back({i, *workload.count, 0, std::nullopt});
  }
  complete_.insert(complete_.end(), written_.begin(), written_.end());
}

void LaunchOrders::set(Scenario& scenario, std::uint64_t order) const {
  scenario.seed = seed_ + order;
  scenario.ties = ties_;
  scenario.calls = written_;
  if (order == 0) return;
  scenario.ties = placement::TieOrder::kDrawn;
  std::mt19937_64 generator(scenario.seed);
  if (order % 3 == 1) {
    scenario.calls = workload_by_workload(scenario.workloads.size(), complete_, generator);
    return;
  }
  scenario.calls = in_parts(scenario, complete_, order % 3 == 2 ? kMaxPerCall : 1);
  shuffle(scenario.calls, generator);
}

void LaunchOrders::set_tie_order(Scenario& scenario, std::uint64_t order) const {
  scenario.seed = seed_ + order;
  scenario.ties = placement::TieOrder::kDrawn;
  scenario.calls = written_;
}

void LaunchOrders::set_against(Scenario& scenario, std::uint64_t order) const {
  set(scenario, order);
  if (!may_be_moved(scenario)) return;
  move_one_type_to_the_front(scenario, order / kOrdersEachType);
  scenario.ties = placement::TieOrder::kFile;
}

Scenario in_launch_order(Scenario scenario, std::uint64_t order) {
  const LaunchOrders orders(scenario);
  orders.set(scenario, order);
  return scenario;
}

}  // namespace bayplan::fleet
