#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "placement/model/outcome.hpp"
#include "scenario/load_scenario.hpp"
#include "study/diff/diff_side.hpp"
#include "study/whatif/what_if_deploy.hpp"

namespace bayplan::study {

/// How many more copies fit on a cluster as it is.
struct Room {
  std::int64_t copies = 0;
  std::shared_ptr<const placement::Scenario> scenario;
  std::optional<placement::Failure> why;  ///< Why no more; nothing where more fit than are tried: it was not found out.
};

/// The rolling deployment of NEW to a service of the cluster that runs the family.
struct ServiceRollout {
  std::string service;
  std::shared_ptr<const DeployedVariant> deployed;
  bool could_before = true;  ///< OLD, deployed in the same way, finishes. Tried only where NEW does not.

  bool finishes() const { return deployed->finishes(); }
};

/// What a change means on a cluster.
struct ClusterEffect {
  std::string not_tried;       ///< Why NEW has no place to look for; empty when it was looked for.
  std::optional<Room> before;  ///< Nothing where there is no such definition, or it cannot be placed.
  std::optional<Room> after;
  std::vector<ServiceRollout> rollouts;

  /// Copies fitted, and none does any more; or a deployment that would have finished does not.
  bool fits_nowhere() const;
  bool holds_up() const;
};

/// A definition that is looked for on the cluster.
struct ClusterQuestion {
  std::string family;                      ///< That services of the cluster run.
  const SideDefinition* before = nullptr;  ///< Null: there is none, or none that can be placed.
  const SideDefinition* after = nullptr;
};

struct ClusterAnswers {
  std::vector<ClusterEffect> effects;  ///< One entry per question.
  std::string region;
  std::vector<const catalog::InstanceType*> types;  ///< Instance types of the cluster, as the catalog has them.
  std::vector<Assumption> assumptions;
  std::vector<Error> errors;          ///< If there are errors, the other members are empty.
  std::vector<std::string> mistakes;  ///< Internal errors: a placement did not pass verification.
};

/// `cluster`: without tasks; its `cluster` may be a scenario too: then what it requests is placed before any question.
ClusterAnswers ask_cluster(const std::vector<ClusterQuestion>& questions, scenario::ScenarioRequest cluster,
                           const Files& files, catalog::Catalog& catalog, const Limits& limits);

}  // namespace bayplan::study
