#include "fleet/recommended/launch_trials.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "fleet/ideal/zone_loss.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "placement/engine/attempts.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/index_engine.hpp"
#include "placement/model/random.hpp"

namespace bayplan::fleet {

using placement::Call;
using placement::Scenario;
using placement::Workload;
using placement::WorkloadKind;

namespace {

/// The most tasks that one RunTask call starts (API_RunTask, count).
constexpr std::int64_t kMaxPerCall = 10;

/// Calls of at most `most` tasks where they may be taken apart.
std::vector<Call> in_parts(const Scenario& scenario, const std::vector<Call>& calls, std::int64_t most) {
  std::vector<Call> parts;
  for (Call call : calls) {
    std::int64_t left = call.count;
    const Workload& workload = scenario.workloads[call.workload];
    const bool is_dealt = workload.kind == WorkloadKind::kTasks && workload.capacity_providers.size() > 1;
    if (workload.all_or_nothing || is_dealt) {
      parts.push_back(call);
      left = 0;
    }
    for (; left > 0; left -= most) {
      call.count = std::min(left, most);
      parts.push_back(call);
    }
  }
  return parts;
}

/// Three ways to draw an order, and of four orders in a row one has ties against the fleet.
constexpr std::uint64_t kOrdersEachType = 12;

template <class T>
void shuffle(std::vector<T>& list, std::mt19937_64& generator) {
  for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[placement::draw(generator, i)]);
}

/// Moves the instances of one type to the front; the order determines the type.
void move_one_type_to_the_front(Scenario& scenario, std::uint64_t order) {
  const auto type_of = [&](const placement::ContainerInstance& instance) -> const std::string& {
    return scenario.profiles[instance.profile].instance_type;
  };
  std::set<std::string> types;
  for (const auto& instance : scenario.instances) types.insert(type_of(instance));
  if (types.empty()) return;
  const auto& first = *std::next(types.begin(), static_cast<std::ptrdiff_t>(order % types.size()));
  std::stable_partition(scenario.instances.begin(), scenario.instances.end(),
                        [&](const auto& instance) { return type_of(instance) == first; });
}

std::vector<Call> workload_by_workload(std::size_t workloads, std::vector<Call> calls, std::mt19937_64& generator) {
  std::vector<std::uint32_t> order(workloads);
  for (std::uint32_t i = 0; i < workloads; ++i) order[i] = i;
  shuffle(order, generator);
  std::vector<std::uint32_t> attempt(workloads);
  for (std::uint32_t i = 0; i < workloads; ++i) attempt[order[i]] = i;
  std::stable_sort(calls.begin(), calls.end(),
                   [&](const Call& a, const Call& b) { return attempt[a.workload] < attempt[b.workload]; });
  return calls;
}

}  // namespace

LaunchOrders::LaunchOrders(const Scenario& scenario)
    : written_(scenario.calls), ties_(scenario.ties), seed_(scenario.seed) {
  std::vector<bool> is_called(scenario.workloads.size());
  for (const Call& call : scenario.calls) is_called[call.workload] = true;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    const Workload& workload = scenario.workloads[i];
    if (workload.kind != WorkloadKind::kDaemon && !is_called[i] && workload.count.value_or(0) > 0)
      complete_.push_back({i, *workload.count, 0, std::nullopt});
  }
  complete_.insert(complete_.end(), written_.begin(), written_.end());
}

void LaunchOrders::set(Scenario& scenario, std::uint64_t order) const {
  scenario.seed = seed_ + order;
  scenario.ties = ties_;
  scenario.calls = written_;
  if (order == 0) return;
  scenario.ties = placement::TieOrder::kDrawn;
  std::mt19937_64 generator(scenario.seed);
  if (order % 3 == 1) {
    scenario.calls = workload_by_workload(scenario.workloads.size(), complete_, generator);
    return;
  }
  scenario.calls = in_parts(scenario, complete_, order % 3 == 2 ? kMaxPerCall : 1);
  shuffle(scenario.calls, generator);
}

void LaunchOrders::set_tie_order(Scenario& scenario, std::uint64_t order) const {
  scenario.seed = seed_ + order;
  scenario.ties = placement::TieOrder::kDrawn;
  scenario.calls = written_;
}

