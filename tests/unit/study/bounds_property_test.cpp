// Costs and bounds of fleets, held against an exact search over small random questions with all options together.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "catch.hpp"
#include "environment.hpp"
#include "fleet/markets.hpp"
#include "placement/build.hpp"
#include "placement/engine/engine.hpp"
#include "study/fleet/filled_fleet.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/spot_share.hpp"
#include "study/payment/hourly_fleets.hpp"
#include "study/payment/load_curve.hpp"

namespace bayplan::study::bounds_test {
namespace {

using namespace placement;
using namespace placement::build;
using fleet::Market;
using fleet::Offer;

/// What the exact search knows of a task. It shares no code with the packing question.
struct Task {
  std::uint32_t workload = 0;
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::uint16_t port = 0;                      ///< 0: none.
  bool is_distinct = false;                    ///< distinctInstance.
  std::optional<std::set<std::string>> zones;  ///< Nothing: any.
};

/// An instance that could be bought, or stands.
struct Kind {
  std::uint32_t offer = 0;
  std::string zone;
  CpuUnits cpu = 0;
  MiB memory = 0;
  MicroUsd price = 0;
  std::string type;
  bool stands = false;
};

/// A random question with what the exact search reads of it.
class RandomFleet {
 public:
  explicit RandomFleet(std::uint64_t seed) : random_(seed) {
    request.effort = 300'000;
    request.orders = 3;
    const auto zones = below(4);  // none is one nameless zone
    for (std::size_t i = 0; i < zones; ++i) request.zones.emplace_back(1, static_cast<char>('a' + i));
    request.survives_zone_loss = zones >= 2 && one_in(3);
    request.headroom_percent = Percent::of(one_in(3) ? 50 : 0);
    request.most_types = one_in(4) ? 1 + static_cast<std::int64_t>(below(2)) : 0;
    // Instances that stand take no part in a loss that a fleet is to survive on its own.
    request.keeps_cluster = !request.survives_zone_loss && one_in(3);
    add_workloads(request.survives_zone_loss ? 3 : 5);
    if (request.keeps_cluster) add_standing();
    const auto offers = 1 + below(request.survives_zone_loss ? 2 : 3);
    for (std::size_t i = 0; i < offers; ++i) add_offer();
    scenario = made_of(instances_, workloads_);
    market.region = "us-east-1";
  }

  Scenario scenario;
  Market market;
  FleetRequest request;

