#include "study/server_words.hpp"

#include <algorithm>

namespace bayplan::study {

using text::Value;

namespace {

/// Numbers and words that are the same whenever the rule speaks.
bool is_constant(std::string_view name) {
  return name == "limit" || name == "from" || name == "to" || name == "mode";
}

/// What stands for `name` in the user's case.
std::optional<std::string> value_for(std::string_view name, const lint::LintFinding& finding, Value request) {
  if (name == "container") return finding.container;
  if (name == "field" || name == "volume" || name == "capability") {
    std::string_view text =
        std::string_view(request.document().source()).substr(finding.span.begin, finding.span.length());
    if (text.size() > 1 && (text.front() == '"' || text.front() == '\'')) text = text.substr(1, text.size() - 2);
    return std::string(text);
  }
  const bool is_size = name == "cpu" || name == "memory";
  const Value member = is_size && request ? request.find(name) : Value();
  if (member && member.is_string()) return std::string(member.text());
  return std::nullopt;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

std::optional<std::string> filled_in(const rules::Sentences& sentences, std::string_view example,
                                     const lint::LintFinding& finding, Value request) {
  std::string words(example);
  const auto answers = sentences.answers_to(example);
  if (answers.empty()) return std::nullopt;
  for (const auto& [name, value] : answers.front().values) {
    if (is_constant(name)) continue;
    const auto own = value_for(name, finding, request);
    if (!own) return std::nullopt;
    if (name == "cpu" || name == "memory") {
      const std::string unit = name == "cpu" ? " CPU" : " memory";
      replace_all(words, value + unit, *own + unit);
    } else {
      replace_all(words, value, *own);
    }
  }
  return words;
}

}  // namespace

std::optional<std::string> server_words(const rules::Sentences& sentences, const lint::LintFinding& finding,
                                        Value request) {
  for (const auto& row : sentences.rows()) {
    const bool is_answer = !row.id.starts_with("client-") && row.id != "deployment-blocked";  // which is an event
    if (row.rules.empty() || row.rules.front() != finding.code || !is_answer) continue;
    if (auto words = filled_in(sentences, row.example, finding, request)) return words;
  }
  return std::nullopt;
}

}  // namespace bayplan::study
