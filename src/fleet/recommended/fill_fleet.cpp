#include "fleet/recommended/fill_fleet.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "fleet/ideal/assignments.hpp"
#include "fleet/ideal/equivalent_tasks.hpp"
#include "fleet/ideal/zone_loss.hpp"
#include "fleet/recommended/candidate_policies.hpp"
#include "fleet/recommended/dedicated_types.hpp"
#include "fleet/recommended/fill_search.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "fleet/recommended/top_up.hpp"
#include "fleet/recommended/type_pins.hpp"

namespace bayplan::fleet {

namespace {

constexpr std::size_t kSingleTypes = 3;
/// Sizes of one family cost the same for what they offer, and differ in what their rest is good for: fleets of one type
/// to start with are of types that differ by so much in CPU.
constexpr CpuUnits kSizeRatio = 4;

/// What the tasks cost at least on one bin type alone: the resource that is short decides. Nothing when a shape does
/// not fit.
std::optional<double> least_cost_on(const packing::PackingProblem& problem, std::size_t type) {
  const packing::BinType& bin = problem.types[type];
  packing::Amounts wanted{};
  for (const packing::Shape& shape : problem.shapes) {
    if (packing::most_copies(problem, shape, type) == 0) return std::nullopt;
    for (std::size_t d = 0; d < problem.dimensions; ++d) wanted[d] += shape.size[d] * shape.count;
  }
  double bins = 0;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (bin.capacity[d] > 0)
      bins = std::max(bins, static_cast<double>(wanted[d]) / static_cast<double>(bin.capacity[d]));
  }
  return bins * static_cast<double>(bin.price);
}

bool is_of_like_size(CpuUnits one, CpuUnits other) {
  return std::max(one, other) < kSizeRatio * std::min(one, other);
}

/// Lists up to kSingleTypes offers whose instances hold every task: of each size that on which the tasks cost least.
std::vector<std::uint32_t> single_offers(const Market& market, const Question& question) {
  std::map<std::uint32_t, double> cost;
  for (std::uint32_t i = 0; i < question.bins.size(); ++i) {
    const std::uint32_t offer = question.bins[i].offer;
    const auto own = least_cost_on(question.problem, i);
    if (!own || !market.offers[offer].standing.empty() || market.offers[offer].limit != packing::kUnlimited) continue;
    const auto known = cost.try_emplace(offer, *own).first;
    known->second = std::min(known->second, *own);
  }
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (const auto& [offer, own] : cost) sorted.emplace_back(own, offer);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> offers;
  for (const auto& [own, offer] : sorted) {
    const CpuUnits cpu = market.offers[offer].profile.cpu;
    const auto is_like = [&](std::uint32_t chosen) { return is_of_like_size(cpu, market.offers[chosen].profile.cpu); };
    if (std::none_of(offers.begin(), offers.end(), is_like)) offers.push_back(offer);
    if (offers.size() == kSingleTypes) break;
  }
  return offers;
}

/// Fleets to begin a search at: the ideal one; one with tasks that want no GPU on instances without; the cheapest of
/// a single type, which any strategy fills; of a few types where more are not allowed.
std::vector<Purchases> start_fleets(const Market& market, const Question& question, const packing::Solution& ideal,
                                    const FillRequest& request) {
  const Policy any;
  const TopUp packer(market, question, request, any);
  std::vector<Purchases> starts = {compute_purchases(question, market, ideal.packing)};
  if (const auto apart = apart_from_gpus(question, market))
    starts.push_back(compute_purchases(question, market, dealt_to_zones(question, *apart)));
  for (const std::uint32_t offer : single_offers(market, question)) {
    std::vector<bool> is_offered(market.offers.size());
    is_offered[offer] = true;
    if (auto fleet = packer.for_all(is_offered)) starts.push_back(std::move(*fleet));
  }
  std::erase_if(starts, [&](const Purchases& fleet) { return !is_allowed(market, fleet, request.most_types); });
  return starts;
}

/// One policy, and the search for the cheapest fleet that it fills.
class PolicySearch {
 public:
  /// `tasks` as `tasks_of` gives them. All but the policy must outlive it.
  PolicySearch(const placement::Scenario& tasks, Policy policy, const Market& market, const Question& question,
               const FillRequest& request, MicroUsd lower_bound, FillEffort& effort)
      : policy_(std::move(policy)),
        tasks_(with_policy(tasks, policy_)),
        trials_(tasks_, market, request, effort),
        search_({market, question, request, policy_, lower_bound}, trials_) {}
  PolicySearch(const PolicySearch&) = delete;
  PolicySearch& operator=(const PolicySearch&) = delete;

