#include "packing/pareto_shelves.hpp"

#include <algorithm>

namespace bayplan::packing {
namespace {

constexpr std::size_t kMostShelves = 64;

}  // namespace

bool ParetoShelves::is_dominated(const Amounts& room, std::uint64_t tokens) {
  Shelf* own = nullptr;
  for (Shelf& shelf : shelves_) {
    if (!covers(shelf, room, tokens)) continue;
    if (has_above(shelf, room)) return true;
    if (shelf.tokens == tokens && std::equal(shelf.rest.begin() + 2, shelf.rest.end(), room.begin() + 2)) own = &shelf;
  }
  if (own == nullptr) {
    if (shelves_.size() == kMostShelves) return false;
    own = &shelves_.emplace_back(Shelf{room, tokens, {}});
  }
  put(*own, room);
  return false;
}

bool ParetoShelves::covers(const Shelf& shelf, const Amounts& room, std::uint64_t tokens) const {
  if ((shelf.tokens & ~tokens) != 0) return false;
  for (std::size_t d = 2; d < dimensions_; ++d) {
    if (shelf.rest[d] < room[d]) return false;
  }
  return true;
}

bool ParetoShelves::has_above(const Shelf& shelf, const Amounts& room) {
  const auto step = std::lower_bound(shelf.steps.begin(), shelf.steps.end(), room[0],
                                     [](const Step& a, std::int64_t first) { return a.first < first; });
  return step != shelf.steps.end() && step->second >= room[1];
}

void ParetoShelves::put(Shelf& shelf, const Amounts& room) {
  auto end = std::upper_bound(shelf.steps.begin(), shelf.steps.end(), room[0],
                              [](std::int64_t first, const Step& a) { return first < a.first; });
  auto begin = end;
  while (begin != shelf.steps.begin() && std::prev(begin)->second <= room[1]) --begin;
  if (begin == end) {
    shelf.steps.insert(end, {room[0], room[1]});
  } else {
    *begin = {room[0], room[1]};
    shelf.steps.erase(std::next(begin), end);
  }
}

}  // namespace bayplan::packing
