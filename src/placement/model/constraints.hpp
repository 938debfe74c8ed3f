#pragma once
#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// What a memberOf expression sees of an instance: its profile, and the tasks that are on it at the moment.
class ProfileView : public query::InstanceView {
 public:
  /// `state` and `groups` may be null: no tasks then.
  ProfileView(const InstanceProfile& profile, const InstanceState* state, const Groups* groups)
      : profile_(profile), state_(state), groups_(groups) {}

  std::optional<std::string_view> attribute(std::string_view name) const override;
  bool agent_connected() const override { return profile_.agent_connected; }
  std::optional<std::string_view> agent_version() const override;
  std::optional<std::string_view> ec2_instance_id() const override;
  std::optional<std::int64_t> registered_at() const override { return profile_.registered_at; }
  std::int64_t running_tasks_count() const override { return state_ == nullptr ? 0 : state_->tasks; }
  std::vector<std::string_view> task_groups() const override;

 private:
  const InstanceProfile& profile_;
  const InstanceState* state_;
  const Groups* groups_;
};

/// Whether `attribute` of requiresAttributes is on the instance. One that lists no capabilities has those of a current
/// agent.
bool has_required_attribute(const InstanceProfile& profile, std::string_view attribute);

/// What the task requires of an instance's attributes and the instance lacks: names of requiresAttributes, then
/// "ecs.cpu-architecture=x86_64" and "ecs.os-type=windows" where runtimePlatform asks for another platform than the
/// instance has. ECS does not document that it compares runtimePlatform with EC2 instances; a container of another
/// platform does not start, so such a placement is none.
std::vector<std::string> missing_attributes(const InstanceProfile& profile, const capacity::TaskRequirement& task);

/// What is wrong with an expression that is longer than ECS takes, else nothing. It has no place yet.
std::optional<Error> find_length_fault(std::string_view expression);

}  // namespace bayplan::placement
