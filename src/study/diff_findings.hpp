#pragma once
#include <cstddef>
#include <vector>

#include "study/diff_side.hpp"

namespace bayplan::study {

/// A finding of one side.
struct FindingPlace {
  std::size_t report = 0;   ///< Index into DiffSide::reports
  std::size_t finding = 0;  ///< Index into FileReport::findings
};

struct FindingChanges {
  std::vector<FindingPlace> appeared;  ///< In NEW alone; the worst first, then in file order.
  std::vector<FindingPlace> vanished;  ///< In OLD alone.
};

const lint::LintFinding& finding_at(const DiffSide& side, const FindingPlace& place);

/// The findings of one definition, those of its file that lie outside of all definitions when it is null.
std::vector<FindingPlace> findings_of(const DiffSide& side, const SideDefinition* definition);

/// Matches by rule, path by names and value, as a baseline does: what has only moved is neither. `before` and `after`
/// are the definitions that belong together; null means what lies outside of definitions.
FindingChanges compare_findings(const DiffSide& old_side, const std::vector<FindingPlace>& before,
                                const SideDefinition* old_definition, const DiffSide& new_side,
                                const std::vector<FindingPlace>& after, const SideDefinition* new_definition);

}  // namespace bayplan::study
