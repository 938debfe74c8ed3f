// Messages that users pasted in public threads, and what explains them.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "catch.hpp"
#include "report/explain/explain_report.hpp"
#include "rules/message/explain_message.hpp"
#include "rules/rule_data.hpp"
#include "rules/sentences.hpp"
#include "support/in_sources.hpp"

namespace messages_test {

using namespace bayplan;

namespace {

using Row = std::map<std::string, std::string>;

/// Rows of a CSV file (RFC 4180) by the names in its first line.
std::vector<Row> read_rows(const std::string& file) {
  std::ifstream in(in_sources(file));
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(1));
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' && is_quoted && i + 1 < text.size() && text[i + 1] == '"') {
      lines.back().back() += text[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      lines.back().emplace_back();
    } else if (c == '\n' && !is_quoted) {
      lines.emplace_back(1);
    } else {
      lines.back().back() += c;
    }
  }
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != lines.front().size()) continue;  // after the last line break
    auto& row = rows.emplace_back();
    for (std::size_t j = 0; j < lines[i].size(); ++j) row[lines.front()[j]] = lines[i][j];
  }
  return rows;
}

/// Every text whose cause was judged before the first run.
const std::vector<Row>& fresh() {
  static const auto rows = [] {
    std::vector<Row> all;
    for (const auto* file :
         {"fresh.csv", "fresh-2.csv", "fresh-3.csv", "fresh-4.csv", "fresh-5.csv", "fresh-6.csv", "fresh-7.csv",
          "fresh-8.csv", "fresh-9.csv", "fresh-10.csv", "fresh-11.csv", "fresh-12.csv"}) {
      const auto set = read_rows(std::string("tests/messages/") + file);
      all.insert(all.end(), set.begin(), set.end());
    }
    return all;
  }();
  return rows;
}

const std::vector<Row>& known() {
  static const auto rows = read_rows("tests/messages/known.csv");
  return rows;
}

rules::MessageExplanation explained(const std::string& text) {
  static const auto sentences = rules::Sentences::load();
  static const Lazy<rules::MessageParts> parts(rules::MessageParts::load);
  return rules::explain_message(text, sentences, parts);
}

const rules::RuleData& rule_data() {
  static const auto data = rules::RuleData::load();
  return data;
}

/// Cause and fix as the reader gets them: a sentence without words says what its first rule says.
std::string words_of(const rules::Answer& answer) {
  std::string cause = answer.cause;
  std::string fix = answer.fix;
  if (!answer.rules.empty()) {
    const auto& row = rule_data().row(answer.rules.front());
    if (cause.empty()) cause = row.why;
    if (fix.empty()) fix = row.fix;
  }
  return cause + " " + fix;
}

std::string ids_of(const std::string& text) {
  std::vector<std::string> ids;
  for (const auto& answer : explained(text).answers) ids.emplace_back(answer.id);
  return join(ids, " ");
}

bool shares_answer(const std::string& ids, const std::string& others) {
  const auto list = split(ids, ' ');
  const auto other = split(others, ' ');
  return std::any_of(list.begin(), list.end(), [&](std::string_view id) {
    return !id.empty() && std::find(other.begin(), other.end(), id) != other.end();
  });
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

constexpr std::size_t kTerminal = 70;

/// Each line cut at the width of a terminal, as Copilot's table does it: inside of words.
std::string cut(const std::string& text) {
  std::string lines;
  for (const auto line : split(text, '\n')) {
    for (std::size_t i = 0; i == 0 || i < line.size(); i += kTerminal) {
      lines += lines.empty() ? "" : "\n";
      lines += line.substr(i, kTerminal);
    }
  }
  return lines;
}

std::string wrapped(const std::string& text) {
  std::string lines;
  std::size_t width = 0;
  for (const auto word : split(text, ' ')) {
    const bool fits = width + word.size() < kTerminal;
    lines += (lines.empty() ? "" : fits ? " " : "\n");
    lines += word;
    width = fits ? width + word.size() + 1 : word.size();
  }
  return lines;
}

}  // namespace

