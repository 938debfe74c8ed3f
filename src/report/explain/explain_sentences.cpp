#include "report/explain/explain_report.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/escape.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kLabelWidth = 10;
constexpr std::size_t kLongestQuote = 156;
constexpr std::size_t kFirstScreen = 12;  ///< Lines for one cause.

/// A long message is truncated in the middle: its beginning names the program that printed it, its end the reason.
std::string quote_of(std::string_view said) {
  constexpr std::size_t kEnd = 100;
  return "\"" + without_middle(printable(said), kLongestQuote, kEnd) + "\"";
}

/// The beginning of a paste that nothing matches, on one line: of JSON, the line breaks and indents say nothing.
std::string beginning_of(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string line;
  for (const char c : trim(text)) {
    if (!is_space(c)) {
      line += c;
    } else if (!line.ends_with(' ')) {
      line += ' ';
    }
    if (line.size() > 2 * kLongest) break;
  }
  return "\"" + shortened_to(printable(line), kLongest) + "\"";
}

void write_labeled(std::ostream& out, std::string_view label, std::string_view text, const Style& style) {
  out << "  " << style.dim(label) << std::string(kLabelWidth - 2 - label.size(), ' ')
      << wrapped(printable(text), kLabelWidth) << '\n';
}

std::string rule_in_words(const rules::RuleRow& row) {
  std::string words = std::string(row.code) + " " + std::string(row.id) + ": " + std::string(row.summary);
  return row.implemented ? words : words + " (not checked yet)";
}

/// Where the text says it, when it has several lines: "line 9, 3 times".
std::string place_in_text(const rules::Answer& answer) {
  return answer.count == 1 ? fmt::format("line {}", answer.line)
                           : fmt::format("line {}, {} times", answer.line, answer.count);
}

std::string line_of_definition(const DefinitionLine& line) {
  const auto place = fmt::format("{}:{}:{} ", line.file, line.line, line.column);
  return place + (line.code.empty() ? line.text : line.code + " " + line.text);
}

bool has_lines(const Explanation& explanation) {
  return trim(explanation.text).find('\n') != std::string_view::npos;
}

/// A cause in at most a first screen: the rules and the source give way to what happened and what to do.
void write_answer(std::ostream& out, const ExplainedAnswer& answer, const Explanation& explanation,
                  const rules::RuleData& data, const TextOptions& options) {
  const auto& style = options.style;
  std::ostringstream said;
  said << style.bold(wrapped(quote_of(answer.said), 0)) << '\n';
  if (has_lines(explanation)) write_labeled(said, "at", place_in_text(answer), style);
  const bool is_likely = answer.certainty == rules::Certainty::kLikely;
  write_labeled(said, is_likely ? "likely" : "means", answer.cause, style);
  write_labeled(said, "do", answer.fix, style);
  std::vector<std::string> extras;
  const auto add_extra = [&](std::string_view label, std::string_view text) {
    std::ostringstream extra;
    write_labeled(extra, label, text, style);
    extras.push_back(extra.str());
  };
  for (const auto& line : answer.definition)
    add_extra(&line == &answer.definition.front() ? "file" : "", line_of_definition(line));
  for (const auto code : answer.rules)
    add_extra(code == answer.rules.front() ? "rule" : "", rule_in_words(data.row(code)));
  add_extra("source", answer.source);
  out << said.str();
  auto lines = line_count(said.str());
  for (const auto& extra : extras) {
    lines += line_count(extra);
    if (options.verbose || lines <= kFirstScreen) out << extra;
  }
}

/// Answers of one sentence that differ only in names are shown once, with the number of the others.
using AnswerGroup = std::pair<const ExplainedAnswer*, std::int64_t>;

std::vector<AnswerGroup> group_by_sentence(const std::vector<ExplainedAnswer>& answers) {
  std::vector<AnswerGroup> groups;
  for (const auto& answer : answers) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const AnswerGroup& group) {
      return group.first->id == answer.id && group.first->definition.size() == answer.definition.size() &&
             answer.id != "key";
    });
    if (same == groups.end()) {
      groups.emplace_back(&answer, 0);
    } else {
      ++same->second;
    }
  }
  return groups;
}

std::int64_t count_role(const std::vector<ExplainedAnswer>& answers, rules::SentenceRole role) {
  return std::count_if(answers.begin(), answers.end(), [&](const auto& answer) { return answer.role == role; });
}

