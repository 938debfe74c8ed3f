#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fleet/offers/price_file.hpp"
#include "text/location.hpp"

/// What the readers of price files share.
namespace bayplan::fleet {

/// A decimal number of USD, rounded to the nearest micro-USD, halves up; nothing for other texts, signs and exponents,
/// and for more than catalog::kMaxHourly.
std::optional<MicroUsd> parse_usd(std::string_view text);

/// The same to the nearest nano-USD.
std::optional<NanoUsd> parse_nano_usd(std::string_view text);

/// "2026-07-20" of an ISO 8601 date or time; empty for other texts.
std::string date_part(std::string_view date_time);

/// Rows on their way into a PriceFile.
class PriceRows {
 public:
  /// `text` is what offsets count in.
  PriceRows(PriceFile& file, std::string path, std::string region, std::string_view text)
      : file_(file), path_(std::move(path)), region_(std::move(region)), text_(text) {}

  const std::string& region() const { return region_; }

  /// Whether a row of `region` counts; an empty one does. Others are noted.
  bool takes(std::string_view region);
  /// Rows that are not written by hand: of two for one type the dearer counts.
  void add_dearest(std::string_view instance_type, MicroUsd hourly, std::string date);
  /// A type may be given once.
  void add_once(std::string_view instance_type, MicroUsd hourly, std::string date, std::size_t offset);
  /// A rate of Fargate or a fee of Managed Instances: `fargate:PLATFORM:UNIT`, `managed-instances:TYPE`.
  void add_other(std::string_view name, NanoUsd price, std::string date, std::size_t offset);
  /// Of two prices of one name the dearer counts, as in price lists.
  void add_dearest_other(std::string_view name, NanoUsd price, std::string date, std::size_t offset);
  /// Platforms of Fargate that only some of the units are given of are errors.
  void check_other();
  /// A Spot price in one zone.
  void add_pool(std::string_view instance_type, std::string_view zone, MicroUsd hourly, std::string date);
  void fail(std::size_t offset, std::string message, std::string help = {});
  bool has_errors() const { return !file_.errors.empty(); }

 private:
  void set_other(std::string_view name, NanoUsd price, std::string date, std::size_t offset);
  text::Location location_of(std::size_t offset);

  PriceFile& file_;
  std::string path_;
  std::string region_;
  std::string_view text_;
  std::unique_ptr<text::LineIndex> lines_;                     ///< Made for the first error.
  std::map<std::string, std::size_t, std::less<>> offsets_;    ///< Offsets of what add_once added.
  std::map<std::string, NanoUsd, std::less<>> others_;         ///< What add_dearest_other added.
  std::map<std::string, std::size_t, std::less<>> platforms_;  ///< Units of Fargate given, by platform.
  std::size_t failures_ = 0;
};

/// CSV with a header.
void read_price_table(std::string_view text, PriceRows& rows);

}  // namespace bayplan::fleet