  FillSearch& search() { return search_; }
  const Policy& policy() const { return policy_; }
  bool fills(const Purchases& fleet) { return trials_.fills(fleet); }
  /// See LaunchTrials.
  std::optional<std::int64_t> confirmed(const Purchases& fleet, std::int64_t count) {
    return trials_.confirmed(fleet, count);
  }
  std::int64_t orders() const { return trials_.orders(); }

 private:
  const Policy policy_;
  const placement::Scenario tasks_;
  LaunchTrials trials_;
  FillSearch search_;
};

}  // namespace

using placement::Scenario;

namespace {

constexpr std::int64_t kDefaultEffort = 4'000'000;
constexpr std::size_t kWaysToClose = 3;
/// Constraints are more to write and to keep right: they are recommended where they save so much.
constexpr MicroUsd kPercentWorthWriting = 3;
constexpr std::size_t kSegmentations = 3;
/// To grow and to shrink one fleet that keeps workloads apart gets one part in so many of what is left.
constexpr std::int64_t kBeginningShare = 12;
/// The policy that is best at the first try gets one part in so many of the effort to get better, the next as much of
/// what is left; the last part is for closing the gap.
constexpr std::int64_t kRefinedShare = 4;
constexpr std::int64_t kShareWhenDone = 32;
/// To grow a fleet and to shrink it takes about as much as to try so many in every order.
constexpr std::int64_t kFleetsPerPolicy = 5;
/// A fleet that was chosen for filling the orders of the search is tried in so many times as many others, as far as its
/// own part of the effort goes, and searched for anew when it fails.
constexpr std::int64_t kConfirmingOrders = 10;
constexpr std::int64_t kConfirmingShare = 2;
constexpr int kMaxConfirmations = 40;
/// One confirmation of a policy that is not the cheapest takes one part in so many of its share: the rest is for
/// growing what fails, and for the policies after it.
constexpr std::int64_t kConfirmingParts = 4;

std::int64_t effort_of(const FillRequest& request) {
  return request.effort > 0 ? request.effort : kDefaultEffort;
}

FillMethod choose_fill_method(const Scenario& tasks, const Question& question, const FillRequest& request) {
  if (EquivalentTasks::are_equivalent(tasks, request)) return FillMethod::kAlikeTasks;
  return packing::tasks_of(question.problem) > kMaxLaunched ? FillMethod::kNone : FillMethod::kLaunches;
}

/// What one launch order of one fleet costs.
std::int64_t cost_of_one_order(const Question& question, const FillRequest& request) {
  const auto launches = request.survives_zone_loss ? 1 + std::ssize(request.zones) : 1;
  return std::max<std::int64_t>(1, packing::tasks_of(question.problem)) * launches;
}

std::int64_t confirming_orders(const Scenario& tasks, const Question& question, const FillRequest& request) {
  const auto wanted = kConfirmingOrders * std::max<std::int64_t>(1, request.orders);
  if (EquivalentTasks::are_equivalent(tasks, request)) return wanted;
  const auto affordable = effort_of(request) / kConfirmingShare / cost_of_one_order(question, request);
  return std::min(wanted, affordable);
}

class Filler {
 public:
  Filler(const Scenario& scenario, const Market& market, const Question& question, const packing::Solution& ideal,
         const FillRequest& request)
      : market_(market),
        question_(question),
        ideal_(ideal),
        request_(request),
        tasks_(tasks_of(scenario, question)),
        method_(choose_fill_method(tasks_, question, request)),
        total_(effort_of(request)),
        confirming_orders_(confirming_orders(tasks_, question, request)) {
    effort_.go_on = &request_.go_on;
  }