/// "2 causes, 1 symptom, 3 routine messages"
std::string roles_in_words(const std::vector<ExplainedAnswer>& answers) {
  std::vector<std::string> parts;
  const auto add = [&](rules::SentenceRole role, std::string_view noun) {
    if (const auto count = count_role(answers, role)) parts.push_back(count_of(count, noun));
  };
  add(rules::SentenceRole::kCause, "cause");
  add(rules::SentenceRole::kSymptom, "symptom");
  add(rules::SentenceRole::kRoutine, "routine message");
  return join(parts, ", ");
}

void write_unknown(std::ostream& out, const Explanation& explanation, const Style& style) {
  out << style.bold("no match for ") << beginning_of(explanation.text) << '\n';
  if (explanation.unknown) {
    write_labeled(out, "kind", explanation.unknown->kind, style);
    if (!explanation.unknown->part.empty()) write_labeled(out, "part", quote_of(explanation.unknown->part), style);
    write_labeled(out, "look at", explanation.unknown->look, style);
  }
  if (explanation.nearest) write_labeled(out, "nearest", quote_of(explanation.nearest->example), style);
}

void write_answer(JsonWriter& json, const ExplainedAnswer& answer) {
  json.begin_object().member("id", answer.id).member("said", answer.said);
  json.key("rules").begin_array(JsonWriter::Layout::kLine);
  for (const auto code : answer.rules) json.value(code);
  json.end_array().member("cause", answer.cause).member("help", answer.fix).member("source", answer.source);
  json.key("values").begin_object(JsonWriter::Layout::kLine);
  for (const auto& [name, value] : answer.values) json.member(name, value);
  json.end_object()
      .member("role", rules::name_of(answer.role))
      .member("certainty", rules::name_of(answer.certainty))
      .member("line", std::int64_t{answer.line})
      .member("count", std::int64_t{answer.count});
  json.key("definition").begin_array();
  for (const auto& line : answer.definition) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("file", line.file)
        .member("line", std::int64_t{line.line})
        .member("column", std::int64_t{line.column});
    json.key("code");
    if (line.code.empty()) {
      json.null();
    } else {
      json.value(line.code);
    }
    json.member("text", line.text).end_object();
  }
  json.end_array().end_object();
}

void add_example(ReportDocument& document, std::string_view title, const ShownExample& example, bool has_output) {
  for (const auto& file : example.files) {
    document.paragraph(example.files.size() > 1 ? RichText{in_bold(title), {", "}, in_code(file.name)}
                                                : RichText(in_bold(title)));
    std::string lines;
    for (const auto& line : elided_lines(file.text)) lines += line + '\n';
    document.add(block::Code{std::move(lines)});
  }
  if (has_output && !example.output.empty())
    document.add(block::Code{fmt::format("$ {}\n{}\n", example.command, trim(example.output))});
}

void add_rule(ReportDocument& document, const ExplainedRule& rule, bool is_only) {
  const auto& row = *rule.row;
  document.section(std::string(row.code), row.name());
  if (!is_only) document.paragraph(row.summary);  // else it is the answer
  document.paragraph(row.why);
  add_example(document, "Bad", rule.bad, true);
  add_example(document, "Good", rule.good, !row.good.arguments.empty());
  document.paragraph({in_bold("Fix:"), {" " + std::string(row.fix)}});
  if (!row.implemented) document.paragraph("This version of bayplan does not check it yet.");
  const auto add_fact = [&](std::string_view term, const std::string& value) {
    document.paragraph({.text = value, .lead = fmt::format("{}:", term)});
  };
  add_fact("Severity", fmt::format("{}: {}", name_of(row.severity), evidence_in_words(row.evidence)));
  add_fact("Group", fmt::format("{}, {} by default", row.group, row.on_by_default ? "on" : "off"));
  add_fact("Applies to", row.applies_to == "all" ? "every launch type" : std::string(row.applies_to));
  document.add(block::Markup{"<p><strong>Source:</strong> " + html_with_links(row.source) + "</p>\n"});
  document.add(block::Markup{"<p><strong>Page:</strong> " + html_with_links(row.url()) + "</p>\n"});
}

std::string assumption_answer(const AssumptionText& assumption) {
  return fmt::format("{}: assumption of {}", assumption.id, assumption.section);
}

