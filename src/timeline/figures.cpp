#include "timeline/figures.hpp"

#include <map>

#include "base/strings.hpp"
#include "timeline/between_tries.hpp"
#include "timeline/held_drains.hpp"
#include "timeline/unfinished.hpp"
#include "timeline/waits.hpp"
#include "timeline/walk.hpp"

namespace bayplan::timeline {
namespace {

constexpr Seconds kHour = 3'600;
constexpr Seconds kDay = 24 * kHour;
constexpr Seconds kLeastPaid = 60;  ///< Seconds of an instance that is launched: Amazon EC2 On-Demand pricing, Linux.

/// Rounded to the nearest.
MicroUsd cost_of(MicroUsd hourly_price, Seconds seconds) {
  return (hourly_price * seconds + kHour / 2) / kHour;
}

Seconds seconds_there(const Instance& instance, const History& history) {
  return instance.terminated_at.value_or(history.end) - instance.launched_at;
}

Seconds paid_seconds(const Instance& instance, const History& history, bool is_of_scenario) {
  const Seconds seconds = seconds_there(instance, history);
  return !is_of_scenario && instance.terminated_at ? std::max(seconds, kLeastPaid) : seconds;
}

Seconds booting_seconds(const Instance& instance, const History& history) {
  const Seconds end = instance.active_at.value_or(instance.terminated_at.value_or(history.end));
  return std::max<Seconds>(0, std::min(end, history.end) - instance.launched_at);
}

struct NaturalLess {
  bool operator()(const std::string& a, const std::string& b) const { return natural_less(a, b); }
};

class CostSum {
 public:
  CostSum(const placement::Scenario& scenario, const History& history, Figures& figures)
      : scenario_(scenario), history_(history), figures_(figures), cost_(figures.cost) {}

  void run() {
    for (std::uint32_t i = 0; i < history_.instances.size(); ++i) add(i);
    for (auto& [name, type] : types_) cost_.types.push_back(std::move(type));
  }

 private:
  void add(std::uint32_t index) {
    const Instance& instance = history_.instances[index];
    const auto& profile = scenario_.profiles[instance.profile];
    auto& own = cost_.instances[index];
    const bool is_of_scenario = index < scenario_.instances.size();
    own.seconds = paid_seconds(instance, history_, is_of_scenario);
    own.booting_seconds = is_of_scenario ? 0 : booting_seconds(instance, history_);
    auto& type = types_[profile.instance_type];
    type.instance_type = profile.instance_type;
    type.hourly_price = profile.hourly_price;
    if (type.instances == 0) type.each = own.seconds;
    if (type.each != own.seconds) type.each.reset();
    ++type.instances;
    type.seconds += own.seconds;
    if (instance.group != kNoIndex) add_to_group(instance, own, is_of_scenario);
    if (!profile.hourly_price) {
      ++cost_.unpriced;
      return;
    }
    own.cost = cost_of(*profile.hourly_price, own.seconds);
    add_least_paid(instance, *own.cost - cost_of(*profile.hourly_price, seconds_there(instance, history_)));
    const MicroUsd idle = cost_of(*profile.hourly_price, own.idle_seconds);
    cost_.total += *own.cost;
    cost_.idle += idle;
    cost_.booting += cost_of(*profile.hourly_price, own.booting_seconds);
    type.cost += *own.cost;
    type.idle_cost += idle;
    if (instance.group == kNoIndex) return;
    figures_.groups[instance.group].cost += *own.cost;
    figures_.groups[instance.group].idle_cost += idle;
  }

  void add_least_paid(const Instance& instance, MicroUsd more) {
    if (more == 0) return;
    auto& series = figures_.series;
    const auto bucket = static_cast<std::size_t>(*instance.terminated_at / series.width);
    series.buckets[std::min(bucket, series.buckets.size() - 1)].least_paid += more;
  }

  void add_to_group(const Instance& instance, const InstanceCost& own, bool is_of_scenario) {
    auto& use = figures_.groups[instance.group];
    use.idle_seconds += own.idle_seconds;
    if (!is_of_scenario) ++use.launched;
  }

  const placement::Scenario& scenario_;
  const History& history_;
  Figures& figures_;
  Cost& cost_;
  std::map<std::string, TypeCost, NaturalLess> types_;
};

}  // namespace

Seconds bucket_width(Seconds end) {
  constexpr Seconds kWidths[] = {1,   2,   5,     10,    15,        30,        60,        120,       300,
                                 600, 900, 1'800, kHour, 2 * kHour, 3 * kHour, 6 * kHour, 12 * kHour};
  for (const Seconds width : kWidths) {
    if (end <= width * kMostBuckets) return width;
  }
  Seconds width = kDay;
  while (end > width * kMostBuckets) width *= 2;
  return width;
}

Figures figures(const placement::Scenario& scenario, const History& history) {
  Figures figures;
  Walk(scenario, history, figures).run();
  find_tasks_between_tries(scenario, history, figures);
  measure_waits(scenario, history, figures);
  measure_cut_off(scenario, history, figures);
  find_held_drains(scenario, history, figures);
  find_unfinished(scenario, history, figures);
  CostSum(scenario, history, figures).run();
  return figures;
}

}  // namespace bayplan::timeline
