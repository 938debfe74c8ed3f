#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace bayplan::placement {

/// The best of many entrants, found again in a few steps when some of them change.
///
/// Entrants rank by a chain in which the tasks with a value of an attribute count (spread over zones, racks ...): one
/// task more changes the rank of every entrant with that value. Where many share a value, these changes are not
/// followed: entrants that agree in all such attributes form a group, in which they rank as before. The groups are few,
/// and each has a tree of matches: an entrant that changes plays again on its way to the root.
///
///   SpreadTournament cells(count, {zone_of_cell, rack_of_cell});
///   cells.rebuild(is_better);
///   ...                                       // a task is placed: cell 7 changes, and the counts of its values
///   cells.update(7, is_better);
///   for (attribute ...) cells.update_value(attribute, value, is_better);
///   const auto best = cells.best(is_better);
///
/// `is_better(a, b)` must be a total order, and may read what changes: whoever changes must be named afterwards. After
/// several changes, all of them are made first, then all are named.
class SpreadTournament {
 public:
  /// `values[i][entrant]`: the number of the entrant's value of attribute i. There must be an entrant.
  SpreadTournament(std::size_t entrants, const std::vector<std::vector<std::uint32_t>>& values) : slot_(entrants) {
    const auto groups = group(entrants, values);
    std::vector<std::vector<std::uint32_t>> members(groups.second);
    for (std::uint32_t entrant = 0; entrant < entrants; ++entrant) members[groups.first[entrant]].push_back(entrant);
    for (const auto& own : members) {
      const Tree tree{nodes_.size(), own.size()};
      nodes_.resize(nodes_.size() + 2 * own.size());
      for (std::size_t i = 0; i < own.size(); ++i) {
        slot_[own[i]] = {static_cast<std::uint32_t>(trees_.size()), tree.size + i};
        nodes_[tree.begin + tree.size + i] = own[i];
      }
      trees_.push_back(tree);
    }
  }

  /// Every entrant may rank otherwise than before; to be called first.
  template <class Better>
  void rebuild(const Better& is_better) {
    for (const auto& tree : trees_) {
      for (std::size_t node = tree.size; node-- > 1;) play(tree, node, is_better);
    }
  }

  template <class Better>
  void update(std::uint32_t entrant, const Better& is_better) {
    const auto& tree = trees_[slot_[entrant].tree];
    for (std::size_t node = slot_[entrant].node / 2; node >= 1; node /= 2) play(tree, node, is_better);
  }

  /// Another number of tasks has the value of the attribute.
  template <class Better>
  void update_value(std::size_t attribute, std::uint32_t value, const Better& is_better) {
    if (followed_[attribute].empty()) return;
    for (const std::uint32_t entrant : followed_[attribute][value]) update(entrant, is_better);
  }

  template <class Better>
  std::uint32_t best(const Better& is_better) const {
    std::uint32_t best = winner(trees_.front());
    for (const auto& tree : trees_) {
      if (is_better(winner(tree), best)) best = winner(tree);
    }
    return best;
  }

  /// Whether any entrant but the best one equals it; `is_equal(other)` says so of one. The order must make equals
  /// neighbors: nothing ranks between the best one and its equals but other equals.
  template <class Equal>
  bool has_equal(std::uint32_t best, const Equal& is_equal) const {
    for (std::size_t i = 0; i < trees_.size(); ++i) {
      if (i != slot_[best].tree && is_equal(winner(trees_[i]))) return true;
    }
    // Whoever lost to the best one met it, or lost to one that did, on its way to the root.
    const auto& tree = trees_[slot_[best].tree];
    for (std::size_t node = slot_[best].node; node > 1; node /= 2) {
      if (is_equal(nodes_[tree.begin + (node ^ 1)])) return true;
    }
    return false;
  }

 private:
  /// Matches of a group: node 1 is the root, node i plays 2i against 2i + 1, and the last `size` nodes are entrants.
  struct Tree {
    std::size_t begin = 0;
    std::size_t size = 0;
  };
  struct Slot {
    std::uint32_t tree = 0;
    std::size_t node = 0;
  };

  std::uint32_t winner(const Tree& tree) const { return nodes_[tree.begin + 1]; }

  template <class Better>
  void play(const Tree& tree, std::size_t node, const Better& is_better) {
    const std::uint32_t left = nodes_[tree.begin + 2 * node];
    const std::uint32_t right = nodes_[tree.begin + 2 * node + 1];
    nodes_[tree.begin + node] = is_better(right, left) ? right : left;
  }

  /// The group of each entrant, and how many groups there are. Attributes with few values make groups, as long as these
  /// are few; of the others the entrants of each value are listed.
  std::pair<std::vector<std::uint32_t>, std::uint32_t> group(std::size_t entrants,
                                                             const std::vector<std::vector<std::uint32_t>>& values) {
    constexpr double kFewest = 8;
    const double most = std::max(kFewest, std::sqrt(static_cast<double>(entrants)));
    const auto count = [&](std::size_t attribute) {
      std::uint32_t end = 0;
      for (const std::uint32_t value : values[attribute]) end = std::max(end, value + 1);
      return end;
    };
    std::vector<std::size_t> by_count(values.size());
    std::iota(by_count.begin(), by_count.end(), 0);
    std::stable_sort(by_count.begin(), by_count.end(), [&](auto a, auto b) { return count(a) < count(b); });
    std::vector<std::uint32_t> groups(entrants);
    std::uint32_t total = 1;
    followed_.resize(values.size());
    for (const std::size_t attribute : by_count) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> finer;
      std::vector<std::uint32_t> parted(entrants);
      for (std::size_t i = 0; i < entrants && static_cast<double>(finer.size()) <= most; ++i) {
        const auto next = static_cast<std::uint32_t>(finer.size());
        parted[i] = finer.try_emplace({groups[i], values[attribute][i]}, next).first->second;
      }
      if (static_cast<double>(finer.size()) <= most) {
        groups = std::move(parted);
        total = static_cast<std::uint32_t>(finer.size());
        continue;
      }
      followed_[attribute].resize(count(attribute));
      for (std::uint32_t i = 0; i < entrants; ++i) followed_[attribute][values[attribute][i]].push_back(i);
    }
    return {std::move(groups), total};
  }

  std::vector<Slot> slot_;  ///< One entry per entrant.
  std::vector<Tree> trees_;
  std::vector<std::uint32_t> nodes_;
  /// By attribute and value, the entrants with the value; empty for an attribute that is the same throughout a group.
  std::vector<std::vector<std::vector<std::uint32_t>>> followed_;
};

}  // namespace bayplan::placement
