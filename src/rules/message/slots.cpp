#include "rules/message/slots.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace bayplan::rules {
namespace {

/// Offset of the brace that closes the one at the beginning, or npos.
std::size_t closing_brace(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// Offset of the bar after `begin` that is in no inner slot, or the size.
std::size_t find_bar(std::string_view slot, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < slot.size(); ++i) {
    if (slot[i] == '{') ++depth;
    if (slot[i] == '}') --depth;
    if (slot[i] == '|' && depth == 0) return i;
  }
  return slot.size();
}

bool is_slot_name(std::string_view name) {
  return !name.empty() && is_lower(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

}  // namespace

std::string fill_slots(std::string_view words, const Slots& values) {
  std::string out;
  while (!words.empty()) {
    const auto open = std::min(words.find('{'), words.size());
    out += words.substr(0, open);
    words.remove_prefix(open);
    if (words.empty()) break;
    const auto close = closing_brace(words);
    const auto slot = close == std::string_view::npos ? std::string_view() : words.substr(1, close - 1);
    const auto mark = std::min(slot.find_first_of("|?"), slot.size());
    if (!is_slot_name(slot.substr(0, mark))) {
      out += '{';
      words.remove_prefix(1);
      continue;
    }
    const bool has_words = mark < slot.size() && slot[mark] == '?';
    const auto bar = has_words ? find_bar(slot, mark) : mark;
    if (const auto value = values.find(std::string(slot.substr(0, mark))); value != values.end()) {
      out += has_words ? fill_slots(slot.substr(mark + 1, bar - mark - 1), values) : value->second;
    } else if (bar < slot.size()) {
      out += fill_slots(slot.substr(bar + 1), values);
    }
    words.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace bayplan::rules