  Fill run() {
    Fill fill;
    fill.method = method_;
    const bool has_no_other_zone = request_.survives_zone_loss && request_.zones.size() < 2;
    if (has_no_other_zone || method_ == FillMethod::kNone) return fill;
    lower_bound_ = request_.survives_zone_loss
                       ? bound_with_zone_loss(ideal_.lower_bound, question_, market_, request_.zones)
                       : ideal_.lower_bound;
    for (Policy& policy : policies())
      searches_.push_back(std::make_unique<PolicySearch>(tasks_, std::move(policy), market_, question_, request_,
                                                         lower_bound_, effort_));
    starts_ = start_fleets(market_, question_, ideal_, request_);
    begin();
    refine();
    confirm_cheapest();
    confirm_others();
    for (const auto& search : searches_) {
      if (search->search().best()) fill.by_policy.push_back(filled(*search));
    }
    if (!fill.by_policy.empty()) fill.recommended = fill.by_policy.front();
    close_gap(fill);
    const auto worth_writing = std::find_if(fill.closing.begin(), fill.closing.end(), [&](const FilledFleet& closing) {
      return is_worth_writing(closing, fill.recommended);
    });
    if (worth_writing != fill.closing.end()) fill.recommended = *worth_writing;
    fill.exhausted = exhausted_;
    return fill;
  }

 private:
  /// Lets a part of the work spend no more than its share.
  template <class Work>
  void with_share(std::int64_t share, Work work) {
    effort_.limit = std::min(total_, effort_.spent + share);
    work();
    exhausted_ = exhausted_ || effort_.is_exhausted();
  }

  std::int64_t left() const { return std::max<std::int64_t>(0, total_ - effort_.spent); }

  std::int64_t cost_of_one_fleet() const {
    if (method_ == FillMethod::kAlikeTasks) return 1;
    return (1 + packing::tasks_of(question_.problem)) * std::max<std::int64_t>(1, request_.orders);
  }

  /// Where the effort is enough for few of them, those that fill best come first.
  std::vector<Policy> policies() {
    auto policies = candidate_policies(tasks_, request_.zones.size(), question_.constraints);
    const std::int64_t affordable = std::max<std::int64_t>(2, total_ / (kFleetsPerPolicy * cost_of_one_fleet()));
    if (affordable >= std::ssize(policies)) return policies;
    std::reverse(policies.begin(), policies.end());  // the largest first fills at once more often than not
    std::stable_partition(policies.begin(), policies.end(), [](const Policy& policy) {
      return policy.strategies.size() == 1 && policy.strategies.front().field == "memory";
    });
    policies.resize(static_cast<std::size_t>(affordable));
    exhausted_ = true;
    return policies;
  }

  /// A policy fills a fleet for which nothing cheaper can be had.
  bool is_done(PolicySearch& search) const {
    const auto cost = search.search().best_cost();
    return cost && *cost <= lower_bound_;
  }

  bool is_done() const {
    return std::any_of(searches_.begin(), searches_.end(), [&](const auto& search) { return is_done(*search); });
  }

  /// Every policy from the fleets to start with, the ideal one first. Once one is done the others get less.
  void begin() {
    auto steps = static_cast<std::int64_t>(starts_.size() * searches_.size());
    for (const Purchases& start : starts_) {
      if (&start != &starts_.front() && is_done() && effort_.spent > total_ / 4) break;
      for (const auto& search : searches_) {
        const auto share = std::max(left() / 2 / steps--, 2 * cost_of_one_fleet());
        if (!is_done(*search)) with_share(share, [&] { search->search().begin_at(start); });
      }
    }
    sort();
  }

  /// Cheapest first; of equal ones as they were.
  void sort() {
    const auto rank = [](const auto& search) { return search->search().best_rank(); };
    std::stable_sort(searches_.begin(), searches_.end(), [&](const auto& a, const auto& b) {
      const auto left = rank(a);
      const auto right = rank(b);
      return left && (!right || *left < *right);
    });
  }

  /// The policy that is best at the first try gets most of the effort. None is searched hard once the best can get no
  /// cheaper.
  void refine() {
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      FillSearch& search = searches_[i]->search();
      const auto share = left() / (is_done() ? kShareWhenDone : kRefinedShare);
      with_share(share / 2, [&] { search.exchange(); });
      with_share(share / 2, [&] { search.try_all(); });
    }
    sort();
  }

  /// The cheapest was chosen among many by the same orders, which it may have filled by chance alone.
  void confirm_cheapest() {
    std::int64_t reserve = effort_of(request_) / kConfirmingShare;
    for (int i = 0; i < kMaxConfirmations && confirming_orders_ > 0 && reserve > 0; ++i) {
      FillSearch& cheapest = searches_.front()->search();
      if (!cheapest.best() || cheapest.confirmed()) return;
      with_reserve(reserve, [&] {
        if (!cheapest.confirm(confirming_orders_)) search_anew(cheapest);
      });
      sort();
    }
  }

