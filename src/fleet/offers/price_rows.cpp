#include "fleet/offers/price_rows.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/date_time.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "catalog/fargate_prices.hpp"
#include "catalog/most_hourly.hpp"

namespace bayplan::fleet {

namespace {

constexpr std::size_t kMaxErrors = 20;

/// Whether Fargate has the price of the platform.
bool is_unit(std::string_view platform, std::string_view unit) {
  if (unit == "license") return platform == "windows";
  return unit == "gb" || (unit == "vcpu" && platform != "storage");
}

/// In units of the last of this many decimals.
std::optional<std::int64_t> parse_amount(std::string_view text, std::size_t most_decimals) {
  const auto dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  const std::string_view decimals = dot == std::string_view::npos ? "0" : text.substr(dot + 1);
  constexpr std::size_t kMaxWhole = 9;
  if (!is_digits(whole) || !is_digits(decimals) || whole.size() > kMaxWhole) return std::nullopt;
  std::string kept(decimals.substr(0, most_decimals));
  kept.resize(most_decimals, '0');
  const bool rounds_up = decimals.size() > most_decimals && decimals[most_decimals] >= '5';
  return *to_integer(std::string(whole) + kept) + (rounds_up ? 1 : 0);
}

}  // namespace

std::optional<MicroUsd> parse_usd(std::string_view text) {
  constexpr std::size_t kDecimals = 6;
  const auto price = parse_amount(text, kDecimals);
  return price && *price <= catalog::kMaxHourly ? price : std::nullopt;
}

std::optional<NanoUsd> parse_nano_usd(std::string_view text) {
  constexpr std::size_t kDecimals = 9;
  const auto price = parse_amount(text, kDecimals);
  return price && *price <= catalog::kMaxHourly * kNanoUsdPerMicroUsd ? price : std::nullopt;
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

void PriceRows::add_pool(std::string_view instance_type, std::string_view zone, MicroUsd hourly, std::string date) {
  file_.zones.emplace(zone);
  file_.pools[fmt::format("{}@{}", instance_type, zone)] = {hourly, std::move(date), path_};
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

void PriceRows::add_other(std::string_view name, NanoUsd price, std::string date, std::size_t offset) {
  if (!offsets_.try_emplace(std::string(name), offset).second)
    return fail(offset, fmt::format("duplicate price of {}", printable(name)), "keep one of them");
  set_other(name, price, std::move(date), offset);
}

void PriceRows::add_dearest_other(std::string_view name, NanoUsd price, std::string date, std::size_t offset) {
  offsets_.try_emplace(std::string(name), offset);
  auto [known, is_new] = others_.try_emplace(std::string(name), price);
  if (!is_new && price <= known->second) return;
  known->second = price;
  set_other(name, price, std::move(date), offset);
}

void PriceRows::set_other(std::string_view name, NanoUsd price, std::string date, std::size_t offset) {
  const auto parts = split(name, ':');
  if (parts.front() == "managed-instances" && parts.size() == 2 && !parts.back().empty()) {
    file_.managed_fees[std::string(parts.back())] = {(price + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd,
                                                     std::move(date), path_};
    return;
  }
  const auto& platforms = catalog::kFargatePlatforms;
  const auto platform = parts.size() == 3 ? std::find(platforms.begin(), platforms.end(), parts[1]) : platforms.end();
  if (parts.front() != "fargate" || platform == platforms.end() || !is_unit(parts[1], parts[2])) {
    return fail(offset, fmt::format("unknown price {}", printable(name)),
                "for example fargate:linux-x86:vcpu, fargate:linux-arm-spot:gb, fargate:windows:license, "
                "fargate:storage:gb or managed-instances:c6a.2xlarge");
  }
  auto& rate = file_.fargate[static_cast<std::size_t>(platform - platforms.begin())];
  if (!rate) rate.emplace();
  (parts[2] == "vcpu" ? rate->vcpu : parts[2] == "gb" ? rate->gb : rate->license) = price;
  rate->source = path_;
  if (rate->date.empty() || (!date.empty() && date < rate->date)) rate->date = std::move(date);
  platforms_.try_emplace(std::string(parts[1]), offset);
}

void PriceRows::check_other() {
  for (const auto& [platform, offset] : platforms_) {
    for (const std::string_view unit : {"vcpu", "gb", "license"}) {
      const auto name = fmt::format("fargate:{}:{}", platform, unit);
      if (!is_unit(platform, unit) || offsets_.contains(name)) continue;
      fail(offset, fmt::format("the file has no price of {}", name), "state every price of a platform");
    }
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
