#include "cli/explain_command.hpp"

#include "base/edit_distance.hpp"
#include "cli/outputs.hpp"
#include "cli/show_rule.hpp"
#include "cli/stats.hpp"
#include "report/explain.hpp"
#include "report/explain_markdown.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::cli {
namespace {

Error unknown_rule(const std::string& code, const rules::RuleData& data) {
  std::vector<std::string_view> names;
  for (const auto& row : data.rows()) names.insert(names.end(), {row.code, row.id});
  const auto near = nearest(code, names);
  return {.message = "no rule is named '" + code + "'",
          .help = near ? "did you mean '" + std::string(*near) + "'?"
                       : "codes look like BAY113, names like gpu-on-fargate"};
}

}  // namespace

void ExplainCommand::describe(OptionSet& options) {
  options.positional("CODE", codes_, "Codes or names of rules", false);
  options.flag("--all", all_, "Every rule");
  options.examples(
      "  bayplan explain BAY113\n"
      "  bayplan explain gpu-on-fargate --format json\n"
      "  bayplan explain --all --format markdown");
}

int ExplainCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, {"text", "json", "markdown"});
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats);
  stats.phase("rules");
  const auto data = rules::RuleData::load();
  std::vector<const rules::RuleRow*> rows;
  for (const auto& code : codes_) {
    const auto* row = data.find(code);
    if (row == nullptr) return fail(io, unknown_rule(code, data));
    rows.push_back(row);
  }
  if (all_) {
    rows.clear();
    for (const auto& row : data.rows()) rows.push_back(&row);
  }
  stats.phase("report");
  const int code = write_outputs(*outputs, io, [&](std::string_view format, std::ostream& out, bool is_standard) {
    const bool colored =
        format == "text" && is_standard && report::wants_color(global.color, io.out_is_terminal, io.environment);
    std::vector<report::ExplainedRule> rules;
    for (const auto* row : rows) rules.push_back(show_rule(*row, colored));
    if (format == "json") return report::write_explain_json(out, rules);
    if (format == "markdown") return report::write_explain_markdown(out, rules, all_);
    report::write_explain_text(out, rules, report::Style(colored));
  });
  stats.print(io.err);
  return code;
}

}  // namespace bayplan::cli