  /// A report tells what each policy fills: each is tried in orders that its search had not seen, and grown when it
  /// fails.
  void confirm_others() {
    const auto is_open = [](const auto& search) { return search->search().best() && !search->search().confirmed(); };
    std::int64_t reserve = effort_of(request_) / kConfirmingShare;
    auto open = std::count_if(searches_.begin(), searches_.end(), is_open);
    for (const auto& search : searches_) {
      if (!is_open(search)) continue;
      const std::int64_t share = reserve / open--;
      reserve += confirm_other(search->search(), share) - share;
    }
    sort();
  }

  /// Searches anew after each failure, within a part of what is left of `share`. Returns what is left in the end.
  std::int64_t confirm_other(FillSearch& search, std::int64_t share) {
    while (search.best() && !search.confirmed()) {
      const auto count = std::min(confirming_orders_, affordable_orders(share) / kConfirmingParts);
      if (count <= 0) break;
      bool is_confirmed = false;
      with_reserve(share, [&] { is_confirmed = search.confirm(count); });
      if (is_confirmed || share <= 0) continue;
      std::int64_t part = share / kConfirmingParts;
      share -= part;
      with_reserve(part, [&] { search_anew(search); });
      share += part;
    }
    return std::max<std::int64_t>(0, share);
  }

  std::int64_t affordable_orders(std::int64_t effort) const {
    if (method_ == FillMethod::kAlikeTasks) return confirming_orders_;
    return effort / cost_of_one_order(question_, request_);
  }

  void search_anew(FillSearch& search) const {
    for (const Purchases& start : starts_) search.begin_at(start);
    search.exchange();
    search.try_all();
  }

  /// Beside what the rest of the search may spend.
  template <class Work>
  void with_reserve(std::int64_t& reserve, Work work) {
    const std::int64_t before = effort_.spent;
    effort_.limit = before + reserve;
    work();
    reserve -= std::max<std::int64_t>(1, effort_.spent - before);
    total_ += effort_.spent - before;
  }

  /// Where the ideal fleet is cheaper: every workload is kept where a packing has it, then as few as will do.
  void close_gap(Fill& fill) {
    const MicroUsd to_beat = fill.recommended ? fill.recommended->hourly_cost : std::numeric_limits<MicroUsd>::max();
    if (lower_bound_ >= to_beat) return;
    std::vector<packing::Packing> packings = dedicated_type_packings(question_, market_, kSegmentations);
    if (auto apart = apart_from_gpus(question_, market_)) packings.push_back(std::move(*apart));
    packings.push_back(ideal_.packing);
    total_ = effort_.spent + effort_of(request_);
    std::vector<WayToClose> ways;
    for (const auto& search : searches_) {
      for (const packing::Packing& packing : packings) {
        const Purchases start = compute_purchases(question_, market_, packing);
        WayToClose way{find_type_pins(market_, question_, packing), search->policy(), nullptr};
        const bool is_worth_it = !way.pins.empty() && hourly_cost(market_, start) < to_beat &&
                                 is_allowed(market_, start, request_.most_types);
        if (!is_worth_it || left() == 0) continue;
        way.search = search_with(way.policy, way.pins);
        with_share(left() / kBeginningShare, [&] { way.search->search().begin_at(start); });
        if (compute_cost(way) < to_beat) ways.push_back(std::move(way));
      }
    }
    const auto by_cost = [&](const WayToClose& a, const WayToClose& b) { return compute_cost(a) < compute_cost(b); };
    std::stable_sort(ways.begin(), ways.end(), by_cost);
    if (ways.size() > kWaysToClose) ways.resize(kWaysToClose);
    auto tries = std::ssize(ways);
    for (WayToClose& way : ways) {
      const auto share = left() / tries--;
      with_share(share / 2, [&] { way.search->search().exchange(); });
      with_share(share / 2, [&] { leave_out_what_is_not_needed(way, fill); });
    }
    sort_ways(fill.closing);
  }

  /// Workloads kept apart, and the search for what they then need.
  struct WayToClose {
    Pins pins;
    Policy policy;  ///< The policy without the pins.
    std::unique_ptr<PolicySearch> search;
  };

  MicroUsd compute_cost(const WayToClose& way) const {
    return way.search->search().best_cost().value_or(std::numeric_limits<MicroUsd>::max());
  }

