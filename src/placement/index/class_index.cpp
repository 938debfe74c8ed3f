#include "placement/index/class_index.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "placement/model/random.hpp"

namespace bayplan::placement {

namespace {

constexpr unsigned kAmountBits = 48;  // sizes reach 10^12 (requirement.cpp)
/// What is left may be below zero on a cluster described as it runs.
constexpr std::int64_t kBias = std::int64_t{1} << (kAmountBits - 1);

}  // namespace

RemainingOrder::RemainingOrder(const Occupancy& occupancy, const AttributePartition& partition,
                               std::vector<Strategy> fields)
    : occupancy_(occupancy), partition_(partition), fields_(std::move(fields)), seen_(occupancy.history().end()) {
  assert(!fields_.empty() && fields_.size() <= 2);
  for (const auto& field : fields_) by_cpu_.push_back(field.field == "cpu");
  std::vector<std::vector<BlockedKey>> sorted(partition.size());
  for (std::uint32_t instance = 0; instance < occupancy.states().size(); ++instance) {
    keys_.push_back(key_now(instance));
    sorted[partition.cell_of(instance)].push_back(keys_.back());
  }
  for (auto& keys : sorted) {
    std::sort(keys.begin(), keys.end());
    block_indexes_.emplace_back(keys);
  }
}

BlockedKey RemainingOrder::key_now(std::uint32_t instance) const {
  const auto& state = occupancy_.states()[instance];
  BlockedKey key = 0;
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
    for (const InstanceChange& touch : history.since(seen_)) move(touch.instance, touch.frees);
  }
  seen_ = history.end();
}

void RemainingOrder::move(std::uint32_t instance, bool frees) {
  const BlockedKey key = key_now(instance);
  const std::uint64_t with_room = lanes_with_room(instance);
  const std::uint64_t offered = frees ? with_room & offered_lanes_ : 0;
  if (instance == keys_.size()) {
    keys_.push_back(key);
    block_index_of(instance).put(key, offered);
  } else if (key != keys_[instance]) {
    block_index_of(instance).move(keys_[instance], key, with_room, offered);
    keys_[instance] = key;
  } else if (offered != 0) {
    block_index_of(instance).add(key, offered);
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
  for (auto& block_index : block_indexes_) block_index.set_all(lane, [](std::uint32_t) { return false; });
  return lane;
}

void RemainingOrder::close_lane(unsigned lane) {
  lanes_ &= ~(std::uint64_t{1} << lane);
  offered_lanes_ &= lanes_;
}

namespace {

std::size_t lowest_bit(std::size_t value) {
  return value & (~value + 1);
}

}  // namespace

PositionSet::PositionSet(std::size_t bound, bool counted) {
  std::size_t words = bound;
  do {
    words = words / kWord + 1;
    levels_.emplace_back(words);
  } while (words > 1);
  if (counted) counts_.resize(levels_[0].size() + 1);
}

void PositionSet::insert(std::size_t position) {
  if (has(position)) return;
  count(position, 1);
  for (auto& level : levels_) {
    auto& word = level[position / kWord];
    const bool was_empty = word == 0;
    word |= std::uint64_t{1} << (position % kWord);
    if (!was_empty) return;
    position /= kWord;
  }
}

void PositionSet::erase(std::size_t position) {
  if (!has(position)) return;
  count(position, -1);
  for (auto& level : levels_) {
    auto& word = level[position / kWord];
    word &= ~(std::uint64_t{1} << (position % kWord));
    if (word != 0) return;
    position /= kWord;
  }
}

void PositionSet::count(std::size_t position, int change) {
  count_ += static_cast<std::size_t>(change);
  for (std::size_t i = position / kWord + 1; i < counts_.size(); i += lowest_bit(i)) {
    counts_[i] += static_cast<std::uint32_t>(change);
  }
}

// Up to the first level where a bit from the position on is set, then down to the lowest of its members.
std::size_t PositionSet::next(std::size_t position) const {
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    const std::size_t word = position / kWord;
    if (word >= levels_[level].size()) break;
    const std::uint64_t rest = levels_[level][word] >> (position % kWord);
    if (rest == 0) {
      position = word + 1;
      continue;
    }
    position += static_cast<std::size_t>(std::countr_zero(rest));
    while (level > 0) {
      --level;
      position = position * kWord + static_cast<std::size_t>(std::countr_zero(levels_[level][position]));
    }
    return position;
  }
  return std::numeric_limits<std::size_t>::max();
}

