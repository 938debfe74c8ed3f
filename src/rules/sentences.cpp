#include "rules/sentences.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "embedded/sentences_json.hpp"
#include "rules/file/text_members.hpp"
#include "shape/named_keys.hpp"
#include "text/read.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

struct Sentence {
  Sentences::Row row;
  std::vector<Pattern> patterns;
  std::string_view cause;
  std::string_view fix;
  SentenceRole role = SentenceRole::kCause;
  std::vector<std::string_view> members;
  std::vector<std::string_view> covers;  ///< Ids of more general sentences that add nothing beside this one.
};

std::vector<std::string_view> list_texts(Value object, std::string_view key) {
  std::vector<std::string_view> texts;
  if (const Value list = object.find(key)) {
    for (const Value item : list.children()) texts.push_back(item.text());
  }
  return texts;
}

/// A name that is pasted alone, in quotes or with its value: `"awslogs-group": "/ecs/web",`, `ECS_CLUSTER=prod`.
std::string pattern_of_name(std::string_view name) {
  return "^[\"', ]*" + std::string(name) + "[\"']?(?: ?[:=] ?\\S+)?[:=, ]*$";
}

Sentence read_sentence(Value object) {
  Sentence sentence;
  sentence.row = {text_of(object, "id"), text_of(object, "example"), list_texts(object, "rules"),
                  text_of(object, "source")};
  sentence.cause = text_of(object, "cause");
  sentence.fix = text_of(object, "fix");
  sentence.covers = list_texts(object, "covers");
  sentence.members = list_texts(object, "members");
  const auto role = text_of(object, "role");
  if (role == name_of(SentenceRole::kSymptom)) sentence.role = SentenceRole::kSymptom;
  if (role == name_of(SentenceRole::kRoutine)) sentence.role = SentenceRole::kRoutine;
  const auto add = [&](const std::string& pattern) {
    auto compiled = Pattern::compile("(?i)" + pattern);
    assert(compiled.ok());
    if (compiled) sentence.patterns.push_back(std::move(*compiled));
  };
  for (const auto pattern : list_texts(object, "patterns")) add(std::string(pattern));
  for (const auto name : list_texts(object, "names")) add(pattern_of_name(name));
  return sentence;
}

/// Written forms that mean the same, longest first. Terraform draws a bar before each line of an error.
constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"\xE2\x80\x98", "'"}, {"\xE2\x80\x99", "'"}, {"\xE2\x80\x9C", "\""}, {"\xE2\x80\x9D", "\""}, {"\xE2\x94\x82", " "},
    {"\xC2\xA0", " "},     {"\\\"", "\""},        {"\\'", "'"},           {"\\n", "\n"},          {"\\r", "\n"},
    {"\\t", " "},          {"\\u003c", "<"},      {"\\u003e", ">"},       {"\\u2018", "'"},       {"\\u2019", "'"},
    {"\\u201c", "\""},     {"\\u201d", "\""},     {"&#39;", "'"},         {"&quot;", "\""},
};

/// What tools write before each line of a log, and mail programs before each line of a quotation: times, levels, names
/// in brackets, steps of a build, names of containers.
const Pattern& line_lead() {
  static const auto pattern = Pattern::compile(
      R"(^[ \t]*(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[-+.,:\dZ]*[ \t]+|\d\d:\d\d:\d\d[.,\d]*[ \t]+|)"
      R"([A-Z][a-z][a-z] [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,64} [\w./-]{1,40}(?:\[\d+\])?:[ \t]+|(?:>[ \t]?)+|)"
      R"(\[[^\]\n]{1,40}\][ \t]+|#\d+ \d+\.\d+ |[\w.-]{1,40} +\| |(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[: \t]+)+)");
  assert(pattern.ok());
  return *pattern;
}

/// The number that a viewer wrote before a line: `  17  text`, `17: text`, `17 | text`; nothing when there is none.
struct LineNumber {
  std::int64_t number = 0;
  std::size_t length = 0;  ///< Bytes of the line up to its text.
};

std::optional<LineNumber> line_number(std::string_view line) {
  const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
  const auto end = std::min(line.find_first_not_of("0123456789", begin), line.size());
  const auto number = end - begin > 7 ? std::nullopt : to_integer(line.substr(begin, end - begin));
  const auto text = std::min(line.find_first_not_of(" \t:|", end), line.size());
  if (!number || text == end) return std::nullopt;
  return LineNumber{*number, text};
}

