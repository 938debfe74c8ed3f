#include "rules/rule_data.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include "base/lazy.hpp"
#include "base/strings.hpp"
#include "embedded/rules_json.hpp"
#include "rules/file/text_members.hpp"
#include "rules/house/house_rule.hpp"
#include "text/read.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

bool flag_member(Value object, std::string_view key) {
  const Value member = object.find(key);
  return member && member.boolean().value_or(false);
}

Severity severity_member(Value object) {
  const auto severity = severity_named(text_of(object, "severity"));
  assert(severity.has_value());
  return severity.value_or(Severity::kWarning);
}

RuleRow read_row(Value object) {
  RuleRow row{.code = text_of(object, "code"),
              .id = text_of(object, "id"),
              .severity = severity_member(object),
              .group = text_of(object, "group"),
              .on_by_default = flag_member(object, "default"),
              .evidence = text_of(object, "evidence"),
              .applies_to = text_of(object, "scope"),
              .summary = text_of(object, "summary"),
              .why = text_of(object, "why"),
              .bad = Example::read(object.find("bad")),
              .good = Example::read(object.find("good")),
              .fix = text_of(object, "fix"),
              .source = text_of(object, "source"),
              .reviewed = text_of(object, "reviewed"),
              .documented_refusal = flag_member(object, "documentedRefusal"),
              .hides_source = flag_member(object, "hidesSource"),
              .implemented = flag_member(object, "implemented")};
  if (const Value codes = object.find("supersedes")) {
    for (const Value code : codes.children()) row.supersedes.push_back(code.text());
  }
  if (const Value answers = object.find("answers")) {
    for (const Value item : answers.children())
      row.answers.push_back({text_of(item, "text"), text_of(item, "date"), text_of(item, "source")});
  }
  if (const Value cases = object.find("severityWhen")) {
    for (const Value item : cases.children()) {
      row.severity_when.push_back({text_of(item, "when"), severity_member(item), text_of(item, "evidence")});
    }
  }
  return row;
}

struct AllRows {
  std::unique_ptr<const text::Document> document;
  std::vector<RuleRow> rows;
  std::vector<RemovedRule> removed;
  std::string_view model;
};

template <class Row>
const Row* find_named(const std::vector<Row>& rows, std::string_view code_or_id) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return equal_ignoring_case(row.code, code_or_id) || row.id == code_or_id;
  });
  return found == rows.end() ? nullptr : &*found;
}

AllRows read_all() {
  AllRows all{.document = text::read_document(std::string(embedded::rules_json()))};
  const Value root = all.document->root();
  all.model = text_of(root, "model");
  for (const Value row : root.find("removed").children()) {
    all.removed.push_back({text_of(row, "rule"), text_of(row, "id"), text_of(row, "date"), text_of(row, "why")});
  }
  const Value rows = root.find("rules");
  all.rows.reserve(rows.size());
  for (const Value row : rows.children()) all.rows.push_back(read_row(row));
  return all;
}

/// The object of each row in the text of data/rules.json, by code, which is the first member of each. A run needs few
/// rows, and parsing half a megabyte for them would take longer than checking a file.
std::map<std::string_view, std::string_view> find_objects() {
  constexpr std::string_view kFirstMember = "\"code\": \"";
  const std::string_view text = embedded::rules_json();
  std::map<std::string_view, std::string_view> objects;
  for (auto member = text.find(kFirstMember); member != std::string_view::npos;) {
    const auto code = member + kFirstMember.size();
    const auto next = text.find(kFirstMember, code);
    const auto begin = text.rfind('{', member);
    const auto end = text.rfind('}', next == std::string_view::npos ? text.rfind(']') : text.rfind('{', next));
    objects.emplace(text.substr(code, text.find('"', code) - code), text.substr(begin, end + 1 - begin));
    member = next;
  }
  return objects;
}

}  // namespace

bool RuleRow::allows(Severity wanted) const {
  return wanted == severity || std::any_of(severity_when.begin(), severity_when.end(),
                                           [&](const SeverityCase& item) { return item.severity == wanted; });
}

std::string RuleRow::name() const {
  return is_house_code(code) ? std::string(code) : std::string(code) + " " + std::string(id);
}

std::string RuleRow::url() const {
  if (is_house_code(code)) return std::string(source);
  return page_of_rule(BAYPLAN_RULE_PAGE, code);
}

std::optional<std::string> RuleRow::web_url() const {
  auto page = url();
  return is_web_address(page) ? std::optional(std::move(page)) : std::nullopt;
}

std::string page_of_rule(std::string_view pattern, std::string_view code) {
  std::string page(pattern);
  if (const auto slot = page.find("{}"); slot != std::string::npos) page.replace(slot, 2, code);
  return page;
}

bool is_web_address(std::string_view page) {
  return page.find("://") != std::string_view::npos;
}

/// Rows stay where they are: findings and reports hold references.
struct RuleData::State {
  struct Single {
    std::unique_ptr<const text::Document> document;
    RuleRow row;
  };
  Lazy<AllRows> all{read_all};
  Lazy<std::map<std::string_view, std::string_view>> objects{find_objects};
  std::mutex mutex;  ///< Protects `singles`, because files are linted in parallel.
  std::map<std::string, Single, std::less<>> singles;
  struct House {
    std::shared_ptr<const HouseRule> rule;
    RuleRow row;
  };
  std::deque<House> house;                                             ///< Also protected by `mutex`.
  std::map<std::string_view, const RuleRow*, std::less<>> house_rows;  ///< The last row of each id.
};

RuleData::RuleData(std::unique_ptr<State> state) : state_(std::move(state)) {}
RuleData::RuleData(RuleData&&) noexcept = default;
RuleData::~RuleData() = default;

RuleData RuleData::load() {
  return RuleData(std::make_unique<State>());
}

const std::vector<RuleRow>& RuleData::rows() const {
  return state_->all.get().rows;
}

std::string_view RuleData::model() const {
  return state_->all.get().model;
}

void RuleData::add(const std::vector<std::shared_ptr<const HouseRule>>& rules) const {
  const std::lock_guard lock(state_->mutex);
  for (const auto& rule : rules) {
    const auto& kept = state_->house.emplace_back(State::House{rule, house_row(*rule)});
    state_->house_rows.insert_or_assign(kept.rule->id, &kept.row);
  }
}

std::vector<const RuleRow*> RuleData::every_row() const {
  std::vector<const RuleRow*> all;
  for (const auto& row : rows()) all.push_back(&row);
  const std::lock_guard lock(state_->mutex);
  for (const auto& [id, row] : state_->house_rows) all.push_back(row);
  return all;
}

const RuleRow* RuleData::find(std::string_view code_or_id) const {
  if (is_house_code(code_or_id)) {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->house_rows.find(code_or_id);
    return found == state_->house_rows.end() ? nullptr : found->second;
  }
  return find_named(rows(), code_or_id);
}

const RemovedRule* RuleData::find_removed(std::string_view code_or_id) const {
  return find_named(state_->all.get().removed, code_or_id);
}

const RuleRow& RuleData::row(std::string_view code) const {
  const std::lock_guard lock(state_->mutex);
  if (is_house_code(code)) return *state_->house_rows.at(code);
  const auto known = state_->singles.find(code);
  if (known != state_->singles.end()) return known->second.row;
  auto document = text::read_document(std::string(state_->objects.get().at(code)));
  RuleRow row = read_row(document->root());
  return state_->singles.try_emplace(std::string(code), State::Single{std::move(document), std::move(row)})
      .first->second.row;
}

}  // namespace bayplan::rules