std::size_t PositionSet::count_below(std::size_t position) const {
  std::size_t below = 0;
  for (std::size_t i = position / kWord; i > 0; i -= lowest_bit(i)) below += counts_[i];
  const std::uint64_t mask = (std::uint64_t{1} << (position % kWord)) - 1;
  return below + static_cast<std::size_t>(std::popcount(levels_[0][position / kWord] & mask));
}

std::size_t PositionSet::at_rank(std::size_t rank) const {
  std::size_t word = 0;
  for (std::size_t step = std::bit_floor(counts_.size()); step > 0; step /= 2) {
    if (word + step >= counts_.size() || counts_[word + step] > rank) continue;
    word += step;
    rank -= counts_[word];
  }
  std::uint64_t bits = levels_[0][word];
  for (; rank > 0; --rank) bits &= bits - 1;
  return word * kWord + static_cast<std::size_t>(std::countr_zero(bits));
}

void LevelSets::put(std::size_t position, std::int64_t level) {
  auto place = place_of(level);
  if (place == sets_.end() || place->level != level) place = sets_.insert(place, {level, {bound_, counted_}});
  if (place->positions.has(position)) return;
  erase(position);
  sets_[static_cast<std::size_t>(place - sets_.begin())].positions.insert(position);
}

void LevelSets::erase(std::size_t position) {
  for (auto& own : sets_) own.positions.erase(position);
}

void LevelSets::tidy() {
  constexpr std::size_t kUsual = 16;
  if (sets_.size() > kUsual) std::erase_if(sets_, [](const auto& own) { return own.positions.empty(); });
}

namespace {

bool contains(const std::vector<Strategy>& strategies, const Strategy& wanted) {
  return std::find(strategies.begin(), strategies.end(), wanted) != strategies.end();
}

bool is_over_instances(const Strategy& strategy) {
  return strategy.type == StrategyType::kSpread && strategy.attribute().empty();
}

}  // namespace

Chain::Chain(const std::vector<Strategy>& strategies) {
  for (const auto& strategy : strategies) {
    if (contains(indexed, strategy) || contains(rest, strategy)) continue;
    const bool is_draw = strategy.type == StrategyType::kRandom;
    const bool is_late = !rest.empty() || is_draw || (is_over_instances(strategy) && !fields.empty());
    (is_late ? rest : indexed).push_back(strategy);
    if (!strategy.attribute().empty()) attributes.emplace_back(strategy.attribute());
    if (is_draw) return;
    if (is_late) continue;
    counts_tasks |= is_over_instances(strategy);
    if (strategy.type == StrategyType::kBinpack) fields.push_back(strategy);
  }
}

namespace {

/// So many cells compete in a tournament.
constexpr std::size_t kManyCells = 16;
constexpr std::int64_t kNoLevel = -1;
constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();

}  // namespace

