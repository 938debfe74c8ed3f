#include "base/percent.hpp"

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan {

std::optional<Percent> parse_percent(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  constexpr std::size_t kDecimals = 2;
  text = trim(text);
  if (text.ends_with('%')) text = trim(text.substr(0, text.size() - 1));
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  std::string decimals(point == std::string_view::npos ? "0" : text.substr(point + 1));
  if (!is_digits(whole) || whole.size() > kMostDigits || !is_digits(decimals) || decimals.size() > kDecimals)
    return std::nullopt;
  decimals.resize(kDecimals, '0');
  return Percent{*to_integer(whole) * 100 + *to_integer(decimals)};
}

std::string percent_text(Percent percent) {
  std::string text = std::to_string(percent.hundredths / 100);
  if (const auto rest = percent.hundredths % 100; rest != 0) {
    text += '.' + std::to_string(rest / 10);
    if (rest % 10 != 0) text += std::to_string(rest % 10);
  }
  return text;
}

}  // namespace bayplan
