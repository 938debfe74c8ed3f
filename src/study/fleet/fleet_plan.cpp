#include "study/fleet/fleet_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/requirement.hpp"
#include "catalog/ecs_quotas.hpp"
#include "fleet/ideal/assignments.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "fleet/ideal/zone_loss.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "fleet/recommended/launch_trials.hpp"
#include "packing/linear_program.hpp"
#include "packing/money.hpp"
#include "packing/undominated_types.hpp"
#include "packing/volume_bound.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "study/fleet/filled_fleet.hpp"
#include "study/fleet/offer_subsets.hpp"
#include "study/whatif/variant.hpp"
#include "study/whatif/what_if.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Purchase;
using fleet::Purchases;
using fleet::Question;
using packing::LinearProgram;
using packing::PackingProblem;
using placement::Scenario;

namespace {

/// What is in use of a resource, and how much there is.
struct Load {
  double used = 0;
  double there = 0;
};

std::vector<Load> compute_loads(const Question& question, const packing::Packing& packing) {
  const auto& problem = question.problem;
  std::vector<Load> loads(problem.dimensions);
  for (const auto& filled : packing) {
    const auto bins = static_cast<double>(filled.bins);
    for (std::size_t d = 0; d < loads.size(); ++d) {
      const auto type = filled.pattern.type;
      const bool is_cpu = question.dimensions[d] == "CPU";
      loads[d].there +=
          bins * static_cast<double>(is_cpu ? question.bins[type].cpu_room : problem.types[type].capacity[d]);
      for (const auto& copies : filled.pattern.copies)
        loads[d].used += bins * static_cast<double>(copies.count * problem.shapes[copies.shape].size[d]);
    }
  }
  return loads;
}

/// How much of the problem's unit a person's unit is: vCPU, GiB, GPU.
double choose_unit(const Question& question, const Market& market, std::size_t d) {
  if (question.dimensions[d] == "CPU") return kUnitsPerVcpu;
  if (question.dimensions[d] == "MEMORY") return kMiBPerGiB;
  for (std::size_t bin = 0; bin < question.bins.size(); ++bin) {
    if (question.dimensions[d] == "NEURON_DEVICE") return 1;
    const auto gpus = market.offers[question.bins[bin].offer].profile.gpu_count;
    if (gpus > 0) return static_cast<double>(question.problem.types[bin].capacity[d]) / static_cast<double>(gpus);
  }
  return 1;
}

}  // namespace

std::vector<ResourcePrice> resource_prices(const Question& question, const Market& market,
                                           const packing::Packing& packing, const std::vector<std::int64_t>& worth) {
  const auto& problem = question.problem;
  const auto loads = compute_loads(question, packing);
  LinearProgram program;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s)
    program.add_row(-LinearProgram::kInfinity, static_cast<double>(worth[s]) / packing::kNanoUsdPerUsd);
  std::vector<double> units;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    units.push_back(choose_unit(question, market, d));
    std::vector<LinearProgram::Entry> entries;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s)
      entries.push_back({static_cast<int>(s), static_cast<double>(problem.shapes[s].size[d]) / units[d]});
    const auto& load = loads[d];
    const double explained = load.there > 0 ? load.used / units[d] * (load.used / load.there) : 0;
    program.add_column(-explained, LinearProgram::kInfinity, entries);
  }
  std::vector<ResourcePrice> prices;
  if (!program.solve()) return prices;
  const auto values = program.values();
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    const std::string& name = question.dimensions[d];
    if (name == "CPU" || name == "MEMORY" || name == "GPU" || name == "NEURON_DEVICE")
      prices.push_back({question.dimensions[d], values[d]});
  }
  return prices;
}

namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kMaxSolved = 24;  ///< Single types packed; those left cost more than the shown by bound.
constexpr std::size_t kMaxLeftOut = 3;  ///< Types of the ideal fleet done without.
constexpr std::int64_t kEffortEach = 2'000'000;

/// Bin types of the problem that belong to one instance type, and those that are there at no price.
struct TypeBins {
  std::string instance_type;
  std::vector<std::uint32_t> bins;
  MicroUsd at_least = 0;  ///< No fleet of the type alone costs less.
};

const std::string& type_of(const Question& question, const Market& market, std::size_t bin) {
  return market.offers[question.bins[bin].offer].profile.instance_type;
}

bool is_there(const fleet::Offer& offer) {
  return offer.is_owned || !offer.standing.empty();
}

/// `alone`: owned instances of other types count as further types, and are not there.
std::vector<TypeBins> by_type(const Question& question, const Market& market, bool alone) {
  std::vector<TypeBins> types;
  std::map<std::string_view, std::size_t> position;
  std::vector<std::uint32_t> there;
  for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
    if (is_there(market.offers[question.bins[bin].offer])) {
      there.push_back(bin);
      continue;
    }
    const auto& type = type_of(question, market, bin);
    const auto [entry, is_new] = position.emplace(type, types.size());
    if (is_new) types.push_back({type, {}, 0});
    types[entry->second].bins.push_back(bin);
  }
  for (auto& type : types) {
    std::copy_if(there.begin(), there.end(), std::back_inserter(type.bins), [&](std::uint32_t bin) {
      const bool is_owned = market.offers[question.bins[bin].offer].is_owned;
      return !alone || !is_owned || type_of(question, market, bin) == type.instance_type;
    });
    std::sort(type.bins.begin(), type.bins.end());
  }
  return types;
}

bool holds_all(const PackingProblem& problem, const std::vector<std::uint32_t>& bins) {
  return std::all_of(problem.shapes.begin(), problem.shapes.end(), [&](const packing::Shape& shape) {
    return shape.count == 0 || std::any_of(bins.begin(), bins.end(), [&](std::uint32_t bin) {
             return packing::most_copies(problem, shape, bin) > 0;
           });
  });
}

/// The cheapest fleet of these bin types; nothing when limits leave tasks over, or it takes more types than may be.
using PackAlone = std::function<std::optional<Alternative>(const std::vector<std::uint32_t>& bins)>;

