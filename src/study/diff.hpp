#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "study/diff_capacity.hpp"
#include "study/diff_fields.hpp"
#include "study/diff_findings.hpp"
#include "study/diff_side.hpp"

/// Two states of a task definition, or of many: what differs, and what that does to the tasks.
namespace bayplan::study {

/// Why NEW cannot be deployed where OLD could.
enum class Obstacle : std::uint8_t {
  kRefused,  ///< ECS would not register it: errors that OLD has not.
  kNoType,   ///< No instance type looked at holds it.
};

/// A definition of OLD, of NEW, or of both.
struct DefinitionDiff {
  std::string name;                   ///< Family; else what its file calls it, else the file.
  std::optional<std::size_t> before;  ///< Index into DiffReport::before's definitions.
  std::optional<std::size_t> after;
  std::vector<FieldChange> fields;  ///< Empty unless both are there.
  FindingChanges findings;
  std::optional<CapacityEffect> capacity;  ///< Where something differs; not of what is removed.
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
  std::string region;
  std::vector<Assumption> assumptions;

  bool differs() const;
  /// New findings at `level` or above.
  std::int64_t appeared(Severity level) const;
  bool can_deploy() const;  ///< Nothing stands in the way that did not before.
};

DiffReport compare(DiffSide before, DiffSide after, const CapacityRequest& request,
                   const model::Placeholders& placeholders);

}  // namespace bayplan::study