void add_assumption(ReportDocument& document, const AssumptionText& assumption) {
  document.section(assumption.id, assumption_answer(assumption));
  document.paragraph(assumption.meaning);
  if (!assumption.settle.empty()) document.paragraph({in_bold("To settle it:"), {" " + assumption.settle}});
  document.list({RichText("page: " + assumption_page(assumption))});
}

/// What one rule or sentence says; of several how many there are.
std::string page_answer(const Explanation& explanation) {
  const auto& [rules, assumptions, text, answers, unknown, nearest] = explanation;
  if (rules.empty() && text.empty() && !assumptions.empty()) return assumption_answer(assumptions.front());
  if (rules.size() == 1 && text.empty()) return std::string(rules.front().row->summary);
  if (rules.empty() && answers.size() == 1) return quote_of(answers.front().said);
  if (!text.empty() && answers.empty()) return "No match for " + beginning_of(text);
  if (rules.empty()) return roles_in_words(answers);
  const auto rule_words = count_of(static_cast<std::int64_t>(rules.size()), "rule");
  return answers.empty() ? rule_words : rule_words + ", " + roles_in_words(answers);
}

void add_answer(ReportDocument& document, const ExplainedAnswer& answer, const rules::RuleData& data) {
  document.section(std::string(answer.id), quote_of(answer.said));
  if (answer.certainty == rules::Certainty::kLikely) {
    document.paragraph({in_bold("Likely:"), {" " + answer.cause}});
  } else {
    document.paragraph(answer.cause);
  }
  document.paragraph({in_bold("Fix:"), {" " + answer.fix}});
  std::vector<RichText> items;
  for (const auto code : answer.rules) items.emplace_back(rule_in_words(data.row(code)));
  for (const auto& line : answer.definition) items.emplace_back(line_of_definition(line));
  items.emplace_back("source: " + std::string(answer.source));
  document.list(std::move(items));
}

}  // namespace

void write_assumption_texts(std::ostream& out, const std::vector<AssumptionText>& assumptions, const Style& style) {
  for (const auto& assumption : assumptions) {
    if (&assumption != &assumptions.front()) out << '\n';
    out << style.bold(assumption_answer(assumption)) << '\n';
    write_labeled(out, "means", assumption.meaning + ".", style);
    if (!assumption.settle.empty()) write_labeled(out, "settle", assumption.settle, style);
    write_labeled(out, "page", assumption_page(assumption), style);
  }
}

void write_answers_text(std::ostream& out, const Explanation& explanation, const rules::RuleData& data,
                        const TextOptions& options) {
  const auto& answers = explanation.answers;
  const auto& style = options.style;
  if (answers.empty() && !explanation.text.empty()) write_unknown(out, explanation, style);
  if (answers.size() > 1) out << style.bold(roles_in_words(answers)) << "\n\n";
  const bool folds_routine = !options.verbose && count_role(answers, rules::SentenceRole::kRoutine) <
                                                     static_cast<std::int64_t>(answers.size());
  std::vector<std::string> routine;
  bool is_first = true;
  for (const auto& [answer, more] : group_by_sentence(answers)) {
    if (folds_routine && answer->role == rules::SentenceRole::kRoutine) {
      routine.push_back(quote_of(answer->said));
      continue;
    }
    if (!std::exchange(is_first, false)) out << '\n';
    write_answer(out, *answer, explanation, data, options);
    if (more > 0) write_labeled(out, "also", fmt::format("{} with other names or numbers", more), style);
  }
  if (!routine.empty()) out << '\n' << wrapped("Routine (-v): " + join(routine, ", "), 2) << '\n';
}

