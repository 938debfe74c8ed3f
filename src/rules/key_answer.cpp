#include "rules/key_answer.hpp"

#include <algorithm>

#include "base/fill.hpp"
#include "base/json_writer.hpp"
#include "shape/named_keys.hpp"

namespace bayplan::rules {
namespace {

using shape::NamedKey;

constexpr std::size_t kMostPlaces = 3;

std::string_view without_quotes(std::string_view text) {
  constexpr std::string_view kAround = "\"':, ";
  const auto begin = std::min(text.find_first_not_of(kAround), text.size());
  return text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
}

/// `words_of` each place, each text once.
template <class WordsOf>
std::string joined_places(const std::vector<NamedKey>& keys, WordsOf words_of) {
  std::vector<std::string> told;
  for (const auto& key : keys) {
    auto words = words_of(key);
    if (std::find(told.begin(), told.end(), words) == told.end()) told.push_back(std::move(words));
  }
  std::string all;
  for (std::size_t i = 0; i < std::min(told.size(), kMostPlaces); ++i) all += (i == 0 ? "" : " ") + told[i];
  if (told.size() > kMostPlaces) all += fill(" And {} more places.", {told.size() - kMostPlaces});
  return all;
}

std::string place_of_key(const NamedKey& key) {
  return fill("In {}, {}: {}", {key.request, key.path, key.text});
}

std::string meant_instead(const NamedKey& key) {
  if (key.path.empty()) return fill("Delete it: {} has nothing like it.", {key.request});
  const std::string form = key.text.empty() ? "" : ": " + key.text;
  return fill("In {} write {}{}.", {key.request, key.path, form});
}

}  // namespace

std::optional<Answer> answer_to_key(std::string_view text) {
  const auto name = without_quotes(text);
  if (name.empty() || name.find(' ') != std::string_view::npos) return std::nullopt;
  const auto keys = shape::find_named_keys(name);
  if (keys.empty()) return std::nullopt;
  Answer answer{.id = "key", .said = std::string(name), .rules = {}, .source = keys.front().source, .values = {}};
  if (keys.front().is_alias) {
    answer.cause = fill("ECS has no key {}.", {json_quoted(name)});
    answer.fix = joined_places(keys, meant_instead);
  } else {
    answer.cause = joined_places(keys, place_of_key);
    answer.fix = "`bayplan lint` says whether the key is in the right place and its value is valid.";
  }
  return answer;
}

}  // namespace bayplan::rules