ClassIndex::ClassIndex(const Occupancy& occupancy, OptionalIndex group, std::string_view provider, const Filter& filter,
                       const Chain& chain, const AttributePartition& partition, RemainingOrder* order)
    : occupancy_(occupancy),
      filter_(filter),
      chain_(chain),
      partition_(partition),
      order_(order),
      group_(group),
      provider_(provider),
      exact_(filter.may_recover() || (chain.draws() && order == nullptr)),
      live_cells_(partition.size()),
      seen_(occupancy.history().end()),
      seen_frees_(occupancy.history().frees()),
      seen_tasks_(own_tasks()) {
  std::iota(live_cells_.begin(), live_cells_.end(), 0);
  allow_profiles();
  count_values();
  build();
  const bool draws_from_sets = chain.draws() && order == nullptr;
  if (partition.size() < kManyCells || !(chain.rest.empty() || draws_from_sets)) return;
  std::vector<std::vector<std::uint32_t>> values(chain.attributes.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::uint32_t cell = 0; cell < partition.size(); ++cell) values[i].push_back(partition.value_of(i, cell));
  }
  tournament_.emplace(partition.size(), values);
  head_of_cell_.resize(partition.size());
  is_changed_.resize(partition.size());
}

ClassIndex::~ClassIndex() {
  if (order_ != nullptr) order_->close_lane(lane_);
}

void ClassIndex::allow_profiles() {
  const auto profiles = static_cast<std::uint32_t>(occupancy_.scenario().profiles.size());
  for (auto profile = static_cast<std::uint32_t>(allowed_.size()); profile < profiles; ++profile) {
    allowed_.push_back(filter_.allows(profile, provider_) ? 1 : 0);
  }
}

void ClassIndex::count_values() {
  tasks_.clear();
  for (std::size_t i = 0; i < chain_.attributes.size(); ++i) tasks_.emplace_back(partition_.values(i));
  if (tasks_.empty() || own_tasks() == 0) return;
  for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) {
    const std::int64_t own = own_tasks(instance);
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      tasks_[i][partition_.value_of(i, partition_.cell_of(instance))] += own;
  }
}

void ClassIndex::build() {
  if (order_ != nullptr) {
    order_->catch_up();
    lane_ = order_->open_lane(filter_, !exact_);
  }
  if (has_sets()) {
    sets_ = LevelSets(partition_.positions(), exact_);
    levels_.assign(order_ == nullptr ? 0 : partition_.size(), kNoLevel);
    for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) {
      if (passes(instance)) sets_.put(partition_.find_position(instance), level_of(instance));
    }
  } else {
    for (std::uint32_t cell = 0; cell < partition_.size(); ++cell) {
      order_->block_index(cell).set_all(lane_, [&](std::uint32_t instance) { return passes(instance); });
    }
  }
}

bool ClassIndex::is_allowed(std::uint32_t instance) const {
  return !occupancy_.is_gone(instance) && allowed_[occupancy_.profile_of(instance)] != 0;
}

bool ClassIndex::has_room(std::uint32_t instance) const {
  if (!filter_.may_have_room(occupancy_.rooms()[instance])) return false;
  if (filter_.is_distinct() && own_tasks(instance) > 0) return false;
  return filter_.needs_room_only() || filter_.has_room(instance, occupancy_.states()[instance]);
}

// What the history says: tasks of the group that any class placed or released, what was freed, and for an exact index
// every instance touched.
void ClassIndex::catch_up() {
  if (order_ != nullptr) order_->catch_up();
  const auto& history = occupancy_.history();
  const bool frees = seen_frees_ != history.frees();
  if (frees) {
    allow_profiles();
    live_cells_.resize(partition_.size());
    std::iota(live_cells_.begin(), live_cells_.end(), 0);
  }
  sets_.tidy();  // an instance that takes thousands of tasks leaves a level behind with each
  const bool is_forgotten = seen_ < history.begin();
  if (has_sets() || exact_) is_forgotten ? refresh_all() : refresh_touched(frees);
  if (is_forgotten) count_values();
  if (!is_forgotten && !tasks_.empty()) recount_values();
  if (tournament_) note_changed_cells(is_forgotten);
  seen_ = history.end();
  seen_frees_ = history.frees();
  seen_tasks_ = own_tasks();
}