void LaunchOrders::set_against(Scenario& scenario, std::uint64_t order) const {
  set(scenario, order);
  // What runs already names its instance by position.
  if (!scenario.in_use.empty() || !scenario.running.empty()) return;
  move_one_type_to_the_front(scenario, order / kOrdersEachType);
  scenario.ties = placement::TieOrder::kFile;
}

Scenario in_launch_order(Scenario scenario, std::uint64_t order) {
  const LaunchOrders orders(scenario);
  orders.set(scenario, order);
  return scenario;
}

using placement::Outcome;
using placement::Scenario;
using placement::WorkloadKind;

namespace {

/// Chooses as ECS does once the existing tasks are where they are. Explains nothing, as no caller reads it.
class TrialChooser : public placement::Chooser {
 public:
  /// `stops`: after the first failure no task is looked at any more.
  TrialChooser(const placement::Occupancy& occupancy, const std::vector<std::uint32_t>& standing, bool stops,
               FillEffort& effort)
      : inner_(occupancy), standing_(standing), stops_(stops), effort_(effort) {}

  std::optional<placement::Choice> choose(std::uint32_t task_class) override {
    if (next_ < standing_.size()) return placement::Choice{standing_[next_++], false};
    if (!wants_more()) return std::nullopt;
    if (++asked_ % kBetweenQuestions == 0 && effort_.asks_to_stop()) return std::nullopt;
    auto choice = inner_.choose(task_class);
    if (!choice) failed_ = true;
    return choice;
  }
  bool has_place(std::uint32_t task_class) override { return next_ < standing_.size() || inner_.has_place(task_class); }
  placement::Failure explain(const placement::PlacementAttempt& attempt, std::uint32_t, bool) override {
    return placement::without_reasons(attempt);
  }
  void forget(std::uint32_t workload) override { inner_.forget(workload); }
  bool wants_more() const override { return !(stops_ && failed_) && !effort_.is_interrupted; }

  bool failed() const { return failed_; }
  std::int64_t asked() const { return asked_; }

 private:
  static constexpr std::int64_t kBetweenQuestions = 4096;

  placement::IndexChooser inner_;
  const std::vector<std::uint32_t>& standing_;
  std::size_t next_ = 0;
  bool stops_;
  FillEffort& effort_;
  bool failed_ = false;
  std::int64_t asked_ = 0;
};

/// Estimates the cost in placements of one task; a cluster of thousands costs something before its first task is
/// placed.
std::int64_t compute_cost(const Scenario& scenario, std::int64_t attempts) {
  return attempts + static_cast<std::int64_t>(scenario.instances.size() / 4) + 1;
}

/// What a caller wants to know of a launch: without an outcome, the launch ends with the first failure.
enum class LaunchWant : std::uint8_t { kIsFilled, kOutcomeIfFilled, kOutcome };

struct Launched {
  bool is_filled = false;
  Outcome outcome;  ///< Empty unless it is wanted.
};

/// Launches everything, the tasks of `standing` on these instances.
Launched launch(const Scenario& scenario, const std::vector<std::uint32_t>& standing, LaunchWant want,
                FillEffort& effort) {
  placement::Progress progress(scenario);
  TrialChooser chooser(progress.occupancy(), standing, want != LaunchWant::kOutcome, effort);
  placement::run_attempts(progress, chooser);
  effort.spent += compute_cost(scenario, chooser.asked());
  const bool is_filled = !chooser.failed();
  const bool has_outcome = want == LaunchWant::kOutcome || (want == LaunchWant::kOutcomeIfFilled && is_filled);
  return {is_filled, has_outcome ? std::move(progress).finish() : Outcome{}};
}

Leftover counts_of(const Scenario& scenario, const Outcome& outcome) {
  Leftover left(scenario.workloads.size());
  for (const auto& failure : outcome.failures) {
    if (scenario.workloads[failure.attempt.workload].kind != WorkloadKind::kDaemon) ++left[failure.attempt.workload];
  }
  return left;
}

/// The calls as they are, with this many tasks of each workload.
void set_counts(Scenario& scenario, const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> left = counts;
  std::vector<bool> is_called(counts.size());
  std::vector<placement::Call> calls;
  for (placement::Call call : scenario.calls) {
    is_called[call.workload] = true;
    call.count = std::min(call.count, left[call.workload]);
    left[call.workload] -= call.count;
    if (call.count > 0) calls.push_back(call);
  }
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (scenario.workloads[i].kind == WorkloadKind::kDaemon) continue;
    scenario.workloads[i].count = counts[i];
    if (is_called[i] && left[i] > 0) calls.push_back({i, left[i], 0, std::nullopt});
  }
  scenario.calls = std::move(calls);
}

}  // namespace

