#pragma once
#include "../support/untouched.hpp"
#include "fuzz.hpp"
#include "lint/fix/fixes.hpp"
#include "text/edited_text.hpp"

/// What the API would receive is the same outside of the edits. Of a text with faults, and of aliases, which change
/// with their anchor, nothing is claimed; BAY010 moves all of the definition up.
inline void check_untouched(const bayplan::lint::FileReport& before, const bayplan::lint::Recheck& recheck) {
  const auto& document = *before.document;
  if (!document.faults().empty() || document.source().find_first_of("&*") != std::string::npos) return;
  for (const auto& finding : before.findings) {
    if (!finding.fix || !finding.fix->safe || finding.code == "BAY010") continue;
    const auto after = recheck(bayplan::text::apply(document.source(), finding.fix->edits).text);
    const auto changed = bayplan::untouched::changed_elsewhere(document.root(), after.document->root(), *finding.fix);
    require(changed.empty(), std::string(finding.code) + " changes " + changed);
  }
}
