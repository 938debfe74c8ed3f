#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "packing/packing_problem.hpp"
#include "placement/explain/result_summary.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

/// What of a fleet is in use.
namespace bayplan::study {

/// Use of the instances of one offer, or of all.
struct Use {
  std::int64_t instances = 0;
  placement::Share cpu;
  placement::Share memory;
  placement::Share gpu;
  placement::Share neuron;      ///< Neuron devices that ECS assigns.
  placement::Share ebs;         ///< EBS attachments, of types with a known limit; nothing where no task has a volume.
  placement::Share interfaces;  ///< Task network interfaces; nothing where no task has one.
  MicroUsd credits = 0;         ///< Surplus CPU credits, an hour.
};

struct OfferUse {
  std::uint32_t offer = 0;  ///< Index into Market::offers.
  Use use;
};

struct FleetUse {
  std::vector<OfferUse> offers;  ///< One entry per offer; those of which there are instances.
  Use all;
  /// Surplus CPU credits by offer and zone, as they are bought.
  std::map<std::pair<std::uint32_t, std::string>, MicroUsd> credits;

  MicroUsd credits_of(const fleet::Purchase& purchase) const;

  /// The resource with the largest share in use: "GPU", "NEURON_DEVICE", "EBS", "ENI", "MEMORY" or "CPU"; devices first
  /// of equal shares. Empty when nothing is in use.
  std::string_view binding_resource() const { return binding().first; }
  placement::Share binding_share() const { return binding().second; }

 private:
  std::pair<std::string_view, placement::Share> binding() const;
};

/// When the bins are filled as packed. Daemons are left out on both sides.
FleetUse use_of(const fleet::Market& market, const fleet::Question& question, const packing::Packing& packing);

/// When the instances of `purchases`, the last of the scenario, are as the outcome says. Daemons are tasks.
FleetUse use_of(const fleet::Market& market, const placement::Scenario& scenario, const placement::Outcome& outcome,
                const fleet::Purchases& purchases);

/// A number of tasks of one workload on instances of one type.
struct PlacedTasks {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::string instance_type;
  std::int64_t count = 0;
};

/// Counts the placed tasks by workload and type, without daemons.
std::vector<PlacedTasks> placed_tasks(const placement::Scenario& scenario, const placement::Outcome& outcome);

/// vCPUs that run, by EC2 quota ("G and VT"), sorted; what has none is under "".
std::vector<std::pair<std::string, std::int64_t>> vcpus_by_quota(const fleet::Market& market,
                                                                 const fleet::Purchases& purchases);

}  // namespace bayplan::study