/// The text without what a viewer or a log writes before each line, which would stand inside of wrapped sentences. Line
/// numbers count only when the lines beside have the numbers beside. Each line stays one line.
std::string without_line_leads(std::string_view text) {
  const auto lines = split(text, '\n');
  std::vector<std::optional<LineNumber>> numbers;
  for (const auto line : lines) numbers.push_back(line_number(line));
  const auto follows = [&](std::size_t i) {
    return i > 0 && i < lines.size() && numbers[i] && numbers[i - 1] &&
           numbers[i]->number == numbers[i - 1]->number + 1;
  };
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto line = lines[i];
    if (follows(i) || follows(i + 1)) line.remove_prefix(numbers[i]->length);
    if (const auto lead = line_lead().find(line, 0)) line.remove_prefix(lead->end);
    if (i > 0) out += '\n';
    out += line;
  }
  return out;
}

bool is_blank_in_paste(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '`';
}

/// "target-" at the end of a line: what follows belongs to the same word.
bool ends_in_hyphen(std::string_view line) {
  return line.size() > 1 && line.back() == '-' && is_letter(line[line.size() - 2]);
}

/// A paste on one line, with plain quotes and single blanks: it is wrapped, quoted and escaped by whatever it came
/// through.
struct OneLine {
  std::string text;
  std::vector<std::size_t> line_starts;  ///< Offset in `text` at which each line of the paste begins, ascending.

  /// Line of the paste, from 1, that holds the byte at `offset` of the text.
  std::uint32_t line_at(std::size_t offset) const {
    return static_cast<std::uint32_t>(std::upper_bound(line_starts.begin(), line_starts.end(), offset) -
                                      line_starts.begin());
  }
};

