#include "fleet/offers/price_rows.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/date_time.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catalog/most_hourly.hpp"

namespace bayplan::fleet {

namespace {

constexpr std::size_t kMaxErrors = 20;

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<MicroUsd> parse_usd(std::string_view text) {
  constexpr std::size_t kDecimals = 6;
  const auto dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view decimals = dot == std::string_view::npos ? "0" : text.substr(dot + 1);
  if (!are_digits(whole) || !are_digits(decimals) || whole.size() > 12) return std::nullopt;
  std::string six(decimals.substr(0, kDecimals));
  six.resize(kDecimals, '0');
  const bool rounds_up = decimals.size() > kDecimals && decimals[kDecimals] >= '5';
  const MicroUsd price = *to_integer(whole) * kMicroUsdPerUsd + *to_integer(six) + (rounds_up ? 1 : 0);
  if (price > catalog::kMaxHourly) return std::nullopt;
  return price;
}

std::string date_part(std::string_view date_time) {
  constexpr std::size_t kDay = 10;
  if (!parse_date_time(date_time)) return {};
  return std::string(date_time.substr(0, kDay));
}

bool PriceRows::takes(std::string_view region) {
  if (region.empty() || region == region_) return true;
  file_.other_regions.insert(printable(region));
  return false;
}

void PriceRows::add_dearest(std::string_view instance_type, MicroUsd hourly, std::string date) {
  auto [row, is_new] = file_.prices.try_emplace(std::string(instance_type));
  if (is_new || hourly > row->second.hourly) row->second = {hourly, std::move(date), path_};
}

void PriceRows::add_once(std::string_view instance_type, MicroUsd hourly, std::string date, std::size_t offset) {
  const auto [first, is_new] = offsets_.try_emplace(std::string(instance_type), offset);
  if (is_new) {
    file_.prices[std::string(instance_type)] = {hourly, std::move(date), path_};
  } else {
    fail(offset, fmt::format("duplicate price of {}", printable(instance_type)),
         fmt::format("first in line {}", location_of(first->second).line));
  }
}

void PriceRows::fail(std::size_t offset, std::string message, std::string help) {
  if (++failures_ > kMaxErrors) {
    auto& more = file_.errors.back();
    more.message = fmt::format("{} more rows are invalid", failures_ - kMaxErrors + 1);
    more.help.clear();
    return;
  }
  const auto at = location_of(offset);
  file_.errors.push_back(
      {.message = std::move(message), .file = path_, .line = at.line, .column = at.column, .help = std::move(help)});
}

text::Location PriceRows::location_of(std::size_t offset) {
  if (lines_ == nullptr) lines_ = std::make_unique<text::LineIndex>(text_);
  return lines_->location(static_cast<std::uint32_t>(std::min(offset, text_.size())));
}

}  // namespace bayplan::fleet
