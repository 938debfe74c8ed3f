#include "rules/sentences.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "embedded/sentences_json.hpp"
#include "rules/file/text_members.hpp"
#include "rules/message/message_pattern.hpp"
#include "rules/message/slots.hpp"
#include "rules/message/unexpected_key.hpp"
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
  bool is_general = false;
  std::vector<std::string_view> members;
  std::vector<std::string_view> covers;  ///< Ids of more general sentences that add nothing to this one.
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
  sentence.is_general = static_cast<bool>(object.find("general"));
  const auto role = text_of(object, "role");
  if (role == name_of(SentenceRole::kSymptom)) sentence.role = SentenceRole::kSymptom;
  if (role == name_of(SentenceRole::kRoutine)) sentence.role = SentenceRole::kRoutine;
  const auto add = [&](const std::string& pattern) { sentence.patterns.push_back(message_pattern(pattern)); };
  for (const auto pattern : list_texts(object, "patterns")) add(std::string(pattern));
  for (const auto name : list_texts(object, "names")) add(pattern_of_name(name));
  return sentence;
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

/// Names of errors in a text, CannotPullContainerError or RESOURCE:GPU: words of some length with two capitals.
std::vector<std::string_view> error_names(std::string_view text) {
  constexpr std::size_t kShortest = 8;
  std::vector<std::string_view> names;
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == ':'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto begin = i;
    while (i < text.size() && is_part(text[i])) ++i;
    auto name = text.substr(begin, i - begin);
    while (name.ends_with(':')) name.remove_suffix(1);
    if (name.size() >= kShortest && std::count_if(name.begin(), name.end(), is_upper) > 1) names.push_back(name);
  }
  return names;
}

constexpr std::size_t kMostPlaces = 3;

std::string_view without_quotes(std::string_view text) {
  constexpr std::string_view kAround = "\"':, ";
  const auto begin = std::min(text.find_first_not_of(kAround), text.size());
  return text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
}

/// `words_of` each place, each text once.
template <class Places, class WordsOf>
std::string joined_places(const Places& keys, WordsOf words_of) {
  std::vector<std::string> places;
  for (const auto& key : keys) {
    auto words = words_of(key);
    if (std::find(places.begin(), places.end(), words) == places.end()) places.push_back(std::move(words));
  }
  std::string all;
  for (std::size_t i = 0; i < std::min(places.size(), kMostPlaces); ++i) all += (i == 0 ? "" : " ") + places[i];
  if (places.size() > kMostPlaces) all += fmt::format(" And {} more places.", places.size() - kMostPlaces);
  return all;
}

/// Several requests have many keys with the same meaning.
struct KeyOfRequests {
  const shape::NamedKey* key;  ///< Of the first request.
  std::vector<std::string_view> requests;
};

std::vector<KeyOfRequests> by_meaning(const std::vector<shape::NamedKey>& keys) {
  std::vector<KeyOfRequests> groups;
  for (const auto& key : keys) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const KeyOfRequests& one) {
      return one.key->path == key.path && one.key->text == key.text;
    });
    if (same == groups.end()) {
      groups.push_back({&key, {key.request}});
    } else {
      same->requests.push_back(key.request);
    }
  }
  return groups;
}

std::string place_of_key(const KeyOfRequests& one) {
  const std::string text = one.key->text.empty() ? "." : ": " + one.key->text;
  return fmt::format("In {}, {}{}", one_of(one.requests, "and"), one.key->path, text);
}

/// What a key takes, and since when ECS has it, where that is one day for all requests: "Type: list of objects, with
/// the keys containerPort, hostPort ..."
std::string form_of_key(const std::vector<shape::NamedKey>& keys) {
  constexpr std::size_t kMostMembers = 16;
  const auto& key = keys.front();
  std::string form;
  if (!key.limits.empty()) form += fmt::format(" Type: {}", key.limits);
  if (!key.members.empty()) {
    const bool are_all = key.members.size() <= kMostMembers;
    const auto shown =
        std::vector<std::string>(key.members.begin(), are_all ? key.members.end() : key.members.begin() + kMostMembers);
    form += fmt::format(", with the keys {}{}", join(shown, ", "),
                        are_all ? "" : fmt::format(" and {} more", key.members.size() - kMostMembers));
  }
  if (!form.empty()) form += '.';
  const auto day = day_of_key(key.request, key.path);
  const bool is_one_day = std::all_of(keys.begin(), keys.end(),
                                      [&](const auto& other) { return day_of_key(other.request, other.path) == day; });
  if (!day.empty() && is_one_day) form += fmt::format(" In the API since {}.", day);
  return form;
}