std::optional<Alternative> pack_alone(const Question& question, const Market& market, std::int64_t most_types,
                                      const std::function<bool()>& go_on, const std::vector<std::uint32_t>& bins) {
  packing::SolveLimits limits;
  limits.effort = kEffortEach;
  limits.go_on = [&](const packing::Progress&) { return go_on(); };
  const auto solution = packing::solve_in_whole(packing::sub_problem(question.problem, bins), limits);
  if (std::any_of(solution.left_over.begin(), solution.left_over.end(), [](auto count) { return count > 0; }))
    return std::nullopt;
  Alternative found;
  found.purchases = fleet::compute_purchases(question, market, solution.packing);
  if (!fleet::is_allowed(market, found.purchases, most_types)) return std::nullopt;
  found.hourly_cost = fleet::cost_of(market, question, solution.packing);
  found.proven = solution.optimal && found.hourly_cost <= solution.cost;
  found.use = use_of(market, question, solution.packing);
  return found;
}

bool costs_less(const Alternative& a, const Alternative& b) {
  return a.hourly_cost < b.hourly_cost;
}

/// The cheapest few fleets of one type: a type is packed as long as its bound is below what was found.
std::vector<Alternative> single_types(const PackingProblem& problem, std::vector<TypeBins> types, const PackAlone& pack,
                                      const std::function<bool()>& go_on) {
  for (auto& type : types) type.at_least = packing::volume_bound(problem, type.bins).value_or(packing::kUnlimited);
  std::stable_sort(types.begin(), types.end(),
                   [](const TypeBins& a, const TypeBins& b) { return a.at_least < b.at_least; });
  std::vector<Alternative> found;
  std::size_t solved = 0;
  for (const auto& type : types) {
    const bool is_enough = found.size() >= kShown && type.at_least >= found[kShown - 1].hourly_cost;
    if (is_enough || ++solved > kMaxSolved || !go_on()) break;
    auto one = pack(type.bins);
    if (!one) continue;
    one->instance_type = type.instance_type;
    found.insert(std::upper_bound(found.begin(), found.end(), *one, costs_less), std::move(*one));
  }
  if (found.size() > kShown) found.resize(kShown);
  return found;
}

/// The cheapest fleets that do without one of the types.
std::vector<Alternative> without_each(const std::set<std::string>& types, const Question& question,
                                      const Market& market, const PackAlone& pack, const std::function<bool()>& go_on) {
  std::vector<Alternative> found;
  for (const auto& type : types) {
    if (found.size() >= kMaxLeftOut || !go_on()) break;
    std::vector<std::uint32_t> bins;
    for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
      if (is_there(market.offers[question.bins[bin].offer]) || type_of(question, market, bin) != type)
        bins.push_back(bin);
    }
    if (!holds_all(question.problem, bins)) continue;
    auto one = pack(bins);
    if (!one) continue;
    one->kind = AlternativeKind::kWithoutType;
    one->instance_type = type;
    found.push_back(std::move(*one));
  }
  std::stable_sort(found.begin(), found.end(), costs_less);
  return found;
}

}  // namespace

Alternatives alternatives_to(const fleet::Purchases& fleet, const Question& question, const Market& market,
                             std::int64_t most_types, const std::function<bool()>& go_on) {
  Alternatives result;
  auto types = by_type(question, market, most_types > 0);
  result.types = static_cast<std::int64_t>(types.size());
  std::erase_if(types, [&](const TypeBins& type) {
    if (holds_all(question.problem, type.bins)) return false;
    result.impossible.push_back(type.instance_type);
    return true;
  });
  const PackAlone pack = [&](const std::vector<std::uint32_t>& bins) {
    return pack_alone(question, market, most_types, go_on, bins);
  };
  std::set<std::string> bought;
  for (const auto& purchase : fleet) {
    const auto& offer = market.offers[purchase.offer];
    if (!is_there(offer)) bought.insert(offer.profile.instance_type);
  }
  result.list = single_types(question.problem, std::move(types), pack, go_on);
  if (bought.size() == 1)
    std::erase_if(result.list, [&](const auto& one) { return bought.count(one.instance_type) > 0; });
  if (most_types == 1) return result;  // without the one type it is the next of the list
  auto without = without_each(bought, question, market, pack, go_on);
  std::move(without.begin(), without.end(), std::back_inserter(result.list));
  return result;
}

namespace {

constexpr std::size_t kMaxNamed = 4;  ///< Workloads in a contradiction.
constexpr int kMaxRounds = 4;         ///< Limit of rounds that add what services need to roll.
constexpr std::int64_t kPlacementsWhenStopped = 300'000;
constexpr std::int64_t kMaxTasksToProve = 120;
constexpr std::size_t kMaxShapesBoundedSoon = 100;
constexpr std::int64_t kShareOfPacking = 4;
constexpr std::int64_t kMaxVerified = 200'000;  ///< Tasks of a fleet that is replayed attempt by attempt.

/// Asks the caller between steps whether to go on, and remembers what ended the search.
class Watch {
 public:
  explicit Watch(const FleetRequest& request) : request_(request) {}

  bool go_on(FleetProgress::Phase phase) {
    progress_.phase = phase;
    if (!stopped_) stopped_ = request_.stop(progress_);
    return !stopped_;
  }
  bool go_on(const packing::Progress& packing) {
    progress_.packing = packing;
    return go_on(FleetProgress::Phase::kPacking);
  }
  const std::optional<FleetStop>& stopped() const { return stopped_; }