  /// Every task of these counts, with headroom.
  std::vector<Task> tasks(const std::vector<std::int64_t>& counts) const {
    std::vector<Task> all;
    for (std::uint32_t w = 0; w < tasks_.size(); ++w) {
      if (workloads_[w].kind == WorkloadKind::kDaemon) continue;
      const auto count = (counts[w] * (10'000 + request.headroom_percent.hundredths) + 9'999) / 10'000;
      for (std::int64_t i = 0; i < count; ++i) all.push_back(tasks_[w]);
    }
    return all;
  }

  std::vector<std::int64_t> counts() const {
    std::vector<std::int64_t> all;
    for (const auto& workload : workloads_)
      all.push_back(workload.kind == WorkloadKind::kDaemon ? 0 : workload.count.value_or(0));
    return all;
  }

  /// What one instance of each kind has for tasks, its daemons taken off. Offers on which a daemon has no room that
  /// wants them are none.
  std::vector<Kind> kinds() const {
    std::vector<Kind> all;
    const std::vector<std::string> any{""};
    for (std::uint32_t i = 0; i < market.offers.size(); ++i) {
      const Offer& offer = market.offers[i];
      if (!offer.standing.empty()) {
        for (const auto instance : offer.standing)
          add_kind(i, scenario.profiles[scenario.instances[instance].profile], true, all);
        continue;
      }
      for (const auto& zone : request.zones.empty() ? any : request.zones) {
        auto profile = offer.profile;
        profile.availability_zone = zone;
        add_kind(i, profile, false, all);
      }
    }
    return all;
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }
  bool one_in(std::size_t count) { return below(count) == 0; }

  void add_workloads(std::int64_t most) {
    // Daemons are first, as in every scenario that is loaded.
    if (one_in(3)) {
      Task daemon;
      daemon.cpu = 256 * static_cast<CpuUnits>(1 + below(4));
      daemon.memory = 250 * static_cast<MiB>(1 + below(3));
      auto workload = service("daemon", needs(daemon.cpu, daemon.memory), 0);
      workload.kind = WorkloadKind::kDaemon;
      if (!request.zones.empty() && one_in(3)) {
        daemon.zones = {request.zones.front()};
        workload.constraints.push_back(member_of("attribute:ecs.availability-zone == " + request.zones.front()));
      }
      daemon.workload = static_cast<std::uint32_t>(workloads_.size());
      workloads_.push_back(std::move(workload));
      tasks_.push_back(daemon);
    }
    const auto count = 1 + below(3);
    for (std::size_t i = 0; i < count && most > 0; ++i) {
      Task task;
      task.workload = static_cast<std::uint32_t>(workloads_.size());
      task.cpu = 256 * static_cast<CpuUnits>(1 + below(6));
      task.memory = 500 * static_cast<MiB>(1 + below(6));
      auto needed = needs(task.cpu, task.memory);
      if (one_in(5)) task.port = 8080;
      if (task.port != 0) needed = with_tcp(needed, {task.port});
      const auto tasks = std::min<std::int64_t>(most, 1 + static_cast<std::int64_t>(below(3)));
      most -= tasks;
      const auto name = "w" + std::to_string(i);
      auto workload = one_in(2) ? service(name, needed, tasks) : run_task(name, needed, tasks);
      task.is_distinct = one_in(5);
      if (task.is_distinct) workload.constraints.push_back(distinct_instance());
      if (!request.zones.empty() && one_in(4)) {
        task.zones = {request.zones[below(request.zones.size())]};
        if (one_in(2)) {
          workload.availability_zones = std::vector<std::string>(task.zones->begin(), task.zones->end());
        } else {
          workload.constraints.push_back(member_of("attribute:ecs.availability-zone == " + *task.zones->begin()));
        }
      }
      if (workload.kind == WorkloadKind::kTasks) workload.all_or_nothing = one_in(6);
      workloads_.push_back(std::move(workload));
      tasks_.push_back(task);
    }
  }

  InstanceProfile random_profile(const std::string& type) {
    const CpuUnits cpu = 1024 << below(3);
    const MiB memory = 2'000 << below(3);
    return fleet::test::bought(type, cpu, memory);
  }

  void add_standing() {
    const auto count = 1 + below(2);
    for (std::size_t i = 0; i < count; ++i) {
      auto profile = random_profile("old" + std::to_string(i));
      if (!request.zones.empty()) {
        profile.availability_zone = request.zones[below(request.zones.size())];
        profile.attributes["ecs.availability-zone"] = profile.availability_zone;
      }
      Offer offer = fleet::test::offer(profile, 0);
      offer.standing = {static_cast<std::uint32_t>(instances_.size())};
      instances_.push_back(std::move(profile));
      market.offers.push_back(std::move(offer));
    }
  }

  void add_offer() {
    const auto type = "t" + std::to_string(market.offers.size());
    auto profile = random_profile(type);
    Offer offer = fleet::test::offer(std::move(profile), 10'000 * static_cast<MicroUsd>(1 + below(9)));
    if (one_in(5)) offer.limit = 1 + static_cast<std::int64_t>(below(3));
    if (!request.survives_zone_loss && one_in(5)) {  // some of them are owned
      Offer owned = offer;
      owned.is_owned = true;
      owned.hourly_price = 0;
      owned.limit = 1 + static_cast<std::int64_t>(below(2));
      market.offers.push_back(std::move(owned));
    }
    offer.profile.hourly_price = offer.hourly_price;
    market.offers.push_back(std::move(offer));
  }

  static Scenario made_of(const std::vector<InstanceProfile>& instances, const std::vector<Workload>& workloads) {
    return scenario_with(instances, workloads);
  }

  void add_kind(std::uint32_t offer, const InstanceProfile& profile, bool stands, std::vector<Kind>& all) const {
    Kind kind{offer,          profile.availability_zone,         profile.cpu,
              profile.memory, market.offers[offer].hourly_price, profile.instance_type,
              stands};
    for (std::size_t w = 0; w < workloads_.size(); ++w) {
      if (workloads_[w].kind != WorkloadKind::kDaemon) continue;
      const Task& daemon = tasks_[w];
      if (daemon.zones && !daemon.zones->contains(kind.zone)) continue;
      const bool fits = daemon.cpu <= kind.cpu && daemon.memory <= kind.memory;
      if (!fits && !stands) return;
      if (!fits) continue;
      kind.cpu -= daemon.cpu;
      kind.memory -= daemon.memory;
    }
    all.push_back(std::move(kind));
  }

  std::mt19937_64 random_;
  std::vector<Workload> workloads_;
  std::vector<Task> tasks_;
  std::vector<InstanceProfile> instances_;
};

struct Bin {
  Kind kind;
  std::vector<Task> tasks;
};

bool takes(const Bin& bin, const Task& task) {
  if (task.zones && !bin.kind.zone.empty() && !task.zones->contains(bin.kind.zone)) return false;
  CpuUnits cpu = task.cpu;
  MiB memory = task.memory;
  for (const auto& other : bin.tasks) {
    cpu += other.cpu;
    memory += other.memory;
    if (task.port != 0 && other.port == task.port) return false;
    if (task.is_distinct && other.workload == task.workload) return false;
  }
  return cpu <= bin.kind.cpu && memory <= bin.kind.memory;
}

/// The cheapest instances that hold all tasks, task by task into each instance there is and each that can be bought.
class ExactSearch {
 public:
  ExactSearch(const Market& market, std::vector<Kind> kinds, std::vector<Task> tasks, std::int64_t most_types)
      : market_(market), kinds_(std::move(kinds)), tasks_(std::move(tasks)), most_types_(most_types) {
    for (const auto& kind : kinds_) {
      if (kind.stands) bins_.push_back({kind, {}});
    }
    std::erase_if(kinds_, [](const Kind& kind) { return kind.stands; });
    std::stable_sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) { return a.cpu > b.cpu; });
  }

