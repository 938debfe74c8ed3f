#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "study/diff_capacity.hpp"
#include "study/diff_cluster.hpp"
#include "study/diff_fields.hpp"
#include "study/diff_findings.hpp"
#include "study/diff_side.hpp"

/// Two states of a task definition, or of many: what differs, and what that does to the tasks.
namespace bayplan::study {

/// Why NEW cannot be deployed where OLD could.
enum class Obstacle : std::uint8_t {
  kRefused,    ///< ECS would not register it: errors that OLD has not.
  kNoType,     ///< No instance type looked at holds it.
  kNoPlace,    ///< No copy fits on the cluster as it stands, and no service of it runs the family.
  kNoRollout,  ///< The rolling deployment to a service of the cluster does not finish; that of OLD would.
};

/// A definition of OLD, of NEW, or of both.
struct DefinitionDiff {
  std::string name;                   ///< Family; else what its file calls it, else the file.
  std::optional<std::size_t> before;  ///< Index into DiffReport::before's definitions.
  std::optional<std::size_t> after;
  std::vector<FieldChange> fields;  ///< Empty unless both are there.
  FindingChanges findings;
  std::optional<CapacityEffect> capacity;  ///< Where something differs; not of what is removed.
  std::optional<ClusterEffect> cluster;    ///< Where something differs and a cluster was given.
  std::vector<Obstacle> obstacles;

  bool is_new() const { return !before; }
  bool is_removed() const { return !after; }
  bool differs() const {
    return is_new() || is_removed() || !fields.empty() || !findings.appeared.empty() || !findings.vanished.empty();
  }
};

struct DiffReport {
  DiffSide before;
  DiffSide after;
  std::vector<DefinitionDiff> definitions;  ///< In the order of NEW, then those that are gone.
  FindingChanges other_findings;            ///< Outside of definitions: services of a template ...
  std::string region;                       ///< Of the prices.
  std::string cluster;                      ///< As the user names it; empty without one.
  std::vector<Assumption> assumptions;

  bool differs() const;
  /// New findings at `level` or above.
  std::int64_t appeared(Severity level) const;
  bool can_deploy() const;  ///< Nothing stands in the way that did not before.
};

/// Fields and findings.
DiffReport compare(DiffSide before, DiffSide after, const model::Placeholders& placeholders);

/// What of the definitions that differ has a place on the cluster; call it before `look_at_types`, which may want the
/// types that it gives.
ClusterAnswers look_at_cluster(DiffReport& report, const placement::ScenarioRequest& cluster, const Files& files,
                               catalog::Catalog& catalog, const Limits& limits);

/// What instance types hold the definitions that differ; then, as the last step, what stands in their way.
void look_at_types(DiffReport& report, const CapacityRequest& request);

}  // namespace bayplan::study
