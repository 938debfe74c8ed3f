// The answer of `aws ec2 describe-spot-price-history` -> prices (API_SpotPrice).
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "base/date_time.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "fleet/offers/price_documents.hpp"

namespace bayplan::fleet {

using text::Value;

namespace {

/// "us-east-1a" -> "us-east-1"; local zones begin with the region they belong to: "us-west-2-lax-1a".
std::string zone_region(std::string_view zone) {
  std::size_t dashes = 0;
  for (std::size_t i = 0; i < zone.size(); ++i) {
    if (zone[i] == '-') ++dashes;
    if (dashes < 2 || zone[i] == '-' || (zone[i] >= 'a' && zone[i] <= 'z')) continue;
    const auto end = std::min(zone.find_first_not_of("0123456789", i), zone.size());
    return std::string(zone.substr(0, end));
  }
  return std::string(zone);
}

struct Price {
  std::int64_t at = 0;  ///< Seconds since 1970; the least number where the entry does not say.
  MicroUsd hourly = 0;
  std::string date;
};

/// The newest price of each instance type in each zone.
using NewestPrices = std::map<std::pair<std::string, std::string>, Price>;

/// Keeps the newest price, and the first among entries without a time, because EC2 lists the newest first.
void keep_newest(NewestPrices& newest, std::pair<std::string, std::string> place, Price price) {
  const auto [found, is_new] = newest.try_emplace(std::move(place), price);
  if (!is_new && price.at > found->second.at) found->second = std::move(price);
}

void add_price(PriceRows& rows, NewestPrices& newest, Value entry) {
  if (!entry.is_object()) return rows.fail(entry.span().begin, "an entry of SpotPriceHistory is not an object");
  const auto type = string_member(entry, "InstanceType");
  const auto zone = string_member(entry, "AvailabilityZone");
  const auto product = string_member(entry, "ProductDescription");
  if (!product.empty() && !product.starts_with("Linux/UNIX")) return;
  if (type.empty()) return rows.fail(entry.span().begin, "an entry of SpotPriceHistory has no InstanceType");
  if (!zone.empty() && !rows.takes(zone_region(zone))) return;
  const Value price = entry.find("SpotPrice");
  const bool is_scalar = price && !price.is_object() && !price.is_array();
  const auto hourly = is_scalar ? parse_usd(price.text()) : std::nullopt;
  if (!hourly || *hourly == 0) {
    return rows.fail((price ? price : entry).span().begin,
                     is_scalar
                         ? fmt::format("the SpotPrice of {} cannot be '{}'", printable(type), printable(price.text()))
                         : fmt::format("{} has no SpotPrice", printable(type)));
  }
  const auto stamp = string_member(entry, "Timestamp");
  const auto at = parse_date_time(stamp);
  if (!stamp.empty() && !at) {
    return rows.fail(entry.find("Timestamp").span().begin,
                     fmt::format("the Timestamp cannot be '{}'", printable(stamp)));
  }
  keep_newest(newest, {std::string(type), std::string(zone)},
              {at.value_or(std::numeric_limits<std::int64_t>::min()), *hourly, date_part(stamp)});
}

}  // namespace

bool read_spot_history(Value root, PriceRows& rows) {
  Value list = root;
  if (root.is_object()) list = root.find("SpotPriceHistory");
  if (!list || !list.is_array()) return false;
  const Value first = list.at(0);
  if (root.is_array() && !(first && first.is_object() && first.find("SpotPrice"))) return false;
  NewestPrices newest;
  for (const Value entry : list.children()) add_price(rows, newest, entry);
  for (const auto& [place, price] : newest) {
    rows.add_dearest(place.first, price.hourly, std::string(price.date));
    if (!place.second.empty()) rows.add_pool(place.first, place.second, price.hourly, std::string(price.date));
  }
  return true;
}

}  // namespace bayplan::fleet