TEST_CASE("messages - texts judged before the first run are answered with the judged cause") {
  REQUIRE(fresh().size() > 500);
  std::size_t right = 0;
  std::size_t silent = 0;
  for (const auto& row : fresh()) {
    const auto& text = row.at("text");
    const auto answers = explained(text).answers;
    if (answers.empty()) {
      ++silent;
      UNSCOPED_INFO("silent: " << text);
      continue;
    }
    const auto wanted = Pattern::compile("(?i)" + row.at("answer"));
    REQUIRE(wanted.ok());
    const bool is_right = wanted->matches_part(words_of(answers.front()));
    if (is_right) {
      ++right;
    } else {
      UNSCOPED_INFO(text << "\n  judged: " << row.at("cause") << "\n  says: " << words_of(answers.front()));
    }
    CHECK_FALSE(answers.front().certainty == rules::Certainty::kUnknown);
  }
  // The first runs had far fewer right, by reading: docs/explain.md.
  CHECK(right >= fresh().size() * 97 / 100);
  CHECK(silent <= fresh().size() / 100);
}

TEST_CASE("messages - known texts keep the answers that were judged right") {
  REQUIRE(known().size() > 200);
  for (const auto& row : known()) {
    INFO(row.at("text"));
    CHECK(ids_of(row.at("text")) == row.at("answers"));
  }
}

TEST_CASE("messages - quotes, escapes, prefixes and line breaks do not change the answer") {
  std::vector<std::string> texts;
  for (const auto& row : known()) texts.push_back(row.at("text"));
  for (const auto& row : fresh()) texts.push_back(row.at("text"));
  const std::map<std::string, std::string (*)(const std::string&)> mutations{
      {"double quotes", [](const std::string& text) { return replaced(text, "'", "\""); }},
      {"single quotes", [](const std::string& text) { return replaced(text, "\"", "'"); }},
      {"HTML entities",
       [](const std::string& text) {
         auto escaped = replaced(replaced(text, "&", "&amp;"), "\"", "&quot;");
         return replaced(replaced(replaced(escaped, "'", "&#x27;"), "<", "&lt;"), ">", "&gt;");
       }},
      {"JSON escapes",
       [](const std::string& text) {
         return replaced(replaced(replaced(text, "\\", "\\\\"), "\"", "\\\""), "\n", "\\n");
       }},
      {"time before", [](const std::string& text) { return "2026-11-01T10:00:00Z " + text; }},
      {"Terraform's box", [](const std::string& text) { return "\u2502 Error: x\n\u2502 \n\u2502 " + text; }},
      {"wrapped", wrapped}};
  std::size_t tried = 0;
  std::size_t same = 0;
  std::size_t same_cut = 0;
  std::size_t answered = 0;
  std::string changed;
  for (const auto& text : texts) {
    const auto ids = ids_of(text);
    if (ids.empty()) continue;
    ++answered;
    for (const auto& [name, mutate] : mutations) {
      ++tried;
      const auto others = ids_of(mutate(text));
      same += shares_answer(ids, others) ? 1 : 0;
      if (!shares_answer(ids, others)) changed += name + ": " + text + "\n  " + ids + " -> " + others + "\n";
    }
    const bool is_cut_same = shares_answer(ids, ids_of(cut(text)));
    same_cut += is_cut_same ? 1 : 0;
    if (!is_cut_same) changed += "cut: " + text + "\n  " + ids + " -> " + ids_of(cut(text)) + "\n";
  }
  INFO(changed);
  CHECK(same * 100 >= tried * 99);
  CHECK(same_cut * 100 >= answered * 95);
}

TEST_CASE("messages - one cause takes at most twelve lines, and several are counted") {
  constexpr std::int64_t kFirstScreen = 12;
  auto rows = fresh();
  rows.insert(rows.end(), known().begin(), known().end());
  for (const auto& row : rows) {
    const auto& text = row.at("text");
    report::Explanation explanation{
        .rules = {}, .assumptions = {}, .text = text, .answers = {}, .unknown = {}, .nearest = {}};
    auto found = explained(text);
    explanation.unknown = found.unknown;
    for (auto& answer : found.answers) {
      if (!answer.rules.empty() && answer.cause.empty()) answer.cause = rule_data().row(answer.rules.front()).why;
      if (!answer.rules.empty() && answer.fix.empty()) answer.fix = rule_data().row(answer.rules.front()).fix;
      explanation.answers.push_back({std::move(answer), {}});
    }
    std::ostringstream out;
    report::write_answers_text(out, explanation, rule_data(), report::TextOptions{});
    const auto shown = out.str();
    INFO(shown);
    if (explanation.answers.size() <= 1) {
      CHECK(std::count(shown.begin(), shown.end(), '\n') <= kFirstScreen);
    } else {
      CHECK(is_digit(shown.front()));
    }
  }
}

}  // namespace messages_test
