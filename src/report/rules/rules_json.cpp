#include "base/finding.hpp"
#include "base/json_writer.hpp"
#include "report/document/csv.hpp"
#include "report/document/json_parts.hpp"
#include "report/rules/rules_report.hpp"
#include "rules/rule_groups.hpp"

namespace bayplan::report {

void write_rules_json(std::ostream& out, const RulesReport& report) {
  using Layout = JsonWriter::Layout;
  JsonWriter json(out);
  begin_report(json, "rules-report", rules_answer(report));
  json.key("assumptions").begin_array(Layout::kLine).end_array();
  json.key("groups").begin_array();
  for (const auto& group : rules::kRuleGroups)
    json.begin_object(Layout::kLine).member("name", group.name).member("about", group.about).end_object();
  json.end_array().key("rules").begin_array();
  for (const auto* row : report.rows) {
    json.begin_object(Layout::kLine)
        .member("code", row->code)
        .member("rule", row->id)
        .member("group", row->group)
        .member("severity", name_of(row->severity))
        .member("default", row->on_by_default)
        .member("evidence", row->evidence)
        .member("scope", row->applies_to)
        .member("summary", row->summary)
        .member("url", row->url())
        .end_object();
  }
  json.end_array().end_object().finish();
}

void write_rules_csv(std::ostream& out, const RulesReport& report) {
  CsvWriter csv(out);
  csv.header({"code", "rule", "group", "severity", "default", "evidence", "scope", "summary", "url"});
  for (const auto* row : report.rows) {
    csv.text(row->code).text(row->id).text(row->group).text(name_of(row->severity)).flag(row->on_by_default);
    csv.text(row->evidence).text(row->applies_to).text(row->summary).text(row->url()).end_row();
  }
}

}  // namespace bayplan::report
