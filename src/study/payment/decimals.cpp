#include "study/payment/decimals.hpp"

#include <string>

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan::study {

namespace {

constexpr std::size_t kDecimals = 6;
constexpr std::int64_t kPercent = 100;

}  // namespace

std::optional<std::int64_t> parse_millionths(std::string_view text) {
  constexpr std::size_t kMostWhole = 9;
  const auto dot = text.find('.');
  const auto whole = text.substr(0, dot);
  auto decimals = dot == std::string_view::npos ? std::string_view("0") : text.substr(dot + 1);
  if (!is_digits(whole) || !is_digits(decimals) || whole.size() > kMostWhole) return std::nullopt;
  while (decimals.size() > kDecimals && decimals.back() == '0') decimals.remove_suffix(1);
  if (decimals.size() > kDecimals) return std::nullopt;
  std::string padded(decimals);
  padded.resize(kDecimals, '0');
  return to_integer(std::string(whole) + padded);
}

std::optional<std::int64_t> parse_share(std::string_view text) {
  text = trim(text);
  if (!text.ends_with('%')) return parse_millionths(text);
  text.remove_suffix(1);
  const auto percent = parse_millionths(trim(text));
  if (!percent || *percent % kPercent != 0) return std::nullopt;
  return *percent / kPercent;
}

}  // namespace bayplan::study
