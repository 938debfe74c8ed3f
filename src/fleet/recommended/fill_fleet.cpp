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

using placement::Scenario;

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
    const auto is_like = [&](std::uint32_t chosen) {
      const CpuUnits other = market.offers[chosen].profile.cpu;
      return std::max(cpu, other) < kSizeRatio * std::min(cpu, other);
    };
    if (std::none_of(offers.begin(), offers.end(), is_like)) offers.push_back(offer);
    if (offers.size() == kSingleTypes) break;
  }
  return offers;
}

/// Fleets to begin a search at: the ideal one; one with tasks that want no GPU on instances without; the cheapest of
/// a single type, which any strategy fills; of a few types where more are not allowed.
std::vector<Purchases> start_fleets(const Market& market, const Question& question, const packing::Solution& ideal,
                                    const std::optional<packing::Packing>& apart, const FillRequest& request) {
  const Policy any;
  const TopUp packer(market, question, request, any);
  std::vector<Purchases> starts = {compute_purchases(question, market, ideal.packing)};
  if (apart) starts.push_back(compute_purchases(question, market, dealt_to_zones(question, *apart)));
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
  PolicySearch(const Scenario& tasks, Policy policy, const Market& market, const Question& question,
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
  const Scenario tasks_;
  LaunchTrials trials_;
  FillSearch search_;
};

constexpr std::int64_t kDefaultEffort = 4'000'000;
constexpr std::size_t kWaysToClose = 3;
/// Constraints are more to write and to keep right: they are recommended where they save so much.
constexpr MicroUsd kPercentWorthWriting = 3;
constexpr std::size_t kSegmentations = 3;
/// To grow and to shrink one fleet that keeps workloads apart gets one part of this many of the rest.
constexpr std::int64_t kBeginningShare = 12;
/// The policy that is best at the first try gets one part of this many of the effort to get better, the next as much of
/// the rest; the last part is for closing the gap.
constexpr std::int64_t kRefinedShare = 4;
constexpr std::int64_t kShareWhenDone = 32;
/// To grow a fleet and to shrink it takes about as much as to try this many in every order.
constexpr std::int64_t kFleetsPerPolicy = 5;
/// A fleet that was chosen for filling the orders of the search is tried in this many times as many others, as far as
/// its own part of the effort goes, and searched for again when it fails.
constexpr std::int64_t kConfirmingOrders = 10;
constexpr std::int64_t kConfirmingShare = 2;
constexpr int kMaxConfirmations = 40;
/// One confirmation of a policy that is not the cheapest takes one part of this many of its share: the rest is for
/// growing what fails, and for the policies after it.
constexpr std::int64_t kConfirmingParts = 4;

std::int64_t effort_of(const FillRequest& request) {
  return request.effort > 0 ? request.effort : kDefaultEffort;
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

/// The effort of all searches, which each part of the work spends a share of.
class SharedEffort {
 public:
  explicit SharedEffort(const FillRequest& request) : total_(effort_of(request)) { effort_.go_on = &request.go_on; }

  FillEffort& effort() { return effort_; }
  std::int64_t total() const { return total_; }
  std::int64_t spent() const { return effort_.spent; }
  std::int64_t left() const { return std::max<std::int64_t>(0, total_ - effort_.spent); }
  bool was_exhausted() const { return was_exhausted_; }
  void set_exhausted() { was_exhausted_ = true; }
  /// Allows as much again as was allowed at first, whatever was spent.
  void renew(std::int64_t more) { total_ = effort_.spent + more; }

  /// Lets a part of the work spend no more than its share.
  template <class Work>
  void with_share(std::int64_t share, Work work) {
    effort_.limit = std::min(total_, effort_.spent + share);
    work();
    was_exhausted_ = was_exhausted_ || effort_.is_exhausted();
  }

  /// Lets a part of the work spend what is reserved for it, in addition to the total.
  template <class Work>
  void with_reserve(std::int64_t& reserve, Work work) {
    const std::int64_t before = effort_.spent;
    effort_.limit = before + reserve;
    work();
    reserve -= std::max<std::int64_t>(1, effort_.spent - before);
    total_ += effort_.spent - before;
  }

 private:
  std::int64_t total_;
  FillEffort effort_;
  bool was_exhausted_ = false;
};

/// What the steps of the search look at; none of them changes it.
struct FillTerms {
  const Market& market;
  const Question& question;
  const FillRequest& request;
  const Scenario& tasks;
  FillMethod method;
  MicroUsd lower_bound;
  std::int64_t confirming_orders;
  const std::vector<KnownFleet>& known;
};

using Searches = std::vector<std::unique_ptr<PolicySearch>>;

std::unique_ptr<PolicySearch> search_with(const FillTerms& terms, Policy policy, SharedEffort& shared) {
  return std::make_unique<PolicySearch>(terms.tasks, std::move(policy), terms.market, terms.question, terms.request,
                                        terms.lower_bound, shared.effort());
}

/// What one fleet costs in every launch order.
std::int64_t cost_of_one_fleet(const Scenario& tasks, const Question& question, const FillRequest& request) {
  if (EquivalentTasks::are_equivalent(tasks, request)) return 1;
  return (1 + packing::tasks_of(question.problem)) * std::max<std::int64_t>(1, request.orders);
}

std::int64_t cost_of_one_fleet(const FillTerms& terms) {
  return cost_of_one_fleet(terms.tasks, terms.question, terms.request);
}

/// One search for each policy that the effort is enough for.
Searches make_searches(const FillTerms& terms, SharedEffort& shared) {
  auto policies = affordable_policies(terms.tasks, terms.question, terms.request);
  const auto candidates = candidate_policies(terms.tasks, terms.request.zones.size(), terms.question.constraints);
  if (policies.size() < candidates.size()) shared.set_exhausted();
  Searches searches;
  for (Policy& policy : policies) searches.push_back(search_with(terms, std::move(policy), shared));
  return searches;
}

/// Whether the policy fills a fleet for which no cheaper one exists.
bool is_done(const FillTerms& terms, PolicySearch& search) {
  const auto cost = search.search().best_cost();
  return cost && *cost <= terms.lower_bound;
}

bool is_any_done(const FillTerms& terms, const Searches& searches) {
  return std::any_of(searches.begin(), searches.end(), [&](const auto& search) { return is_done(terms, *search); });
}

/// Cheapest first; of equal ones as they were.
void sort(Searches& searches) {
  const auto rank = [](const auto& search) { return search->search().best_rank(); };
  std::stable_sort(searches.begin(), searches.end(), [&](const auto& a, const auto& b) {
    const auto left = rank(a);
    const auto right = rank(b);
    return left && (!right || *left < *right);
  });
}

/// Searches each policy from the fleets to start with, the ideal one first. Once one is done the others get less.
void begin(const FillTerms& terms, const std::vector<Purchases>& starts, Searches& searches, SharedEffort& shared) {
  auto steps = static_cast<std::int64_t>(starts.size() * searches.size());
  for (const Purchases& start : starts) {
    if (&start != &starts.front() && is_any_done(terms, searches) && shared.spent() > shared.total() / 4) break;
    for (const auto& search : searches) {
      const auto share = std::max(shared.left() / 2 / steps--, 2 * cost_of_one_fleet(terms));
      if (!is_done(terms, *search)) shared.with_share(share, [&] { search->search().begin_at(start); });
    }
  }
  sort(searches);
}

/// Improves what was found. The policy that is best at the first try gets most of the effort, and none is searched hard
/// once the best can get no cheaper.
void refine(const FillTerms& terms, Searches& searches, SharedEffort& shared) {
  for (const auto& search : searches) {
    const auto share = shared.left() / (is_any_done(terms, searches) ? kShareWhenDone : kRefinedShare);
    shared.with_share(share / 2, [&] { search->search().exchange(); });
    shared.with_share(share / 2, [&] { search->search().try_all(); });
  }
  sort(searches);
}

void search_again(const std::vector<Purchases>& starts, FillSearch& search) {
  for (const Purchases& start : starts) search.begin_at(start);
  search.exchange();
  search.try_all();
}

/// Whether another search has a better fleet for the policy, or the same one with as many orders confirmed.
bool is_beaten(const FillTerms& terms, PolicySearch& search) {
  const auto& rank = search.search().best_rank();
  return rank && std::any_of(terms.known.begin(), terms.known.end(), [&](const KnownFleet& other) {
           return other.policy == search.policy().name && other.order == search.policy().order &&
                  (other.rank < *rank || (other.rank == *rank && other.confirmed >= terms.confirming_orders));
         });
}

/// The cheapest was chosen among many by the same orders, which it may have filled by chance alone: it is tried in
/// others, and what replaces it when it fails is tried as well.
void confirm_cheapest(const FillTerms& terms, const std::vector<Purchases>& starts, Searches& searches,
                      SharedEffort& shared) {
  std::int64_t reserve = effort_of(terms.request) / kConfirmingShare;
  for (int i = 0; i < kMaxConfirmations && terms.confirming_orders > 0 && reserve > 0; ++i) {
    FillSearch& cheapest = searches.front()->search();
    if (!cheapest.best() || cheapest.confirmed() || is_beaten(terms, *searches.front())) return;
    shared.with_reserve(reserve, [&] {
      if (!cheapest.confirm(terms.confirming_orders)) search_again(starts, cheapest);
    });
    sort(searches);
  }
}

/// Confirms one policy, and searches again after each failure, within a part of the rest of `share`. Returns the rest.
std::int64_t confirm_other(const FillTerms& terms, const std::vector<Purchases>& starts, FillSearch& search,
                           std::int64_t share, SharedEffort& shared) {
  while (search.best() && !search.confirmed()) {
    const std::int64_t affordable = terms.method == FillMethod::kAlikeTasks
                                        ? terms.confirming_orders
                                        : share / cost_of_one_order(terms.question, terms.request);
    const auto count = std::min(terms.confirming_orders, affordable / kConfirmingParts);
    if (count <= 0) break;
    bool is_confirmed = false;
    shared.with_reserve(share, [&] { is_confirmed = search.confirm(count); });
    if (is_confirmed || share <= 0) continue;
    std::int64_t part = share / kConfirmingParts;
    share -= part;
    shared.with_reserve(part, [&] { search_again(starts, search); });
    share += part;
  }
  return std::max<std::int64_t>(0, share);
}

/// A report lists what each policy fills: each is tried in orders that its search had not seen, and grown when it
/// fails.
void confirm_others(const FillTerms& terms, const std::vector<Purchases>& starts, Searches& searches,
                    SharedEffort& shared) {
  const auto is_open = [&](const auto& search) {
    return search->search().best() && !search->search().confirmed() && !is_beaten(terms, *search);
  };
  std::int64_t reserve = effort_of(terms.request) / kConfirmingShare;
  auto open = std::count_if(searches.begin(), searches.end(), is_open);
  for (const auto& search : searches) {
    if (!is_open(search)) continue;
    const std::int64_t share = reserve / open--;
    reserve += confirm_other(terms, starts, search->search(), share, shared) - share;
  }
  sort(searches);
}

FilledFleet filled(const FillTerms& terms, PolicySearch& search) {
  const Purchases fleet = dealt(*search.search().best(), terms.request.zones);
  return {fleet, *search.search().best_cost(), search.policy(), search.orders(),
          search.search().confirmed().value_or(0)};
}

/// Workloads kept apart, and the search for what they then need.
struct WayToClose {
  Pins pins;
  Policy policy;  ///< The policy without the pins.
  std::unique_ptr<PolicySearch> search;
};

Policy with_pins(Policy policy, const Pins& pins) {
  policy.constraints.insert(policy.constraints.end(), pins.begin(), pins.end());
  return policy;
}

/// The fleet of a way with the fewest pins that fill it, if other launch orders confirm it; else with all of its pins.
/// Nothing if they fail, too.
std::optional<FilledFleet> with_needed_pins(const FillTerms& terms, WayToClose& way, SharedEffort& shared) {
  const Purchases& best = *way.search->search().best();
  const Pins needed = needed_pins(way.pins, [&](const Pins& fewer) {
    return !shared.effort().is_exhausted() && search_with(terms, with_pins(way.policy, fewer), shared)->fills(best);
  });
  for (const Pins& enough : {needed, way.pins}) {
    const auto search = search_with(terms, with_pins(way.policy, enough), shared);
    const auto confirmed = search->confirmed(best, terms.confirming_orders);
    if (!confirmed) continue;
    FilledFleet found = filled(terms, *way.search);
    found.hourly_cost = search->search().cost(best);  // fewer constraints may spread the tasks in another way
    found.policy = with_pins(way.policy, enough);
    found.confirmed = *confirmed;
    return found;
  }
  return std::nullopt;
}

/// Fleets nearer to the ideal one, where that is cheaper than `to_beat`: every workload is kept where a packing has it,
/// then with as few constraints as suffice.
std::vector<FilledFleet> close_gap(const FillTerms& terms, const packing::Solution& ideal,
                                   const std::optional<packing::Packing>& apart, const Searches& searches,
                                   MicroUsd to_beat, SharedEffort& shared) {
  if (terms.lower_bound >= to_beat) return {};
  std::vector<packing::Packing> packings = dedicated_type_packings(terms.question, terms.market, kSegmentations);
  if (apart) packings.push_back(*apart);
  packings.push_back(ideal.packing);
  shared.renew(effort_of(terms.request));
  const auto cost = [](const WayToClose& way) {
    return way.search->search().best_cost().value_or(std::numeric_limits<MicroUsd>::max());
  };
  std::vector<WayToClose> ways;
  for (const auto& search : searches) {
    for (const packing::Packing& packing : packings) {
      const Purchases start = compute_purchases(terms.question, terms.market, packing);
      WayToClose way{find_type_pins(terms.market, terms.question, packing), search->policy(), nullptr};
      const bool is_worth_it = !way.pins.empty() && hourly_cost(terms.market, start) < to_beat &&
                               is_allowed(terms.market, start, terms.request.most_types);
      if (!is_worth_it || shared.left() == 0) continue;
      way.search = search_with(terms, with_pins(way.policy, way.pins), shared);
      shared.with_share(shared.left() / kBeginningShare, [&] { way.search->search().begin_at(start); });
      if (cost(way) < to_beat) ways.push_back(std::move(way));
    }
  }
  std::stable_sort(ways.begin(), ways.end(),
                   [&](const WayToClose& a, const WayToClose& b) { return cost(a) < cost(b); });
  if (ways.size() > kWaysToClose) ways.resize(kWaysToClose);
  std::vector<FilledFleet> closing;
  auto tries = std::ssize(ways);
  for (WayToClose& way : ways) {
    const auto share = shared.left() / tries--;
    shared.with_share(share / 2, [&] { way.search->search().exchange(); });
    shared.with_share(share / 2, [&] {
      if (auto fleet = with_needed_pins(terms, way, shared)) closing.push_back(std::move(*fleet));
    });
  }
  return best_ways(std::move(closing));
}

}  // namespace

std::vector<FilledFleet> best_ways(std::vector<FilledFleet> ways) {
  std::stable_sort(ways.begin(), ways.end(), [](const FilledFleet& a, const FilledFleet& b) {
    return std::pair(a.hourly_cost, a.policy.constraints.size()) <
           std::pair(b.hourly_cost, b.policy.constraints.size());
  });
  const auto is_same_constraint = [](const auto& left, const auto& right) {
    return left.first == right.first && left.second.source == right.second.source;
  };
  std::vector<FilledFleet> best;
  for (FilledFleet& way : ways) {
    const bool is_known = std::any_of(best.begin(), best.end(), [&](const FilledFleet& other) {
      return other.policy.order == way.policy.order &&
             std::equal(other.policy.constraints.begin(), other.policy.constraints.end(),
                        way.policy.constraints.begin(), way.policy.constraints.end(), is_same_constraint);
    });
    if (best.size() < kWaysToClose && !is_known) best.push_back(std::move(way));
  }
  return best;
}

bool is_worth_writing(const FilledFleet& with_constraints, const std::optional<FilledFleet>& without) {
  if (!without) return true;
  if (with_constraints.confirmed == 0 && without->confirmed > 0) return false;
  return with_constraints.hourly_cost * 100 <= without->hourly_cost * (100 - kPercentWorthWriting);
}

std::vector<Policy> affordable_policies(const Scenario& tasks, const Question& question, const FillRequest& request) {
  auto policies = candidate_policies(tasks, request.zones.size(), question.constraints);
  const std::int64_t affordable =
      std::max<std::int64_t>(2, effort_of(request) / (kFleetsPerPolicy * cost_of_one_fleet(tasks, question, request)));
  if (affordable >= std::ssize(policies)) return policies;
  std::reverse(policies.begin(), policies.end());  // the largest first fills at once more often than not
  std::stable_partition(policies.begin(), policies.end(), [](const Policy& policy) {
    return policy.strategies.size() == 1 && policy.strategies.front().field == "memory";
  });
  policies.resize(static_cast<std::size_t>(affordable));
  return policies;
}

Fill find_fill(const Scenario& scenario, const Market& market, const Question& question, const packing::Solution& ideal,
               const FillRequest& request, const std::vector<Purchases>& more_starts,
               const std::vector<KnownFleet>& known) {
  const Scenario tasks = tasks_of(scenario, question);
  Fill fill;
  fill.method = EquivalentTasks::are_equivalent(tasks, request)      ? FillMethod::kAlikeTasks
                : packing::tasks_of(question.problem) > kMaxLaunched ? FillMethod::kNone
                                                                     : FillMethod::kLaunches;
  const bool has_no_other_zone = request.survives_zone_loss && request.zones.size() < 2;
  if (has_no_other_zone || fill.method == FillMethod::kNone) return fill;
  const MicroUsd lower_bound = request.survives_zone_loss
                                   ? bound_with_zone_loss(ideal.lower_bound, question, market, request.zones)
                                   : ideal.lower_bound;
  const FillTerms terms{
      market, question, request, tasks, fill.method, lower_bound, confirming_orders(tasks, question, request), known};

  SharedEffort shared(request);
  Searches searches = make_searches(terms, shared);
  const auto apart = apart_from_gpus(question, market);
  std::vector<Purchases> starts = start_fleets(market, question, ideal, apart, request);
  starts.insert(starts.empty() ? starts.end() : starts.begin() + 1, more_starts.begin(), more_starts.end());
  begin(terms, starts, searches, shared);
  refine(terms, searches, shared);
  confirm_cheapest(terms, starts, searches, shared);
  confirm_others(terms, starts, searches, shared);
  for (const auto& search : searches) {
    if (search->search().best()) fill.by_policy.push_back(filled(terms, *search));
  }
  if (!fill.by_policy.empty()) fill.recommended = fill.by_policy.front();

  const MicroUsd to_beat = fill.recommended ? fill.recommended->hourly_cost : std::numeric_limits<MicroUsd>::max();
  fill.closing = close_gap(terms, ideal, apart, searches, to_beat, shared);
  const auto worth_writing = std::find_if(fill.closing.begin(), fill.closing.end(), [&](const FilledFleet& closing) {
    return is_worth_writing(closing, fill.recommended);
  });
  if (worth_writing != fill.closing.end()) fill.recommended = *worth_writing;
  fill.exhausted = shared.was_exhausted();
  return fill;
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
