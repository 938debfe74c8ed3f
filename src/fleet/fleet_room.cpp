#include "fleet/fleet_room.hpp"

#include <algorithm>

namespace bayplan::fleet {

FleetRoom::FleetRoom(const Market& market, const Question& question)
    : dimensions_(question.problem.dimensions), per_offer_(market.offers.size()) {
  for (const packing::Shape& shape : question.problem.shapes) {
    for (std::size_t d = 0; d < dimensions_; ++d) wanted_[d] += shape.size[d] * shape.count;
  }
  for (std::size_t i = 0; i < question.bins.size(); ++i) {
    auto& room = per_offer_[question.bins[i].offer];
    for (std::size_t d = 0; d < dimensions_; ++d) room[d] = std::max(room[d], question.problem.types[i].capacity[d]);
  }
  for (std::size_t i = 0; i < market.offers.size(); ++i) {
    const auto standing = static_cast<std::int64_t>(market.offers[i].standing.size());
    for (std::size_t d = 0; d < dimensions_; ++d) wanted_[d] -= per_offer_[i][d] * standing;
  }
}

bool FleetRoom::may_hold_all(const Purchases& purchases) const {
  packing::Amounts missing = wanted_;
  for (const Purchase& one : purchases) {
    for (std::size_t d = 0; d < dimensions_; ++d) missing[d] -= per_offer_[one.offer][d] * one.count;
  }
  return std::all_of(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(dimensions_),
                     [](std::int64_t amount) { return amount <= 0; });
}

}  // namespace bayplan::fleet
