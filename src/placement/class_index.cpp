#include "placement/class_index.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "placement/random.hpp"

namespace bayplan::placement {
namespace {

constexpr std::int64_t kNoLevel = -1;

}  // namespace

ClassIndex::ClassIndex(const Occupancy& occupancy, std::uint32_t task_class, const Filter& filter, const Chain& chain,
                       const Cells& cells, RemainingOrder* order)
    : occupancy_(occupancy),
      filter_(filter),
      chain_(chain),
      cells_(cells),
      order_(order),
      group_(occupancy.group_of(occupancy.classes().workload_of(task_class))),
      exact_(filter.may_recover() || (chain.draws() && order == nullptr)),
      allowed_(filter.profiles_allowed(occupancy.classes().provider_of(task_class))),
      live_cells_(cells.size()),
      seen_(occupancy.history().end()) {
  std::iota(live_cells_.begin(), live_cells_.end(), 0);
  count_values();
  build();
}

ClassIndex::~ClassIndex() {
  if (order_ != nullptr) order_->close_lane(lane_);
}

void ClassIndex::count_values() {
  for (std::size_t i = 0; i < chain_.attributes.size(); ++i) tasks_.emplace_back(cells_.values(i));
  if (tasks_.empty() || occupancy_.tasks_of(group_) == 0) return;
  for (std::uint32_t instance = 0; instance < occupancy_.states().size(); ++instance) {
    const std::int64_t own = own_tasks(instance);
    for (std::size_t i = 0; i < tasks_.size(); ++i) tasks_[i][cells_.value_of(i, cells_.cell_of(instance))] += own;
  }
}

void ClassIndex::build() {
  const std::size_t count = occupancy_.states().size();
  const auto holds = [&](std::uint32_t instance) { return passes(instance); };
  if (order_ != nullptr) lane_ = order_->open_lane();
  if (order_ == nullptr) front_ = PositionSet(count, exact_);
  if (chain_.counts_tasks) {
    open_ = PositionSet(count, false);
    levels_.assign(cells_.size(), kNoLevel);
  } else if (order_ != nullptr) {
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) order_->shelf(cell).set_all(lane_, holds);
    return;
  }
  auto& all = chain_.counts_tasks ? open_ : front_;
  for (std::uint32_t instance = 0; instance < count; ++instance) {
    if (holds(instance)) all.insert(cells_.position_of(instance));
  }
}

bool ClassIndex::passes(std::uint32_t instance) const {
  return !occupancy_.is_gone(instance) && allowed_[cells_.profile_of(instance)] != 0 && has_room(instance);
}

bool ClassIndex::has_room(std::uint32_t instance) const {
  if (!filter_.may_have_room(occupancy_.rooms()[instance])) return false;
  if (!filter_.needs_room_only()) return filter_.has_room(instance, occupancy_.states()[instance]);
  return !filter_.is_distinct() || own_tasks(instance) == 0;
}

// What the history tells: tasks of the group that any class placed, and for an exact index every instance touched.
void ClassIndex::catch_up() {
  if (order_ != nullptr) order_->catch_up();
  const auto& history = occupancy_.history();
  if (exact_) refresh_touched();
  for (; seen_ < history.end() && !tasks_.empty(); ++seen_) {
    const Touch touch = history[seen_];
    if (touch.group != group_) continue;
    for (std::size_t i = 0; i < tasks_.size(); ++i) ++tasks_[i][cells_.value_of(i, cells_.cell_of(touch.instance))];
  }
  seen_ = history.end();
}

void ClassIndex::refresh_touched() {
  const auto& history = occupancy_.history();
  const auto count = static_cast<std::uint32_t>(occupancy_.states().size());
  const bool many = history.end() - seen_ > count / 4;  // one pass in order is faster than many leaps
  if (many && filter_.may_recover()) {
    for (std::uint32_t instance = 0; instance < count; ++instance) refresh(instance);
    return;
  }
  for (std::uint64_t i = seen_; i < history.end(); ++i) {
    if (many ? history[i].group == group_ : may_matter(history[i])) refresh(history[i].instance);
  }
  const auto& candidates = chain_.counts_tasks ? open_ : front_;
  for (auto at = candidates.next(0); many && at < count; at = candidates.next(at + 1)) {
    const std::uint32_t instance = cells_.instance_at(at);
    if (!filter_.needs_room_only() || !filter_.may_have_room(occupancy_.rooms()[instance])) refresh(instance);
  }
}

/// Whether a candidate may be one no longer for that placement, or a higher level's.
bool ClassIndex::may_matter(const Touch& touch) const {
  if (touch.group == group_ || !filter_.may_have_room(touch.room)) return true;
  return !filter_.needs_room_only() && (touch.takes_ports || !filter_.needs_room_and_ports_only());
}

