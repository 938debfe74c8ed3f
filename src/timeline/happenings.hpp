#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "timeline/cluster.hpp"
#include "timeline/instance_groups.hpp"
#include "timeline/service.hpp"

namespace bayplan::timeline {

/// The scenario's own events, one after another.
class Happenings {
 public:
  Happenings(Cluster& cluster, InstanceGroups& groups, std::vector<std::unique_ptr<Service>>& services)
      : cluster_(cluster), groups_(groups), services_(services) {}

  Seconds next() const;
  /// All of this instant. False when one contradicts what has happened: History::errors says how.
  bool happen();

 private:
  bool happen(std::uint32_t index);
  bool add_instances(std::uint32_t index);
  bool drain(std::uint32_t index);
  bool terminate(std::uint32_t index);
  bool lose_zone(std::uint32_t index);
  bool update_service(std::uint32_t index);
  bool stop_tasks(std::uint32_t index);
  /// Nothing is named: without effect, or an error when such a thing has never been there.
  bool nobody(std::uint32_t index, bool was_there, std::string_view what);
  /// Notes that the event cannot happen.
  bool contradict(std::uint32_t index, std::string_view what);
  std::string name_of_task(std::uint32_t task) const;

  Cluster& cluster_;
  InstanceGroups& groups_;
  std::vector<std::unique_ptr<Service>>& services_;
  std::uint32_t next_ = 0;
};

}  // namespace bayplan::timeline