 private:
  const FleetRequest& request_;
  FleetProgress progress_;
  std::optional<FleetStop> stopped_;
};

/// The inputs of every step of the plan.
struct PlanInput {
  const Scenario& scenario;
  const Market& market;
  const FleetRequest& request;
  const Question& question;
};

bool is_none(const std::vector<std::int64_t>& left_over) {
  return std::all_of(left_over.begin(), left_over.end(), [](std::int64_t count) { return count == 0; });
}

/// The cheapest packing found of any instance types, or of as many as the request allows, with its bound.
fleet::BoundedPacking solve(const PlanInput& input, Watch& watch) {
  packing::SolveLimits limits;
  // Branch and price closes the gap of few tasks. Of more, the search after the bound is for parts of a per cent, while
  // launch orders cost several: the effort is better spent on these.
  const bool is_bounded_soon = packing::tasks_of(input.question.problem) > kMaxTasksToProve &&
                               input.question.problem.shapes.size() <= kMaxShapesBoundedSoon;
  limits.effort = is_bounded_soon ? input.request.effort / kShareOfPacking : input.request.effort;
  limits.gap = input.request.gap;
  limits.threads = input.request.threads;
  limits.go_on = [&](const packing::Progress& progress) { return watch.go_on(progress); };
  if (input.request.most_types > 0)
    return fleet::solve_few_types(input.market, input.question, input.request.most_types, limits);
  fleet::BoundedPacking bounded;
  bounded.solution = packing::solve(input.question.problem, limits);
  bounded.bins.resize(input.question.problem.types.size());
  std::iota(bounded.bins.begin(), bounded.bins.end(), 0);
  const auto& solution = bounded.solution;
  bounded.parts.push_back({bounded.bins, solution.certificate, solution.lower_bound, solution.bound_method});
  return bounded;
}

/// "no single type holds both web and train"; empty without shapes.
std::string contradiction_of(const PlanInput& input, const std::vector<std::uint32_t>& shapes) {
  if (shapes.empty()) return {};
  std::vector<std::string_view> names;
  for (const std::uint32_t shape : shapes) {
    const std::string_view name = input.scenario.workloads[input.question.shapes[shape].workloads.front()].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const std::string more = names.size() > kMaxNamed ? fmt::format("{} more", names.size() - kMaxNamed) : std::string();
  if (names.size() > kMaxNamed) names.resize(kMaxNamed);
  if (!more.empty()) names.push_back(more);
  const std::string list = one_of(names, "and");
  const auto most_types = input.request.most_types;
  if (most_types == 1) return fmt::format("no single type holds {}{}", names.size() == 2 ? "both " : "", list);
  return fmt::format("no {} types hold {} between them", most_types, list);
}

/// The question says less than placement does: its packing is changed until each instance takes its tasks one by one.
/// Where that fails, the fleet is the one of the packing as it is.
IdealFleet ideal_fleet(const PlanInput& input, const fleet::BoundedPacking& bounded) {
  const auto& question = input.question;
  IdealFleet ideal;
  ideal.packing = bounded.solution.packing;
  if (is_none(bounded.solution.left_over)) {
    Question of_chosen = question;
    for (std::uint32_t bin = 0; bin < of_chosen.bins.size(); ++bin) {
      if (!std::binary_search(bounded.bins.begin(), bounded.bins.end(), bin)) of_chosen.problem.types[bin].limit = 0;
    }
    const auto [packing, left_over] = fleet::repaired(input.scenario, input.market, of_chosen, ideal.packing);
    ideal.is_true = is_none(left_over);
    if (ideal.is_true) ideal.packing = fleet::dealt_to_zones(question, fleet::in_cheapest_steps(question, packing));
  }
  ideal.purchases = fleet::compute_purchases(question, input.market, ideal.packing);
  ideal.hourly_cost = fleet::cost_of(input.market, question, ideal.packing);
  ideal.use = use_of(input.market, question, ideal.packing);
  return ideal;
}

/// Independent verification of the ideal fleet. Each fault is an internal error.
std::vector<std::string> faults_of(const PlanInput& input, const IdealFleet& ideal) {
  std::vector<std::string> faults;
  if (const auto fault = packing::fault_of(input.question.problem, ideal.packing))
    faults.push_back("the ideal packing: " + *fault);
  if (!fleet::is_allowed(input.market, ideal.purchases, input.request.most_types))
    faults.emplace_back("the ideal fleet breaks a limit");
  return faults;
}

/// Result of the independent verification of the bound.
struct BoundCheck {
  Proof proof = Proof::kChecked;
  std::vector<std::string> refuted;  ///< Why the bound does not hold: an internal error.
};

BoundCheck check_bound(const Question& question, const fleet::BoundedPacking& bounded) {
  BoundCheck checked;
  for (const auto& part : bounded.parts) {
    const auto problem = packing::with_types(question.problem, part.bins);
    const auto verdict = packing::check(problem, part.certificate);
    if (verdict == packing::Verdict::kFails) checked.refuted.emplace_back("the certificate of the bound does not hold");
    if (verdict == packing::Verdict::kTooHard) checked.proof = Proof::kNotChecked;
    const bool is_by_certificate = part.method == packing::BoundMethod::kCertificate;
    if (is_by_certificate && part.lower_bound > packing::least_cost(problem, part.certificate))
      checked.refuted.emplace_back("the bound does not follow from its certificate");
  }
  const bool needs_tree = bounded.solution.bound_method == packing::BoundMethod::kBranchAndPrice;
  if (checked.proof == Proof::kChecked && needs_tree) checked.proof = Proof::kSearchTree;
  return checked;
}

/// After a stop little effort is left, and none without grace: but the best fleet so far is of little use when no one
/// knows whether ECS fills it.
fleet::FillRequest fill_request(const FleetRequest& request, Watch& watch) {
  fleet::FillRequest filling;
  filling.orders = request.orders;
  filling.zones = request.zones;
  filling.most_types = request.most_types;
  filling.keeps_cluster = request.keeps_cluster;
  filling.effort = std::max<std::int64_t>(1, request.effort / fleet::kPackingEffortOfPlacement);
  filling.survives_zone_loss = request.survives_zone_loss;
  filling.go_on = [&watch] { return watch.go_on(FleetProgress::Phase::kFilling); };
  if (watch.stopped()) {
    filling.effort = std::min(filling.effort, kPlacementsWhenStopped);
    filling.go_on = request.grace;
  }
  return filling;
}

/// Whether fleets are filled by one policy in every launch order, as far as the effort of filling goes.
class FillCheck {
 public:
  FillCheck(const PlanInput& input, const fleet::Policy& policy, Watch& watch, FleetProgress::Phase phase)
      : request_(fill_request(input.request, watch)),
        tasks_(fleet::with_policy(fleet::tasks_of(input.scenario, input.question), policy)),
        trials_(tasks_, input.market, request_, effort_) {
    request_.survives_zone_loss = false;
    request_.go_on = [&watch, phase] { return watch.go_on(phase); };
    effort_.limit = request_.effort;
    effort_.go_on = &request_.go_on;
  }
  FillCheck(const FillCheck&) = delete;
  FillCheck& operator=(const FillCheck&) = delete;

  /// Nothing when the effort ends before.
  std::optional<bool> is_filled(const Purchases& purchases) {
    if (effort_.is_exhausted()) return std::nullopt;
    const bool is_filled = trials_.fills(purchases);
    return effort_.is_interrupted ? std::nullopt : std::optional(is_filled);
  }

 private:
  fleet::FillRequest request_;
  fleet::FillEffort effort_;
  const Scenario tasks_;
  fleet::LaunchTrials trials_;
};

Scenario on_fleet(const PlanInput& input, const fleet::FilledFleet& fleet) {
  return on_fleet(input.scenario, input.market, input.request, input.question, fleet.purchases, fleet.policy);
}

/// Instances by type that let every service roll. Each service rolls alone: what is enough for the neediest is enough
/// for all.
std::map<std::string, std::int64_t> instances_to_roll(const Rollouts& rollouts) {
  std::map<std::string, std::int64_t> needs;
  for (const auto& service : rollouts.services) {
    for (const auto& missing : service.needs) {
      auto& count = needs[missing.instance_type];
      count = std::max(count, missing.count);
    }
  }
  return needs;
}

/// Nothing when there is nothing to add, limits forbid it, or ECS then no longer fills the fleet.
std::optional<fleet::FilledFleet> with_more(const PlanInput& input, fleet::FilledFleet fleet,
                                            const std::map<std::string, std::int64_t>& more, Watch& watch) {
  for (const auto& [instance_type, count] : more) {
    const auto is_of_type = [&, &type = instance_type](const Purchase& purchase) {
      return input.market.offers[purchase.offer].profile.instance_type == type;
    };
    const auto found = std::find_if(fleet.purchases.begin(), fleet.purchases.end(), is_of_type);
    if (found == fleet.purchases.end()) return std::nullopt;
    const Purchase one = *found;
    // Where the type has several offers, as an owned and a bought one, those with room follow the one that is there.
    const auto room = fleet::room_for_more(input.market, fleet.purchases, input.request.most_types);
    std::int64_t left = count;
    const auto add = [&](std::uint32_t offer) {
      const std::int64_t added = std::min(left, room[offer]);
      if (added > 0) fleet.purchases = fleet::changed(fleet.purchases, {offer, one.availability_zone, added});
      left -= std::max<std::int64_t>(0, added);
    };
    add(one.offer);
    for (std::uint32_t offer = 0; offer < input.market.offers.size(); ++offer) {
      if (offer != one.offer && input.market.offers[offer].profile.instance_type == instance_type) add(offer);
    }
    if (left > 0) return std::nullopt;
  }
  const auto filled = on_fleet(input, fleet);
  fleet.hourly_cost = fleet::hourly_cost(input.market, fleet.purchases) +
                      fleet::added_credits(input.market.credits, filled, placement::place(filled));
  const bool is_filled =
      !more.empty() && fleet::is_allowed(input.market, fleet.purchases, input.request.most_types) &&
      FillCheck(input, fleet.policy, watch, FleetProgress::Phase::kFilling).is_filled(fleet.purchases) == true;
  return is_filled ? std::optional(std::move(fleet)) : std::nullopt;
}

/// The fleet with the instances that its services need to roll; nothing where they do not roll with more instances
/// either. It is tried in fresh launch orders, because the search did not see what was added.
std::optional<fleet::FilledFleet> with_room_to_roll(const PlanInput& input, fleet::FilledFleet fleet, Watch& watch) {
  for (int round = 0; round < kMaxRounds && watch.go_on(FleetProgress::Phase::kFilling); ++round) {
    const auto rollouts = roll_each(on_fleet(input, fleet));
    if (rollouts.all_roll()) {
      const auto orders = fleet::confirmed_orders(input.scenario, input.market, input.question, fleet,
                                                  fill_request(input.request, watch));
      if (!orders) return std::nullopt;
      fleet.confirmed = *orders;
      return fleet;
    }
    auto more = with_more(input, std::move(fleet), instances_to_roll(rollouts), watch);
    if (!more) return std::nullopt;
    fleet = std::move(*more);
  }
  return std::nullopt;
}

/// `fleets`: cheapest first.
std::optional<fleet::FilledFleet> cheapest_that_rolls(const PlanInput& input,
                                                      const std::vector<fleet::FilledFleet>& fleets, Watch& watch) {
  std::optional<fleet::FilledFleet> best;
  for (const auto& filled : fleets) {
    if (best && filled.hourly_cost >= best->hourly_cost) break;
    auto more = with_room_to_roll(input, filled, watch);
    if (more && (!best || more->hourly_cost < best->hourly_cost)) best = std::move(more);
  }
  return best;
}

/// The recommended fleet of --deployable: the cheapest one that the strategies fill, with what its services need to
/// roll. The one of `fill` where no fleet lets them roll, and where there are too many tasks to try.
std::optional<fleet::FilledFleet> recommended_to_deploy(const PlanInput& input, const fleet::Fill& fill,
                                                        std::int64_t tasks, Watch& watch) {
  if (tasks > kMaxReplayed) return fill.recommended;
  const auto best = cheapest_that_rolls(input, fill.by_policy, watch);
  const auto closing = cheapest_that_rolls(input, fill.closing, watch);
  if (closing && fleet::is_worth_writing(*closing, best)) return closing;
  return best ? best : fill.recommended;
}

/// Fleets that ECS itself fills, beginning with the ideal one and with `starts`.
fleet::Fill fill_from(const PlanInput& input, const fleet::BoundedPacking& bounded, const IdealFleet& ideal,
                      std::int64_t tasks, const std::vector<Purchases>& starts, Watch& watch) {
  packing::Solution start = bounded.solution;
  start.packing = ideal.packing;
  start.cost = ideal.hourly_cost;
  auto fill =
      fleet::find_fill(input.scenario, input.market, input.question, start, fill_request(input.request, watch), starts);
  if (input.request.deployable) fill.recommended = recommended_to_deploy(input, fill, tasks, watch);
  return fill;
}

/// Efforts to search with: the default, and this many times as much or as little: ten million, which is what a load is
/// planned with, is one of them. Levels far apart cost little more than the last of them alone.
constexpr std::int64_t kLevelFactor = 25;
const std::int64_t kDefaultEffort = packing::SolveLimits{}.effort;
constexpr int kLevelsBelowDefault = 2;

/// The levels within the request's effort, ascending; the lowest one where the effort is below all. A plan with more
/// effort has the searches of one with less among its own, so it costs no more. A search with an effort between two
/// levels would not be among those of a larger effort.
std::vector<std::int64_t> effort_levels(std::int64_t effort) {
  std::vector<std::int64_t> levels;
  for (int below = kLevelsBelowDefault; below >= 0; --below) {
    std::int64_t level = kDefaultEffort;
    for (int i = 0; i < below; ++i) level /= kLevelFactor;
    if (levels.empty() || level <= effort) levels.push_back(level);
  }
  while (levels.back() >= kDefaultEffort && levels.back() <= effort / kLevelFactor)
    levels.push_back(levels.back() * kLevelFactor);
  return levels;
}

/// The search of a subset packs with one part of this many of the effort.
constexpr std::int64_t kSubsetPackingShare = 16;
/// To search the fleets of a subset with every policy takes about as much as to try this many in every launch order.
constexpr std::int64_t kFleetsPerSubset = 60;
constexpr std::int64_t kLeastSubsetFilling = 400'000;
constexpr std::int64_t kMostSubsetFilling = 3'000'000;
/// Every subset of the types is searched if that takes at most this many placements.
constexpr std::int64_t kFillingOfAllSubsets = 26'000'000;

/// Families are searched up to this many tasks: each launch order places all of them.
constexpr std::int64_t kMaxTasksOfFamilies = 5'000;

/// Up to this many types, each is searched alone; of more, those that may fill a cheaper fleet.
constexpr std::size_t kTypesSearchedAll = 8;

/// Placements that the search of a subset may try. They do not depend on the other types of the market: a plan from a
/// part of the types does the same.
std::int64_t subset_filling(const FleetRequest& whole, std::int64_t tasks, std::int64_t level) {
  const std::int64_t most =
      std::min(kFleetsPerSubset * tasks * std::max<std::int64_t>(1, whole.orders), kMostSubsetFilling);
  return std::max(kLeastSubsetFilling, most / std::max<std::int64_t>(1, kDefaultEffort / level));
}

bool searches_all_subsets(const FleetRequest& request, std::int64_t tasks, std::size_t types) {
  const std::int64_t most = kFillingOfAllSubsets / subset_filling(request, tasks, kDefaultEffort);
  return types < 16 && (std::int64_t{1} << types) - 1 <= most;
}

FleetRequest with_effort(FleetRequest request, std::int64_t effort) {
  request.effort = effort;
  return request;
}

/// Whether `placements` are enough to try two fleets in every launch order. Less finds nothing.
bool is_enough_to_fill(std::int64_t placements, std::int64_t tasks, std::int64_t orders) {
  return placements >= 2 * tasks * std::max<std::int64_t>(1, orders);
}

/// What ECS fills of these offers alone; nothing where they do not hold every task, or cost no less than `to_beat`. Its
/// purchases are in the numbers of the whole market.
std::optional<fleet::Fill> fill_of_subset(const PlanInput& whole, const OfferSubset& subset, std::int64_t tasks,
                                          std::int64_t level, std::optional<MicroUsd> to_beat, Watch& watch) {
  const Market market = with_offers(whole.market, subset.offers);
  const auto question =
      fleet::make_packing_question(whole.scenario, market, {whole.request.headroom_percent, whole.request.zones});
  if (packing::tasks_of(question.problem) < tasks) return std::nullopt;
  const auto to_pack = with_effort(whole.request, level / kSubsetPackingShare);
  const auto bounded = solve({whole.scenario, market, to_pack, question}, watch);
  if (!is_none(bounded.solution.left_over) || (to_beat && bounded.solution.lower_bound >= *to_beat))
    return std::nullopt;
  const auto to_fill =
      with_effort(whole.request, fleet::kPackingEffortOfPlacement * subset_filling(whole.request, tasks, level));
  const PlanInput input{whole.scenario, market, to_fill, question};
  auto fill = fill_from(input, bounded, ideal_fleet(input, bounded), tasks, {}, watch);
  const auto in_whole = [&](fleet::FilledFleet& filled) {
    filled.purchases = in_whole_market(std::move(filled.purchases), subset.offers);
    // Constraints that represent what ECS does not look at are first, and are those of the whole market's question.
    auto& constraints = filled.policy.constraints;
    std::vector<std::pair<std::uint32_t, placement::Constraint>> all = whole.question.constraints;
    all.insert(all.end(), constraints.begin() + std::ssize(question.constraints), constraints.end());
    constraints = std::move(all);
  };
  if (fill.recommended) in_whole(*fill.recommended);
  for (auto& filled : fill.by_policy) in_whole(filled);
  for (auto& filled : fill.closing) in_whole(filled);
  return fill;
}

/// Whether a strategy fills as many instances of a single type as cost less than `to_beat`. True where that is not
/// known. It saves the search of hundreds of types, none of which costs less.
bool may_be_cheaper(const PlanInput& whole, const OfferSubset& subset, std::int64_t tasks, std::int64_t level,
                    MicroUsd to_beat, Watch& watch) {
  const bool has_existing = std::any_of(subset.offers.begin(), subset.offers.end(), [&](std::uint32_t offer) {
    return whole.market.offers[offer].is_owned || !whole.market.offers[offer].standing.empty();
  });
  if (subset.offers.size() > 1 || has_existing || !whole.request.zones.empty()) return true;
  const auto& offer = whole.market.offers[subset.offers.front()];
  if (offer.hourly_price == 0) return true;
  const Purchases most = {{subset.offers.front(), "", std::min((to_beat - 1) / offer.hourly_price, offer.limit)}};
  const auto request =
      with_effort(whole.request, fleet::kPackingEffortOfPlacement * subset_filling(whole.request, tasks, level));
  const auto placed = fleet::tasks_of(whole.scenario, whole.question);
  const auto policies = fleet::affordable_policies(placed, whole.question, fill_request(request, watch));
  return std::any_of(policies.begin(), policies.end(), [&](const fleet::Policy& policy) {
    return FillCheck(whole, policy, watch, FleetProgress::Phase::kFilling).is_filled(most) != false;
  });
}

/// Adds fleets found with another effort or from a part of the types: the cheaper one of each strategy stays, and the
/// cheaper one of both is recommended. Whether constraints are worth it was decided in each search: if that were
/// decided anew, a better fleet without them could replace a cheaper one with them.
void add_fill(const Market& market, fleet::Fill more, fleet::Fill& fill) {
  const auto rank = [&](const fleet::FilledFleet& filled) {
    auto own = fleet::compute_rank(market, filled.purchases);
    std::get<0>(own) = filled.hourly_cost;
    return std::tuple(own, !filled.policy.is_as_written, -filled.confirmed);
  };
  const auto is_cheaper = [&](const auto& a, const auto& b) { return rank(a) < rank(b); };
  for (auto& filled : more.by_policy) {
    const auto same = std::find_if(fill.by_policy.begin(), fill.by_policy.end(), [&](const auto& other) {
      return other.policy.name == filled.policy.name && other.policy.order == filled.policy.order;
    });
    if (same == fill.by_policy.end())
      fill.by_policy.push_back(std::move(filled));
    else if (is_cheaper(filled, *same))
      *same = std::move(filled);
  }
  std::stable_sort(fill.by_policy.begin(), fill.by_policy.end(), is_cheaper);
  if (more.recommended && (!fill.recommended || is_cheaper(*more.recommended, *fill.recommended)))
    fill.recommended = std::move(more.recommended);
  std::move(more.closing.begin(), more.closing.end(), std::back_inserter(fill.closing));
  fill.method = more.method;
  fill.exhausted = more.exhausted;
}

bool rolls(const PlanInput& input, const fleet::FilledFleet& filled) {
  return roll_each(on_fleet(input, filled)).all_roll();
}

/// The cheapest fleet of one type on which every service can be deployed, of the types that are likely cheapest. The
/// limit of a cheaper type may leave no room for the new tasks of a deployment.
std::optional<fleet::FilledFleet> single_type_that_rolls(const PlanInput& input, std::int64_t tasks, Watch& watch) {
  constexpr int kMostTypes = 8;
  std::optional<fleet::FilledFleet> best;
  int searched = 0;
  for (const auto& subset : offer_subsets(input.question, input.market, 1, false)) {
    if (subset.types != 1 || (best && subset.at_least >= best->hourly_cost)) continue;
    if (++searched > kMostTypes || watch.stopped()) break;
    const auto fill = fill_of_subset(input, subset, tasks, kDefaultEffort, std::nullopt, watch);
    if (!fill || !fill->recommended || !rolls(input, *fill->recommended)) continue;
    if (!best || fill->recommended->hourly_cost < best->hourly_cost) best = fill->recommended;
  }
  return best;
}

/// Fleets that ECS itself fills: of subsets of the types and of all types, with rising effort, the later searches
/// beginning with what the earlier ones found. So a plan costs no more with more types or more effort, as far as the
/// searches of the other plan are among its own: all of them where there are few types.
fleet::Fill find_fill(const PlanInput& input, const fleet::BoundedPacking& bounded, const IdealFleet& ideal,
                      std::int64_t tasks, Watch& watch) {
  const auto& request = input.request;
  const auto types = types_to_buy(input.market);
  // A trial with lost zones or rolling services takes many times as long, and the cheaper of two fleets may be the one
  // that does not roll: such a plan has one search, of all types.
  const bool has_long_trials = request.survives_zone_loss || request.deployable;
  if (tasks > fleet::kMaxLaunched || types == 0 || has_long_trials) {
    auto fill = fill_from(input, bounded, ideal, tasks, {}, watch);
    if (request.deployable && fill.recommended && !rolls(input, *fill.recommended)) {
      if (auto other = single_type_that_rolls(input, tasks, watch)) fill.recommended = std::move(other);
    }
    return fill;
  }

  fleet::Fill fill;
  // Nothing costs less. A search with little effort tries few strategies, so the one of the scenario is waited for.
  const auto is_proven = [&] {
    return fill.recommended && fill.recommended->hourly_cost <= bounded.solution.lower_bound &&
           fill.recommended->policy.is_as_written &&
           fill.recommended->policy.constraints.size() == input.question.constraints.size();
  };
  const auto is_over = [&] { return watch.stopped() || is_proven(); };
  const bool has_all_subsets = searches_all_subsets(request, tasks, types);
  const auto subsets = offer_subsets(input.question, input.market, request.most_types, has_all_subsets);
  const auto levels = effort_levels(request.effort);
  for (const std::int64_t level : levels) {
    const bool has_effort = is_enough_to_fill(subset_filling(request, tasks, level), tasks, request.orders);
    for (const auto& subset : subsets) {
      if (!has_effort || is_over()) break;
      const auto to_beat = fill.recommended ? std::optional(fill.recommended->hourly_cost) : std::nullopt;
      if (to_beat && subset.at_least >= *to_beat) continue;
      const bool is_family = !has_all_subsets && subset.types > 1 && subset.types < types;
      if (is_family && tasks > kMaxTasksOfFamilies) continue;
      const bool is_checked = to_beat && subset.types == 1 && types > kTypesSearchedAll;
      if (is_checked && !may_be_cheaper(input, subset, tasks, level, *to_beat, watch)) continue;
      if (auto more = fill_of_subset(input, subset, tasks, level, to_beat, watch))
        add_fill(input.market, std::move(*more), fill);
    }
    // Of few types that was everything. Of many the last search is that of all types with the whole effort, also where
    // nothing costs less: it may find fewer instances for the same price.
    if (has_all_subsets || (level != levels.back() && is_over())) continue;
    const std::int64_t placements = level / 2 / fleet::kPackingEffortOfPlacement;  // the other half was for the subsets
    if (fill.recommended && !is_enough_to_fill(placements, tasks, request.orders)) continue;
    const auto to_pack = with_effort(request, level);
    const PlanInput at_level{input.scenario, input.market, to_pack, input.question};
    const auto packed = level == request.effort ? bounded : solve(at_level, watch);
    if (!is_none(packed.solution.left_over)) continue;
    const auto to_fill = with_effort(request, level / 2);
    const PlanInput own{input.scenario, input.market, to_fill, input.question};
    std::vector<Purchases> starts;
    if (!fill.by_policy.empty()) starts.push_back(fill.by_policy.front().purchases);
    add_fill(input.market, fill_from(own, packed, ideal_fleet(own, packed), tasks, starts, watch), fill);
  }
  if (!fill.recommended) add_fill(input.market, fill_from(input, bounded, ideal, tasks, {}, watch), fill);
  // What closes the gap costs less than what needs no constraints.
  fill.closing = fleet::best_ways(std::move(fill.closing));
  if (!fill.by_policy.empty()) {
    const MicroUsd cost = fill.by_policy.front().hourly_cost;
    std::erase_if(fill.closing, [cost](const auto& way) { return way.hourly_cost >= cost; });
  }
  return fill;
}

/// Adds each zone that can be lost, and what it takes with it.
void lose_each_zone(const Scenario& filled, FleetReview& found) {
  std::map<std::string, placement::TerminateInstances> zones;
  for (std::uint32_t i = 0; i < filled.instances.size(); ++i)
    zones[filled.profiles[filled.instances[i].profile].availability_zone].instances.push_back(i);
  if (zones.size() < 2) return;
  WhatIf what_if(filled);
  for (auto& [zone, lost] : zones) {
    const auto instances = static_cast<std::int64_t>(lost.instances.size());
    Variant variant;
    variant.events.emplace_back(std::move(lost));
    found.zone_losses.push_back({zone, instances, what_if.effect(variant).unplaced});
  }
  for (const auto& mistake : what_if.mistakes()) found.mistakes.push_back(mistake);
}

/// Places the tasks on the recommended fleet again, to report its utilization and to verify that every task is placed.
FleetReview review(const PlanInput& input, const fleet::FilledFleet& fleet, std::int64_t tasks) {
  const Scenario filled = on_fleet(input, fleet);
  const auto outcome = placement::place(filled);
  FleetReview found;
  found.use = use_of(input.market, filled, outcome, fleet::dealt(fleet.purchases, input.request.zones));
  found.placed = placed_tasks(filled, outcome);
  // A daemon's task that does not fit on an instance which exists already is no matter of the fleet: nothing is
  // bought for it, and the search for fleets does not count it either.
  const auto is_of_fleet = [&](const placement::Failure& failure) {
    return filled.workloads[failure.attempt.workload].kind != placement::WorkloadKind::kDaemon;
  };
  if (std::any_of(outcome.failures.begin(), outcome.failures.end(), is_of_fleet))
    found.mistakes.emplace_back("the recommended fleet leaves tasks unplaced");
  if (tasks <= kMaxVerified) {
    for (const auto& mistake : placement::verify(filled, outcome)) found.mistakes.push_back(mistake);
  }
  if (has_services(filled)) found.rollouts = roll_each(filled);
  found.memory_uncertainty = memory_uncertainty(filled, input.request.orders);
  if (tasks <= kMaxVerified) lose_each_zone(filled, found);
  return found;
}

/// Review of a fleet with too many tasks to place: only a fleet that equals the ideal one has a known utilization.
FleetReview review_many(const PlanInput& input, const fleet::FilledFleet& fleet, const IdealFleet& ideal) {
  FleetReview found;
  if (fleet.purchases == fleet::dealt(ideal.purchases, input.request.zones)) found.use = ideal.use;
  found.rollouts = not_rolled(input.scenario);
  return found;
}

/// Whether no fleet holds the tasks for less than the ideal one, and the ideal one does hold them. The bound is of
/// every packing; whether the ideal one heeds what the bound leaves out is another question.
bool is_optimal(const PlanInput& input, const IdealFleet& ideal, const std::optional<fleet::FilledFleet>& recommended,
                MicroUsd lower_bound) {
  const auto& relaxed = input.question.relaxed;
  // Other relaxations are preferences, or among those by which the ideal packing was made true.
  const bool heeds_all = ideal.is_true && !input.request.survives_zone_loss &&
                         std::none_of(relaxed.begin(), relaxed.end(),
                                      [](const fleet::Relaxation& one) { return one.id == "task-constraint"; });
  const bool is_filled = recommended && recommended->hourly_cost == ideal.hourly_cost;
  return ideal.hourly_cost <= lower_bound && (heeds_all || is_filled);
}

/// The cheapest fleet found if surplus CPU credits cost nothing, where they decide what is bought. Where the number of
/// types is limited that is not tried.
std::optional<FleetWithoutCredits> without_credits(const PlanInput& input, const IdealFleet& ideal, Watch& watch) {
  const auto go_on = [&watch] { return watch.go_on(FleetProgress::Phase::kComparing); };
  if (!input.question.has_credit_steps || input.request.most_types > 0 || !go_on()) return std::nullopt;
  Market free = input.market;
  free.credits.rates.clear();
  const auto question =
      fleet::make_packing_question(input.scenario, free, {input.request.headroom_percent, input.request.zones});
  packing::SolveLimits limits;
  limits.effort = kEffortEach;
  limits.go_on = [&](const packing::Progress&) { return go_on(); };
  const auto solution = packing::solve(question.problem, limits);
  const auto cost = fleet::cost_of(input.market, question, solution.packing);
  const bool is_cheaper = solution.cost < ideal.hourly_cost && cost > ideal.hourly_cost;
  if (!is_none(solution.left_over) || !is_cheaper) return std::nullopt;
  return FleetWithoutCredits{fleet::compute_purchases(question, input.market, solution.packing), solution.cost, cost};
}

/// Alternatives to the recommended fleet, or else to the ideal one, each tried with the strategy of the recommended
/// fleet. Constraints that keep workloads apart are made for the recommended fleet, and forbid others: they are not
/// among those tried.
void fill_each(const PlanInput& input, const fleet::FilledFleet& recommended, std::vector<Alternative>& alternatives,
               Watch& watch) {
  fleet::Policy policy = recommended.policy;
  policy.constraints = input.question.constraints;
  FillCheck check(input, policy, watch, FleetProgress::Phase::kComparing);
  for (auto& one : alternatives) one.filled = check.is_filled(one.purchases);
}

/// Why the search ended where it was not stopped: an interrupted search has a reason of its own.
FleetStop stop_of(packing::StoppedBy stopped_by) {
  switch (stopped_by) {
    case packing::StoppedBy::kProof:
      return FleetStop::kProof;
    case packing::StoppedBy::kGap:
      return FleetStop::kGap;
    case packing::StoppedBy::kEffort:
    case packing::StoppedBy::kInterrupted:
      break;
  }
  return FleetStop::kEffort;
}

/// Limits that the packing problem does not contain: the quota of instances per cluster, and where ECS assigns Neuron
/// devices.
std::vector<Assumption> limits_of_ecs(const PlanInput& input, const Purchases& purchases) {
  std::vector<Assumption> assumptions;
  const auto standing = input.request.keeps_cluster ? static_cast<std::int64_t>(input.scenario.instances.size()) : 0;
  auto excess = catalog::quota_excess("container-instances-per-cluster", fleet::instances_of(purchases) + standing,
                                      "container instances", "cluster");
  if (!excess.empty()) assumptions.push_back({std::string(catalog::kEcsQuotaExceeded), "fleet", excess});
  std::set<std::string> families;
  for (const auto& workload : input.scenario.workloads) {
    const auto& family = input.scenario.task_definitions[workload.task_definition].family;
    if (!families.insert(family).second) continue;
    if (auto unmanaged = capacity::neuron_assumption(workload.requirement, family))
      assumptions.push_back(std::move(*unmanaged));
  }
  return assumptions;
}

}  // namespace

std::int64_t FleetPlan::left_over() const {
  return std::accumulate(bounded.solution.left_over.begin(), bounded.solution.left_over.end(), std::int64_t{0});
}

void withdraw_bound(FleetPlan& plan, std::string mistake) {
  plan.withdrawn.push_back(std::move(mistake));
  plan.bounded.solution.lower_bound = 0;
  plan.lower_bound = 0;
  plan.optimal = false;
  plan.bounded.parts.clear();
  plan.bounded.sets = 0;
  plan.proof = Proof::kNotChecked;
}

void check_lower_bound(FleetPlan& plan) {
  const auto& recommended = plan.fill.recommended;
  if (!recommended || recommended->hourly_cost >= plan.lower_bound) return;
  constexpr std::string_view kMistake = "the recommended fleet costs less than the bound";
  if (recommended->hourly_cost < plan.bounded.solution.lower_bound) return withdraw_bound(plan, std::string(kMistake));
  plan.withdrawn.emplace_back(kMistake);
  plan.lower_bound = plan.bounded.solution.lower_bound;
}

namespace {

/// Places the recommended fleet again, and compares it with other fleets: review, lower bound and alternatives of the
/// plan.
void compare(const PlanInput& input, Watch& watch, FleetPlan& plan) {
  const auto& [scenario, market, request, question] = input;
  const auto& recommended = plan.fill.recommended;
  if (recommended) {
    const bool is_replayed = plan.tasks <= kMaxReplayed && (!watch.stopped() || request.grace());
    plan.review = is_replayed ? review(input, *recommended, plan.tasks) : review_many(input, *recommended, plan.ideal);
  }
  plan.optimal = is_optimal(input, plan.ideal, recommended, plan.bounded.solution.lower_bound);
  plan.lower_bound = plan.bounded.solution.lower_bound;
  if (request.survives_zone_loss && plan.withdrawn.empty())
    plan.lower_bound = fleet::bound_with_zone_loss(plan.lower_bound, question, market, request.zones);
  check_lower_bound(plan);

  const auto go_on = [&watch] { return watch.go_on(FleetProgress::Phase::kComparing); };
  plan.alternatives = alternatives_to(plan.purchases(), question, market, request.most_types, go_on);
  plan.without_credits = without_credits(input, plan.ideal, watch);
  if (recommended) fill_each(input, *recommended, plan.alternatives.list, watch);
}

/// Faults and assumptions of the whole plan.
void collect(const PlanInput& input, FleetPlan& plan) {
  for (const auto& mistake : plan.review.mistakes) plan.mistakes.push_back(mistake);
  plan.assumptions = input.question.assumptions;
  for (const auto& assumed : plan.review.memory_uncertainty.assumptions) plan.assumptions.push_back(assumed);
  for (const auto& assumed : limits_of_ecs(input, plan.purchases())) plan.assumptions.push_back(assumed);
}

/// The quotas that the cheapest fleet without quotas counts to; none where other limits leave tasks over, too.
std::vector<fleet::QuotaLimit> quotas_to_request(const PlanInput& input, Watch& watch) {
  if (input.market.quotas.empty()) return {};
  Market free = input.market;
  free.quotas.clear();
  const auto question =
      fleet::make_packing_question(input.scenario, free, {input.request.headroom_percent, input.request.zones});
  const auto request = with_effort(input.request, std::min(kEffortEach, input.request.effort));
  const auto bounded = solve({input.scenario, free, request, question}, watch);
  if (!is_none(bounded.solution.left_over)) return {};
  std::vector<fleet::QuotaLimit> wanted;
  const auto needed = vcpus_by_quota(free, fleet::compute_purchases(question, free, bounded.solution.packing));
  for (const auto& limit : input.market.quotas) {
    const auto own =
        std::find_if(needed.begin(), needed.end(), [&](const auto& one) { return one.first == limit.quota; });
    if (own != needed.end() && own->second > limit.vcpus)
      wanted.push_back({limit.quota, own->second + limit.in_use, limit.in_use});
  }
  return wanted;
}

}  // namespace

FleetPlan with_recommended(FleetPlan plan, const Scenario& scenario, const Market& market, const FleetRequest& request,
                           fleet::FilledFleet fleet) {
  Watch watch(request);
  plan.fill.recommended = std::move(fleet);
  // The faults of the fleet before, which `collect` added last.
  plan.mistakes.resize(plan.mistakes.size() - plan.review.mistakes.size());
  const PlanInput input{scenario, market, request, plan.question};
  compare(input, watch, plan);
  collect(input, plan);
  if (const auto stopped = watch.stopped()) plan.stopped_by = *stopped;
  return plan;
}

FleetPlan plan_fleet(const Scenario& scenario, const Market& market, const FleetRequest& request) {
  Watch watch(request);
  FleetPlan plan;
  plan.question = fleet::make_packing_question(scenario, market, {request.headroom_percent, request.zones});
  plan.tasks = packing::tasks_of(plan.question.problem);
  const PlanInput input{scenario, market, request, plan.question};

  if (plan.tasks > 0) {
    plan.bounded = solve(input, watch);
    plan.contradiction = contradiction_of(input, plan.bounded.contradiction);
    if (plan.bounded.is_relaxed)
      plan.question.relaxed.push_back({"max-types", {}, "the bound is one of fleets of any number of types"});
    plan.ideal = ideal_fleet(input, plan.bounded);
  }
  if (plan.tasks > 0 && plan.left_over() == 0) {
    plan.mistakes = faults_of(input, plan.ideal);
    const auto checked = check_bound(plan.question, plan.bounded);
    plan.proof = checked.proof;
    for (const auto& mistake : checked.refuted) withdraw_bound(plan, mistake);

    plan.fill = find_fill(input, plan.bounded, plan.ideal, plan.tasks, watch);
    compare(input, watch, plan);
    if (!plan.has_no_bound()) {
      const auto& worth = plan.bounded.solution.certificate.duals.worth;
      plan.resource_prices = resource_prices(plan.question, market, plan.ideal.packing, worth);
    }
  }
  if (plan.tasks > 0 && plan.left_over() > 0) plan.quotas_to_request = quotas_to_request(input, watch);
  collect(input, plan);
  plan.stopped_by = watch.stopped().value_or(stop_of(plan.bounded.solution.stopped_by));
  return plan;
}

}  // namespace bayplan::study
