#include "placement/remaining_order.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace bayplan::placement {
namespace {

constexpr unsigned kAmountBits = 48;  // sizes reach 10^12 (requirement.cpp)
/// What is left may be below zero on a cluster described as it runs.
constexpr std::int64_t kBias = std::int64_t{1} << (kAmountBits - 1);

}  // namespace

RemainingOrder::RemainingOrder(const Occupancy& occupancy, const Cells& cells, std::vector<Strategy> fields)
    : occupancy_(occupancy), cells_(cells), fields_(std::move(fields)), seen_(occupancy.history().end()) {
  assert(!fields_.empty() && fields_.size() <= 2);
  for (const auto& field : fields_) by_cpu_.push_back(field.field == "cpu");
  std::vector<std::vector<ShelfKey>> sorted(cells.size());
  for (std::uint32_t instance = 0; instance < occupancy.states().size(); ++instance) {
    keys_.push_back(key_now(instance));
    sorted[cells.cell_of(instance)].push_back(keys_.back());
  }
  for (auto& keys : sorted) {
    std::sort(keys.begin(), keys.end());
    shelves_.emplace_back(keys);
  }
}

ShelfKey RemainingOrder::key_now(std::uint32_t instance) const {
  const auto& state = occupancy_.states()[instance];
  ShelfKey key = 0;
  for (const bool by_cpu : by_cpu_) {
    key = key << kAmountBits | static_cast<std::uint64_t>((by_cpu ? state.cpu : state.memory) + kBias);
  }
  return key << kInstanceBits | instance;
}

void RemainingOrder::catch_up() {
  const auto& history = occupancy_.history();
  if (seen_ < history.begin()) {
    for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) move(instance, true);
  } else {
    for (const Touch& touch : history.since(seen_)) move(touch.instance, touch.frees);
  }
  seen_ = history.end();
}

void RemainingOrder::move(std::uint32_t instance, bool frees) {
  const ShelfKey key = key_now(instance);
  const std::uint64_t with_room = lanes_with_room(instance);
  const std::uint64_t offered = frees ? with_room & offered_lanes_ : 0;
  if (instance == keys_.size()) {
    keys_.push_back(key);
    shelf_of(instance).put(key, offered);
  } else if (key != keys_[instance]) {
    shelf_of(instance).move(keys_[instance], key, with_room, offered);
    keys_[instance] = key;
  } else if (offered != 0) {
    shelf_of(instance).add(key, offered);
  }
}

std::uint64_t RemainingOrder::lanes_with_room(std::uint32_t instance) const {
  const Room& room = occupancy_.rooms()[instance];
  std::uint64_t lanes = 0;
  for (std::uint64_t left = lanes_; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (filters_[lane]->may_have_room(room)) lanes |= std::uint64_t{1} << lane;
  }
  return lanes;
}

unsigned RemainingOrder::open_lane(const Filter& filter, bool is_offered) {
  const auto lane = static_cast<unsigned>(std::countr_one(lanes_));
  lanes_ |= std::uint64_t{1} << lane;
  filters_[lane] = &filter;
  if (is_offered) offered_lanes_ |= std::uint64_t{1} << lane;
  for (auto& shelf : shelves_) shelf.set_all(lane, [](std::uint32_t) { return false; });
  return lane;
}

void RemainingOrder::close_lane(unsigned lane) {
  lanes_ &= ~(std::uint64_t{1} << lane);
  offered_lanes_ &= lanes_;
}

}  // namespace bayplan::placement
