
#include "base/strings.hpp"
#include "model/scenario_file.hpp"

namespace bayplan::model {

namespace {

constexpr std::size_t kMaxDigits = 12;  // no overflow, whatever the unit

/// Takes the digits off the front of `text`; nothing when there are none, or too many.
std::optional<std::int64_t> take_integer(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  if (end == 0 || end > kMaxDigits) return std::nullopt;
  const auto value = to_integer(text.substr(0, end));
  text.remove_prefix(end);
  return value;
}

}  // namespace

/// Units from weeks to seconds, each at most once and in this order: "1d12h".
std::optional<std::int64_t> parse_duration(std::string_view text) {
  struct Unit {
    char letter;
    std::int64_t seconds;
  };
  constexpr Unit kUnits[] = {{'w', 604'800}, {'d', 86'400}, {'h', 3600}, {'m', 60}, {'s', 1}};
  std::int64_t total = 0;
  const Unit* allowed = std::begin(kUnits);
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    const auto count = take_integer(text);
    if (!count || text.empty()) return std::nullopt;
    while (allowed != std::end(kUnits) && allowed->letter != text.front()) ++allowed;
    if (allowed == std::end(kUnits)) return std::nullopt;
    total += *count * allowed->seconds;
    ++allowed;
    text.remove_prefix(1);
  }
  return total;
}

}  // namespace bayplan::model
