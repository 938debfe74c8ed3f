#include "placement/class_index.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "placement/random.hpp"

namespace bayplan::placement {
namespace {

constexpr std::int64_t kNoLevel = -1;
constexpr std::int64_t kNoBound = std::numeric_limits<std::int64_t>::max();

}  // namespace

ClassIndex::ClassIndex(const Occupancy& occupancy, std::uint32_t task_class, const Filter& filter, const Chain& chain,
                       const Cells& cells, RemainingOrder* order)
    : occupancy_(occupancy),
      filter_(filter),
      chain_(chain),
      cells_(cells),
      order_(order),
      group_(occupancy.group_of(occupancy.classes().workload_of(task_class))),
      provider_(occupancy.classes().provider_of(task_class)),
      exact_(filter.may_recover() || (chain.draws() && order == nullptr)),
      live_cells_(cells.size()),
      seen_(occupancy.history().end()),
      seen_frees_(occupancy.history().frees()) {
  std::iota(live_cells_.begin(), live_cells_.end(), 0);
  allow_profiles();
  count_values();
  build();
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
  for (std::size_t i = 0; i < chain_.attributes.size(); ++i) tasks_.emplace_back(cells_.values(i));
  if (tasks_.empty() || occupancy_.tasks_of(group_) == 0) return;
  for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) {
    const std::int64_t own = own_tasks(instance);
    for (std::size_t i = 0; i < tasks_.size(); ++i) tasks_[i][cells_.value_of(i, cells_.cell_of(instance))] += own;
  }
}

void ClassIndex::build() {
  if (order_ != nullptr) {
    order_->catch_up();
    lane_ = order_->open_lane(filter_, !exact_);
  }
  if (has_sets()) {
    sets_ = LevelSets(cells_.positions(), exact_);
    levels_.assign(order_ == nullptr ? 0 : cells_.size(), kNoLevel);
    for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) {
      if (passes(instance)) sets_.put(cells_.position_of(instance), level_of(instance));
    }
  } else {
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
      order_->shelf(cell).set_all(lane_, [&](std::uint32_t instance) { return passes(instance); });
    }
  }
}

bool ClassIndex::is_allowed(std::uint32_t instance) const {
  return !occupancy_.is_gone(instance) && allowed_[occupancy_.profile_of(instance)] != 0;
}

bool ClassIndex::has_room(std::uint32_t instance) const {
  if (!filter_.may_have_room(occupancy_.rooms()[instance])) return false;
  if (!filter_.needs_room_only()) return filter_.has_room(instance, occupancy_.states()[instance]);
  return !filter_.is_distinct() || own_tasks(instance) == 0;
}

// What the history tells: tasks of the group that any class placed or gave back, what was freed, and for an exact index
// every instance touched.
void ClassIndex::catch_up() {
  if (order_ != nullptr) order_->catch_up();
  const auto& history = occupancy_.history();
  const bool frees = seen_frees_ != history.frees();
  if (frees) {
    allow_profiles();
    live_cells_.resize(cells_.size());
    std::iota(live_cells_.begin(), live_cells_.end(), 0);
    sets_.tidy();
  }
  const bool is_forgotten = seen_ < history.begin();
  if (has_sets() || exact_) is_forgotten ? refresh_all() : refresh_touched(frees);
  if (is_forgotten) count_values();
  if (!is_forgotten && !tasks_.empty()) recount_values();
  seen_ = history.end();
  seen_frees_ = history.frees();
}

void ClassIndex::recount_values() {
  for (const Touch& touch : occupancy_.history().since(seen_)) {
    if (touch.group != group_) continue;
    const std::uint32_t cell = cells_.cell_of(touch.instance);
    for (std::size_t i = 0; i < tasks_.size(); ++i) tasks_[i][cells_.value_of(i, cell)] += touch.tasks;
  }
}

void ClassIndex::refresh_touched(bool frees) {
  if (!exact_ && !frees) return;
  const auto& history = occupancy_.history();
  const bool many = history.end() - seen_ > occupancy_.states().size() / 4;  // one pass is faster than many leaps
  if (many) return frees || filter_.may_recover() ? refresh_all() : follow_takes();
  for (const Touch& touch : history.since(seen_)) {
    if (touch.frees ? may_give(touch) : takes_from(touch)) refresh(touch.instance);
  }
}

void ClassIndex::refresh_all() {
  for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) refresh(instance);
}

/// Nothing was freed: what is no candidate stays none.
void ClassIndex::follow_takes() {
  for (const Touch& touch : occupancy_.history().since(seen_)) {
    if (touch.group == group_ && is_held(touch.instance)) refresh(touch.instance);
  }
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    for (auto at = sets_.set(i).next(0); at < cells_.positions(); at = sets_.set(i).next(at + 1)) {
      const std::uint32_t instance = cells_.instance_at(at);
      if (!filter_.needs_room_only() || !filter_.may_have_room(occupancy_.rooms()[instance])) refresh(instance);
    }
  }
}

/// Whether what was freed may have made a candidate of an instance that is not held, or moved one to a lower level.
bool ClassIndex::may_give(const Touch& touch) const {
  if (touch.group == group_ || touch.changes_profile || filter_.may_recover()) return true;
  return filter_.may_have_room(touch.room) && !is_held(touch.instance);
}