Scenario tasks_of(const Scenario& scenario, const Question& question) {
  std::vector<std::int64_t> counts(scenario.workloads.size());
  for (const ShapeOrigin& shape : question.shapes) {
    for (std::size_t i = 0; i < shape.workloads.size(); ++i) counts[shape.workloads[i]] += shape.counts[i];
  }
  Scenario tasks = scenario;
  set_counts(tasks, counts);
  for (auto& definition : tasks.task_definitions) definition.definition = {};  // placing reads the requirements alone
  return tasks;
}

LaunchTrials::LaunchTrials(const Scenario& tasks, const Market& market, const FillRequest& request, FillEffort& effort)
    : tasks_(tasks),
      market_(market),
      request_(request),
      effort_(effort),
      launch_orders_(tasks),
      orders_(static_cast<std::size_t>(std::max<std::int64_t>(1, request.orders))) {
  std::iota(orders_.begin(), orders_.end(), 0);
  if (EquivalentTasks::are_equivalent(tasks, request)) alike_.emplace(tasks, market, request);
}

Scenario LaunchTrials::with_fleet(const Purchases& purchases) const {
  return with_purchases(tasks_, market_, dealt(purchases, request_.zones), request_.keeps_cluster);
}

void LaunchTrials::set_order(Scenario& launched, std::uint64_t order) const {
  const auto given = static_cast<std::uint64_t>(std::max<std::int64_t>(1, request_.orders));
  if (order >= given && (order - given) % 4 == 1) return launch_orders_.set_against(launched, order);
  if (order >= given && (order - given) % 4 == 3) return launch_orders_.set_tie_order(launched, order);
  launch_orders_.set(launched, order);
}

bool LaunchTrials::places_all(const Scenario& launched) {
  if (request_.survives_zone_loss) return fills(launched);
  const Outcome outcome = placement::place(launched);
  effort_.spent += compute_cost(launched, std::ssize(outcome.placements) + std::ssize(outcome.failures));
  return counts_of(launched, outcome) == Leftover(launched.workloads.size());
}

std::int64_t LaunchTrials::equivalent_left_over(const Purchases& purchases) {
  const std::int64_t before = alike_->placed();
  const std::int64_t left = alike_->left_over(purchases);
  effort_.spent += alike_->placed() - before + std::ssize(purchases);
  return left;
}

MicroUsd most_credits(const Market& market, const Purchases& purchases) {
  MicroUsd sum = 0;
  if (market.credits.rates.empty()) return sum;
  for (const Purchase& one : purchases)
    sum += most_credits(market.credits, market.offers[one.offer].profile) * one.count;
  for (const Offer& offer : market.offers) {
    if (!offer.standing.empty())
      sum += most_credits(market.credits, offer.profile) * static_cast<MicroUsd>(offer.standing.size());
  }
  return sum;
}

MicroUsd LaunchTrials::credits(const Purchases& purchases) {
  const MicroUsd most = most_credits(market_, purchases);
  if (most == 0) return 0;
  const auto [known, is_new] = credits_.try_emplace(purchases, most);
  if (!is_new) return known->second;
  std::int64_t tasks = 0;
  for (const auto& workload : tasks_.workloads) tasks += workload.count.value_or(0);
  if (tasks > kMaxLaunched) return most;
  Scenario launched = with_fleet(purchases);
  set_order(launched, 0);
  const Outcome outcome = placement::place(launched);
  effort_.spent += compute_cost(launched, std::ssize(outcome.placements) + std::ssize(outcome.failures));
  return known->second = added_credits(market_.credits, launched, outcome);
}

