#include "text/repair_notes.hpp"

#include <algorithm>
#include <iterator>

namespace bayplan::text {

void RepairNotes::fault(FaultKind kind, Span span, std::string message, std::string help,
                        std::vector<Related> related) {
  faults_.push_back({kind, span, std::move(message), std::move(help), std::move(related), {}, true});
}

void RepairNotes::mend(FaultKind kind, Span span, std::string message, std::string help, Edit change, bool is_safe) {
  mend(kind, span, std::move(message), std::move(help), std::vector<Edit>{std::move(change)}, is_safe);
}

void RepairNotes::mend(FaultKind kind, Span span, std::string message, std::string help, std::vector<Edit> changes,
                       bool is_safe, std::vector<Related> related) {
  edits_.insert(edits_.end(), changes.begin(), changes.end());
  fault(kind, span, std::move(message), std::move(help), std::move(related));
  faults_.back().fix = Fix{is_safe, std::move(changes)};
  faults_.back().left_out = false;
}

void RepairNotes::common(CommonMistake mistake, Span span, std::string message, std::string help,
                         std::vector<Edit> changes) {
  edits_.insert(edits_.end(), changes.begin(), changes.end());
  Common& common = common_[static_cast<std::size_t>(mistake)];
  if (common.count++ == 0) common.fault = {FaultKind::kJsonSyntax, span, std::move(message), std::move(help), {}, {}};
  common.fault.left_out = mistake == CommonMistake::kOmission;
  if (common.fault.left_out) return;  // only the author knows what belongs there
  if (!common.fault.fix) common.fault.fix = Fix{true, {}};
  std::move(changes.begin(), changes.end(), std::back_inserter(common.fault.fix->edits));
}

std::vector<Span> RepairNotes::take_placeholders() {
  std::sort(placeholders_.begin(), placeholders_.end(), [](Span a, Span b) { return a.begin < b.begin; });
  return std::move(placeholders_);
}

std::vector<Fault> RepairNotes::take_faults() {
  for (Common& common : common_) {
    if (common.count == 0) continue;
    if (common.count > 1) common.fault.message += " (and " + std::to_string(common.count - 1) + " more)";
    faults_.push_back(std::move(common.fault));
  }
  std::stable_sort(faults_.begin(), faults_.end(),
                   [](const Fault& a, const Fault& b) { return a.span.begin < b.span.begin; });
  return std::move(faults_);
}

}  // namespace bayplan::text