  /// Nothing where they do not all have a place.
  std::optional<MicroUsd> least() {
    place(0, 0);
    return best_;
  }

 private:
  void place(std::size_t next, MicroUsd cost) {
    if (best_ && cost >= *best_) return;
    if (next == tasks_.size()) {
      best_ = cost;
      return;
    }
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
      if (!takes(bins_[bin], tasks_[next])) continue;
      bins_[bin].tasks.push_back(tasks_[next]);
      place(next + 1, cost);
      bins_[bin].tasks.pop_back();
    }
    for (const auto& kind : kinds_) {
      if (bought_[kind.offer] >= market_.offers[kind.offer].limit || !takes({kind, {}}, tasks_[next])) continue;
      const bool is_new_type = types_[kind.type] == 0;
      const auto types = std::count_if(types_.begin(), types_.end(), [](const auto& one) { return one.second > 0; });
      if (most_types_ > 0 && is_new_type && types >= most_types_) continue;
      ++bought_[kind.offer];
      ++types_[kind.type];
      bins_.push_back({kind, {tasks_[next]}});
      place(next + 1, cost + kind.price);
      bins_.pop_back();
      --types_[kind.type];
      --bought_[kind.offer];
    }
  }

  const Market& market_;
  std::vector<Kind> kinds_;
  std::vector<Task> tasks_;
  const std::int64_t most_types_;
  std::vector<Bin> bins_;
  std::map<std::uint32_t, std::int64_t> bought_;
  std::map<std::string, std::int64_t> types_;
  std::optional<MicroUsd> best_;
};

bool holds(std::vector<Bin>& bins, const std::vector<Task>& tasks, std::size_t next = 0) {
  if (next == tasks.size()) return true;
  for (auto& bin : bins) {
    if (!takes(bin, tasks[next])) continue;
    bin.tasks.push_back(tasks[next]);
    const bool is_held = holds(bins, tasks, next + 1);
    bin.tasks.pop_back();
    if (is_held) return true;
  }
  return false;
}

bool holds_without(const std::vector<Bin>& fleet, const std::string& zone, const std::vector<Task>& tasks) {
  std::vector<Bin> rest;
  for (const auto& bin : fleet) {
    if (bin.kind.zone != zone) rest.push_back(bin);
  }
  return holds(rest, tasks);
}

/// The cheapest fleet that holds all tasks when any one zone is lost: every number of instances of every kind.
class ExactSurvival {
 public:
  ExactSurvival(const Market& market, std::vector<Kind> kinds, const std::vector<Task>& tasks,
                const std::vector<std::string>& zones, std::int64_t most_types)
      : market_(market), kinds_(std::move(kinds)), tasks_(tasks), zones_(zones), most_types_(most_types) {}

