#include <algorithm>
#include <istream>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/lazy.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/commands/show_rule.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/load_config.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/template_parameters.hpp"
#include "cli/options/variable_options.hpp"
#include "importers/definition_file.hpp"
#include "lint/config/selection.hpp"
#include "lint/lint.hpp"
#include "report/explain/definition_lines.hpp"
#include "report/explain/explain_report.hpp"
#include "report/rules/rules_report.hpp"
#include "rules/message/explain_message.hpp"
#include "rules/sentences.hpp"

namespace bayplan::cli {

/// bayplan explain CODE|TEXT...
class ExplainCommand : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override { return "Explain a rule, a failure reason or any message of ECS"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  struct Asked {
    std::vector<const rules::RuleRow*> rows;
    std::vector<const rules::RuleRow*> listed;  ///< Of a group or the beginning of a code: text lists them.
    std::vector<report::AssumptionText> assumptions;
    std::string text;
    std::string same_number;  ///< A rule that has the number of an exit code, too: "BAY137"
  };
  /// Shows each answer's lines in the task definitions; an error when one of those cannot be read.
  std::optional<Error> add_definition_lines(std::vector<report::ExplainedAnswer>& answers, std::string_view text,
                                            const GlobalOptions& global, Streams& io) const;
  /// Words that name rules, the others as one text.
  Result<Asked> asked(const rules::RuleData& data, const Lazy<rules::Sentences>& sentences, std::size_t limit,
                      Streams& io) const;

  std::vector<std::string> words_;
  std::vector<std::string> definitions_;
  std::vector<std::string> parameters_;
  TerraformVariables variables_;
  bool all_ = false;
};

namespace {

constexpr std::size_t kMostText = 64u << 20;  ///< Bytes of a paste; of a large one, `read_paste` keeps what counts.

Error unknown_rule(const std::string& code, const rules::RuleData& data) {
  if (const auto* removed = data.find_removed(code)) {
    return {.message = fmt::format("rule {} ({}) was removed on {}", removed->code, removed->id, removed->date),
            .help = std::string(removed->why)};
  }
  const auto assumptions = report::assumption_texts();
  std::vector<std::string_view> names;
  for (const auto& row : data.rows()) names.insert(names.end(), {row.code, row.id});
  for (const auto& assumption : assumptions) names.emplace_back(assumption.id);
  const auto near = nearest(code, names);
  return {.message = "unknown rule '" + code + "'",
          .help = near ? "did you mean '" + std::string(*near) + "'?"
                       : "Codes look like BAY113, names like gpu-on-fargate; 'bayplan rules' lists them."};
}

/// The rule whose code has this number: 408 is BAY408, 7 is BAY007.
const rules::RuleRow* rule_numbered(std::string_view number, const rules::RuleData& data) {
  constexpr std::size_t kLongestNumber = 4;
  if (!is_digits(number) || number.size() > kLongestNumber) return nullptr;
  return data.find(fmt::format("BAY{:03}", *to_integer(number)));
}

/// The rules of a group, or with this beginning of their codes: security, BAY4.
std::vector<const rules::RuleRow*> rules_selected(std::string_view word, const rules::RuleData& data) {
  std::vector<const rules::RuleRow*> rows;
  if (equal_ignoring_case(word, "ALL")) return rows;  // an API value
  for (const auto* row : data.every_row()) {
    if (lint::match_length(word, *row) > 0) rows.push_back(row);
  }
  return rows;
}

/// A code in shape; or the only word, spelled as names of rules are: gpu-on-fargate.
bool looks_like_rule(std::string_view word, bool is_alone) {
  if (word.size() > 3 && equal_ignoring_case(word.substr(0, 3), "BAY") && to_integer(word.substr(3))) return true;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return is_alone && word.size() > 2 && is_letter(word.front()) && is_letter(word.back()) &&
         word.find('-') != std::string_view::npos &&
         std::all_of(word.begin(), word.end(), [&](char c) { return c == '-' || is_letter(c); });
}

/// Whether a word selects house rules, which are in the config: the name of a rule (`team/ecr-only`), all rules of a
/// team (`team/`), or the group (`house`). No message of ECS is one word of this form.
bool names_house_rules(std::string_view word) {
  if (word == "house") return true;
  if (!rules::is_house_code(word)) return false;
  const auto is_of_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  const auto team = word.substr(0, word.find('/'));
  const auto name = word.substr(team.size() + 1);
  return !team.empty() && std::all_of(team.begin(), team.end(), is_of_name) &&
         std::all_of(name.begin(), name.end(), is_of_name);
}

Error unknown_house_rule(const std::string& code, const rules::RuleData& data) {
  std::vector<std::string_view> names;
  for (const auto* row : data.every_row()) {
    if (rules::is_house_code(row->code)) names.push_back(row->code);
  }
  const auto near = nearest(code, names);
  return {.message = "unknown rule '" + code + "'",
          .help = near            ? "did you mean '" + std::string(*near) + "'?"
                  : names.empty() ? "No .bayplan.yaml in this folder or above has house rules."
                                  : "'bayplan rules house' lists those of the .bayplan.yaml that applies here."};
}

/// Of a paste of more than `limit` bytes the last ones: the error of a log is at its end.
std::string read_text(std::istream& in, std::size_t limit) {
  constexpr std::size_t kChunk = 1u << 20;
  std::string text;
  do {
    const auto size = text.size();
    text.resize(size + kChunk);
    in.read(text.data() + size, static_cast<std::streamsize>(kChunk));
    text.resize(size + static_cast<std::size_t>(in.gcount()));
    if (text.size() > 2 * limit) text.erase(0, text.size() - limit);
  } while (in);
  if (text.size() > limit) text.erase(0, text.size() - limit);
  return text;
}

/// What is explained. The rules are shown anew for each format, for their examples are linted in its colors.
struct Explained {
  const report::Explanation& answers;
  const std::vector<const rules::RuleRow*>& rows;
  const std::vector<const rules::RuleRow*>& listed;
  const std::string& same_number;
  const rules::RuleData& data;
  bool all;

