#pragma once
/// Two states of a task definition, or of many: what differs, and what that does to the tasks.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "capacity/fit.hpp"
#include "study/diff/diff_cluster.hpp"
#include "study/diff/diff_fields.hpp"
#include "study/diff/diff_launch_types.hpp"
#include "study/diff/diff_side.hpp"

namespace bayplan::study {

/// A finding of one side.
struct FindingPlace {
  std::size_t report = 0;   ///< Index into DiffSide::reports
  std::size_t finding = 0;  ///< Index into FileReport::findings
};

struct FindingChanges {
  std::vector<FindingPlace> appeared;  ///< Findings only in NEW, the most severe first, then in file order.
  std::vector<FindingPlace> vanished;  ///< Findings only in OLD.
};

const lint::LintFinding& finding_at(const DiffSide& side, const FindingPlace& place);

/// The findings of a side by definition, those that were suppressed left out.
class SideFindings {
 public:
  explicit SideFindings(const DiffSide& side);
  /// `definition`: index into DiffSide::definitions.
  const std::vector<FindingPlace>& of(std::size_t definition) const { return of_definition_[definition]; }
  const std::vector<FindingPlace>& outside() const { return outside_; }  ///< Those outside of all definitions.

 private:
  std::vector<std::vector<FindingPlace>> of_definition_;
  std::vector<FindingPlace> outside_;
};

/// Matches by rule, path by names and value, as a baseline does: what has only moved is neither. `before` and `after`
/// are the definitions that belong together; null means what lies outside of definitions.
FindingChanges compare_findings(const DiffSide& old_side, const std::vector<FindingPlace>& before,
                                const SideDefinition* old_definition, const DiffSide& new_side,
                                const std::vector<FindingPlace>& after, const SideDefinition* new_definition);

/// One instance type before and after; a side is absent where there is no definition or it runs on none.
struct TypeEffect {
  std::optional<capacity::FitRow> before;
  std::optional<capacity::FitRow> after;

  const capacity::FitRow& any() const { return after ? *after : *before; }
  bool changes() const;  ///< Whether it holds the task, or how often.
};

/// What one side asks of an instance, and what holds it.
struct SideCapacity {
  capacity::TaskRequirement requirement;
  std::vector<capacity::GpuNeeds> needs;  ///< As FitTask has them.
  bool runs_on_instances = true;          ///< False: requiresCompatibilities is FARGATE alone.
  std::int64_t held_by = 0;               ///< Types that hold it, or may.
  /// Cheapest for one copy, of the types on sale that surely hold it, are what its GPUs need and have a price.
  std::optional<capacity::FitRow> cheapest;
};

struct CapacityRequest {
  std::vector<const catalog::InstanceType*> types;  ///< Excludes types that are no longer sold unless they are named.
  bool are_named = false;                           ///< The user or the cluster names the types.
  capacity::FitOptions fit;
};

/// Which types hold a definition before and after, and which of them are reported. Rows are worked out when they are
/// asked for: those of thousands of definitions together would take gigabytes.
struct CapacityEffect {
  struct Type {
    const catalog::InstanceType* type = nullptr;
    bool changes = false;  ///< TypeEffect::changes
  };

  std::optional<SideCapacity> before;
  std::optional<SideCapacity> after;
  std::int64_t types = 0;  ///< Looked at.
  /// All types when they were named; else those for which the answer changes, cheapest first.
  std::vector<Type> reported;
  std::shared_ptr<const CapacityRequest> request;

  /// Rows of the reported types from `begin` to `end`, in their order.
  std::vector<TypeEffect> rows(std::size_t begin, std::size_t end) const;
  std::vector<TypeEffect> rows() const { return rows(0, reported.size()); }

  /// Some type held it, and none does any more; of a new definition: none does.
  bool fits_no_type() const;
  bool changes() const;  ///< What a task takes, or what holds it.
};

/// Either side may be null, not both. Adds what is taken for granted, where it matters to the answer.
CapacityEffect compare_capacity(const SideDefinition* before, const SideDefinition* after,
                                const std::shared_ptr<const CapacityRequest>& request,
                                std::vector<Assumption>& assumptions);

/// Why NEW cannot be deployed where OLD could.
enum class Obstacle : std::uint8_t {
  kRefused,    ///< ECS would not register it: errors that OLD has not.
  kNoType,     ///< No instance type looked at holds it.
  kNoPlace,    ///< No copy fits on the cluster as it is, and no service of it runs the family.
  kNoRollout,  ///< The rolling deployment to a service of the cluster does not finish; that of OLD would.
};

/// A definition of OLD, of NEW, or of both.
struct DefinitionDiff {
  std::string name;                   ///< Family; else what its file calls it, else the file.
  std::optional<std::size_t> before;  ///< Index into DiffReport::before's definitions.
  std::optional<std::size_t> after;
  std::vector<FieldChange> fields;  ///< Empty unless both are there.
  FindingChanges findings;
  std::optional<CapacityEffect> capacity;      ///< Where something differs; not of what is removed.
  std::vector<LaunchTypeChange> launch_types;  ///< Of one task, where something differs; not of what is removed.
  std::optional<ClusterEffect> cluster;        ///< Where something differs and a cluster was given.
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
  std::vector<DefinitionDiff> definitions;  ///< Listed in the order of NEW, then those that are gone.
  FindingChanges other_findings;            ///< Outside of definitions: services of a template ...
  std::string region;                       ///< Region of the prices.
  std::string cluster;                      ///< The name that the user gave; empty without a cluster.
  std::vector<Assumption> assumptions;

  bool differs() const;
  /// New findings at `level` or above.
  std::int64_t appeared(Severity level) const;
  bool can_deploy() const;  ///< Nothing is in the way that did not before.
};

/// Fields and findings.
DiffReport compare(DiffSide before, DiffSide after, const model::Placeholders& placeholders);

/// What of the definitions that differ has a place on the cluster; call it before `look_at_types`, which may want the
/// types that it gives.
ClusterAnswers look_at_cluster(DiffReport& report, const scenario::ScenarioRequest& cluster, const Files& files,
                               catalog::Catalog& catalog, const Limits& limits);

/// As `capacity::fit` takes it.
capacity::FitTask fit_task(const SideDefinition& definition);

/// What instance types hold the definitions that differ; then, as the last step, what is in their way.
void look_at_types(DiffReport& report, const CapacityRequest& request);

/// What a task of the definitions that differ costs on each launch type.
void look_at_launch_types(DiffReport& report, const CapacityRequest& request, const lint::Tools& tools);

}  // namespace bayplan::study
