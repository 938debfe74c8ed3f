#pragma once
#include <cstdint>
#include <random>
#include <tuple>
#include <vector>

#include "study/repack/repack_drains.hpp"

namespace bayplan::study {

/// Steps in order, each of instances that drain at the same time.
using DrainSteps = std::vector<std::vector<std::uint32_t>>;

struct DrainChoice {
  DrainSteps steps;
  std::int64_t weight = 0;
  std::int64_t moves = 0;
};

/// Looks for the plan that gives back most, of those with the fewest moves. First greedily, by several orders; then by
/// changing the best order: what stays goes first, what goes stays. Every plan that is looked at is simulated; the
/// search stops by counted effort.
class DrainSearch {
 public:
  /// `most`: no plan weighs more.
  DrainSearch(Drains& drains, const RepackRequest& request, std::int64_t most, std::uint64_t seed);

  DrainChoice run();

 private:
  /// Which instance goes next, of two that can.
  enum class Order : std::uint8_t { kPricePerMove, kPrice, kEmptiest, kPricePerRoom };
  using Key = std::tuple<std::int64_t, std::int64_t, std::uint32_t>;

  /// Number of instances above which only the best order is followed in groups and tried again.
  static constexpr std::size_t kMany = 1'000;
  bool is_large() const { return free_.size() > kMany; }

  void look_at(const std::vector<std::uint32_t>& first, Order order);
  DrainChoice one_by_one(const std::vector<std::uint32_t>& first, Order order, bool is_bounded);
  DrainChoice together(const std::vector<std::uint32_t>& instances);
  bool drain_chunk(const std::vector<std::uint32_t>& chunk, DrainChoice& choice);
  void offer_together(const std::vector<std::uint32_t>& instances);
  void fill_up(DrainChoice& choice);
  void improve();
  std::vector<std::uint32_t> varied();
  bool drain(const std::vector<std::uint32_t>& instances, bool is_bounded, DrainChoice& choice);
  Key key_of(std::uint32_t instance, Order order) const;
  void offer(DrainChoice choice);
  DrainChoice early_saving(const DrainChoice& choice);
  DrainChoice taken_apart(const DrainChoice& choice);
  bool take_apart(const std::vector<std::uint32_t>& step, DrainChoice& choice);
  bool peel(std::vector<std::uint32_t>& step, std::int64_t most_moves, DrainChoice& choice);
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  Drains& drains_;
  const RepackRequest& request_;
  const std::int64_t most_;
  std::vector<std::uint32_t> free_;
  Amounts whole_;  ///< Amounts of all instances together.
  std::mt19937_64 random_;
  DrainChoice best_;
};

}  // namespace bayplan::study
