#include "lint/supersede.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "rules/registry.hpp"

namespace bayplan::lint {
namespace {

using rules::RuleRow;

bool is_among(std::string_view code, const std::vector<std::string_view>& codes) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

/// A fault of the text itself, which stays true whatever the root holds.
bool is_text_fault(std::string_view code) {
  return rules::rule_of(code).scope == rules::Scope::kText;
}

bool touches(const Finding& special, const Finding& general) {
  if (special.pointer == general.pointer || special.span == general.span) return true;
  return std::any_of(special.related.begin(), special.related.end(),
                     [&](const Related& related) { return related.span == general.span; });
}

/// Whether `inner` is at a member or element of `outer` or inside it.
bool lies_inside(const Finding& inner, const Finding& outer) {
  return inner.pointer.size() > outer.pointer.size() && inner.pointer.starts_with(outer.pointer) &&
         inner.pointer[outer.pointer.size()] == '/';
}

bool silences(const Finding& special, const RuleRow& row, const Finding& general, const RuleRow& general_row) {
  // What a team asks for is no part of what ECS refuses: neither says what the other one does.
  if (special.code == general.code || rules::is_house_code(general.code)) return false;
  if (is_among("root-shape", row.supersedes)) return general_row.group == "shape" && !is_text_fault(general.code);
  if (is_among("same-node", row.supersedes)) return touches(special, general);
  if (is_among("inside", row.supersedes) && lies_inside(general, special)) return !is_text_fault(general.code);
  return is_among(general.code, row.supersedes) && special.pointer == general.pointer;
}

/// Where two would silence each other the more special one speaks, which is the later in the book: never silence.
bool wins(const Finding& special, const Finding& general, const rules::RuleData& data) {
  const auto& row = data.row(special.code);
  const auto& general_row = data.row(general.code);
  if (!silences(special, row, general, general_row)) return false;
  return special.code > general.code || !silences(general, general_row, special, row);
}

/// The findings that may silence others, found by what they would silence: a file may hold ten thousand findings.
class Special {
 public:
  Special(const std::deque<Finding>& findings, const rules::RuleData& data) : data_(data) {
    for (const auto& finding : findings) add(finding);
  }

  bool empty() const { return of_root_.empty() && by_pointer_.empty(); }

  bool silence(const Finding& general) const {
    if (any_wins(of_root_, general)) return true;
    const auto same_pointer = by_pointer_.find(general.pointer);
    if (same_pointer != by_pointer_.end() && any_wins(same_pointer->second, general)) return true;
    const auto same_span = by_span_.find(key_of(general.span));
    if (same_span != by_span_.end() && any_wins(same_span->second, general)) return true;
    return reaches_inside_ && any_around_wins(general);
  }

 private:
  using Group = std::vector<const Finding*>;
  using SpanKey = std::pair<std::uint32_t, std::uint32_t>;

  static SpanKey key_of(const Span& span) { return {span.begin, span.end}; }

  void add(const Finding& finding) {
    const auto& supersedes = data_.row(finding.code).supersedes;
    if (supersedes.empty()) return;
    if (is_among("root-shape", supersedes)) of_root_.push_back(&finding);
    by_pointer_[finding.pointer].push_back(&finding);
    reaches_inside_ = reaches_inside_ || is_among("inside", supersedes);
    if (!is_among("same-node", supersedes)) return;
    by_span_[key_of(finding.span)].push_back(&finding);
    for (const auto& related : finding.related) by_span_[key_of(related.span)].push_back(&finding);
  }

  bool any_around_wins(const Finding& general) const {
    std::string_view pointer = general.pointer;
    for (auto end = pointer.rfind('/'); end != std::string_view::npos; end = pointer.rfind('/')) {
      pointer = pointer.substr(0, end);
      const auto around = by_pointer_.find(pointer);
      if (around != by_pointer_.end() && any_wins(around->second, general)) return true;
    }
    return false;
  }

  bool any_wins(const Group& group, const Finding& general) const {
    return std::any_of(group.begin(), group.end(), [&](const Finding* one) { return wins(*one, general, data_); });
  }

  const rules::RuleData& data_;
  bool reaches_inside_ = false;
  Group of_root_;
  std::map<std::string_view, Group> by_pointer_;
  std::map<SpanKey, Group> by_span_;
};

/// What follows from a finding that is at least as severe is not reported.
void drop_followers(std::deque<Finding>& findings) {
  std::map<std::string_view, Severity> reported;
  for (const auto& finding : findings) {
    const auto [entry, is_new] = reported.emplace(finding.code, finding.severity);
    if (!is_new) entry->second = std::max(entry->second, finding.severity);
  }
  std::erase_if(findings, [&](const Finding& one) {
    const auto& causes = rules::causes_of(one.code);
    return std::any_of(causes.begin(), causes.end(), [&](std::string_view cause) {
      const auto found = reported.find(cause);
      return found != reported.end() && found->second >= one.severity;
    });
  });
}

}  // namespace

void drop_superseded(std::deque<Finding>& findings, const rules::RuleData& data) {
  drop_followers(findings);
  const Special special(findings, data);
  if (special.empty()) return;
  std::vector<bool> dropped;
  for (const auto& general : findings) dropped.push_back(special.silence(general));
  std::size_t position = 0;
  std::erase_if(findings, [&](const Finding&) { return dropped[position++]; });
}

}  // namespace bayplan::lint
