#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "capacity/requirement.hpp"
#include "placement/instance_state.hpp"
#include "placement/scenario.hpp"

/// Changes of a scenario as values: made, applied to a copy, placed and verified, then told. What a change means in
/// words is the reports' business.
namespace bayplan::study {

/// A host port that tasks of the workload take becomes another one, or none (dynamic: hostPort 0).
struct PortChange {
  bool is_udp = false;
  std::uint16_t from = 0;
  std::uint16_t to = 0;  ///< 0 = dynamic.
};
struct ChangePorts {
  std::uint32_t workload = 0;
  std::vector<PortChange> ports;
};

/// The workloads place by `strategies`.
struct ChangeStrategy {
  std::vector<std::uint32_t> workloads;
  std::vector<placement::Strategy> strategies;
};

/// RunTask calls take their turns from the largest to the smallest (settings.order).
struct LargestFirst {};

/// A task that runs goes to another instance, or ends.
struct MoveTask {
  std::uint32_t task = 0;  ///< Index into Scenario::running.
  std::uint32_t to = 0;    ///< Index into Scenario::instances.
  capacity::TaskRequirement requirement;
};
struct EndTask {
  std::uint32_t task = 0;
  capacity::TaskRequirement requirement;
};

/// The tasks of the workload ask for this much.
struct ChangeSize {
  std::uint32_t workload = 0;
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t gpus = 0;  ///< Of a workload that asks for whole GPUs in one container.
};

/// The workload does without one of its constraints.
struct DropConstraint {
  std::uint32_t workload = 0;
  std::uint32_t constraint = 0;  ///< Index into Workload::constraints.
};

/// The workload asks for less by one of its constraints.
struct LoosenConstraint {
  std::uint32_t workload = 0;
  std::uint32_t constraint = 0;  ///< Index into Workload::constraints.
  std::string without;           ///< The part that is left out.
  placement::Constraint replacement;
};

/// The workload has a subnet in one more zone.
struct AddZone {
  std::uint32_t workload = 0;
  std::string availability_zone;
};

/// The workload may go to every instance, whatever its capacity provider (launch type EC2).
struct AnyProvider {
  std::uint32_t workload = 0;
};

/// The instance takes tasks: ACTIVE, with its agent connected.
struct MakeAvailable {
  std::uint32_t instance = 0;
};

/// The instance has the attributes, without a value.
struct AddAttributes {
  std::uint32_t instance = 0;
  std::vector<std::string> names;
};

/// Every instance of the type has awsvpcTrunking.
struct TurnOnTrunking {
  std::string instance_type;
};

/// One more instance, behind the others in file order.
struct AddInstance {
  placement::InstanceProfile profile;
};

using Change =
    std::variant<ChangePorts, ChangeStrategy, LargestFirst, MoveTask, EndTask, ChangeSize, DropConstraint, AddZone,
                 AnyProvider, MakeAvailable, AddAttributes, TurnOnTrunking, AddInstance, LoosenConstraint>;

inline constexpr std::string_view kAddedInstance = "new";  ///< Id of an instance that AddInstance adds.

/// The scenario with the change made. What runs is moved and ended; nothing is placed.
placement::Scenario apply(const placement::Scenario& scenario, const Change& change);

/// Whether what is taken of its instance leaves room for the task to go: false where the description of a live cluster
/// says that less is taken than the task would take. `placement::give_back` takes it out.
bool can_leave(const placement::Scenario& scenario, std::uint32_t running,
               const capacity::TaskRequirement& requirement);

/// Task interfaces of an instance of the profile's type with awsvpcTrunking; nothing where ECS does not support it.
std::optional<std::int64_t> trunked_interfaces(const placement::InstanceProfile& profile);

}  // namespace bayplan::study