  std::optional<MicroUsd> least() {
    choose(0, 0);
    return best_;
  }

 private:
  void choose(std::size_t next, MicroUsd cost) {
    if (best_ && cost >= *best_) return;
    if (next == kinds_.size()) {
      std::map<std::uint32_t, std::int64_t> bought;
      std::set<std::string> types;
      for (const auto& bin : fleet_) {
        ++bought[bin.kind.offer];
        types.insert(bin.kind.type);
      }
      for (const auto& [offer, count] : bought) {
        if (count > market_.offers[offer].limit) return;
      }
      if (most_types_ > 0 && std::ssize(types) > most_types_) return;
      const auto survives = [&](const std::string& zone) { return holds_without(fleet_, zone, tasks_); };
      if (std::all_of(zones_.begin(), zones_.end(), survives)) best_ = cost;
      return;
    }
    // More of one kind than tasks are of no use.
    const auto before = fleet_.size();
    for (std::size_t count = 0; count <= tasks_.size(); ++count) {
      choose(next + 1, cost + static_cast<MicroUsd>(count) * kinds_[next].price);
      fleet_.push_back({kinds_[next], {}});
    }
    fleet_.resize(before);
  }

  const Market& market_;
  std::vector<Kind> kinds_;
  const std::vector<Task>& tasks_;
  const std::vector<std::string>& zones_;
  const std::int64_t most_types_;
  std::vector<Bin> fleet_;
  std::optional<MicroUsd> best_;
};

std::optional<MicroUsd> least_cost(const RandomFleet& given, const std::vector<std::int64_t>& counts,
                                   bool survives_zone_loss) {
  const auto tasks = given.tasks(counts);
  if (survives_zone_loss)
    return ExactSurvival(given.market, given.kinds(), tasks, given.request.zones, given.request.most_types).least();
  return ExactSearch(given.market, given.kinds(), tasks, given.request.most_types).least();
}

/// The instances of a fleet as the exact search has them, those that stand first.
std::vector<Bin> bins_of(const RandomFleet& given, const fleet::Purchases& purchases) {
  std::vector<Bin> bins;
  for (const auto& kind : given.kinds()) {
    if (kind.stands) bins.push_back({kind, {}});
    for (const auto& one : fleet::dealt(purchases, given.request.zones)) {
      if (kind.stands || one.offer != kind.offer || one.availability_zone != kind.zone) continue;
      bins.insert(bins.end(), static_cast<std::size_t>(one.count), {kind, {}});
    }
  }
  return bins;
}

struct Counts {
  std::int64_t solved = 0;
  std::int64_t proven = 0;
  std::int64_t filled = 0;
  std::int64_t zone_losses = 0;
  std::int64_t levels = 0;
  std::int64_t spot = 0;
};

/// Each task that has a place by itself: what has none is reported, and no part of cost and bound.
std::vector<std::int64_t> placeable_counts(const RandomFleet& given, const FleetPlan& plan) {
  auto counts = given.counts();
  for (const auto& one : plan.question.unplaceable) counts[one.workload] = 0;
  return counts;
}

void check_plan(const RandomFleet& given, const FleetPlan& plan, Counts& counted) {
  REQUIRE(plan.mistakes == std::vector<std::string>{});
  REQUIRE(plan.withdrawn == std::vector<std::string>{});
  const auto counts = placeable_counts(given, plan);
  const auto least = least_cost(given, counts, false);
  if (plan.left_over() > 0 || !plan.contradiction.empty()) {
    // Limits leave tasks over: a search that ends early may say so, a proof may not.
    if (plan.stopped_by == FleetStop::kProof) CHECK_FALSE(least);
    return;
  }
  REQUIRE(least);
  ++counted.solved;
  CHECK(plan.bounded.solution.lower_bound <= *least);
  if (given.request.most_types == 0) CHECK(plan.ideal.hourly_cost >= *least);
  // The ideal fleet holds every task, and as few types as it may.
  auto ideal = bins_of(given, plan.ideal.purchases);
  const auto tasks = given.tasks(counts);
  CHECK(holds(ideal, tasks));
  if (plan.optimal && !given.request.survives_zone_loss) {
    ++counted.proven;
    CHECK(plan.ideal.hourly_cost == *least);
  }
  if (plan.fill.recommended) {
    ++counted.filled;
    const auto& recommended = *plan.fill.recommended;
    CHECK(recommended.hourly_cost >= plan.lower_bound);
    CHECK(recommended.hourly_cost == fleet::hourly_cost(given.market, recommended.purchases));
    auto filled = bins_of(given, recommended.purchases);
    CHECK(holds(filled, tasks));
    if (given.request.survives_zone_loss) {
      for (const auto& zone : given.request.zones) CHECK(holds_without(filled, zone, tasks));
    }
  }
  if (given.request.survives_zone_loss) {
    const auto surviving = least_cost(given, counts, true);
    ++counted.zone_losses;
    if (surviving) CHECK(plan.lower_bound <= *surviving);
    if (surviving && plan.fill.recommended) CHECK(plan.fill.recommended->hourly_cost >= *surviving);
    if (!surviving) CHECK_FALSE(plan.fill.recommended);
  } else {
    CHECK(plan.lower_bound <= *least);
  }
}

/// Half the tasks, all of them, and none of the first workload.
LoadCurve random_curve(const std::vector<std::int64_t>& counts) {
  LoadCurve curve;
  auto half = counts, without = counts;
  for (auto& count : half) count = (count + 1) / 2;
  without.front() = 0;
  for (const auto& level : {counts, half, without}) {
    const bool is_known = std::any_of(curve.levels.begin(), curve.levels.end(),
                                      [&](const LoadLevel& one) { return one.counts == level; });
    if (is_known) continue;
    curve.hours.push_back(static_cast<std::uint32_t>(curve.levels.size()));
    curve.levels.push_back({level, 1});
  }
  return curve;
}

void check_levels(const RandomFleet& given, const FleetPlan& plan, Counts& counted) {
  // A fleet for each hour is one for every task that fits, on instances that are bought.
  if (!plan.question.unplaceable.empty() || plan.left_over() > 0 || given.request.keeps_cluster || plan.tasks == 0)
    return;
  const auto curve = random_curve(given.counts());
  const auto fleets = plan_hourly_fleets(given.scenario, given.market, given.request, plan, curve);
  CHECK(fleets.mistakes == std::vector<std::string>{});
  CHECK(fleets.withdrawn == std::vector<std::string>{});
  const bool survives = given.request.survives_zone_loss && !fleets.lacks_zone_loss;
  for (std::size_t i = 0; i < curve.levels.size(); ++i) {
    INFO("level " << i);
    const auto& level = fleets.levels[i];
    const auto least = least_cost(given, curve.levels[i].counts, survives);
    REQUIRE(least);
    ++counted.levels;
    CHECK(level.lower_bound <= *least);
    CHECK(level.hourly_cost >= *least);
    auto bins = bins_of(given, level.purchases);
    const auto tasks = given.tasks(curve.levels[i].counts);
    CHECK(holds(bins, tasks));
    if (!survives) continue;
    for (const auto& zone : given.request.zones) CHECK(holds_without(bins, zone, tasks));
  }
}

/// The fewest instances of one kind that hold the tasks.
std::optional<MicroUsd> least_in_pool(const RandomFleet& given, const Kind& pool, const std::vector<Task>& tasks) {
  return ExactSearch(given.market, {pool}, tasks, 0).least();
}

void check_spot(RandomFleet given, Counts& counted) {
  if (given.request.zones.empty() || given.request.survives_zone_loss || given.request.keeps_cluster) return;
  given.request.headroom_percent = {};
  given.request.most_types = 0;
  std::erase_if(given.market.offers, [](const Offer& offer) { return offer.is_owned; });
  for (auto& offer : given.market.offers) offer.limit = packing::kUnlimited;
  const SpotRequest request{kHundredPercent, 2};
  if (refuse_spot(given.scenario, request)) return;
  const auto rest = with_counts(given.scenario, on_demand_counts(given.scenario, request.percent));
  const auto plan = plan_spot(given.scenario, given.market, request, given.request, given.market,
                              plan_fleet(rest, given.market, given.request));
  const auto counts = given.counts();
  const auto pools = std::min<std::int64_t>(request.pools, *std::max_element(counts.begin(), counts.end()));
  std::vector<std::vector<Task>> shares;
  for (std::int64_t i = 0; i < pools; ++i) {
    auto part = counts;
    for (auto& count : part) count = (count + pools - 1 - i) / pools;
    shares.push_back(given.tasks(part));
  }
  const auto kinds = given.kinds();
  std::optional<MicroUsd> least;
  for (std::size_t a = 0; a < kinds.size(); ++a) {
    const auto first = least_in_pool(given, kinds[a], shares.front());
    if (shares.size() == 1 && first) least = std::min(least.value_or(*first), *first);
    for (std::size_t b = 0; b < kinds.size() && shares.size() == 2 && first; ++b) {
      const auto second = a == b ? std::nullopt : least_in_pool(given, kinds[b], shares.back());
      if (second) least = std::min(least.value_or(*first + *second), *first + *second);
    }
  }
  if (!plan) return;  // pools are few, or hold only a part of a share
  REQUIRE(plan->mistakes == std::vector<std::string>{});
  REQUIRE(plan->withdrawn == std::vector<std::string>{});
  REQUIRE(plan->lower_bound);
  REQUIRE(least);
  ++counted.spot;
  CHECK(*plan->lower_bound <= *least);
  CHECK(plan->hourly_cost >= *least);
}

}  // namespace

/// BAYPLAN_BOUND_CASES=5000 tries more; BAYPLAN_BOUND_SEED=17 begins elsewhere.
TEST_CASE("costs and bounds of random fleets agree with an exact search") {
  const std::uint64_t cases = from_environment("BAYPLAN_BOUND_CASES", 60);
  const std::uint64_t first = from_environment("BAYPLAN_BOUND_SEED", 0);
  Counts counted;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    CAPTURE(seed);
    const RandomFleet given(seed);
    const auto plan = plan_fleet(given.scenario, given.market, given.request);
    check_plan(given, plan, counted);
    check_levels(given, plan, counted);
    check_spot(given, counted);
  }
  WARN(cases << " random fleets: " << counted.solved << " solved, " << counted.proven << " proven optimal, "
             << counted.filled << " filled by ECS, " << counted.zone_losses << " with zone loss; " << counted.levels
             << " levels of loads, " << counted.spot << " Spot plans");
  CHECK(counted.solved * 2 > static_cast<std::int64_t>(cases));
  CHECK(counted.proven > 0);
  CHECK(counted.zone_losses > 0);
  CHECK(counted.levels > 0);
  CHECK(counted.spot > 0);
}

}  // namespace bayplan::study::bounds_test
