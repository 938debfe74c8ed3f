#include "lint/config/selection.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

using rules::RuleRow;

std::size_t longest_match(const std::vector<std::string>& selectors, const RuleRow& row) {
  std::size_t longest = 0;
  for (const auto& selector : selectors) longest = std::max(longest, match_length(selector, row));
  return longest;
}

bool starts_ignoring_case(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() && equal_ignoring_case(text.substr(0, beginning.size()), beginning);
}

}  // namespace

std::size_t match_length(std::string_view selector, const RuleRow& row) {
  constexpr std::size_t kWhole = 100;
  if (equal_ignoring_case(selector, "ALL")) return 1;
  if (selector == row.group) return 2;
  if (selector == row.id || equal_ignoring_case(selector, row.code)) return kWhole;
  return selector.size() >= 3 && starts_ignoring_case(row.code, selector) ? selector.size() : 0;
}

bool Selection::enables(const RuleRow& row) const {
  std::size_t wanted = longest_match(extend_select, row);
  wanted = std::max(wanted, select.empty() ? static_cast<std::size_t>(row.on_by_default) : longest_match(select, row));
  return wanted > longest_match(ignore, row);
}

Result<SeverityOverride> parse_severity_override(const std::string& text) {
  const auto equals = text.find('=');
  const auto severity = equals == std::string::npos ? std::nullopt : severity_named(text.substr(equals + 1));
  if (!severity && equals != std::string::npos) {
    const std::vector<std::string_view> levels{"error", "warning", "info", "style"};
    const std::string level = text.substr(equals + 1);
    const auto near = nearest_or_containing(level, levels);
    return Error{.message = fmt::format("--severity {}: unknown level '{}'", text, level),
                 .help = near ? fmt::format("did you mean '{}'?", *near) : "levels are " + one_of(levels, "and")};
  }
  if (!severity) {
    return Error{.message = fmt::format("--severity must be CODE=LEVEL, got '{}'", text),
                 .help = "for example --severity BAY450=info; levels are error, warning, info and style"};
  }
  return SeverityOverride{text.substr(0, equals), *severity};
}

Result<bool> check_selectors(const std::vector<std::string>& selectors, const rules::RuleData& data) {
  if (selectors.empty()) return true;
  const auto rows = data.every_row();
  for (const auto& selector : selectors) {
    const bool names_one =
        std::any_of(rows.begin(), rows.end(), [&](const RuleRow* row) { return match_length(selector, *row) > 0; });
    if (names_one || data.find_removed(selector) != nullptr) continue;
    std::vector<std::string_view> names;
    for (const auto* row : rows) names.insert(names.end(), {row->id, row->code, row->group});
    const auto near = nearest(selector, names);
    return Error{.message = fmt::format("unknown rule, group or code prefix '{}'", selector),
                 .help = near ? fmt::format("did you mean '{}'?", *near) : "run 'bayplan rules' to list them"};
  }
  return true;
}

}  // namespace bayplan::lint
