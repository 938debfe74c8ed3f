#include "packing/check_bound.hpp"

#include <numeric>

#include "packing/check_prices.hpp"

namespace bayplan::packing {
namespace {

constexpr std::int64_t kMostLevels = 2048;

/// Of more copies than so many, the table allows any number.
constexpr std::int64_t kCountedCopies = 4;

/// The items from one on, in a bin that is a little emptier for each that went before.
CheckedBin rest_of(const CheckedBin& bin, std::size_t part, std::size_t parts) {
  CheckedBin rest = bin;
  const std::size_t first = bin.items.size() * part / parts;
  rest.items.erase(rest.items.begin(), rest.items.begin() + static_cast<std::ptrdiff_t>(first));
  const auto left = static_cast<std::int64_t>(parts - part);
  for (std::int64_t& capacity : rest.capacity) {
    if (capacity > 0) capacity = std::max<std::int64_t>(1, capacity / static_cast<std::int64_t>(parts) * left);
  }
  return rest;
}

}  // namespace

std::int64_t gain_of(const CheckedItem& item, const Amounts& unit, std::size_t dimensions) {
  std::int64_t gain = item.worth;
  for (std::size_t d = 0; d < dimensions; ++d) gain -= unit[d] * item.size[d];
  return gain;
}

CheckBound::CheckBound(const CheckedBin& bin) : dimensions_(bin.dimensions) {
  constexpr std::size_t kParts = 4;
  for (std::size_t part = 0; part < kParts; ++part) add_prices(bin, unit_prices(rest_of(bin, part, kParts)));
  add_prices(bin, {});
  for (std::size_t d = 0; d < dimensions_; ++d) add_levels(bin, d, priced_.front().unit);
}

void CheckBound::add_prices(const CheckedBin& bin, const Amounts& unit) {
  Priced priced{unit, std::vector<std::int64_t>(bin.items.size() + 1)};
  for (std::size_t i = bin.items.size(); i-- > 0;) {
    const std::int64_t gain = std::max<std::int64_t>(0, gain_of(bin.items[i], unit, dimensions_));
    priced.beyond[i] = priced.beyond[i + 1] + gain * bin.items[i].most;
  }
  priced_.push_back(std::move(priced));
}

void CheckBound::add_levels(const CheckedBin& bin, std::size_t resource, const Amounts& unit) {
  std::int64_t divisor = 0;
  for (const CheckedItem& item : bin.items) divisor = std::gcd(divisor, item.size[resource]);
  Levelled levelled{resource, std::max(divisor, bin.capacity[resource] / kMostLevels + 1), 0, unit, {}};
  levelled.unit[resource] = 0;
  levelled.levels = static_cast<std::size_t>(bin.capacity[resource] / levelled.step) + 1;
  levelled.table.resize((bin.items.size() + 1) * levelled.levels);
  for (std::size_t i = bin.items.size(); i-- > 0;) fill_row(bin.items[i], i, levelled);
  levelled_.push_back(std::move(levelled));
}

void CheckBound::fill_row(const CheckedItem& item, std::size_t index, Levelled& levelled) const {
  const std::size_t levels = levelled.levels;
  const std::int64_t* after = &levelled.table[(index + 1) * levels];
  std::int64_t* row = &levelled.table[index * levels];
  std::copy(after, after + levels, row);
  const std::int64_t gain = gain_of(item, levelled.unit, dimensions_);
  if (gain <= 0) return;
  const auto size = static_cast<std::size_t>(item.size[levelled.resource] / levelled.step);
  if (size == 0) {
    for (std::size_t level = 0; level < levels; ++level) row[level] += gain * item.most;
  } else if (item.most > kCountedCopies) {
    for (std::size_t level = size; level < levels; ++level) row[level] = std::max(row[level], row[level - size] + gain);
  } else {
    for (std::int64_t copy = 0; copy < item.most; ++copy) {
      for (std::size_t level = levels; level-- > size;) row[level] = std::max(row[level], row[level - size] + gain);
    }
  }
}

}  // namespace bayplan::packing