/// Returns the text without the escape sequences that color a terminal.
std::string without_colors(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\x1b[") {
      const auto end = text.find_first_not_of("0123456789;", i + 2);
      if (end != std::string_view::npos && text[end] == 'm') {
        i = end;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

/// Columns of a line, as code points.
std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// The width at which a terminal may have cut the lines, in the middle of words: that of the widest line, if another
/// follows it. 0 = no line is cut.
std::size_t cut_width(std::string_view text) {
  constexpr std::size_t kNarrowest = 40;
  std::size_t width = 0;
  bool is_last = false;
  for (const auto line : split(text, '\n')) {
    const auto columns = columns_of(line);
    is_last = columns >= width;
    width = std::max(width, columns);
  }
  const bool is_cut = !is_last || std::count(text.begin(), text.end(), '\n') > 1;
  return width >= kNarrowest && is_cut ? width : 0;
}

/// `width`: lines of this width go on in the next one without a blank; 0 = none does.
OneLine on_one_line(std::string_view text, std::size_t width) {
  OneLine folded{{}, {0}};
  std::string& out = folded.text;
  bool is_inside_word = false;
  std::size_t columns = 0;
  while (!text.empty()) {
    const bool is_end = text.front() == '\n';
    if (is_end && width > 0 && columns == width) {
      folded.line_starts.push_back(out.size());
      text.remove_prefix(1);
      columns = 0;
      continue;
    }
    columns = is_end ? 0 : columns + columns_of(text.substr(0, 1));
    const auto* spelling = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                                        [&](const auto& one) { return text.starts_with(one.first); });
    const bool is_known = spelling != std::end(kSpellings);
    for (const char c : is_known ? spelling->second : text.substr(0, 1)) {
      is_inside_word = is_blank_in_paste(c) && (is_inside_word || (c == '\n' && ends_in_hyphen(out)));
      if (!is_blank_in_paste(c)) out += c;
      if (is_blank_in_paste(c) && !is_inside_word && !out.empty() && out.back() != ' ') out += ' ';
    }
    if (text.front() == '\n') folded.line_starts.push_back(out.size());
    text.remove_prefix(is_known ? spelling->first.size() : 1);
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return folded;
}

bool is_slot(std::string_view inside) {
  const auto name = inside.substr(0, inside.find('|'));
  return !name.empty() && std::all_of(name.begin(), name.end(), is_lower);
}

/// `{name}` is what the sentence named so; `{name|words}` gives the words when it named nothing. Other braces are text.
std::string filled(std::string_view words, const std::map<std::string, std::string>& values) {
  std::string out;
  while (true) {
    const auto open = words.find('{');
    const auto close = open == std::string_view::npos ? open : words.find_first_of("{}", open + 1);
    if (close == std::string_view::npos) return out += words;
    if (words[close] == '{' || !is_slot(words.substr(open + 1, close - open - 1))) {
      out += words.substr(0, open + 1);
      words.remove_prefix(open + 1);
      continue;
    }
    out += words.substr(0, open);
    const auto slot = words.substr(open + 1, close - open - 1);
    const auto bar = slot.find('|');
    const auto value = values.find(std::string(slot.substr(0, bar)));
    if (value != values.end()) {
      out += value->second;
    } else if (bar != std::string_view::npos) {
      out += slot.substr(bar + 1);
    }
    words.remove_prefix(close + 1);
  }
}

/// Bytes before the sentence itself: the quote or comma that a pattern looked at before a lone word.
std::size_t lead_length(std::string_view matched) {
  return std::min(matched.find_first_not_of(",:\"'( "), matched.size());
}

struct Found {
  std::size_t begin;
  const Sentence* sentence;
  PatternMatch match;
  std::uint32_t count = 1;
};

/// Takes what a sentence matches out of the text, so that no later one reads the same words.
void take(const Sentence& sentence, std::string& text, std::vector<Found>& found) {
  for (const auto& pattern : sentence.patterns) {
    std::size_t from = 0;
    while (auto match = pattern.find(text, from)) {
      if (match->end == match->begin) break;
      from = match->end;
      text.replace(match->begin, match->end - match->begin, match->end - match->begin, '\x01');
      found.push_back({match->begin, &sentence, std::move(*match)});
    }
  }
}

/// Drops what a more particular answer covers, and counts what is said again at its first place.
void drop_repeated(std::vector<Found>& found) {
  std::set<std::string_view> covered;
  for (const auto& one : found) covered.insert(one.sentence->covers.begin(), one.sentence->covers.end());
  std::map<std::pair<std::string_view, std::map<std::string, std::string>>, std::size_t> first;
  std::vector<Found> kept;
  for (auto& one : found) {
    if (covered.count(one.sentence->row.id) > 0) continue;
    const auto [at, is_new] = first.emplace(std::pair(one.sentence->row.id, one.match.groups), kept.size());
    if (is_new) {
      kept.push_back(std::move(one));
    } else {
      ++kept[at->second].count;
    }
  }
  found = std::move(kept);
}

/// Words of letters, lowered; numbers and names differ from one sentence to the next.
std::set<std::string> distinct_words(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : lower(text) + " ") {
    if (is_lower(c)) {
      word += c;
    } else {
      if (word.size() > 2) words.insert(word);
      word.clear();
    }
  }
  return words;
}

constexpr std::size_t kMostPlaces = 3;

std::string_view without_quotes(std::string_view text) {
  constexpr std::string_view kAround = "\"':, ";
  const auto begin = std::min(text.find_first_not_of(kAround), text.size());
  return text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
}

/// `words_of` each place, each text once.
template <class WordsOf>
std::string joined_places(const std::vector<shape::NamedKey>& keys, WordsOf words_of) {
  std::vector<std::string> told;
  for (const auto& key : keys) {
    auto words = words_of(key);
    if (std::find(told.begin(), told.end(), words) == told.end()) told.push_back(std::move(words));
  }
  std::string all;
  for (std::size_t i = 0; i < std::min(told.size(), kMostPlaces); ++i) all += (i == 0 ? "" : " ") + told[i];
  if (told.size() > kMostPlaces) all += fmt::format(" And {} more places.", told.size() - kMostPlaces);
  return all;
}

std::string place_of_key(const shape::NamedKey& key) {
  return fmt::format("In {}, {}: {}", key.request, key.path, key.text);
}

std::string place_of_value(const shape::NamedKey& key) {
  return fmt::format("A value of {} in {}.{}{}", key.path, key.request, key.text.empty() ? "" : " ", key.text);
}

std::string meant_instead(const shape::NamedKey& key) {
  if (key.path.empty()) return fmt::format("Delete it: {} has no equivalent.", key.request);
  const std::string form = key.text.empty() ? "" : ": " + key.text;
  return fmt::format("In {} use {}{}.", key.request, key.path, form);
}

/// What a text means that is a key of ECS alone, or one that people take for such: hostPort, "gpuCount":
std::optional<Answer> answer_to_key(std::string_view text) {
  const auto name = without_quotes(text);
  if (name.empty() || name.find(' ') != std::string_view::npos) return std::nullopt;
  const auto keys = shape::find_named_keys(name);
  if (keys.empty()) return std::nullopt;
  Answer answer{.id = "key", .said = std::string(name), .rules = {}, .source = keys.front().source, .values = {}};
  if (keys.front().use == shape::NamedKey::Use::kAlias) {
    answer.cause = fmt::format("ECS has no key {}.", json_quoted(name));
    answer.fix = joined_places(keys, meant_instead);
  } else if (keys.front().use == shape::NamedKey::Use::kValue) {
    answer.cause = joined_places(keys, place_of_value);
    answer.fix = "`bayplan lint` checks whether the value is in the right place.";
  } else {
    answer.cause = joined_places(keys, place_of_key);
    answer.fix = "`bayplan lint` checks whether the key is in the right place and its value is valid.";
  }
  return answer;
}

}  // namespace

std::string_view name_of(SentenceRole role) {
  switch (role) {
    case SentenceRole::kCause:
      return "cause";
    case SentenceRole::kSymptom:
      return "symptom";
    case SentenceRole::kRoutine:
      return "routine";
  }
  return {};
}

struct Sentences::State {
  std::unique_ptr<const text::Document> document;
  std::vector<Sentence> sentences;
};

Sentences::Sentences(std::unique_ptr<State> state) : state_(std::move(state)) {}
Sentences::Sentences(Sentences&&) noexcept = default;
Sentences::~Sentences() = default;

Sentences Sentences::load() {
  auto state = std::make_unique<State>();
  state->document = text::read_document(std::string(embedded::sentences_json()));
  for (const Value sentence : state->document->root().find("sentences").children()) {
    state->sentences.push_back(read_sentence(sentence));
  }
  return Sentences(std::move(state));
}

std::vector<Answer> Sentences::answers_to(std::string_view pasted) const {
  const auto text = without_line_leads(without_colors(pasted));
  auto answers = answers_in(text, 0);
  const auto width = cut_width(text);
  if (width == 0) return answers;
  auto others = answers_in(text, width);
  const auto sentences_in = [](const std::vector<Answer>& all) {
    return std::count_if(all.begin(), all.end(), [](const Answer& one) { return !one.source.empty(); });
  };
  return sentences_in(others) > sentences_in(answers) ? others : answers;
}

/// `width`: at which lines are cut in the middle of words; 0 = none is.
std::vector<Answer> Sentences::answers_in(const std::string& text, std::size_t width) const {
  const OneLine folded = on_one_line(text, width);
  const std::string_view whole = folded.text;
  std::string rest = folded.text;
  std::vector<Found> found;
  for (const auto& sentence : state_->sentences) take(sentence, rest, found);
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.begin < b.begin; });
  drop_repeated(found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.sentence->role < b.sentence->role; });
  std::vector<Answer> answers;
  for (auto& [begin, sentence, match, count] : found) {
    const auto matched = whole.substr(begin, match.end - begin);
    const auto lead = lead_length(matched);
    answers.push_back({sentence->row.id, std::string(trim(matched.substr(lead))), sentence->row.rules,
                       filled(sentence->cause, match.groups), filled(sentence->fix, match.groups), sentence->row.source,
                       std::move(match.groups), sentence->role, folded.line_at(begin + lead), count,
                       sentence->members});
  }
  if (auto key = answers.empty() ? answer_to_key(whole) : std::nullopt) answers.push_back(std::move(*key));
  return answers;
}

std::optional<NearSentence> Sentences::nearest_to(std::string_view text) const {
  const auto asked = distinct_words(text);
  const Sentence* best = nullptr;
  double best_score = 0.2;  // a fifth of the words of both: fewer are chance
  for (const auto& sentence : state_->sentences) {
    const auto known = distinct_words(sentence.row.example);
    const auto shared =
        std::count_if(known.begin(), known.end(), [&](const auto& word) { return asked.count(word) > 0; });
    const auto all = known.size() + asked.size() - static_cast<std::size_t>(shared);
    const double score = all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
    const bool is_as_near = best != nullptr && score == best_score;  // RESOURCE:GPUS shares one word with RESOURCE:CPU
    if (score > best_score ||
        (is_as_near && edit_distance(text, sentence.row.example) < edit_distance(text, best->row.example)))
      std::tie(best, best_score) = std::tuple(&sentence, score);
  }
  if (best == nullptr) return std::nullopt;
  return NearSentence{best->row.id, best->row.example};
}

std::vector<Sentences::Row> Sentences::rows() const {
  std::vector<Row> rows;
  for (const auto& sentence : state_->sentences) rows.push_back(sentence.row);
  return rows;
}

}  // namespace bayplan::rules
