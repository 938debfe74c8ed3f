#include "lint/supersede.hpp"

#include <algorithm>
#include <vector>

namespace bayplan::lint {
namespace {

using rules::RuleRow;

bool is_among(std::string_view code, const std::vector<std::string_view>& codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

/// A fault of the text itself, which stays true whatever the root holds.
bool is_text_fault(std::string_view code) {
  return code <= "BAY006" || code == "BAY029";
}

bool touches(const Finding& special, const Finding& general) {
  if (special.pointer == general.pointer || special.span == general.span) return true;
  return std::any_of(special.related.begin(), special.related.end(),
                     [&](const Related& related) { return related.span == general.span; });
}

bool silences(const Finding& special, const RuleRow& row, const Finding& general, const RuleRow& general_row) {
  if (special.code == general.code) return false;
  if (is_among("root-shape", row.supersedes)) return general_row.group == "shape" && !is_text_fault(general.code);
  if (is_among("same-node", row.supersedes)) return touches(special, general);
  return is_among(general.code, row.supersedes) && special.pointer == general.pointer;
}

/// Where two would silence each other the more special one speaks, which is the later in the book: never silence.
bool wins(const Finding& special, const Finding& general, const rules::RuleData& data) {
  const auto& row = data.row(special.code);
  const auto& general_row = data.row(general.code);
  if (!silences(special, row, general, general_row)) return false;
  return special.code > general.code || !silences(general, general_row, special, row);
}

}  // namespace

void drop_superseded(std::deque<Finding>& findings, const rules::RuleData& data) {
  std::vector<const Finding*> special;
  for (const auto& finding : findings) {
    if (!data.row(finding.code).supersedes.empty()) special.push_back(&finding);
  }
  if (special.empty()) return;
  std::vector<bool> dropped;
  for (const auto& general : findings) {
    dropped.push_back(
        std::any_of(special.begin(), special.end(), [&](const Finding* one) { return wins(*one, general, data); }));
  }
  std::size_t position = 0;
  std::erase_if(findings, [&](const Finding&) { return dropped[position++]; });
}

}  // namespace bayplan::lint
