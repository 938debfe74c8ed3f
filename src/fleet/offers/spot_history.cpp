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
std::string region_of(std::string_view zone) {
  std::size_t dashes = 0;
  for (std::size_t i = 0; i < zone.size(); ++i) {
    if (zone[i] == '-') ++dashes;
    if (dashes < 2 || zone[i] == '-' || (zone[i] >= 'a' && zone[i] <= 'z')) continue;
    const auto end = std::min(zone.find_first_not_of("0123456789", i), zone.size());
    return std::string(zone.substr(0, end));
  }
  return std::string(zone);
}

class SpotReader {
 public:
  explicit SpotReader(PriceRows& rows) : rows_(rows) {}

  void read(Value list) {
    for (const Value entry : list.children()) add(entry);
    for (const auto& [place, price] : newest_) {
      rows_.add_dearest(place.first, price.hourly, std::string(price.date));
      if (!place.second.empty()) rows_.add_zone(place.second);
    }
  }

 private:
  struct Price {
    std::int64_t at = 0;  ///< Seconds since 1970; the least number where the entry does not say.
    MicroUsd hourly = 0;
    std::string date;
  };

  void add(Value entry) {
    if (!entry.is_object()) return fail(entry, "an entry of SpotPriceHistory is no object");
    const auto type = text_of(entry, "InstanceType");
    const auto zone = text_of(entry, "AvailabilityZone");
    const auto product = text_of(entry, "ProductDescription");
    if (!product.empty() && !product.starts_with("Linux/UNIX")) return;
    if (type.empty()) return fail(entry, "an entry of SpotPriceHistory has no InstanceType");
    if (!zone.empty() && !rows_.takes(region_of(zone))) return;
    const Value price = entry.find("SpotPrice");
    const bool is_scalar = price && !price.is_object() && !price.is_array();
    const auto hourly = is_scalar ? parse_usd(price.text()) : std::nullopt;
    if (!hourly || *hourly == 0) {
      return fail(price ? price : entry, is_scalar ? fmt::format("the SpotPrice of {} cannot be '{}'", printable(type),
                                                                 printable(price.text()))
                                                   : fmt::format("{} has no SpotPrice", printable(type)));
    }
    const auto stamp = text_of(entry, "Timestamp");
    const auto at = parse_date_time(stamp);
    if (!stamp.empty() && !at) {
      return fail(entry.find("Timestamp"), fmt::format("the Timestamp cannot be '{}'", printable(stamp)));
    }
    keep_newest({std::string(type), std::string(zone)},
                {at.value_or(std::numeric_limits<std::int64_t>::min()), *hourly, day_of(stamp)});
  }

  /// Among entries without a time the first is kept: EC2 lists the newest first.
  void keep_newest(std::pair<std::string, std::string> place, Price price) {
    const auto [found, is_new] = newest_.try_emplace(std::move(place), price);
    if (!is_new && price.at > found->second.at) found->second = std::move(price);
  }

  static std::string_view text_of(Value entry, std::string_view key) {
    const Value member = entry.find(key);
    return member && member.is_string() ? member.text() : std::string_view();
  }

  void fail(Value at, std::string message) { rows_.fail(at.span().begin, std::move(message)); }

  PriceRows& rows_;
  std::map<std::pair<std::string, std::string>, Price> newest_;  ///< By type and zone.
};

}  // namespace

bool read_spot_history(Value root, PriceRows& rows) {
  Value list = root;
  if (root.is_object()) list = root.find("SpotPriceHistory");
  if (!list || !list.is_array()) return false;
  const Value first = list.at(0);
  if (root.is_array() && !(first && first.is_object() && first.find("SpotPrice"))) return false;
  SpotReader(rows).read(list);
  return true;
}

}  // namespace bayplan::fleet