std::string place_of_value(const shape::NamedKey& key) {
  return fmt::format("A value of {} in {}.{}{}", key.path, key.request, key.text.empty() ? "" : " ", key.text);
}

std::string meant_instead(const shape::NamedKey& key) {
  if (key.path.empty()) return fmt::format("Delete it: {} has no equivalent.", key.request);
  const std::string form = key.text.empty() ? "" : ": " + key.text;
  return fmt::format("In {} use {}{}.", key.request, key.path, form);
}

}  // namespace

std::optional<Answer> answer_to_key(std::string_view text) {
  const auto name = without_quotes(text);
  if (name.empty() || name.find(' ') != std::string_view::npos) return std::nullopt;
  auto keys = shape::find_named_keys(name);
  bool is_of_file = false;
  // Files of bayplan have many keys of ECS, which the request explains; a key of theirs is none of its values.
  if (keys.empty() || keys.front().use == shape::NamedKey::Use::kValue) {
    auto own = shape::find_file_keys(name);
    is_of_file = keys.empty() || (!own.empty() && own.front().use == shape::NamedKey::Use::kMember);
    if (is_of_file) keys = std::move(own);
  }
  if (keys.empty()) return std::nullopt;
  Answer answer{.id = "key", .said = std::string(name), .rules = {}, .source = keys.front().source, .values = {}};
  if (keys.front().use == shape::NamedKey::Use::kAlias) {
    answer.cause = fmt::format("ECS has no key {}.", json_quoted(name));
    answer.fix = joined_places(keys, meant_instead);
  } else if (keys.front().use == shape::NamedKey::Use::kValue) {
    answer.cause = joined_places(keys, place_of_value);
    answer.fix = "`bayplan lint` checks whether the value is in the right place.";
  } else {
    const auto places = by_meaning(keys);
    answer.cause = joined_places(places, place_of_key);
    if (places.size() == 1) answer.cause += form_of_key(keys);
    answer.fix = "`bayplan lint` checks whether the key is in the right place and its value is valid.";
  }
  if (is_of_file) answer.fix = fmt::format("`bayplan schema {}` prints all keys.", keys.front().schema);
  return answer;
}

std::string_view name_of(Certainty certainty) {
  switch (certainty) {
    case Certainty::kKnown:
      return "known";
    case Certainty::kLikely:
      return "likely";
    case Certainty::kUnknown:
      return "unknown";
  }
  return {};
}

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
  const auto readings = read_paste(pasted);
  std::vector<Answer> answers;
  for (const auto& reading : readings) {
    if (auto found = answers_in(reading); answers.size() < found.size()) answers = std::move(found);
  }
  if (auto key = answers.empty() ? answer_to_key(readings.front().text) : std::nullopt)
    answers.push_back(std::move(*key));
  return answers;
}

std::vector<Answer> Sentences::answers_in(const Paste& paste) const {
  const std::string_view whole = paste.text;
  std::string rest = paste.text;
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
    answers.push_back({.id = sentence->row.id,
                       .said = std::string(trim(matched.substr(lead))),
                       .rules = sentence->row.rules,
                       .cause = fill_slots(sentence->cause, match.groups),
                       .fix = fill_slots(sentence->fix, match.groups),
                       .source = sentence->row.source,
                       .values = std::move(match.groups),
                       .role = sentence->role,
                       .line = paste.line_at(begin + lead),
                       .count = count,
                       .members = sentence->members,
                       .is_general = sentence->is_general});
  }
  return answers;
}

std::optional<NearSentence> Sentences::nearest_to(std::string_view text) const {
  // A misspelled name is nearer than any sentence of the same words.
  constexpr std::size_t kMostMistakes = 2;
  const Sentence* misspelled = nullptr;
  std::size_t mistakes = kMostMistakes + 1;
  const auto asked_names = error_names(text);
  for (const auto& sentence : state_->sentences) {
    for (const auto known : error_names(sentence.row.example)) {
      for (const auto name : asked_names)
        if (const auto distance = edit_distance(lower(name), lower(known)); distance < mistakes)
          std::tie(misspelled, mistakes) = std::tuple(&sentence, distance);
    }
  }
  if (misspelled != nullptr) return NearSentence{misspelled->row.id, misspelled->row.example};

  const auto asked = distinct_words(text);
  const Sentence* best = nullptr;
  double best_score = 0.45;  // of the words of both: below, it is another message
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
