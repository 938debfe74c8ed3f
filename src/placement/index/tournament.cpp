#include "placement/index/tournament.hpp"

#include <algorithm>
#include <bit>
#include <queue>
#include <tuple>

namespace bayplan::placement {

Tournament::Tournament(const std::vector<std::uint64_t>& keys)
    : leaves_(std::bit_ceil(std::max<std::size_t>(1, keys.size()))), nodes_(2 * leaves_, kNone) {
  std::copy(keys.begin(), keys.end(), nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_));
  for (std::size_t node = leaves_ - 1; node > 0; --node)
    nodes_[node] = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
}

void Tournament::grow(std::size_t entries) {
  if (entries <= leaves_) return;
  std::vector<std::uint64_t> keys(nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_), nodes_.end());
  keys.resize(entries, kNone);
  *this = Tournament(keys);
}

void Tournament::set(std::size_t entry, std::uint64_t key) {
  std::size_t node = leaves_ + entry;
  nodes_[node] = key;
  for (node /= 2; node > 0; node /= 2) {
    const std::uint64_t smaller = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
    if (nodes_[node] == smaller) return;
    nodes_[node] = smaller;
  }
}

std::vector<std::uint32_t> Tournament::smallest(std::size_t count) const {
  struct Open {
    std::uint64_t key;
    std::size_t first;  ///< Entry below the node; of two nodes with one key the one further left is opened first.
    std::size_t node;
    bool operator>(const Open& other) const { return std::tie(key, first) > std::tie(other.key, other.first); }
  };
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  std::vector<std::uint32_t> found;
  if (nodes_[1] != kNone) open.push({nodes_[1], 0, 1});
  while (!open.empty() && found.size() < count) {
    const Open top = open.top();
    open.pop();
    if (top.node >= leaves_) {
      found.push_back(static_cast<std::uint32_t>(top.node - leaves_));
      continue;
    }
    const int height = std::countl_zero(top.node) - std::countl_zero(leaves_);
    for (std::size_t child = 2 * top.node; child <= 2 * top.node + 1; ++child) {
      if (nodes_[child] == kNone) continue;
      open.push({nodes_[child], (child << (height - 1)) - leaves_, child});
    }
  }
  return found;
}

}  // namespace bayplan::placement