/// How many changes of the group are still to be seen in the history, at most: while nothing is freed, a group only
/// grows, by one task each time.
std::int64_t ClassIndex::unseen_own_changes() const {
  const bool frees = seen_frees_ != occupancy_.history().frees();
  return frees ? std::numeric_limits<std::int64_t>::max() : own_tasks() - seen_tasks_;
}

void ClassIndex::recount_values() {
  std::int64_t unseen = unseen_own_changes();
  for (const InstanceChange& touch : occupancy_.history().since(seen_)) {
    if (unseen == 0) return;
    if (!is_own(touch)) continue;
    --unseen;
    const std::uint32_t cell = partition_.cell_of(touch.instance);
    for (std::size_t i = 0; i < tasks_.size(); ++i) tasks_[i][partition_.value_of(i, cell)] += touch.tasks;
  }
}

void ClassIndex::refresh_touched(bool frees) {
  if (!exact_ && !frees) return;
  const auto& history = occupancy_.history();
  const bool many = history.end() - seen_ > occupancy_.states().size() / 4;  // one pass is faster than many leaps
  if (many) return frees || filter_.may_recover() ? refresh_all() : follow_takes();
  for (const InstanceChange& touch : history.since(seen_)) {
    if (touch.frees ? may_give(touch) : takes_from(touch)) refresh(touch.instance);
  }
}

void ClassIndex::refresh_all() {
  for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) refresh(instance);
}

/// Nothing was freed: what is no candidate stays none.
void ClassIndex::follow_takes() {
  const bool wants_ports = !filter_.needs_room_only() && filter_.needs_room_and_ports_only();
  std::int64_t unseen = unseen_own_changes();
  for (const InstanceChange& touch : occupancy_.history().since(seen_)) {
    if (unseen == 0 && !wants_ports) break;
    if (is_own(touch)) --unseen;
    if ((is_own(touch) || (wants_ports && touch.takes_ports)) && is_held(touch.instance)) refresh(touch.instance);
  }
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    for (auto at = sets_.set(i).next(0); at < partition_.positions(); at = sets_.set(i).next(at + 1)) {
      const std::uint32_t instance = partition_.instance_at(at);
      if (!filter_.needs_room_and_ports_only() || !filter_.may_have_room(occupancy_.rooms()[instance]))
        refresh(instance);
    }
  }
}

/// Whether what was freed may have made a candidate of an instance that is not held, or moved one to a lower level.
bool ClassIndex::may_give(const InstanceChange& touch) const {
  if (is_own(touch) || touch.changes_profile || filter_.may_recover()) return true;
  return filter_.may_have_room(touch.room) && !is_held(touch.instance);
}

/// For an exact index: whether the task may have made a candidate one no longer, or moved it to a higher level. Others
/// find out when they arrive there.
bool ClassIndex::takes_from(const InstanceChange& touch) const {
  if (!exact_) return false;
  const bool may_fail = is_own(touch) || !filter_.may_have_room(touch.room) ||
                        (!filter_.needs_room_only() && (touch.takes_ports || !filter_.needs_room_and_ports_only()));
  return may_fail && (filter_.may_recover() || is_held(touch.instance));
}

void ClassIndex::refresh(std::uint32_t instance) {
  const bool fits = passes(instance);
  if (!has_sets()) return order_->set(instance, lane_, fits);
  const std::uint32_t position = partition_.find_position(instance);
  const std::int64_t level = fits ? level_of(instance) : kNoLevel;
  fits ? sets_.put(position, level) : sets_.erase(position);
  if (order_ != nullptr && exact_) order_->set(instance, lane_, fits && level == levels_[partition_.cell_of(instance)]);
}

void ClassIndex::clear_lane(std::uint32_t cell) {
  order_->block_index(cell).set_all(lane_, [](std::uint32_t) { return false; });
  levels_[cell] = kNoLevel;
}