/// For an exact index: whether the task may have made a candidate one no longer, or moved it to a higher level. Others
/// find out when they arrive there.
bool ClassIndex::takes_from(const Touch& touch) const {
  if (!exact_) return false;
  const bool may_fail = touch.group == group_ || !filter_.may_have_room(touch.room) ||
                        (!filter_.needs_room_only() && (touch.takes_ports || !filter_.needs_room_and_ports_only()));
  return may_fail && (filter_.may_recover() || is_held(touch.instance));
}

void ClassIndex::refresh(std::uint32_t instance) {
  const bool fits = passes(instance);
  if (!has_sets()) return order_->set(instance, lane_, fits);
  const std::uint32_t position = cells_.position_of(instance);
  const std::int64_t level = fits ? level_of(instance) : kNoLevel;
  fits ? sets_.put(position, level) : sets_.erase(position);
  if (order_ != nullptr && exact_) order_->set(instance, lane_, fits && level == levels_[cells_.cell_of(instance)]);
}

void ClassIndex::clear_lane(std::uint32_t cell) {
  order_->shelf(cell).set_all(lane_, [](std::uint32_t) { return false; });
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
/// first, until it returns false. What is no candidate any more goes, and what stands too low rises.
template <class Visit>
void ClassIndex::for_candidates(std::uint32_t cell, std::int64_t below, Visit visit) {
  const std::size_t end = cells_.end_of(cell);
  for (std::size_t i = 0; i < sets_.size() && sets_.level(i) < below; ++i) {
    const std::int64_t level = sets_.level(i);
    for (auto at = sets_.set(i).next(cells_.begin_of(cell)); at < end; at = sets_.set(i).next(at + 1)) {
      const std::uint32_t instance = cells_.instance_at(at);
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

std::optional<ClassIndex::Head> ClassIndex::first_on_shelf(std::uint32_t cell) {
  auto& shelf = order_->shelf(cell);
  const std::int64_t level = chain_.counts_tasks ? levels_[cell] : 0;
  const auto place = shelf.first(lane_, [&](std::uint32_t instance) { return is_candidate(instance, level); });
  return place ? std::optional(Head{cell, shelf.instance(*place), level, *place}) : std::nullopt;
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
  if (!chain_.counts_tasks) return first_on_shelf(cell);
  if (const auto head = first_below_lane(cell)) return head;
  if (const auto head = first_on_shelf(cell)) return head;
  return fill_lane(cell) ? first_on_shelf(cell) : std::nullopt;
}

std::int64_t ClassIndex::own_tasks(std::uint32_t instance) const {
  return occupancy_.tasks_of(group_) == 0 ? 0 : occupancy_.states()[instance].tasks_of(group_);
}

std::int64_t ClassIndex::tasks_alike(std::string_view attribute, std::uint32_t cell) const {
  std::size_t i = 0;
  while (chain_.attributes[i] != attribute) ++i;
  return tasks_[i][cells_.value_of(i, cell)];
}

std::int64_t ClassIndex::key(const Strategy& strategy, std::uint32_t instance) const {
  if (!strategy.attribute().empty()) return tasks_alike(strategy.attribute(), cells_.cell_of(instance));
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

void ClassIndex::find_best_heads() {
  heads_.clear();
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
  if (head.place) return order_->shelf(head.cell).for_equals_after(*head.place, lane_, offer);
  const std::size_t end = cells_.end_of(head.cell);
  const auto& set = sets_.at(head.level);
  for (auto at = set.next(cells_.position_of(head.instance) + 1); at < end; at = set.next(at + 1)) {
    const Head other{head.cell, cells_.instance_at(at), head.level, std::nullopt};
    if ((order_ == nullptr || compare(head, other) == 0) && !offer(other.instance)) return;
  }
}

bool ClassIndex::is_tied() {
  bool tied = heads_.size() > 1;
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
  const auto& front = sets_.at(heads_.front().level);
  const auto below = [&](std::uint32_t instance) {
    std::size_t count = 0;
    for (const auto& head : heads_) {
      count +=
          front.count_below(cells_.position_from(head.cell, instance)) - front.count_below(cells_.begin_of(head.cell));
    }
    return count;
  };
  const auto instances = static_cast<std::uint32_t>(occupancy_.states().size());
  const std::size_t rank = draw(generator, below(instances));
  if (heads_.size() == 1) {
    const std::size_t before = front.count_below(cells_.begin_of(heads_.front().cell));
    return {cells_.instance_at(front.at_rank(before + rank)), false};
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
  std::vector<std::uint32_t> candidates;
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

std::optional<Choice> ClassIndex::choose(std::mt19937_64& generator) {
  catch_up();
  find_best_heads();
  if (heads_.empty()) return std::nullopt;
  if (chain_.draws() && order_ == nullptr) return draw_one(generator);
  if (!chain_.rest.empty()) return narrow(generator);
  const auto first = std::min_element(heads_.begin(), heads_.end(),
                                      [](const Head& a, const Head& b) { return a.instance < b.instance; });
  return Choice{first->instance, is_tied()};
}

}  // namespace bayplan::placement
