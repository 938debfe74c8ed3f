#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "capacity/requirement.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"

/// Changes of the question itself, as values: what a remedy suggests, and what a variant would have otherwise from the
/// start. They are applied to a copy of the scenario, which is placed and verified. What can happen to a cluster is
/// placement/event.hpp; what a change means in words is the reports' business.
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

/// The workloads place by `strategies`; if all of them do, no longer by a policy (Scenario::policy).
struct ChangeStrategy {
  std::vector<std::uint32_t> workloads;  ///< Empty: every service and every RunTask call; daemons have none.
  std::vector<placement::Strategy> strategies;
};

/// A policy chooses in place of the strategies; only in grids.
struct ChangePolicy {
  placement::Policy policy = placement::Policy::kBestFit;
};

/// The order of RunTask calls (settings.order).
struct ChangeOrder {
  placement::TaskOrder order = placement::TaskOrder::kGiven;
};

struct ChangeSeed {
  std::uint64_t seed = 1;
};

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
  std::int64_t gpus = 0;  ///< GPUs of a workload that requests whole GPUs in one container.
};

/// The workload does without one of its constraints.
struct DropConstraint {
  std::uint32_t workload = 0;
  std::uint32_t constraint = 0;  ///< Index into Workload::constraints.
};

/// The workload asks for less by one of its constraints.
struct RelaxConstraint {
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

/// Many variants share one list.
using Profiles = std::shared_ptr<const std::vector<placement::InstanceProfile>>;

/// Each instance of one type is one of another, in the same place of the file order. `profiles`: by profile of the
/// scenario (of `ReplaceInstances`, where the variant has one), what its instances have in place of it; itself where
/// the type is another one. Replacements of one variant happen at the same time.
struct ReplaceType {
  std::string from;
  std::string to;
  Profiles profiles;
};

/// The cluster consists of other instances, all of them empty; only in grids.
struct ReplaceInstances {
  Profiles profiles;
  std::vector<placement::ContainerInstance> instances;  ///< Profiles by position in `profiles`.
};

/// The service has this minimumHealthyPercent, or maximumPercent, from its first deployment on.
struct SetMinimumHealthyPercent {
  std::uint32_t service = 0;  ///< Index into Timetable::services.
  std::int64_t percent = 0;
};
struct SetMaximumPercent {
  std::uint32_t service = 0;
  std::int64_t percent = 0;
};

/// Deployments of the service replace tasks as strategy ROLLING does.
struct SetRolling {
  std::uint32_t service = 0;
};

/// More flags for the variant that whatif was asked about. load_variants.hpp makes changes and events of flags, so
/// `apply` has nothing to do.
struct AppendFlags {
  std::string flags;             ///< The flags to append to the command: "--add g4dn.12xlarge=1@us-east-2b".
  bool asks_for_less = false;    ///< Fewer tasks are to run.
  std::string in_place_of = {};  ///< The flags that the variant has and that these replace.
};

/// AddInstances come after the others from the start.
using ScenarioChange = std::variant<ChangePorts, ChangeStrategy, ChangeOrder, MoveTask, EndTask, ChangeSize,
                                    DropConstraint, AddZone, AnyProvider, MakeAvailable, AddAttributes, TurnOnTrunking,
                                    placement::AddInstances, RelaxConstraint, ReplaceType, ReplaceInstances, ChangeSeed,
                                    ChangePolicy, SetMinimumHealthyPercent, SetMaximumPercent, SetRolling, AppendFlags>;

inline constexpr std::string_view kAddedInstance = "new";  ///< Id of an instance that `one_more` adds.
placement::AddInstances one_more(placement::InstanceProfile profile);

/// The scenario with the changes made, all of them at the same time. What runs is moved and ended; nothing is placed.
placement::Scenario with_changes(const placement::Scenario& scenario, const std::vector<ScenarioChange>& changes);
placement::Scenario with_change(const placement::Scenario& scenario, const ScenarioChange& change);

/// Puts the profiles of the event into the scenario, where a run looks for them.
placement::AddInstances with_profiles_in(placement::Scenario& scenario, placement::AddInstances event);

/// Whether what is taken of its instance leaves room for the task to go: false where the description of a live cluster
/// says that less is taken than the task would take. `placement::give_back` takes it out.
bool can_leave(const placement::Scenario& scenario, std::uint32_t running,
               const capacity::TaskRequirement& requirement);

/// Task interfaces of an instance of the profile's type with awsvpcTrunking; nothing where ECS does not support it.
std::optional<std::int64_t> trunked_interfaces(const placement::InstanceProfile& profile);

}  // namespace bayplan::study