bool ClassIndex::is_candidate(std::uint32_t instance, std::int64_t level) const {
  if (exact_) return true;
  if (!has_room(instance)) return false;
  // What is freed is offered to every lane of an order.
  if (order_ != nullptr && seen_frees_ > 0 && !is_allowed(instance)) return false;
  return level_of(instance) == level;
}

/// Calls `visit(instance, level)` for the candidates of the cell in the sets below a level, those of the lowest level
/// first, until it returns false. What is no candidate any more is removed, and what is too low rises.
template <class Visit>
void ClassIndex::for_candidates(std::uint32_t cell, std::int64_t below, Visit visit) {
  const std::size_t end = partition_.end_of(cell);
  for (std::size_t i = 0; i < sets_.size() && sets_.level(i) < below; ++i) {
    const std::int64_t level = sets_.level(i);
    for (auto at = sets_.set(i).next(partition_.begin_of(cell)); at < end; at = sets_.set(i).next(at + 1)) {
      const std::uint32_t instance = partition_.instance_at(at);
      if (!exact_ && !has_room(instance)) {
        sets_.erase(at);
      } else if (const std::int64_t now = exact_ ? level : level_of(instance); now != level) {
        sets_.put(at, now);
      } else if (!visit(instance, level)) {
        return;
      }
    }
  }
}

/// Nothing is left in the lane: the candidates with the fewest own tasks come there. False when there are none.
bool ClassIndex::fill_lane(std::uint32_t cell) {
  std::vector<std::uint32_t> instances;
  levels_[cell] = kNoLevel;
  for_candidates(cell, kNoBound, [&](std::uint32_t instance, std::int64_t level) {
    if (instances.empty()) levels_[cell] = level;
    if (level != levels_[cell]) return false;
    instances.push_back(instance);
    return true;
  });
  for (const std::uint32_t instance : instances) order_->set(instance, lane_, true);
  return !instances.empty();
}

std::optional<ClassIndex::Head> ClassIndex::first_in_block_index(std::uint32_t cell) {
  auto& block_index = order_->block_index(cell);
  const std::int64_t level = chain_.counts_tasks ? levels_[cell] : 0;
  const auto place = block_index.first(lane_, [&](std::uint32_t instance) { return is_candidate(instance, level); });
  return place ? std::optional(Head{cell, block_index.instance(*place), level, *place}) : std::nullopt;
}

/// The best of the candidates that came back with fewer own tasks than those in the lane. Where they are many, the lane
/// becomes theirs.
std::optional<ClassIndex::Head> ClassIndex::first_below_lane(std::uint32_t cell) {
  constexpr std::size_t kFew = 64;
  std::optional<Head> best;
  std::size_t count = 0;
  for_candidates(cell, levels_[cell], [&](std::uint32_t instance, std::int64_t level) {
    const Head head{cell, instance, level, std::nullopt};
    if (best && level > best->level) return false;
    if (!best || compare(head, *best) < 0) best = head;
    return ++count <= kFew;
  });
  if (count <= kFew) return best;
  clear_lane(cell);
  return std::nullopt;
}

std::optional<ClassIndex::Head> ClassIndex::first_in_sets(std::uint32_t cell) {
  std::optional<Head> head;
  for_candidates(cell, kNoBound, [&](std::uint32_t instance, std::int64_t level) {
    head = Head{cell, instance, level, std::nullopt};
    return false;
  });
  return head;
}

std::optional<ClassIndex::Head> ClassIndex::head_of(std::uint32_t cell) {
  if (order_ == nullptr) return first_in_sets(cell);
  if (!chain_.counts_tasks) return first_in_block_index(cell);
  if (const auto head = first_below_lane(cell)) return head;
  if (const auto head = first_in_block_index(cell)) return head;
  return fill_lane(cell) ? first_in_block_index(cell) : std::nullopt;
}

std::int64_t ClassIndex::own_tasks(std::uint32_t instance) const {
  return own_tasks() == 0 ? 0 : occupancy_.states()[instance].tasks_of(*group_);
}

