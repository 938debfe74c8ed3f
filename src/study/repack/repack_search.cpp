#include "study/repack/repack_search.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace bayplan::study {

namespace {

/// How many parts of `scale` an amount is of a whole; many at most, for a description may say anything.
std::int64_t parts_of(std::int64_t amount, std::int64_t scale, std::int64_t whole) {
  __extension__ using WideParts = __int128;
  constexpr WideParts kMost = 1'000'000'000'000;
  return static_cast<std::int64_t>(std::min(kMost, WideParts{amount} * scale / std::max<std::int64_t>(1, whole)));
}

bool is_better(const DrainChoice& a, const DrainChoice& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  if (a.moves != b.moves) return a.moves < b.moves;
  return a.steps.size() < b.steps.size();
}

std::vector<std::uint32_t> all_of(const DrainSteps& steps) {
  std::vector<std::uint32_t> instances;
  for (const auto& step : steps) instances.insert(instances.end(), step.begin(), step.end());
  return instances;
}

/// The search keeps the best plan and its random numbers; the state of the cluster is that of `drains`.
class DrainSearch {
 public:
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

DrainSearch::DrainSearch(Drains& drains, const RepackRequest& request, std::int64_t most, std::uint64_t seed)
    : drains_(drains), request_(request), most_(most), free_(drains.candidates().free()), random_(seed) {
  const auto& candidates = drains.candidates();
  for (std::uint32_t i = 0; i < drains.cluster().base_instances(); ++i) {
    for (std::size_t d = 0; d < kDimensions; ++d) whole_.of[d] += candidates.capacity(i).of[d];
  }
}

DrainChoice DrainSearch::run() {
  for (const auto order : {Order::kPricePerMove, Order::kPrice, Order::kEmptiest, Order::kPricePerRoom})
    look_at({}, order);
  if (is_large()) offer_together(all_of(best_.steps));
  improve();
  if (auto apart = taken_apart(best_); apart.weight == best_.weight && apart.moves <= best_.moves) best_ = apart;
  auto early = early_saving(best_);
  return is_better(best_, early) ? best_ : early;
}

void DrainSearch::offer(DrainChoice choice) {
  if (is_better(choice, best_)) best_ = std::move(choice);
}

DrainSearch::Key DrainSearch::key_of(std::uint32_t instance, Order order) const {
  constexpr std::int64_t kParts = 1'000'000'000;
  const auto& candidates = drains_.candidates();
  const std::int64_t weight = candidates.weight(instance);
  const std::int64_t moves = drains_.tasks_to_move(instance);
  const auto& taken = candidates.taken(instance);
  if (drains_.is_empty(instance)) return {-1, -weight, instance};
  if (drains_.waits_for(instance) > 0) {
    // It is unknown when those tasks end: what needs no waiting goes first.
    return {std::numeric_limits<std::int64_t>::max(), -weight, instance};
  }
  switch (order) {
    case Order::kPricePerMove:
      return {moves * kParts / weight, -weight, instance};
    case Order::kPrice:
      return {-weight, moves, instance};
    case Order::kEmptiest: {
      std::int64_t share = 0;
      const auto& capacity = candidates.capacity(instance);
      for (std::size_t d = 0; d < kDimensions; ++d)
        share = std::max(share, parts_of(taken.of[d], 1'000, capacity.of[d]));
      return {share, -weight, instance};
    }
    case Order::kPricePerRoom: {
      std::int64_t parts = 0;
      for (std::size_t d = 0; d < kDimensions; ++d)
        parts = std::max(parts, parts_of(taken.of[d], kParts, whole_.of[d]));
      return {parts * 1'000'000 / weight, moves, instance};
    }
  }
  return {};
}

/// Greedily, in both ways: one after another, and those together that would hand each other their tasks.
void DrainSearch::look_at(const std::vector<std::uint32_t>& first, Order order) {
  auto alone = one_by_one(first, order, false);
  const auto instances = all_of(alone.steps);
  if (request_.max_moves && alone.moves > *request_.max_moves) alone = one_by_one(first, order, true);
  offer(std::move(alone));
  if (!is_large()) offer_together(instances);
}

void DrainSearch::offer_together(const std::vector<std::uint32_t>& instances) {
  if (request_.together > 1) offer(together(instances));
}

/// `is_bounded`: what would be too many moves stays.
bool DrainSearch::drain(const std::vector<std::uint32_t>& instances, bool is_bounded, DrainChoice& choice) {
  const auto trial = drains_.attempt(instances);
  const bool is_too_much = is_bounded && request_.max_moves && drains_.moves() + trial.moves > *request_.max_moves;
  if (!trial.is_possible() || is_too_much) {
    drains_.rollback();
    return false;
  }
  drains_.commit();
  choice.steps.push_back(instances);
  return true;
}

/// What cannot go is tried once more at the end: it may have gained room, or lost tasks that held it.
DrainChoice DrainSearch::one_by_one(const std::vector<std::uint32_t>& first, Order order, bool is_bounded) {
  DrainChoice choice;
  std::vector<std::uint32_t> refused;
  const auto try_one = [&](std::uint32_t instance) {
    if (!drain({instance}, is_bounded, choice)) refused.push_back(instance);
  };
  std::set<std::uint32_t> seen(first.begin(), first.end());
  for (const std::uint32_t instance : first) try_one(instance);
  std::priority_queue<Key, std::vector<Key>, std::greater<>> queue;
  for (const std::uint32_t instance : free_) {
    if (!seen.contains(instance)) queue.push(key_of(instance, order));
  }
  while (!queue.empty()) {
    const Key key = queue.top();
    queue.pop();
    const auto instance = std::get<2>(key);
    if (const Key now = key_of(instance, order); now > key) {
      queue.push(now);  // it has been given tasks
      continue;
    }
    try_one(instance);
  }
  for (const std::uint32_t instance : refused) {
    if (!is_large()) drain({instance}, is_bounded, choice);
  }
  choice.weight = drains_.weight();
  choice.moves = drains_.moves();
  drains_.revert_all();
  return choice;
}

DrainChoice DrainSearch::together(const std::vector<std::uint32_t>& instances) {
  DrainChoice choice;
  std::vector<std::uint32_t> chunk;
  bool is_empty = true;
  const auto close = [&] {
    if (!chunk.empty()) drain_chunk(chunk, choice);
    chunk.clear();
  };
  for (const std::uint32_t instance : instances) {
    const bool has_tasks = !drains_.is_empty(instance);
    if (static_cast<std::int64_t>(chunk.size()) == request_.together || (is_empty && has_tasks)) close();
    if (chunk.empty()) is_empty = !has_tasks;
    chunk.push_back(instance);
  }
  close();
  if (!is_large() || all_of(choice.steps).size() < instances.size()) fill_up(choice);
  choice.weight = drains_.weight();
  choice.moves = drains_.moves();
  drains_.revert_all();
  return choice;
}

/// Whichever takes fewer moves: all of them at the same time, or one after another. False where some had to stay.
bool DrainSearch::drain_chunk(const std::vector<std::uint32_t>& chunk, DrainChoice& choice) {
  const auto before = drains_.steps();
  const auto moves_before = drains_.moves();
  const auto steps_before = choice.steps.size();
  const auto joint = drains_.attempt(chunk);
  const bool fits = joint.is_possible() && (!request_.max_moves || moves_before + joint.moves <= *request_.max_moves);
  if (fits && (joint.moves == 0 || chunk.size() == 1)) {
    drains_.commit();
    choice.steps.push_back(chunk);
    return true;
  }
  drains_.rollback();
  bool all = true;
  for (const std::uint32_t instance : chunk) all &= drain({instance}, true, choice);
  const bool alone_is_best = all && drains_.moves() - moves_before <= joint.moves;
  if (!fits || alone_is_best) return all;
  while (drains_.steps() > before) drains_.revert();
  choice.steps.resize(steps_before);
  return drain(chunk, true, choice);
}

/// What else can go by now.
void DrainSearch::fill_up(DrainChoice& choice) {
  const auto gone = all_of(choice.steps);
  const std::set<std::uint32_t> seen(gone.begin(), gone.end());
  std::vector<Key> rest;
  for (const std::uint32_t instance : free_) {
    if (!seen.contains(instance)) rest.push_back(key_of(instance, Order::kPricePerMove));
  }
  std::sort(rest.begin(), rest.end());
  for (const auto& key : rest) drain({std::get<2>(key)}, true, choice);
}

void DrainSearch::improve() {
  const std::int64_t last = drains_.effort() + request_.effort;
  if (free_.size() < 2) return;
  std::int64_t dearest = is_large() ? request_.effort : 0;  // of all looks
  while (best_.weight < most_ && drains_.effort() + dearest < last) {
    const std::int64_t before = drains_.effort();
    const auto order = below(2) == 0 ? Order::kPricePerMove : Order::kPricePerRoom;
    look_at(varied(), order);
    dearest = std::max(dearest, drains_.effort() - before);
  }
}

/// The best order, with some that stay in front, some of those that go behind all others, or mixed.
std::vector<std::uint32_t> DrainSearch::varied() {
  auto order = all_of(best_.steps);
  std::vector<std::uint32_t> staying;
  {
    std::set<std::uint32_t> gone(order.begin(), order.end());
    for (const std::uint32_t instance : free_) {
      if (!gone.contains(instance)) staying.push_back(instance);
    }
  }
  const std::size_t kind = below(4);
  if (kind > 0 && !staying.empty()) {
    std::vector<std::uint32_t> wanted;
    for (std::size_t count = 1 + below(2); count > 0 && !staying.empty(); --count) {
      auto one = below(staying.size()), other = below(staying.size());
      const auto& candidates = drains_.candidates();
      if (candidates.weight(staying[other]) > candidates.weight(staying[one])) one = other;
      wanted.push_back(staying[one]);
      staying.erase(staying.begin() + static_cast<std::ptrdiff_t>(one));
    }
    order.insert(order.begin(), wanted.begin(), wanted.end());
  }
  if (kind != 1 && order.size() > 1) {
    for (std::size_t swaps = 1 + below(3); swaps > 0; --swaps)
      std::swap(order[below(order.size())], order[below(order.size())]);
  }
  if (kind >= 2 && order.size() > 1) {
    // One of those that go waits until all others had their turn.
    const auto one = order.begin() + static_cast<std::ptrdiff_t>(below(order.size()));
    const auto instance = *one;
    order.erase(one);
    for (const std::uint32_t other : staying) order.push_back(other);
    order.push_back(instance);
  }
  return order;
}

/// Splits the steps if that takes no more moves, so that a plan can be stopped after each of them.
DrainChoice DrainSearch::taken_apart(const DrainChoice& choice) {
  const std::int64_t last = drains_.effort() + request_.effort / 2;
  DrainChoice apart;
  for (const auto& step : choice.steps) {
    const bool goes_on = drains_.effort() < last ? take_apart(step, apart) : drain(step, true, apart);
    if (!goes_on) break;
  }
  apart.weight = drains_.weight();
  apart.moves = drains_.moves();
  drains_.revert_all();
  return apart;
}

bool DrainSearch::take_apart(const std::vector<std::uint32_t>& step, DrainChoice& choice) {
  const auto joint = drains_.attempt(step);
  drains_.rollback();
  if (!joint.is_possible()) return false;
  if (joint.moves == 0) return drain(step, true, choice);
  auto left = step;
  std::vector<std::uint32_t> empty;
  for (const std::uint32_t instance : step) {
    if (drains_.is_empty(instance)) empty.push_back(instance);
  }
  if (!empty.empty() && drain(empty, true, choice)) {
    std::erase_if(left, [&](std::uint32_t own) { return std::find(empty.begin(), empty.end(), own) != empty.end(); });
  }
  const std::int64_t most = drains_.moves() + joint.moves;
  while (left.size() > 1 && peel(left, most, choice)) {
  }
  return drain(left, true, choice);
}

/// One of the step goes before the others; false where that would make moves of any of them.
bool DrainSearch::peel(std::vector<std::uint32_t>& step, std::int64_t most_moves, DrainChoice& choice) {
  std::vector<Key> keys;
  for (const std::uint32_t instance : step) keys.push_back(key_of(instance, Order::kPricePerMove));
  std::sort(keys.begin(), keys.end());
  for (const auto& key : keys) {
    const auto instance = std::get<2>(key);
    if (!drain({instance}, true, choice)) continue;
    auto rest = step;
    std::erase(rest, instance);
    const auto trial = drains_.attempt(rest);
    drains_.rollback();
    if (trial.is_possible() && drains_.moves() + trial.moves <= most_moves) {
      step = std::move(rest);
      return true;
    }
    drains_.revert();
    choice.steps.pop_back();
  }
  return false;
}

/// Reorders the steps so that those that save most per move come first, if that costs nothing.
DrainChoice DrainSearch::early_saving(const DrainChoice& choice) {
  auto steps = choice.steps;
  std::vector<std::pair<std::int64_t, std::size_t>> keys;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::int64_t weight = 0, moves = 0, waits = 0;
    for (const std::uint32_t instance : steps[i]) {
      weight += drains_.candidates().weight(instance);
      moves += drains_.tasks_to_move(instance);
      waits += drains_.waits_for(instance);
    }
    keys.emplace_back(waits > 0 ? std::numeric_limits<std::int64_t>::max() : moves * 1'000'000'000 / weight, i);
  }
  std::sort(keys.begin(), keys.end());
  DrainChoice sorted;
  for (const auto& [key, step] : keys) {
    if (!drain(steps[step], true, sorted)) break;
  }
  sorted.weight = drains_.weight();
  sorted.moves = drains_.moves();
  drains_.revert_all();
  return sorted.steps.size() == steps.size() ? sorted : choice;
}

}  // namespace

DrainChoice find_drains(Drains& drains, const RepackRequest& request, std::int64_t most, std::uint64_t seed) {
  DrainSearch search(drains, request, most, seed);
  return search.run();
}

}  // namespace bayplan::study