void ClassIndex::refresh(std::uint32_t instance) {
  const std::uint32_t position = cells_.position_of(instance);
  const auto& candidates = chain_.counts_tasks ? open_ : front_;
  if (!filter_.may_recover() && !candidates.has(position)) return;
  const bool fits = filter_.may_recover() ? passes(instance) : has_room(instance);
  if (!chain_.counts_tasks) return set_front(instance, fits);
  fits ? open_.insert(position) : open_.erase(position);
  const std::uint32_t cell = cells_.cell_of(instance);
  const std::int64_t own = own_tasks(instance);
  set_front(instance, fits && own == levels_[cell]);
  if (!fits || own >= levels_[cell]) return;
  clear_front(cell);  // a candidate came back below the level
  levels_[cell] = kNoLevel;
}

void ClassIndex::set_front(std::uint32_t instance, bool on) {
  if (order_ != nullptr) return order_->set(instance, lane_, on);
  const std::uint32_t position = cells_.position_of(instance);
  on ? front_.insert(position) : front_.erase(position);
}

void ClassIndex::clear_front(std::uint32_t cell) {
  if (order_ != nullptr) return order_->shelf(cell).set_all(lane_, [](std::uint32_t) { return false; });
  for (auto at = front_.next(cells_.begin_of(cell)); at < cells_.end_of(cell); at = front_.next(at)) front_.erase(at);
}

bool ClassIndex::is_in_front(std::uint32_t instance) const {
  if (exact_) return true;
  return has_room(instance) && (!chain_.counts_tasks || own_tasks(instance) == levels_[cells_.cell_of(instance)]);
}

/// Nothing is left in front: the candidates with the next fewest own tasks come there. False when there are none.
bool ClassIndex::raise_level(std::uint32_t cell) {
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  std::vector<std::uint32_t> instances;
  for (auto at = open_.next(cells_.begin_of(cell)); at < cells_.end_of(cell); at = open_.next(at + 1)) {
    const std::uint32_t instance = cells_.instance_at(at);
    if (!exact_ && !has_room(instance)) {
      open_.erase(at);
      continue;
    }
    const std::int64_t own = own_tasks(instance);
    if (own > fewest) continue;
    if (own < fewest) instances.clear();
    fewest = own;
    instances.push_back(instance);
  }
  levels_[cell] = instances.empty() ? kNoLevel : fewest;
  for (const std::uint32_t instance : instances) set_front(instance, true);
  return !instances.empty();
}

std::optional<ClassIndex::Head> ClassIndex::first_in_front(std::uint32_t cell) {
  const auto holds = [&](std::uint32_t instance) { return is_in_front(instance); };
  if (order_ != nullptr) {
    auto& shelf = order_->shelf(cell);
    const auto place = shelf.first(lane_, holds);
    return place ? std::optional(Head{cell, shelf.instance(*place), *place}) : std::nullopt;
  }
  for (auto at = front_.next(cells_.begin_of(cell)); at < cells_.end_of(cell); at = front_.next(at + 1)) {
    if (holds(cells_.instance_at(at))) return Head{cell, cells_.instance_at(at), {}};
    front_.erase(at);
  }
  return std::nullopt;
}

std::optional<ClassIndex::Head> ClassIndex::head_of(std::uint32_t cell) {
  const auto head = first_in_front(cell);
  if (head || !chain_.counts_tasks) return head;
  return raise_level(cell) ? first_in_front(cell) : std::nullopt;
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
  const auto offer = [&](std::uint32_t instance) { return !is_in_front(instance) || visit(instance); };
  if (order_ != nullptr) return order_->shelf(head.cell).for_equals_after(head.place, lane_, offer);
  const std::size_t end = cells_.end_of(head.cell);
  for (auto at = front_.next(cells_.position_of(head.instance) + 1); at < end; at = front_.next(at + 1)) {
    if (!offer(cells_.instance_at(at))) return;
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

/// One of all that are in front in the best cells, numbered in file order.
Choice ClassIndex::draw_one(std::mt19937_64& generator) {
  const auto below = [&](std::uint32_t instance) {
    std::size_t count = 0;
    for (const auto& head : heads_) {
      count += front_.count_below(cells_.position_from(head.cell, instance)) -
               front_.count_below(cells_.begin_of(head.cell));
    }
    return count;
  };
  const auto instances = static_cast<std::uint32_t>(occupancy_.states().size());
  const std::size_t rank = draw(generator, below(instances));
  if (heads_.size() == 1) {
    const std::size_t before = front_.count_below(cells_.begin_of(heads_.front().cell));
    return {cells_.instance_at(front_.at_rank(before + rank)), false};
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
