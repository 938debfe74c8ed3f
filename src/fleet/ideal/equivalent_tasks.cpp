#include "fleet/ideal/equivalent_tasks.hpp"

#include <algorithm>

#include "placement/engine/attempts.hpp"
#include "placement/engine/index_engine.hpp"

namespace bayplan::fleet {

using placement::Scenario;
using placement::Workload;
using placement::WorkloadKind;

namespace {

bool has_tasks(const Workload& workload) {
  return workload.kind != WorkloadKind::kDaemon && workload.count != 0;
}

/// Nothing but the instance and the tasks on it decides whether one more fits.
bool is_plain(const Workload& workload) {
  return workload.capacity_providers.size() < 2 && !workload.all_or_nothing &&
         std::none_of(workload.constraints.begin(), workload.constraints.end(),
                      [](const auto& constraint) { return constraint.depends_on_tasks(); });
}

/// Places at most `most` tasks of a workload, so that a count without an end is bounded. Tasks of daemons do not count.
class FirstTasks : public placement::IndexChooser {
 public:
  FirstTasks(const placement::Occupancy& occupancy, std::uint32_t workload, std::int64_t most)
      : IndexChooser(occupancy), classes_(occupancy.classes()), workload_(workload), most_(most) {}

  std::optional<placement::Choice> choose(std::uint32_t task_class) override {
    const bool counts = classes_.workload_of(task_class) == workload_;
    if (counts && placed_ == most_) return std::nullopt;
    const auto choice = IndexChooser::choose(task_class);
    if (counts && choice) ++placed_;
    return choice;
  }

  /// There may be room for another task after the last one that is counted.
  placement::Failure explain(const placement::PlacementAttempt& attempt, std::uint32_t, bool) override {
    return placement::without_reasons(attempt);
  }

  std::int64_t placed() const { return placed_; }

 private:
  const placement::TaskClasses& classes_;
  std::uint32_t workload_;
  std::int64_t most_;
  std::int64_t placed_ = 0;
};

std::uint32_t first_with_tasks(const Scenario& tasks) {
  const auto found = std::find_if(tasks.workloads.begin(), tasks.workloads.end(), has_tasks);
  return static_cast<std::uint32_t>(found - tasks.workloads.begin());
}

}  // namespace

bool EquivalentTasks::are_equivalent(const Scenario& tasks, const FillRequest& request) {
  return !request.keeps_cluster && !request.survives_zone_loss &&
         std::count_if(tasks.workloads.begin(), tasks.workloads.end(), has_tasks) == 1 &&
         std::all_of(tasks.workloads.begin(), tasks.workloads.end(), is_plain);
}

EquivalentTasks::EquivalentTasks(const Scenario& tasks, const Market& market, const FillRequest& request)
    : tasks_(tasks), market_(market), request_(request), workload_(first_with_tasks(tasks)) {}

std::int64_t EquivalentTasks::compute_room(const Purchase& purchase) {
  const auto [known, is_new] = room_.try_emplace({purchase.offer, purchase.availability_zone}, 0);
  if (!is_new) return known->second;
  Scenario alone = with_purchases(tasks_, market_, {{purchase.offer, purchase.availability_zone, 1}}, false);
  alone.workloads[workload_].count = std::nullopt;  // as many as fit, after daemons
  alone.calls.clear();
  // A task without a size fits any number of times: the count stops at what the fleet needs.
  constexpr std::int64_t kEnough = 10'000;
  const auto& workload = tasks_.workloads[workload_];
  const capacity::TaskRequirement& need = workload.requirement;
  const bool is_free = need.cpu == 0 && need.memory == 0 && need.network_interfaces == 0 && need.ebs_volumes == 0 &&
                       need.tcp_ports.empty() && need.udp_ports.empty() && !need.wants_gpu();
  const std::int64_t most = is_free ? kEnough : std::max(kEnough, *workload.count);
  placement::Progress progress(alone);
  FirstTasks chooser(progress.occupancy(), workload_, most);
  placement::run_attempts(progress, chooser);
  placed_ += chooser.placed() + 1;
  known->second = is_free && chooser.placed() == most ? std::max(most, *workload.count) : chooser.placed();
  return known->second;
}

std::int64_t EquivalentTasks::left_over(const Purchases& purchases) {
  std::int64_t left = *tasks_.workloads[workload_].count;
  for (const Purchase& one : dealt(purchases, request_.zones)) left -= compute_room(one) * one.count;
  return std::max<std::int64_t>(0, left);
}

}  // namespace bayplan::fleet
