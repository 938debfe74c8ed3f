#include "cli/explain_command.hpp"

#include <algorithm>
#include <istream>
#include <iterator>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "cli/outputs.hpp"
#include "cli/show_rule.hpp"
#include "cli/stats.hpp"
#include "report/explain_markdown.hpp"

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

/// One word that can only be meant as the name of a rule: BAY113, gpu-on-fargate.
bool looks_like_rule(std::string_view word) {
  const bool is_code =
      equal_ignoring_case(word.substr(0, 3), "BAY") && to_integer(word.substr(std::min<std::size_t>(3, word.size())));
  const bool is_id = word.find('-') != std::string_view::npos &&
                     std::all_of(word.begin(), word.end(), [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); });
  return is_code || is_id;
}

std::string read_all(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// A sentence without words of its own says what its rule says.
void fill_from_rules(std::vector<rules::Answer>& answers, const rules::RuleData& data) {
  for (auto& answer : answers) {
    if (answer.rules.empty()) continue;
    const auto& row = data.row(answer.rules.front());
    if (answer.cause.empty()) answer.cause = row.why;
    if (answer.fix.empty()) answer.fix = row.fix;
  }
}

}  // namespace

void ExplainCommand::describe(OptionSet& options) {
  options.positional("CODE|TEXT", words_,
                     "Codes or names of rules, or any sentence of ECS, a client or a driver; - reads it", false);
  options.flag("--all", all_, "Every rule");
  options.examples(
      "  bayplan explain BAY113\n"
      "  bayplan explain gpu-on-fargate --format json\n"
      "  bayplan explain 'RESOURCE:GPU'\n"
      "  bayplan explain 'CUDA driver version is insufficient for CUDA runtime version'\n"
      "  aws ecs describe-services --services web | bayplan explain -");
}

Result<ExplainCommand::Asked> ExplainCommand::asked(const rules::RuleData& data, Streams& io) const {
  Asked asked;
  if (all_) {
    for (const auto& row : data.rows()) asked.rows.push_back(&row);
  }
  for (const auto& word : words_) {
    const auto* row = data.find(word);
    if (row == nullptr && looks_like_rule(word)) return unknown_rule(word, data);
    if (row != nullptr) {
      asked.rows.push_back(row);
    } else {
      asked.text += (asked.text.empty() ? "" : " ") + (word == "-" ? read_all(io.in) : word);
    }
  }
  if (asked.rows.empty() && trim(asked.text).empty()) {
    return Error{.message = "nothing to explain", .help = "give a rule (BAY113), a sentence, or - to read one"};
  }
  return asked;
}

int ExplainCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, {"text", "json", "markdown"});
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats);
  stats.phase("rules");
  const auto data = rules::RuleData::load();
  const auto asked = this->asked(data, io);
  if (!asked) return fail(io, asked.error());

  report::Explanation explanation{.rules = {}, .text = asked->text, .answers = {}, .nearest = {}};
  if (!asked->text.empty()) {
    const auto sentences = rules::Sentences::load();
    explanation.answers = sentences.answers_to(asked->text);
    fill_from_rules(explanation.answers, data);
    if (explanation.answers.empty()) explanation.nearest = sentences.nearest_to(asked->text);
  }
  stats.phase("report");
  const int code = write_outputs(*outputs, io, [&](std::string_view format, std::ostream& out, bool is_standard) {
    const bool colored =
        format == "text" && is_standard && report::wants_color(global.color, io.out_is_terminal, io.environment);
    explanation.rules.clear();
    for (const auto* row : asked->rows) explanation.rules.push_back(show_rule(*row, colored));
    if (format == "json") return report::write_explain_json(out, explanation);
    if (format == "markdown") {
      report::write_explain_markdown(out, explanation.rules, all_);
      return report::write_answers_markdown(out, explanation, data);
    }
    const report::Style style(colored);
    report::write_explain_text(out, explanation.rules, style);
    if (!explanation.rules.empty() && !explanation.text.empty()) out << '\n';
    report::write_answers_text(out, explanation, data, style);
  });
  stats.print(io.err);
  if (code != kClean) return code;
  return explanation.answers.empty() && !explanation.text.empty() ? kFindings : kClean;
}

}  // namespace bayplan::cli
