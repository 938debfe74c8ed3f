#include "study/fleet/fleet_plan.hpp"

#include <algorithm>
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
#include "study/whatif/variant.hpp"
#include "study/whatif/what_if.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Question;
using packing::LinearProgram;

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

bool is_reported(const std::string& dimension) {
  return dimension == "CPU" || dimension == "MEMORY" || dimension == "GPU" || dimension == "NEURON_DEVICE";
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
    if (is_reported(question.dimensions[d])) prices.push_back({question.dimensions[d], values[d]});
  }
  return prices;
}

using fleet::Market;
using fleet::Question;
using packing::PackingProblem;

namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kMaxSolved = 24;  ///< Single types packed; those left cost more than the shown by bound.
constexpr std::size_t kMaxLeftOut = 3;  ///< Types of the ideal fleet done without.
constexpr std::int64_t kEffortEach = 2'000'000;

/// Bin types of the problem that one instance type stands behind, and those that are there at no price.
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

class AlternativeSearch {
 public:
  AlternativeSearch(const Question& question, const Market& market, std::int64_t most_types,
                    const std::function<bool()>& go_on)
      : question_(question), market_(market), most_types_(most_types), go_on_(go_on) {}

  /// Nothing when limits leave tasks over, or it takes more types than may be.
  std::optional<Alternative> packed(const std::vector<std::uint32_t>& bins) {
    packing::SolveLimits limits;
    limits.effort = kEffortEach;
    limits.go_on = [this](const packing::Progress&) { return go_on_(); };
    const auto solution = packing::solve_in_whole(packing::sub_problem(question_.problem, bins), limits);
    if (std::any_of(solution.left_over.begin(), solution.left_over.end(), [](auto count) { return count > 0; }))
      return std::nullopt;
    Alternative found;
    found.purchases = fleet::compute_purchases(question_, market_, solution.packing);
    if (!fleet::is_allowed(market_, found.purchases, most_types_)) return std::nullopt;
    found.hourly_cost = fleet::cost_of(market_, question_, solution.packing);
    found.proven = solution.optimal && found.hourly_cost <= solution.cost;
    found.use = use_of(market_, question_, solution.packing);
    return found;
  }

  /// The cheapest few: a type is packed as long as its bound is below what was found.
  std::vector<Alternative> single_types(std::vector<TypeBins> types) {
    for (auto& type : types)
      type.at_least = packing::volume_bound(question_.problem, type.bins).value_or(packing::kUnlimited);
    std::stable_sort(types.begin(), types.end(),
                     [](const TypeBins& a, const TypeBins& b) { return a.at_least < b.at_least; });
    std::vector<Alternative> found;
    std::size_t solved = 0;
    for (const auto& type : types) {
      const bool is_enough = found.size() >= kShown && type.at_least >= found[kShown - 1].hourly_cost;
      if (is_enough || ++solved > kMaxSolved || !go_on_()) break;
      auto one = packed(type.bins);
      if (!one) continue;
      one->instance_type = type.instance_type;
      const auto place = std::upper_bound(found.begin(), found.end(), *one, [](const Alternative& a, const auto& b) {
        return a.hourly_cost < b.hourly_cost;
      });
      found.insert(place, std::move(*one));
    }
    if (found.size() > kShown) found.resize(kShown);
    return found;
  }

  std::vector<Alternative> without_each(const std::set<std::string>& types) {
    std::vector<Alternative> found;
    for (const auto& type : types) {
      if (found.size() >= kMaxLeftOut || !go_on_()) break;
      std::vector<std::uint32_t> bins;
      for (std::uint32_t bin = 0; bin < question_.bins.size(); ++bin) {
        if (is_there(market_.offers[question_.bins[bin].offer]) || type_of(question_, market_, bin) != type)
          bins.push_back(bin);
      }
      if (!holds_all(question_.problem, bins)) continue;
      auto one = packed(bins);
      if (!one) continue;
      one->kind = AlternativeKind::kWithoutType;
      one->instance_type = type;
      found.push_back(std::move(*one));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Alternative& a, const Alternative& b) { return a.hourly_cost < b.hourly_cost; });
    return found;
  }

 private:
  const Question& question_;
  const Market& market_;
  const std::int64_t most_types_;
  const std::function<bool()>& go_on_;
};