  /// `lists`: the rules of a group are listed elsewhere.
  report::Explanation with_rules(bool colored, bool brief, bool lists = false) const {
    auto explanation = answers;
    for (const auto* row : rows) explanation.rules.push_back(show_rule(*row, colored, brief));
    if (lists) return explanation;
    for (const auto* row : listed) {
      if (std::find(rows.begin(), rows.end(), row) == rows.end())
        explanation.rules.push_back(show_rule(*row, colored, brief));
    }
    return explanation;
  }
};

void write_explained_text(std::ostream& out, const Explained& explained, const report::TextOptions& options) {
  const auto explanation = explained.with_rules(options.style.colored(), true, !options.verbose);
  report::write_explain_text(out, explanation.rules, options);
  bool is_first = explanation.rules.empty();
  const auto begin_part = [&] {
    if (!std::exchange(is_first, false)) out << '\n';
  };
  if (!options.verbose && !explained.listed.empty()) {
    begin_part();
    report::write_text(
        out, report::rules_document(report::rules_report(explained.listed, explained.data.rows().size())), options);
  }
  if (!explanation.assumptions.empty()) {
    begin_part();
    report::write_assumption_texts(out, explanation.assumptions, options.style);
  }
  if (explanation.text.empty()) return;
  begin_part();
  report::write_answers_text(out, explanation, explained.data, options);
  if (!explained.same_number.empty())
    report::print_line(out, 0, fmt::format("For the rule: bayplan explain {}", explained.same_number));
}

void write_explained_json(std::ostream& out, const Explained& explained) {
  report::write_explain_json(out, explained.with_rules(false, false));
}

void write_explained_markdown(std::ostream& out, const Explained& explained) {
  const auto explanation = explained.with_rules(false, true);
  report::write_explain_markdown(out, explanation.rules, explained.all);
  report::write_answers_markdown(out, explanation, explained.data);
}

report::ReportDocument explained_page(const Explained& explained) {
  return report::explain_document(explained.with_rules(false, true), explained.data);
}

constexpr std::array<Format<Explained>, 4> kExplainFormats{{{"text", write_explained_text},
                                                            {"json", write_explained_json},
                                                            {"html", explained_page, report::Medium::kPage},
                                                            {"markdown", write_explained_markdown}}};

}  // namespace

void ExplainCommand::describe(OptionSet& options) {
  options.positional(
      "CODE|TEXT", words_,
      "Codes, names or groups of rules, IDs of assumptions, or any message of ECS, a client or a driver; - reads "
      "standard input",
      false);
  options.flag("--all", all_, "Every rule");
  options.repeated("--definition", definitions_, "TASKDEF",
                   "Task definition in which to show the lines that a message is about: FILE, or FILE#NAME of a "
                   "template, plan or Terraform code");
  describe_parameters(options, parameters_);
  variables_.describe(options);
  options.examples(
      "  bayplan explain BAY113\n"
      "  bayplan explain gpu-on-fargate --format json\n"
      "  bayplan explain security           # the rules of a group\n"
      "  bayplan explain tie-file-order     # an assumption of a report\n"
      "  bayplan explain RESOURCE:GPU\n"
      "  bayplan explain 'CUDA driver version is insufficient for CUDA runtime version'\n"
      "  echo 'CannotPullContainerError: i/o timeout' | bayplan explain -\n"
      "  bayplan explain CannotPullContainerError \\\n"
      "    --definition examples/two-p3-16xlarge/defs/train-4-gpu.json");
}

Result<ExplainCommand::Asked> ExplainCommand::asked(const rules::RuleData& data,
                                                    const Lazy<rules::Sentences>& sentences, std::size_t limit,
                                                    Streams& io) const {
  Asked asked;
  if (all_) {
    for (const auto& row : data.rows()) asked.rows.push_back(&row);
  }
  using Rows = std::vector<const rules::RuleRow*>;
  const auto add = [](Rows& rows, const rules::RuleRow* row) {
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  };
  for (const auto& word : words_) {
    const auto* row = data.find(word);
    // Many messages contain "service", so the name of a group counts only if it is the only argument.
    const bool is_code = word.size() > 3 && equal_ignoring_case(word.substr(0, 3), "BAY");
    const bool may_select = row == nullptr && (is_code || words_.size() == 1);
    if (const auto selected = may_select ? rules_selected(word, data) : Rows(); !selected.empty()) {
      for (const auto* one : selected) add(asked.listed, one);
      if (!is_code && !sentences.get().answers_to(word).empty()) asked.text = word;
      continue;
    }
    if (auto assumed = report::find_assumption(word); row == nullptr && !assumed.empty()) {
      asked.assumptions.insert(asked.assumptions.end(), assumed.begin(), assumed.end());
      continue;
    }
    const bool is_house_rule = row == nullptr && words_.size() == 1 && word != "house" && names_house_rules(word);
    if (is_house_rule && !io.files.exists(word) && sentences.get().answers_to(word).empty())
      return unknown_house_rule(word, data);
    const bool is_rule = looks_like_rule(word, words_.size() == 1) || data.find_removed(word) != nullptr;
    // Log options are spelled as names of rules are: awslogs-group.
    if (row == nullptr && is_rule && sentences.get().answers_to(word).empty()) return unknown_rule(word, data);
    if (row != nullptr) {
      add(asked.rows, row);
    } else {
      asked.text += (asked.text.empty() ? "" : " ") + (word == "-" ? read_text(io.in, limit) : word);
    }
  }
  if (const auto code = is_digits(asked.text) ? to_integer(asked.text) : std::nullopt) {
    constexpr std::int64_t kLargestExitCode = 255;
    const auto* rule = rule_numbered(asked.text, data);
    const auto meanings = *code <= kLargestExitCode ? sentences.get().answers_to("exit code " + asked.text)
                                                    : std::vector<rules::Answer>();
    if (rule == nullptr && *code > kLargestExitCode) {
      return Error{.message = fmt::format("{} is neither an exit code (0 to {}) nor the number of a rule", *code,
                                          kLargestExitCode),
                   .help = "Quote the whole message, for example: bayplan explain 'RESOURCE:GPU'"};
    }
    if (rule != nullptr && meanings.empty()) {
      add(asked.rows, rule);
      asked.text.clear();
    } else {
      asked.text = "exit code " + asked.text;
      if (rule != nullptr) asked.same_number = rule->code;
    }
  }
  if (asked.rows.empty() && asked.listed.empty() && asked.assumptions.empty() && trim(asked.text).empty()) {
    const bool was_read = std::find(words_.begin(), words_.end(), "-") != words_.end();
    return Error{.message = "nothing to explain",
                 .file = was_read ? "standard input" : "",
                 .help = "Name a rule, or quote a message, for example: bayplan explain 'RESOURCE:GPU'"};
  }
  return asked;
}

std::optional<Error> ExplainCommand::add_definition_lines(std::vector<report::ExplainedAnswer>& answers,
                                                          std::string_view text, const GlobalOptions& global,
                                                          Streams& io) const {
  if (definitions_.empty() && !parameters_.empty())
    return Error{.message = "--param has no effect without --definition", .help = "Remove --param."};
  if (definitions_.empty() && variables_.is_given())
    return Error{.message = "--var and --var-file have no effect without --definition", .help = "Remove them."};
  if (definitions_.empty()) return std::nullopt;
  const auto parameters = parse_parameters(parameters_);
  if (!parameters) return parameters.error();
  const auto variables = variables_.read(io.files, input_limits(global));
  if (!variables) return variables.error();
  const auto loaded = load_task_definitions(definitions_, *parameters, *variables, global, io);
  if (!loaded.errors.empty()) return loaded.errors.front();
  if (const auto unused = find_unused_parameters({&loaded}, *parameters); !unused.empty()) return unused.front();
  if (const auto unused = find_unused_variables({&loaded}, *variables); !unused.empty()) return unused.front();
  const lint::Tools tools;
  const auto reports = lint_loaded(loaded, *parameters, tools);
  std::vector<report::DefinitionsOfFile> files;
  for (std::size_t i = 0; i < loaded.files.size(); ++i) {
    auto& file = files.emplace_back(report::DefinitionsOfFile{loaded.files[i].path, loaded.files[i].document,
                                                              std::vector<model::TaskDefinition>(), &reports[i]});
    for (const auto& one : loaded.definitions)
      if (one.file == i) file.tasks.push_back(one.definition.task);
  }
  report::add_definition_lines(answers, text, files);
  return std::nullopt;
}

std::vector<std::string_view> ExplainCommand::formats() const {
  return list_names(kExplainFormats);
}

int ExplainCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats, io);
  stats.phase("rules");
  const lint::Tools tools;
  const auto& data = tools.rule_data.get();
  if (std::any_of(words_.begin(), words_.end(), names_house_rules) && !load_config({}, tools, io)) return kUnusable;
  const std::size_t limit = global.max_input > 0 ? static_cast<std::size_t>(global.max_input) : kMostText;
  const Lazy<rules::Sentences> sentences(rules::Sentences::load);  // the explanation views it
  const auto asked = this->asked(data, sentences, limit, io);
  if (!asked) return fail(io, asked.error());

  const Lazy<rules::MessageParts> parts(rules::MessageParts::load);  // the explanation views it, too
  report::Explanation explanation;
  if (!asked->text.empty()) {
    explanation = report::explain_text(asked->text, sentences.get(), parts, data);
    if (const auto error = add_definition_lines(explanation.answers, asked->text, global, io)) return fail(io, *error);
    const bool is_argument = words_.size() == 1 && words_.front() != "-";
    if (explanation.answers.empty() && is_argument && io.files.read(words_.front(), limit)) {
      return fail(io, {.message = "this is a file name, not a message",
                       .file = words_.front(),
                       .help = "To explain the text in it: bayplan explain - < " + shell_word(words_.front())});
    }
  }
  explanation.assumptions = asked->assumptions;
  stats.phase("report");
  const int code =
      write_report(*outputs, kExplainFormats,
                   Explained{explanation, asked->rows, asked->listed, asked->same_number, data, all_}, global, io);
  stats.print();
  if (code != kClean) return code;
  return explanation.answers.empty() && !explanation.text.empty() ? kFindings : kClean;
}

std::unique_ptr<Command> explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace bayplan::cli