  static bool is_same_way(const FilledFleet& a, const FilledFleet& b) {
    const auto same = [](const auto& left, const auto& right) {
      return left.first == right.first && left.second.source == right.second.source;
    };
    return a.policy.order == b.policy.order &&
           std::equal(a.policy.constraints.begin(), a.policy.constraints.end(), b.policy.constraints.begin(),
                      b.policy.constraints.end(), same);
  }

  /// Cheapest first, with fewest constraints first of equal ones; one strategy of each way.
  static void sort_ways(std::vector<FilledFleet>& ways) {
    std::stable_sort(ways.begin(), ways.end(), [](const FilledFleet& a, const FilledFleet& b) {
      return std::pair(a.hourly_cost, a.policy.constraints.size()) <
             std::pair(b.hourly_cost, b.policy.constraints.size());
    });
    std::vector<FilledFleet> told;
    for (FilledFleet& way : ways) {
      const auto is_reported = [&](const FilledFleet& other) { return is_same_way(other, way); };
      if (told.size() < kWaysToClose && std::none_of(told.begin(), told.end(), is_reported))
        told.push_back(std::move(way));
    }
    ways = std::move(told);
  }

  void leave_out_what_is_not_needed(WayToClose& way, Fill& fill) {
    const Purchases& best = *way.search->search().best();
    const Pins needed = needed_pins(way.pins, [&](const Pins& fewer) {
      return !effort_.is_exhausted() && search_with(way.policy, fewer)->fills(best);
    });
    for (const Pins& enough : {needed, way.pins}) {
      const auto search = search_with(way.policy, enough);
      const auto confirmed = search->confirmed(best, confirming_orders_);
      if (!confirmed) continue;
      FilledFleet found = filled(*way.search);
      // Fewer constraints may spread the tasks in another way.
      found.hourly_cost = search->search().cost(best);
      found.policy = with_pins(way.policy, enough);
      found.confirmed = *confirmed;
      fill.closing.push_back(std::move(found));
      return;
    }
  }

  static Policy with_pins(Policy policy, const Pins& pins) {
    policy.constraints.insert(policy.constraints.end(), pins.begin(), pins.end());
    return policy;
  }

  std::unique_ptr<PolicySearch> search_with(const Policy& bare, const Pins& pins) {
    return std::make_unique<PolicySearch>(tasks_, with_pins(bare, pins), market_, question_, request_, lower_bound_,
                                          effort_);
  }

  FilledFleet filled(PolicySearch& search) const {
    const Purchases fleet = dealt(*search.search().best(), request_.zones);
    return {fleet, *search.search().best_cost(), search.policy(), search.orders(),
            search.search().confirmed().value_or(0)};
  }

  const Market& market_;
  const Question& question_;
  const packing::Solution& ideal_;
  const FillRequest& request_;
  const Scenario tasks_;
  const FillMethod method_;
  std::int64_t total_;
  const std::int64_t confirming_orders_;
  std::vector<Purchases> starts_;
  FillEffort effort_;
  bool exhausted_ = false;
  MicroUsd lower_bound_ = 0;
  std::vector<std::unique_ptr<PolicySearch>> searches_;
};

}  // namespace

bool is_worth_writing(const FilledFleet& with_constraints, const std::optional<FilledFleet>& without) {
  if (!without) return true;
  if (with_constraints.confirmed == 0 && without->confirmed > 0) return false;
  return with_constraints.hourly_cost * 100 <= without->hourly_cost * (100 - kPercentWorthWriting);
}

Fill find_fill(const Scenario& scenario, const Market& market, const Question& question, const packing::Solution& ideal,
               const FillRequest& request) {
  return Filler(scenario, market, question, ideal, request).run();
}

std::optional<std::int64_t> confirmed_orders(const Scenario& scenario, const Market& market, const Question& question,
                                             const FilledFleet& fleet, const FillRequest& request) {
  FillEffort effort;
  effort.limit = effort_of(request) / kConfirmingShare;
  effort.go_on = &request.go_on;
  FillRequest tried = request;
  tried.orders = fleet.orders;
  const Scenario tasks = with_policy(tasks_of(scenario, question), fleet.policy);
  return LaunchTrials(tasks, market, tried, effort)
      .confirmed(fleet.purchases, confirming_orders(tasks, question, request));
}

}  // namespace bayplan::fleet
