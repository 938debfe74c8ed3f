#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"

/// What a history says of its tasks only together with the scenario.
namespace bayplan::timeline {

/// "<name>#<number>"; of a task that ran before the start the id that it was described by.
std::string task_id(const placement::Scenario& scenario, const Task& task);

bool is_daemon(const placement::Scenario& scenario, const Task& task);

/// Empty without one.
std::string_view capacity_provider_of(const placement::Scenario& scenario, const Task& task);

/// What each task takes.
class Requirements {
 public:
  Requirements(const placement::Scenario& scenario, const History& history);

  /// Returns the requirement; for a task that ran before the start, that of its definition if known, otherwise only its
  /// GPUs.
  const capacity::TaskRequirement& of(const Task& task) const;

 private:
  const placement::Scenario& scenario_;
  std::vector<capacity::TaskRequirement>
      unknown_;  ///< Requirements of tasks that ran before the start, by their number of GPUs.
  std::vector<const capacity::TaskRequirement*> running_;  ///< Indexed like Scenario::running.
};

/// Returns how much of the instance's GPUs the task holds, in millionths of a GPU.
std::int64_t gpu_millionths(const capacity::TaskRequirement& task, const placement::InstanceProfile& profile);

}  // namespace bayplan::timeline