bool LaunchTrials::fills(const Scenario& launched) {
  if (!request_.survives_zone_loss) return launch(launched, {}, LaunchWant::kIsFilled, effort_).is_filled;
  const auto [is_filled, outcome] = launch(launched, {}, LaunchWant::kOutcomeIfFilled, effort_);
  if (!is_filled) return false;
  return std::all_of(request_.zones.begin(), request_.zones.end(), [&, &placed = outcome](const std::string& zone) {
    const LostZone lost = lose_zone(launched, placed, zone);
    return launch(lost.scenario, lost.standing, LaunchWant::kIsFilled, effort_).is_filled;
  });
}

bool LaunchTrials::fills(const Purchases& purchases) {
  const auto [known, is_new] = known_.try_emplace(purchases, true);
  if (!is_new) return known->second;
  if (alike_) return known->second = equivalent_left_over(purchases) == 0;
  Scenario launched = with_fleet(purchases);
  const auto instances = launched.instances;
  for (auto order = orders_.begin(); order != orders_.end(); ++order) {
    launched.instances = instances;
    set_order(launched, *order);
    const bool is_filled = fills(launched);
    if (effort_.is_interrupted) {
      known_.erase(known);
      return false;
    }
    if (is_filled) continue;
    std::rotate(orders_.begin(), order, order + 1);
    return known->second = false;
  }
  return true;
}

std::optional<std::int64_t> LaunchTrials::confirmed(const Purchases& purchases, std::int64_t count) {
  if (alike_) return fills(purchases) ? std::optional(count) : std::nullopt;
  Scenario launched = with_fleet(purchases);
  const auto instances = launched.instances;
  const auto first = static_cast<std::uint64_t>(orders_.size());
  const auto end = first + static_cast<std::uint64_t>(count);
  for (auto order = first; order < end; ++order) {
    if (effort_.is_exhausted()) return static_cast<std::int64_t>(order - first);
    launched.instances = instances;
    set_order(launched, order);
    const bool is_filled = places_all(launched);
    if (effort_.is_interrupted) return static_cast<std::int64_t>(order - first);
    if (is_filled) continue;
    heed(order, end);
    known_[purchases] = false;
    return std::nullopt;
  }
  return count;
}

/// What filled the orders known so far is not known to fill these.
void LaunchTrials::heed(std::uint64_t failed, std::uint64_t end) {
  for (auto order = static_cast<std::uint64_t>(orders_.size()); order < end; ++order) orders_.push_back(order);
  const auto place = std::find(orders_.begin(), orders_.end(), failed);
  std::rotate(orders_.begin(), place, place + 1);
  std::erase_if(known_, [](const auto& one) { return one.second; });
}

std::optional<Leftover> LaunchTrials::leftover(const Purchases& purchases) {
  if (fills(purchases)) return std::nullopt;
  Leftover nothing(tasks_.workloads.size());
  if (effort_.is_interrupted) return nothing;
  if (alike_) {
    nothing[alike_->workload()] = equivalent_left_over(purchases);
    return nothing;
  }
  Scenario launched = with_fleet(purchases);
  const auto instances = launched.instances;
  for (const std::uint64_t order : orders_) {
    launched.instances = instances;
    set_order(launched, order);
    const Outcome outcome = launch(launched, {}, LaunchWant::kOutcome, effort_).outcome;
    if (effort_.is_interrupted) return nothing;
    Leftover left = counts_of(launched, outcome);
    const auto is_left = [](std::int64_t count) { return count > 0; };
    if (std::any_of(left.begin(), left.end(), is_left)) return left;
    if (!request_.survives_zone_loss) continue;
    for (const std::string& zone : request_.zones) {
      const LostZone lost = lose_zone(launched, outcome, zone);
      left = counts_of(lost.scenario, launch(lost.scenario, lost.standing, LaunchWant::kOutcome, effort_).outcome);
      if (effort_.is_interrupted) return nothing;
      if (std::any_of(left.begin(), left.end(), is_left)) return left;
    }
  }
  return std::nullopt;
}

}  // namespace bayplan::fleet