void write_answers_markdown(std::ostream& out, const Explanation& explanation, const rules::RuleData& data) {
  for (const auto& assumption : explanation.assumptions) {
    out << "\n## " << markdown_text(assumption_answer(assumption)) << "\n\n" << assumption.meaning << '\n';
    if (!assumption.settle.empty()) out << "\nTo settle it: " << assumption.settle << '\n';
  }
  for (const auto& answer : explanation.answers) {
    out << "\n> " << markdown_text(answer.said) << "\n\n"
        << (answer.certainty == rules::Certainty::kLikely ? "Likely: " : "") << markdown_text(answer.cause)
        << "\n\nFix: " << markdown_text(answer.fix) << "\n\n";
    for (const auto code : answer.rules) out << "- " << markdown_text(rule_in_words(data.row(code))) << '\n';
    for (const auto& line : answer.definition) out << "- " << markdown_text(line_of_definition(line)) << '\n';
    out << "- source: " << markdown_with_links(answer.source) << '\n';
  }
  if (explanation.answers.empty() && !explanation.text.empty()) {
    out << "\nNo known message in " << markdown_code(explanation.text) << ".\n";
    if (const auto& unknown = explanation.unknown) {
      out << "\nKind: " << markdown_text(unknown->kind) << ". Look at: " << markdown_text(unknown->look) << ".\n";
      if (!unknown->part.empty()) out << "\n> " << markdown_text(unknown->part) << "\n";
    }
    if (explanation.nearest) out << "Nearest: " << markdown_code(explanation.nearest->example) << "\n";
  }
}

ReportDocument explain_document(const Explanation& explanation, const rules::RuleData& data) {
  ReportDocument document("explain");
  const auto& rules = explanation.rules;
  const bool is_known = explanation.text.empty() || !explanation.answers.empty();
  document.answer("", page_answer(explanation), is_known);
  if (rules.size() == 1 && explanation.text.empty()) {
    const auto severity = rules.front().row->severity;
    document.verdict = {std::string(name_of(severity)), severity == Severity::kError     ? Tone::kBad
                                                        : severity == Severity::kWarning ? Tone::kDoubtful
                                                                                         : Tone::kStrong};
  }
  for (const auto& rule : rules) add_rule(document, rule, rules.size() == 1 && explanation.text.empty());
  for (const auto& assumption : explanation.assumptions) add_assumption(document, assumption);
  for (const auto& answer : explanation.answers) add_answer(document, answer, data);
  if (const auto& unknown = explanation.unknown) {
    document.list({RichText("kind: " + unknown->kind), RichText("part: " + unknown->part),
                   RichText("look at: " + unknown->look)});
  }
  if (!is_known && explanation.nearest) document.paragraph({{"Nearest: "}, in_code(explanation.nearest->example)});
  return document;
}

void write_explain_json(std::ostream& out, const Explanation& explanation) {
  JsonWriter json(out);
  begin_report(json, "explain-report", page_answer(explanation));
  json.key("assumptions").begin_array(JsonWriter::Layout::kLine).end_array();
  json.key("rules").begin_array();
  for (const auto& rule : explanation.rules) write_rule(json, rule);
  json.end_array().key("assumptionTexts").begin_array();
  for (const auto& assumption : explanation.assumptions) {
    json.begin_object()
        .member("id", assumption.id)
        .member("commands", assumption.section)
        .member("meaning", assumption.meaning)
        .member_or_null("settle", assumption.settle)
        .member("page", assumption_page(assumption))
        .end_object();
  }
  json.end_array().key("answers").begin_array();
  for (const auto& answer : explanation.answers) write_answer(json, answer);
  json.end_array().key("unknown");
  if (const auto& unknown = explanation.unknown) {
    json.begin_object()
        .member("kind", unknown->kind)
        .member_or_null("part", unknown->part)
        .member("look", unknown->look)
        .end_object();
  } else {
    json.null();
  }
  json.key("nearest");
  if (explanation.nearest) {
    json.begin_object()
        .member("id", explanation.nearest->id)
        .member("example", explanation.nearest->example)
        .end_object();
  } else {
    json.null();
  }
  json.end_object().finish();
}

Explanation explain_text(std::string text, const rules::Sentences& sentences, const Lazy<rules::MessageParts>& parts,
                         const rules::RuleData& data) {
  auto explained = rules::explain_message(text, sentences, parts);
  Explanation explanation;
  for (auto& answer : explained.answers) {
    // A sentence without words of its own says what its rule says.
    if (!answer.rules.empty()) {
      const auto& row = data.row(answer.rules.front());
      if (answer.cause.empty()) answer.cause = row.why;
      if (answer.fix.empty()) answer.fix = row.fix;
    }
    explanation.answers.push_back({std::move(answer), {}});
  }
  explanation.unknown = std::move(explained.unknown);
  if (explanation.answers.empty()) explanation.nearest = sentences.nearest_to(text);
  explanation.text = std::move(text);
  return explanation;
}

}  // namespace bayplan::report
