#pragma once
#include <map>
#include <string>
#include <vector>

#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// Walks a history event by event, counts upwards what is given out, and finds what no run may do. Knows nothing of how
/// a place is chosen.
class HistoryWalk {
 public:
  HistoryWalk(const placement::Scenario& scenario, const History& history);

  /// The first thing that is wrong, or nothing.
  std::string find_fault();

 private:
  struct Held {
    std::int64_t cpu = 0;
    std::int64_t memory = 0;
    std::int64_t interfaces = 0;
    std::int64_t volumes = 0;
    std::map<std::uint16_t, int> tcp;
    std::map<std::uint16_t, int> udp;
    std::vector<placement::GpuUse> gpus;
    std::vector<int> owners;  ///< Of whole GPUs.
  };
  enum class State { kUnknown, kWaits, kPending, kRuns, kStops, kOver };

  void read(const Event& event);
  void read_task(const Event& event);
  void read_instance(const Event& event);
  void read_update(const placement::UpdateService& update);
  void arrive(std::uint32_t task);
  void place(std::uint32_t task, std::uint32_t instance);
  void stop(const Event& event);
  void leave(std::uint32_t task);
  void book(std::uint32_t task, int sign);
  void book_gpus(std::uint32_t task, int sign);
  void check_held(std::uint32_t instance);
  void check_room_of_queue(std::uint32_t task);
  void check_scaling(const Event& event);
  void check_end();
  void check_metrics();
  void require(bool holds, const std::string& fault);
  bool is_standalone(std::uint32_t task) const { return service_of(task) == kNoIndex; }
  OptionalIndex service_of(std::uint32_t task) const;
  std::int64_t service_tasks(std::uint32_t service, bool healthy_only) const;
  const capacity::TaskRequirement& requirement_of(std::uint32_t task) const;
  const placement::InstanceProfile& profile_of(std::uint32_t instance) const;
  bool is_managed(std::uint32_t task) const;
  std::string group_of(std::uint32_t task) const;

  const placement::Scenario& scenario_;
  const History& history_;
  std::vector<State> states_;
  std::vector<bool> is_healthy_;
  std::vector<Held> held_;
  std::vector<char> has_come_;
  std::vector<char> is_active_;
  std::vector<std::int64_t> desired_;  ///< By service, as updated.
  std::vector<std::int64_t> minimum_;
  std::vector<std::int64_t> maximum_;
  std::vector<char> runs_both_;  ///< Some deployment may run both revisions, each within its percents.
  capacity::TaskRequirement nothing_;
  Seconds now_ = 0;
  std::string fault_;
};

}  // namespace bayplan::timeline
