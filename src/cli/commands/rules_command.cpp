#include <algorithm>
#include <array>
#include <memory>

#include "base/ascii.hpp"
#include "base/finding.hpp"
#include "base/strings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/load_config.hpp"
#include "lint/config/selection.hpp"
#include "report/rules/rules_report.hpp"
#include "rules/rule_data.hpp"
#include "rules/rule_groups.hpp"

namespace bayplan::cli {

/// bayplan rules [RULE...]
class RulesCommand : public Command {
 public:
  std::string_view name() const override { return "rules"; }
  std::string_view summary() const override { return "List the rules of lint: codes, severities, groups"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<const rules::RuleRow*> chosen(const rules::RuleData& data) const;

  std::vector<std::string> selectors_;
  std::string group_;
  std::string severity_;
  std::string default_;
};

namespace {

constexpr std::array<Format<report::RulesReport>, 5> kRulesFormats{
    {{"text", report::rules_document, report::Medium::kText},
     {"json", report::write_rules_json},
     {"html", report::rules_document, report::Medium::kPage},
     {"markdown", report::rules_document, report::Medium::kComment},
     {"csv", report::write_rules_csv}}};

std::vector<std::string> group_names() {
  std::vector<std::string> names;
  for (const auto& group : rules::kRuleGroups) names.emplace_back(group.name);
  return names;
}

}  // namespace

std::vector<std::string_view> RulesCommand::formats() const {
  return list_names(kRulesFormats);
}

void RulesCommand::describe(OptionSet& options) {
  options.positional("RULE", selectors_, "Codes, names, beginnings of codes (BAY4) or groups (default: all rules)",
                     false);
  options.choice("--group", group_, group_names(), "Only the rules of this group");
  options.choice("--severity", severity_, {"error", "warning", "info", "style"}, "Only rules of this severity");
  options.choice("--default", default_, {"on", "off"}, "Only rules that run by default, or only those that do not");
  options.examples(
      "  bayplan rules gpu\n"
      "  bayplan rules BAY4 --severity error\n"
      "  bayplan rules --default off --output csv");
}

std::vector<const rules::RuleRow*> RulesCommand::chosen(const rules::RuleData& data) const {
  std::vector<const rules::RuleRow*> rows;
  for (const auto* const entry : data.every_row()) {
    const auto& row = *entry;
    const bool is_named = selectors_.empty() || std::any_of(selectors_.begin(), selectors_.end(), [&](const auto& one) {
                            return lint::match_length(one, row) > 0;
                          });
    const bool has_severity = severity_.empty() || severity_ == name_of(row.severity);
    const bool has_default = default_.empty() || (default_ == "on") == row.on_by_default;
    if (is_named && has_severity && has_default && (group_.empty() || group_ == row.group)) rows.push_back(&row);
  }
  return rows;
}

int RulesCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats, io);
  stats.phase("rules");
  const lint::Tools tools;
  // Of a config that cannot be read, the errors are printed, and the rules of bayplan are still listed.
  const auto config = load_config({}, tools, io);
  const auto& data = tools.rule_data.get();
  for (auto& selector : selectors_) {
    if (is_digits(selector)) selector = "BAY" + selector;  // the number of a rule, or its beginning
  }
  if (const auto known = lint::check_selectors(selectors_, data); !known) return fail(io, known.error());
  const auto report = report::rules_report(chosen(data), data.every_row().size());
  stats.phase("report");
  const int written = write_report(*outputs, kRulesFormats, report, global, io);
  stats.print();
  if (written != kClean) return written;
  if (!report.rows.empty()) return kClean;
  io.err << "bayplan: no rule matches\n  'bayplan rules' lists all rules.\n";
  return kFindings;
}

std::unique_ptr<Command> rules_command() {
  return std::make_unique<RulesCommand>();
}

}  // namespace bayplan::cli
