#include "packing/volume_bound.hpp"

#include <algorithm>

namespace bayplan::packing {
namespace {

__extension__ using Wide = __int128;

Wide divided_up(Wide amount, Wide by) {
  return (amount + by - 1) / by;
}

/// Bins of some types, of which one resource counts.
class BoughtRoom {
 public:
  void add(const BinType& type, std::int64_t capacity) {
    if (capacity == 0 || type.limit == 0) return;
    if (type.price == 0) {
      free_ += Wide{capacity} * type.limit;
      return;
    }
    to_buy_ += Wide{capacity} * type.limit;
    if (roomiest_ == 0 || Wide{type.price} * best_.capacity < Wide{best_.price} * capacity)
      best_ = {type.price, capacity};
    least_price_ = roomiest_ == 0 ? type.price : std::min(least_price_, type.price);
    roomiest_ = std::max(roomiest_, capacity);
  }

  /// Nothing when there is not so much.
  std::optional<MicroUsd> compute_cost(Wide wanted) const {
    if (wanted <= free_) return 0;
    wanted -= free_;
    if (wanted > to_buy_) return std::nullopt;
    const Wide whole_bins = divided_up(wanted, roomiest_) * least_price_;
    const Wide cut = divided_up(wanted * best_.price, best_.capacity);
    return static_cast<MicroUsd>(std::min<Wide>(std::max(whole_bins, cut), kUnlimited));
  }

 private:
  struct Rate {
    MicroUsd price = 0;
    std::int64_t capacity = 1;
  };

  Wide free_ = 0;
  Wide to_buy_ = 0;
  Rate best_;
  MicroUsd least_price_ = 0;
  std::int64_t roomiest_ = 0;
};

}  // namespace

std::optional<MicroUsd> volume_bound(const PackingProblem& problem, const std::vector<std::uint32_t>& types) {
  MicroUsd bound = 0;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    Wide wanted = 0;
    for (const Shape& shape : problem.shapes) wanted += Wide{shape.size[d]} * shape.count;
    BoughtRoom supply;
    for (const std::uint32_t type : types) supply.add(problem.types[type], problem.types[type].capacity[d]);
    const auto cost = supply.compute_cost(wanted);
    if (!cost) return std::nullopt;
    bound = std::max(bound, *cost);
  }
  return bound;
}

}  // namespace bayplan::packing
