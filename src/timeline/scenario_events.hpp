#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "timeline/cluster.hpp"
#include "timeline/instance_groups.hpp"
#include "timeline/service.hpp"

namespace bayplan::timeline {

/// Applies the scenario's own events, one after another.
class ScenarioEvents {
 public:
  ScenarioEvents(Cluster& cluster, InstanceGroups& groups, std::vector<std::unique_ptr<Service>>& services)
      : cluster_(cluster), groups_(groups), services_(services) {}

  Seconds next() const;
  /// All of this instant. False when one contradicts what has happened: History::errors says how.
  bool apply_due();

 private:
  bool apply(std::uint32_t index, const placement::AddInstances& event);
  bool apply(std::uint32_t index, const placement::TerminateInstances& event);
  bool apply(std::uint32_t index, const placement::DrainInstances& event);
  bool apply(std::uint32_t index, const placement::LoseAvailabilityZone& event);
  bool apply(std::uint32_t index, const placement::UpdateService& event);
  bool apply(std::uint32_t index, const placement::StopTasks& event);
  /// Events that only a variant has: study/whatif turns them into the others before a run.
  template <class Other>
  bool apply(std::uint32_t, const Other&) {
    return true;
  }
  /// Nothing is named: without effect, or an error when such a thing has never been there.
  bool nothing_named(std::uint32_t index, bool was_there, std::string_view what);
  /// Notes that the event cannot happen.
  bool contradict(std::uint32_t index, std::string_view what);
  std::string name_of_task(std::uint32_t task) const;

  Cluster& cluster_;
  InstanceGroups& groups_;
  std::vector<std::unique_ptr<Service>>& services_;
  std::uint32_t next_ = 0;
};

}  // namespace bayplan::timeline