std::set<std::string> types_bought(const fleet::Purchases& fleet, const Market& market) {
  std::set<std::string> types;
  for (const auto& purchase : fleet) {
    const auto& offer = market.offers[purchase.offer];
    if (!is_there(offer)) types.insert(offer.profile.instance_type);
  }
  return types;
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
  AlternativeSearch comparer(question, market, most_types, go_on);
  const auto bought = types_bought(fleet, market);
  result.list = comparer.single_types(std::move(types));
  if (bought.size() == 1)
    std::erase_if(result.list, [&](const auto& one) { return bought.count(one.instance_type) > 0; });
  if (most_types == 1) return result;  // without the one type it is the next of the list
  auto without = comparer.without_each(bought);
  std::move(without.begin(), without.end(), std::back_inserter(result.list));
  return result;
}

using fleet::Market;
using fleet::Purchase;
using fleet::Purchases;
using placement::Scenario;

namespace {

constexpr std::size_t kMaxNamed = 4;  ///< Workloads in a contradiction.
constexpr int kMaxRounds = 4;         ///< Limit of rounds that add what services need to roll.
constexpr std::int64_t kPlacementsWhenStopped = 300'000;
constexpr std::int64_t kMaxVerified = 200'000;  ///< Tasks of a fleet that is replayed attempt by attempt.

/// Whether the ideal packing heeds it all the same: a preference, or one of those by which it was made true.
bool is_heeded(const fleet::Relaxation& relaxation) {
  return relaxation.id != "task-constraint";
}

/// "no single type holds both web and train"
std::string contradiction_of(const Scenario& scenario, const fleet::Question& question,
                             const std::vector<std::uint32_t>& shapes, std::int64_t most_types) {
  std::vector<std::string_view> names;
  for (const std::uint32_t shape : shapes) {
    const std::string_view name = scenario.workloads[question.shapes[shape].workloads.front()].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const std::string more = names.size() > kMaxNamed ? fmt::format("{} more", names.size() - kMaxNamed) : std::string();
  if (names.size() > kMaxNamed) names.resize(kMaxNamed);
  if (!more.empty()) names.push_back(more);
  const std::string list = one_of(names, "and");
  if (most_types == 1) return fmt::format("no single type holds {}{}", names.size() == 2 ? "both " : "", list);
  return fmt::format("no {} types hold {} between them", most_types, list);
}

/// An interrupted search has a reason of its own.
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

class Planner {
 public:
  Planner(const Scenario& scenario, const Market& market, const FleetRequest& request)
      : scenario_(scenario), market_(market), request_(request) {}

  FleetPlan run() {
    plan_.question = fleet::make_packing_question(scenario_, market_, {request_.headroom_percent, request_.zones});
    plan_.assumptions = plan_.question.assumptions;
    plan_.tasks = packing::tasks_of(plan_.question.problem);
    if (plan_.tasks > 0) pack();
    if (plan_.tasks > 0 && plan_.left_over() == 0) {
      check_packing();
      fill();
      judge();
      compare();
      if (!plan_.has_no_bound())
        plan_.resource_prices =
            resource_prices(plan_.question, market_, plan_.packing, plan_.solution.certificate.duals.worth);
    }
    plan_.stopped_by = stopped_.value_or(stop_of(plan_.solution.stopped_by));
    note_limits_of_ecs();
    return std::move(plan_);
  }

 private:
  /// Whether fleets are filled by one policy in every launch order, as far as the effort of filling goes.
  class FillCheck {
   public:
    FillCheck(Planner& planner, const fleet::Policy& policy, FleetProgress::Phase phase)
        : request_(planner.fill_request()),
          tasks_(fleet::with_policy(fleet::tasks_of(planner.scenario_, planner.plan_.question), policy)),
          trials_(tasks_, planner.market_, request_, effort_) {
      request_.survives_zone_loss = false;
      request_.go_on = [&planner, phase] { return planner.go_on(phase); };
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

  bool go_on(FleetProgress::Phase phase) {
    progress_.phase = phase;
    if (!stopped_) stopped_ = request_.stop(progress_);
    return !stopped_;
  }

  void pack() {
    packing::SolveLimits limits;
    limits.effort = request_.effort;
    limits.gap = request_.gap;
    limits.threads = request_.threads;
    limits.go_on = [this](const packing::Progress& progress) {
      progress_.packing = progress;
      return go_on(FleetProgress::Phase::kPacking);
    };
    if (request_.most_types > 0) {
      solve_few_types(limits);
    } else {
      solve(limits);
    }
    make_true();
    plan_.ideal = fleet::compute_purchases(plan_.question, market_, plan_.packing);
    plan_.ideal_cost = fleet::cost_of(market_, plan_.question, plan_.packing);
    plan_.ideal_use = use_of(market_, plan_.question, plan_.packing);
  }

  void solve(const packing::SolveLimits& limits) {
    const auto& problem = plan_.question.problem;
    plan_.solution = packing::solve(problem, limits);
    std::vector<std::uint32_t> all(problem.types.size());
    std::iota(all.begin(), all.end(), 0);
    const auto& solution = plan_.solution;
    plan_.bound_parts.push_back({std::move(all), solution.certificate, solution.lower_bound, solution.bound_method});
  }

  void solve_few_types(const packing::SolveLimits& limits) {
    auto few = fleet::solve_few_types(market_, plan_.question, request_.most_types, limits);
    plan_.solution = std::move(few.solution);
    plan_.bound_parts = std::move(few.parts);
    plan_.type_sets = few.sets;
    if (!few.contradiction.empty())
      plan_.contradiction = contradiction_of(scenario_, plan_.question, few.contradiction, request_.most_types);
    chosen_bins_ = std::move(few.bins);
    if (few.is_relaxed)
      plan_.question.relaxed.push_back({"max-types", {}, "the bound is one of fleets of any number of types"});
  }

  /// Makes the packing problem with only the chosen types.
  fleet::Question question_of_chosen() const {
    fleet::Question question = plan_.question;
    for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
      if (request_.most_types > 0 && !std::binary_search(chosen_bins_.begin(), chosen_bins_.end(), bin))
        question.problem.types[bin].limit = 0;
    }
    return question;
  }

  void make_true() {
    plan_.packing = plan_.solution.packing;
    if (plan_.left_over() > 0) return;
    auto [packing, left_over] = fleet::repaired(scenario_, market_, question_of_chosen(), plan_.solution.packing);
    is_true_ = std::all_of(left_over.begin(), left_over.end(), [](std::int64_t count) { return count == 0; });
    if (is_true_)
      plan_.packing = fleet::dealt_to_zones(plan_.question, fleet::in_cheapest_steps(plan_.question, packing));
  }

  void check_packing() {
    const auto& problem = plan_.question.problem;
    if (const auto fault = packing::fault_of(problem, plan_.packing))
      plan_.mistakes.push_back("the ideal packing: " + *fault);
    if (!fleet::is_allowed(market_, plan_.ideal, request_.most_types))
      plan_.mistakes.push_back("the ideal fleet breaks a limit");
    std::vector<std::string> refuted;
    for (const auto& part : plan_.bound_parts) check_bound(part, refuted);
    for (auto& mistake : refuted) withdraw_bound(plan_, std::move(mistake));
    if (plan_.proof == Proof::kChecked && plan_.solution.bound_method == packing::BoundMethod::kBranchAndPrice)
      plan_.proof = Proof::kSearchTree;
  }

  void check_bound(const fleet::BoundPart& part, std::vector<std::string>& refuted) {
    const auto problem = packing::with_types(plan_.question.problem, part.bins);
    const auto verdict = packing::check(problem, part.certificate);
    if (verdict == packing::Verdict::kFails) refuted.emplace_back("the certificate of the bound does not hold");
    if (verdict == packing::Verdict::kTooHard) plan_.proof = Proof::kNotChecked;
    const bool is_by_certificate = part.method == packing::BoundMethod::kCertificate;
    if (is_by_certificate && part.lower_bound > packing::least_cost(problem, part.certificate))
      refuted.emplace_back("the bound does not follow from its certificate");
  }

  fleet::FillRequest fill_request() {
    fleet::FillRequest filling;
    filling.orders = request_.orders;
    filling.zones = request_.zones;
    filling.most_types = request_.most_types;
    filling.keeps_cluster = request_.keeps_cluster;
    filling.effort = std::max<std::int64_t>(1, request_.effort / fleet::kPackingEffortOfPlacement);
    filling.survives_zone_loss = request_.survives_zone_loss;
    filling.go_on = [this] { return go_on(FleetProgress::Phase::kFilling); };
    if (stopped_) {  // the best so far is of little use when nobody knows whether ECS fills it
      filling.effort = std::min(filling.effort, kPlacementsWhenStopped);
      filling.go_on = request_.grace;
    }
    return filling;
  }

  void fill() {
    packing::Solution ideal = plan_.solution;
    ideal.packing = plan_.packing;
    ideal.cost = plan_.ideal_cost;
    plan_.fill = fleet::find_fill(scenario_, market_, plan_.question, ideal, fill_request());
    if (request_.deployable) make_deployable();
    if (plan_.fill.recommended) look_at(*plan_.fill.recommended);
  }

  /// Takes the cheapest fleet that the strategies fill, with what its services need to roll. It stays as it was where
  /// they do not roll with more instances either.
  void make_deployable() {
    if (plan_.tasks > kMaxReplayed) return;
    const auto best = cheapest_that_rolls(plan_.fill.by_policy);
    const auto apart = cheapest_that_rolls(plan_.fill.closing);
    if (best) plan_.fill.recommended = best;
    if (apart && fleet::is_worth_writing(*apart, best)) plan_.fill.recommended = apart;
  }

  /// `fleets`: cheapest first.
  std::optional<fleet::FilledFleet> cheapest_that_rolls(const std::vector<fleet::FilledFleet>& fleets) {
    std::optional<fleet::FilledFleet> best;
    for (const auto& filled : fleets) {
      if (best && filled.hourly_cost >= best->hourly_cost) break;
      auto more = with_room_to_roll(filled);
      if (more && (!best || more->hourly_cost < best->hourly_cost)) best = std::move(more);
    }
    return best;
  }

  std::optional<fleet::FilledFleet> with_room_to_roll(fleet::FilledFleet fleet) {
    for (int round = 0; round < kMaxRounds && go_on(FleetProgress::Phase::kFilling); ++round) {
      const auto rollouts = roll_each(with(fleet.purchases, fleet.policy));
      if (rollouts.all_roll()) return confirmed(std::move(fleet));
      if (!add(list_needs(rollouts), fleet)) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Instances were added behind the search: it is tried in orders that this did not see.
  std::optional<fleet::FilledFleet> confirmed(fleet::FilledFleet fleet) {
    const auto orders = fleet::confirmed_orders(scenario_, market_, plan_.question, fleet, fill_request());
    if (!orders) return std::nullopt;
    fleet.confirmed = *orders;
    return fleet;
  }

  /// Each service rolls alone: what is enough for the neediest is enough for all.
  static std::map<std::string, std::int64_t> list_needs(const Rollouts& rollouts) {
    std::map<std::string, std::int64_t> needs;
    for (const auto& service : rollouts.services) {
      for (const auto& missing : service.needs) {
        auto& count = needs[missing.instance_type];
        count = std::max(count, missing.count);
      }
    }
    return needs;
  }

  /// False when there is nothing to add, limits forbid it, or ECS then no longer fills the fleet.
  bool add(const std::map<std::string, std::int64_t>& needs, fleet::FilledFleet& fleet) {
    for (const auto& need : needs) {
      const auto one = std::find_if(fleet.purchases.begin(), fleet.purchases.end(), [&](const Purchase& purchase) {
        return market_.offers[purchase.offer].profile.instance_type == need.first;
      });
      if (one == fleet.purchases.end()) return false;
      fleet.purchases = fleet::changed(fleet.purchases, {one->offer, one->availability_zone, need.second});
    }
    const auto filled = with(fleet.purchases, fleet.policy);
    fleet.hourly_cost = fleet::hourly_cost(market_, fleet.purchases) +
                        fleet::added_credits(market_.credits, filled, placement::place(filled));
    return !needs.empty() && fleet::is_allowed(market_, fleet.purchases, request_.most_types) &&
           FillCheck(*this, fleet.policy, FleetProgress::Phase::kFilling).is_filled(fleet.purchases) == true;
  }

  Scenario with(const Purchases& purchases, const fleet::Policy& policy) const {
    return on_fleet(scenario_, market_, request_, plan_.question, purchases, policy);
  }

  /// Places it once more: what is in use, and whether it is true that every task has a place.
  void look_at(const fleet::FilledFleet& fleet) {
    if (plan_.tasks > kMaxReplayed || (stopped_ && !request_.grace())) return look_at_many(fleet);
    const Scenario filled = with(fleet.purchases, fleet.policy);
    const auto outcome = placement::place(filled);
    plan_.use = use_of(market_, filled, outcome, fleet::dealt(fleet.purchases, request_.zones));
    plan_.placed = placed_tasks(filled, outcome);
    // A daemon's task that does not fit on an instance which stands already is no matter of the fleet: nothing is
    // bought for it, and the search for fleets does not count it either.
    const auto is_of_fleet = [&](const placement::Failure& failure) {
      return filled.workloads[failure.attempt.workload].kind != placement::WorkloadKind::kDaemon;
    };
    if (std::any_of(outcome.failures.begin(), outcome.failures.end(), is_of_fleet))
      plan_.mistakes.push_back("the recommended fleet leaves tasks unplaced");
    if (plan_.tasks <= kMaxVerified) {
      for (const auto& mistake : placement::verify(filled, outcome)) plan_.mistakes.push_back(mistake);
    }
    if (has_services(filled)) plan_.rollouts = roll_each(filled);
    plan_.memory_uncertainty = memory_uncertainty(filled, request_.orders);
    const auto& assumed = plan_.memory_uncertainty.assumptions;
    plan_.assumptions.insert(plan_.assumptions.end(), assumed.begin(), assumed.end());
    lose_zones(filled);
  }

  /// So many tasks are counted by what an instance takes of them; which instances the rest would share is not known.
  void look_at_many(const fleet::FilledFleet& fleet) {
    plan_.use = fleet.purchases == fleet::dealt(plan_.ideal, request_.zones) ? plan_.ideal_use : FleetUse();
    plan_.rollouts = not_rolled(scenario_);
  }

  void lose_zones(const Scenario& filled) {
    std::map<std::string, placement::TerminateInstances> zones;
    for (std::uint32_t i = 0; i < filled.instances.size(); ++i)
      zones[filled.profiles[filled.instances[i].profile].availability_zone].instances.push_back(i);
    if (zones.size() < 2 || plan_.tasks > kMaxVerified) return;
    WhatIf what_if(filled);
    for (auto& [zone, lost] : zones) {
      const auto instances = static_cast<std::int64_t>(lost.instances.size());
      Variant variant;
      variant.events.emplace_back(std::move(lost));
      plan_.zone_losses.push_back({zone, instances, what_if.effect(variant).unplaced});
    }
    for (const auto& mistake : what_if.mistakes()) plan_.mistakes.push_back(mistake);
  }

  /// What the packing does not know: how many instances a cluster may have, and where Neuron devices are assigned.
  void note_limits_of_ecs() {
    const auto& bought = plan_.fill.recommended ? plan_.fill.recommended->purchases : plan_.ideal;
    const auto standing = request_.keeps_cluster ? static_cast<std::int64_t>(scenario_.instances.size()) : 0;
    auto excess = catalog::quota_excess("container-instances-per-cluster", fleet::instances_of(bought) + standing,
                                        "container instances", "cluster");
    if (!excess.empty()) plan_.assumptions.push_back({std::string(catalog::kEcsQuotaExceeded), "fleet", excess});
    std::set<std::string> families;
    for (const auto& workload : scenario_.workloads) {
      const auto& family = scenario_.task_definitions[workload.task_definition].family;
      if (!families.insert(family).second) continue;
      if (auto unmanaged = capacity::neuron_assumption(workload.requirement, family))
        plan_.assumptions.push_back(std::move(*unmanaged));
    }
  }

  /// The bound is of every packing; whether the ideal one heeds what the bound leaves out is another question.
  void judge() {
    const auto& relaxed = plan_.question.relaxed;
    const bool heeds_all =
        is_true_ && std::all_of(relaxed.begin(), relaxed.end(), is_heeded) && !request_.survives_zone_loss;
    const bool is_filled = plan_.fill.recommended && plan_.fill.recommended->hourly_cost == plan_.ideal_cost;
    plan_.optimal = plan_.ideal_cost <= plan_.solution.lower_bound && (heeds_all || is_filled);
    plan_.lower_bound = plan_.solution.lower_bound;
    if (request_.survives_zone_loss && plan_.withdrawn.empty())
      plan_.lower_bound = fleet::bound_with_zone_loss(plan_.lower_bound, plan_.question, market_, request_.zones);
    check_lower_bound(plan_);
  }

  void compare() {
    plan_.alternatives =
        alternatives_to(plan_.fill.recommended ? plan_.fill.recommended->purchases : plan_.ideal, plan_.question,
                        market_, request_.most_types, [this] { return go_on(FleetProgress::Phase::kComparing); });
    compare_without_credits();
    if (!plan_.fill.recommended) return;
    // Constraints that keep workloads apart are made for the recommended fleet, and forbid others.
    fleet::Policy policy = plan_.fill.recommended->policy;
    policy.constraints = plan_.question.constraints;
    FillCheck check(*this, policy, FleetProgress::Phase::kComparing);
    for (auto& one : plan_.alternatives.list) one.filled = check.is_filled(one.purchases);
  }

  /// Whether credits decide what is bought. Where the number of types is limited nobody tries.
  void compare_without_credits() {
    if (!plan_.question.has_credit_steps || request_.most_types > 0 || !go_on(FleetProgress::Phase::kComparing)) return;
    Market free = market_;
    free.credits.rates.clear();
    const auto question = fleet::make_packing_question(scenario_, free, {request_.headroom_percent, request_.zones});
    packing::SolveLimits limits;
    limits.effort = kEffortEach;
    limits.go_on = [this](const packing::Progress&) { return go_on(FleetProgress::Phase::kComparing); };
    const auto solution = packing::solve(question.problem, limits);
    const bool is_whole = std::all_of(solution.left_over.begin(), solution.left_over.end(),
                                      [](std::int64_t count) { return count == 0; });
    const auto cost = fleet::cost_of(market_, question, solution.packing);
    if (!is_whole || solution.cost >= plan_.ideal_cost || cost <= plan_.ideal_cost) return;
    plan_.without_credits = {fleet::compute_purchases(question, market_, solution.packing), solution.cost, cost};
  }

  const Scenario& scenario_;
  const Market& market_;
  const FleetRequest& request_;
  FleetProgress progress_;
  std::vector<std::uint32_t> chosen_bins_;  ///< Where the number of types is limited.
  bool is_true_ = false;                    ///< Every bin of the ideal packing takes its tasks, one by one.
  std::optional<FleetStop> stopped_;
  FleetPlan plan_;
};

}  // namespace

std::int64_t FleetPlan::left_over() const {
  return std::accumulate(solution.left_over.begin(), solution.left_over.end(), std::int64_t{0});
}

void withdraw_bound(FleetPlan& plan, std::string mistake) {
  plan.withdrawn.push_back(std::move(mistake));
  plan.solution.lower_bound = 0;
  plan.lower_bound = 0;
  plan.optimal = false;
  plan.bound_parts.clear();
  plan.type_sets = 0;
  plan.proof = Proof::kNotChecked;
}

void check_lower_bound(FleetPlan& plan) {
  const auto& recommended = plan.fill.recommended;
  if (!recommended || recommended->hourly_cost >= plan.lower_bound) return;
  constexpr std::string_view kMistake = "the recommended fleet costs less than the bound";
  if (recommended->hourly_cost < plan.solution.lower_bound) return withdraw_bound(plan, std::string(kMistake));
  plan.withdrawn.emplace_back(kMistake);
  plan.lower_bound = plan.solution.lower_bound;
}

FleetPlan plan_fleet(const Scenario& scenario, const Market& market, const FleetRequest& request) {
  return Planner(scenario, market, request).run();
}

}  // namespace bayplan::study
