#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/percent.hpp"
#include "fleet/offers/market.hpp"
#include "packing/packing_problem.hpp"
#include "placement/engine/checks.hpp"
#include "placement/model/scenario.hpp"

/// A scenario's tasks and a market as a packing problem, with the way back.
namespace bayplan::fleet {

/// What one shape of the problem represents: tasks that take the same and may go to the same offers.
struct ShapeOrigin {
  std::vector<std::uint32_t> workloads;  ///< Indexes into Scenario::workloads, ascending.
  std::vector<std::int64_t> counts;      ///< Tasks of each, in their order; sums to the shape's count.
};

/// A bin type of the problem.
struct BinOrigin {
  std::uint32_t offer = 0;        ///< Index into Market::offers.
  std::string availability_zone;  ///< Empty unless the zone decides what it may hold.
  bool whole_gpus = false;        ///< Given to one task that takes ALL GPUs: other tasks get none of them.
  /// The instances of a kept cluster that this bin type represents. Empty = to be bought.
  std::vector<std::uint32_t> standing{};
  CpuUnits cpu_room = 0;      ///< CPU that the instance has for tasks: the bin type has less where it is one of several
                              ///< steps (credit_steps.hpp).
  CpuUnits cpu_reserved = 0;  ///< What daemons, and tasks that run there, reserve.
};

/// Something that placement heeds and the bound does not: the bound stays valid, the packing may not be reachable.
struct Relaxation {
  std::string id;  ///< "spread", "task-constraint", "gpu-memory-per-device", "ports" ...; docs/fleet.md lists them.
  std::string subject;  ///< Workload, or empty.
  std::string text;
};

/// Why no offer of one type takes a task.
struct TypeRejection {
  std::string instance_type;
  placement::CheckSet failed;
  placement::Shortfall shortfall;
  /// Not what the task needs, though ECS would not look: "PCIe, wants NVLink", "arm64, wants x86_64"; else empty.
  std::string unmet_need;
};

/// A workload of which no task fits any offer, or that contradicts itself.
struct Unplaceable {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::int64_t count = 0;
  std::string contradiction;              ///< Names constraints that cannot hold together; empty when it is the types.
  std::vector<TypeRejection> rejections;  ///< Nearest miss first; one a type.
};

struct QuestionOptions {
  Percent headroom_percent;        ///< Additional tasks of each workload, rounded up, except for daemons.
  std::vector<std::string> zones;  ///< Zones that the fleet may use; empty = the scenario names none.
};

struct Question {
  packing::PackingProblem problem;
  std::vector<std::string> dimensions;  ///< Names of the problem's dimensions: "CPU", "MEMORY", "GPU", "ENI" ...
  std::vector<ShapeOrigin> shapes;      ///< One entry per shape.
  std::vector<BinOrigin> bins;          ///< One entry per bin type.
  std::vector<std::string> zones;       ///< That distinguish bins; empty when no workload cares.
  bool has_credit_steps = false;        ///< Some instances cost surplus CPU credits.
  std::vector<Relaxation> relaxed;
  std::vector<Unplaceable> unplaceable;
  std::vector<LeftOut> left_out;  ///< Offers on which a daemon that wants them has no room.
  /// What must be added to workloads, as ECS does not look at it: what GPUs they need, for which processor they are.
  std::vector<std::pair<std::uint32_t, placement::Constraint>> constraints;
  std::vector<Assumption> assumptions;
};

/// Daemons are taken off what each offer registers; an offer that a daemon wants and does not fit is left out. Tasks
/// of workloads without a count are an error of the caller.
Question make_packing_question(const placement::Scenario& scenario, const Market& market,
                               const QuestionOptions& options);

}  // namespace bayplan::fleet
