#include "rules/rule_data.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

#include "base/strings.hpp"
#include "embedded/rules_json.hpp"
#include "text/read.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

std::string_view text_of(Value object, std::string_view key) {
  const Value member = object.find(key);
  return member ? member.text() : std::string_view();
}

bool flag_of(Value object, std::string_view key) {
  const Value member = object.find(key);
  return member && member.boolean().value_or(false);
}

Severity severity_of(Value object) {
  const auto severity = severity_named(text_of(object, "severity"));
  assert(severity.has_value());
  return severity.value_or(Severity::kWarning);
}

RuleRow read_row(Value object) {
  RuleRow row{.code = text_of(object, "code"),
              .id = text_of(object, "id"),
              .severity = severity_of(object),
              .group = text_of(object, "group"),
              .on_by_default = flag_of(object, "default"),
              .evidence = text_of(object, "evidence"),
              .scope = text_of(object, "scope"),
              .summary = text_of(object, "summary"),
              .why = text_of(object, "why"),
              .bad = text_of(object, "bad"),
              .good = text_of(object, "good"),
              .fix = text_of(object, "fix"),
              .source = text_of(object, "source"),
              .documented_refusal = flag_of(object, "documentedRefusal"),
              .implemented = flag_of(object, "implemented")};
  if (const Value codes = object.find("supersedes")) {
    for (const Value code : codes.children()) row.supersedes.push_back(code.text());
  }
  if (const Value cases = object.find("severityWhen")) {
    for (const Value item : cases.children()) {
      row.severity_when.push_back({text_of(item, "when"), severity_of(item), text_of(item, "evidence")});
    }
  }
  return row;
}

/// BAY999 comes before BAY1101.
std::int64_t number_of(std::string_view code) {
  return to_integer(code.substr(3)).value_or(0);
}

}  // namespace

bool RuleRow::allows(Severity wanted) const {
  return wanted == severity || std::any_of(severity_when.begin(), severity_when.end(),
                                           [&](const SeverityCase& item) { return item.severity == wanted; });
}

std::optional<std::string> RuleRow::source_url() const {
  constexpr std::string_view kRecord = "live: cdk-preflight ";  // data/rules.json names the folder of the record
  const auto address_from = [&](std::size_t begin) {
    return std::string(source.substr(begin, source.find_first_of(" ;,()", begin) - begin));
  };
  if (const auto record = source.find(kRecord); record < source.find("https://")) {
    return "https://github.com/badmintoncryer/cdk-preflight/tree/main/" + address_from(record + kRecord.size());
  }
  if (const auto address = source.find("https://"); address != std::string_view::npos) return address_from(address);
  return std::nullopt;
}

RuleData RuleData::load() {
  RuleData data;
  data.document_ = text::read_document(std::string(embedded::rules_json()));
  const Value root = data.document_->root();
  data.model_ = text_of(root, "model");
  const Value rows = root.find("rules");
  data.rows_.reserve(rows.size());
  for (const Value row : rows.children()) data.rows_.push_back(read_row(row));
  return data;
}

const RuleRow* RuleData::find(std::string_view code_or_id) const {
  for (const auto& row : rows_) {
    if (equal_ignoring_case(row.code, code_or_id) || row.id == code_or_id) return &row;
  }
  return nullptr;
}

const RuleRow& RuleData::row(std::string_view code) const {
  const auto found =
      std::lower_bound(rows_.begin(), rows_.end(), number_of(code),
                       [](const RuleRow& row, std::int64_t number) { return number_of(row.code) < number; });
  assert(found != rows_.end() && found->code == code);
  return *found;
}

}  // namespace bayplan::rules