std::int64_t ClassIndex::tasks_alike(std::string_view attribute, std::uint32_t cell) const {
  std::size_t i = 0;
  while (chain_.attributes[i] != attribute) ++i;
  return tasks_[i][partition_.value_of(i, cell)];
}

std::int64_t ClassIndex::key(const Strategy& strategy, std::uint32_t instance) const {
  if (!strategy.attribute().empty()) return tasks_alike(strategy.attribute(), partition_.cell_of(instance));
  if (strategy.type == StrategyType::kSpread) return own_tasks(instance);
  return strategy.field == "cpu" ? occupancy_.states()[instance].cpu : occupancy_.states()[instance].memory;
}

int ClassIndex::compare(const Head& a, const Head& b) const {
  for (const auto& strategy : chain_.indexed) {
    const std::int64_t left = key(strategy, a.instance);
    const std::int64_t right = key(strategy, b.instance);
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

/// The first strategy alone puts every instance of the cell behind the best found.
bool ClassIndex::ranks_behind(std::uint32_t cell) const {
  if (heads_.empty() || chain_.indexed.empty()) return false;
  const auto attribute = chain_.indexed.front().attribute();
  return !attribute.empty() && tasks_alike(attribute, cell) > tasks_alike(attribute, heads_.front().cell);
}

void ClassIndex::note_changed_cells(bool is_forgotten) {
  const auto& history = occupancy_.history();
  are_all_changed_ |= is_forgotten || history.end() - seen_ > partition_.size();
  if (are_all_changed_) return;
  for (const InstanceChange& touch : history.since(seen_)) {
    const std::uint32_t cell = partition_.cell_of(touch.instance);
    if (std::exchange(is_changed_[cell], 1) == 0) changed_cells_.push_back(cell);
    if (is_own(touch)) recounted_cells_.push_back(cell);
  }
}

/// The best head alone, and whether another one ranks like it; for a draw, all candidates that do.
void ClassIndex::find_best_of_many() {
  const auto is_better = [&](std::uint32_t a, std::uint32_t b) {
    const auto& left = head_of_cell_[a];
    const auto& right = head_of_cell_[b];
    if (!left || !right) return left.has_value();
    const int order = compare(*left, *right);
    return order != 0 ? order < 0 : left->instance < right->instance;
  };
  const bool draws = chain_.draws();
  const bool is_rebuilt = are_all_changed_;
  if (is_rebuilt) {
    for (std::uint32_t cell = 0; cell < partition_.size(); ++cell) head_of_cell_[cell] = head_of(cell);
    tournament_->rebuild(is_better);
  } else {
    for (const std::uint32_t cell : changed_cells_) head_of_cell_[cell] = head_of(cell);
    for (const std::uint32_t cell : changed_cells_) tournament_->update(cell, is_better);
    for (const std::uint32_t cell : recounted_cells_) {
      for (std::size_t i = 0; i < chain_.attributes.size(); ++i)
        tournament_->update_value(i, partition_.value_of(i, cell), is_better);
    }
  }
  // For a draw: all candidates that rank like the best head. Those of cells that did not change stay, as long as each
  // cell has its own values and none ranks before them now.
  const auto collect_equals = [&] {
    const auto is_equal = [&](std::uint32_t cell) {
      return head_of_cell_[cell] && compare(heads_.front(), *head_of_cell_[cell]) == 0;
    };
    const auto add = [&](std::uint32_t cell) {
      const auto& set = sets_.at(head_of_cell_[cell]->level);
      const std::size_t end = partition_.end_of(cell);
      for (auto at = set.next(partition_.begin_of(cell)); at < end; at = set.next(at + 1))
        drawn_from_.insert(partition_.instance_at(at));
    };
    const auto forget_all = [&] { drawn_from_ = PositionSet(partition_.positions(), /*counted=*/true); };
    if (heads_.empty()) return static_cast<void>(drawn_from_ = {});
    const bool are_own_values = chain_.attributes.size() == 1;
    bool is_known = !is_rebuilt && drawn_from_.count() > 0 && (are_own_values || recounted_cells_.empty());
    if (is_known) {
      for (const std::uint32_t cell : changed_cells_) {
        for (auto at = partition_.begin_of(cell); at < partition_.end_of(cell); ++at)
          drawn_from_.erase(partition_.instance_at(at));
      }
      is_known =
          drawn_from_.count() > 0 && is_equal(partition_.cell_of(static_cast<std::uint32_t>(drawn_from_.next(0))));
    }
    if (is_known) {
      for (const std::uint32_t cell : changed_cells_) {
        if (is_equal(cell)) add(cell);
      }
      return;
    }
    forget_all();
    for (std::uint32_t cell = 0; cell < partition_.size(); ++cell) {
      if (is_equal(cell)) add(cell);
    }
  };
  const std::uint32_t best = tournament_->best(is_better);
  const bool is_found = head_of_cell_[best].has_value();
  if (is_found) heads_.push_back(head_of(best).value());
  if (draws) collect_equals();
  are_all_changed_ = false;
  for (const std::uint32_t cell : changed_cells_) is_changed_[cell] = 0;
  changed_cells_.clear();
  recounted_cells_.clear();
  if (!is_found || draws) return;
  has_equal_head_ = tournament_->has_equal(best, [&](std::uint32_t cell) {
    return head_of_cell_[cell] && compare(heads_.front(), *head_of_cell_[cell]) == 0;
  });
}

void ClassIndex::find_best_heads() {
  heads_.clear();
  if (tournament_) return find_best_of_many();
  for (std::size_t i = 0; i < live_cells_.size();) {
    const std::uint32_t cell = live_cells_[i];
    if (ranks_behind(cell)) {
      ++i;
      continue;
    }
    const auto head = head_of(cell);
    if (!head && !filter_.may_recover()) {
      live_cells_[i] = live_cells_.back();
      live_cells_.pop_back();
      continue;
    }
    ++i;
    if (!head) continue;
    const int order = heads_.empty() ? 0 : compare(*head, heads_.front());
    if (order < 0) heads_.clear();
    if (order <= 0) heads_.push_back(*head);
  }
}

/// The candidates of the head's cell that rank like it, in file order, without the head itself; until `visit` returns
/// false.
template <class Visit>
void ClassIndex::for_equals_after(const Head& head, Visit visit) {
  const auto offer = [&](std::uint32_t instance) { return !is_candidate(instance, head.level) || visit(instance); };
  if (head.place) return order_->block_index(head.cell).for_equals_after(*head.place, lane_, offer);
  const std::size_t end = partition_.end_of(head.cell);
  const auto& set = sets_.at(head.level);
  for (auto at = set.next(partition_.find_position(head.instance) + 1); at < end; at = set.next(at + 1)) {
    const Head other{head.cell, partition_.instance_at(at), head.level, std::nullopt};
    if ((order_ == nullptr || compare(head, other) == 0) && !offer(other.instance)) return;
  }
}

bool ClassIndex::is_tied() {
  bool tied = heads_.size() > 1 || has_equal_head_;
  if (!tied) {
    for_equals_after(heads_.front(), [&](std::uint32_t) {
      tied = true;
      return false;
    });
  }
  return tied;
}

/// One of all that have as few own tasks in the best cells, numbered in file order.
Choice ClassIndex::draw_one(std::mt19937_64& generator) {
  if (tournament_)
    return {static_cast<std::uint32_t>(drawn_from_.at_rank(draw(generator, drawn_from_.count()))), false};
  const auto& front = sets_.at(heads_.front().level);
  const auto below = [&](std::uint32_t instance) {
    std::size_t count = 0;
    for (const auto& head : heads_) {
      count += front.count_below(partition_.position_from(head.cell, instance)) -
               front.count_below(partition_.begin_of(head.cell));
    }
    return count;
  };
  const auto instances = static_cast<std::uint32_t>(occupancy_.states().size());
  const std::size_t rank = draw(generator, below(instances));
  if (heads_.size() == 1) {
    const std::size_t before = front.count_below(partition_.begin_of(heads_.front().cell));
    return {partition_.instance_at(front.at_rank(before + rank)), false};
  }
  std::uint32_t low = 0;
  std::uint32_t high = instances;
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (below(middle) <= rank ? low : high) = middle;
  }
  return {low, false};
}

/// The strategies that no index follows, among the equals that the others left.
Choice ClassIndex::narrow(std::mt19937_64& generator) {
  auto& candidates = equals_;
  candidates.clear();
  for (const auto& head : heads_) {
    candidates.push_back(head.instance);
    for_equals_after(head, [&](std::uint32_t instance) {
      candidates.push_back(instance);
      return true;
    });
  }
  std::sort(candidates.begin(), candidates.end());
  for (const auto& strategy : chain_.rest) {
    if (candidates.size() == 1) break;
    if (strategy.type == StrategyType::kRandom) {
      candidates = {candidates[draw(generator, candidates.size())]};
    } else {
      keep_smallest(candidates, [&](std::uint32_t instance) { return key(strategy, instance); });
    }
  }
  return {candidates.front(), candidates.size() > 1};
}

bool ClassIndex::has_candidate() {
  catch_up();
  find_best_heads();
  return !heads_.empty();
}

/// An index of no group is one for the group while `ask` runs: the tasks of the group are counted, and its instances
/// are looked at again, before and after.
template <class Ask>
auto ClassIndex::ask_for(std::uint32_t group, std::span<const std::uint32_t> instances, Ask ask) {
  catch_up();
  const auto count = [&](std::int64_t sign) {
    for (const std::uint32_t instance : instances) {
      const std::uint32_t cell = partition_.cell_of(instance);
      const std::int64_t own = occupancy_.states()[instance].tasks_of(group);
      for (std::size_t i = 0; i < tasks_.size(); ++i) tasks_[i][partition_.value_of(i, cell)] += sign * own;
      refresh(instance);
    }
  };
  group_ = group;
  count(1);
  auto answer = ask();
  group_ = std::nullopt;
  count(-1);
  // A cell without a candidate for this group may have one for the next.
  if (live_cells_.size() < partition_.size() && !instances.empty()) {
    live_cells_.resize(partition_.size());
    std::iota(live_cells_.begin(), live_cells_.end(), 0);
  }
  return answer;
}

bool ClassIndex::has_candidate_for(std::uint32_t group, std::span<const std::uint32_t> instances) {
  return ask_for(group, instances, [&] {
    find_best_heads();
    return !heads_.empty();
  });
}

std::optional<Choice> ClassIndex::choose(std::mt19937_64& generator) {
  catch_up();
  return choose_now(generator);
}

std::optional<Choice> ClassIndex::choose_for(std::uint32_t group, std::span<const std::uint32_t> instances,
                                             std::mt19937_64& generator) {
  return ask_for(group, instances, [&] { return choose_now(generator); });
}

bool ClassIndex::can_be_shared(const Chain& chain, const AttributePartition& partition) {
  const bool has_levels_in_lanes = chain.counts_tasks && !chain.fields.empty();
  return !has_levels_in_lanes && partition.size() < kManyCells;
}

std::optional<Choice> ClassIndex::choose_now(std::mt19937_64& generator) {
  find_best_heads();
  if (heads_.empty()) return std::nullopt;
  if (chain_.draws() && order_ == nullptr) return draw_one(generator);
  if (!chain_.rest.empty()) return narrow(generator);
  const auto first = std::min_element(heads_.begin(), heads_.end(),
                                      [](const Head& a, const Head& b) { return a.instance < b.instance; });
  return Choice{first->instance, is_tied()};
}

}  // namespace bayplan::placement
