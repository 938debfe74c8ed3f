// Questions about random scenarios, held against the placement engine.
#include <set>

#include "catch.hpp"
#include "environment.hpp"
#include "fleet/ideal/assignments.hpp"
#include "fleet/markets.hpp"
#include "fleet/offers/purchase.hpp"
#include "packing/solve.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/filters.hpp"
#include "placement/random_scenario.hpp"

namespace bayplan::fleet {
namespace {

using namespace placement;
using namespace placement::build;

bool looks_at_tasks(const Constraint& constraint) {
  return constraint.depends_on_tasks();
}

/// A scenario whose profiles can be bought, in no zone or in their own.
class RandomQuestion : public RandomScenario {
 public:
  explicit RandomQuestion(std::uint64_t seed) : RandomScenario(seed, {7, 6, 9}) {
    tasks = make();
    for (auto& workload : tasks.workloads) {
      if (!workload.count) workload.count = 3;
      workload.all_or_nothing = false;
    }
    tasks.calls.clear();
    if (one_in(2)) options.zones = {"a", "b"};
    keeps_cluster = one_in(2);
    if (keeps_cluster) add_standing();
    for (const auto& profile : tasks.profiles) add_offer(profile);
  }

  Scenario tasks;
  Market market;
  QuestionOptions options;
  bool keeps_cluster = false;

 private:
  void add_standing() {
    for (std::uint32_t profile = 0; profile < tasks.profiles.size(); ++profile) {
      Offer offer = test::offer(tasks.profiles[profile], 0);
      for (std::uint32_t i = 0; i < tasks.instances.size(); ++i) {
        if (tasks.instances[i].profile == profile) offer.standing.push_back(i);
      }
      if (!offer.standing.empty()) market.offers.push_back(std::move(offer));
    }
  }

  void add_offer(InstanceProfile profile) {
    if (one_in(2)) {
      profile.availability_zone.clear();
      profile.attributes.erase("ecs.availability-zone");
    }
    market.offers.push_back(test::offer(std::move(profile), 10'000 * (1 + number(50))));
    if (one_in(6)) market.offers.back().limit = 1 + number(2);
  }
};

/// The scenario with a bin of the kind as the only instance that takes tasks: the last, or the one that stands.
Scenario instance_of(const RandomQuestion& given, const BinOrigin& bin) {
  if (bin.standing.empty())
    return with_purchases(given.tasks, given.market, {{bin.offer, bin.availability_zone, 1}}, false);
  Scenario one = given.tasks;
  for (std::uint32_t i = 0; i < one.instances.size(); ++i) {
    if (i == bin.standing.back()) continue;
    auto other = one.profiles[one.instances[i].profile];
    other.status = InstanceStatus::kDraining;
    one.instances[i].profile = static_cast<std::uint32_t>(one.profiles.size());
    one.profiles.push_back(std::move(other));
  }
  return one;
}

/// Whether the engine puts one task of the workload, with all daemons, on one instance of the bin.
bool engine_takes(const RandomQuestion& given, const Question& question, std::uint32_t workload,
                  std::string_view provider, std::size_t type) {
  Scenario one = instance_of(given, question.bins[type]);
  for (std::uint32_t i = 0; i < one.workloads.size(); ++i) {
    Workload& own = one.workloads[i];
    if (own.kind == WorkloadKind::kDaemon) continue;
    own.count = i == workload ? 1 : 0;
    std::erase_if(own.constraints, looks_at_tasks);
    if (!own.capacity_providers.empty()) own.capacity_providers = {{std::string(provider), 0, 1}};
  }
  const Outcome outcome = place(one);
  for (const auto& placement : outcome.placements) {
    if (placement.attempt.workload == workload) return true;
  }
  return false;
}

/// Providers of the workload whose share of it the shape may be.
std::vector<std::string> providers_of(const Workload& workload) {
  std::vector<std::string> names;
  for (const auto& share : workload.capacity_providers) names.push_back(share.capacity_provider);
  if (names.empty()) names.emplace_back();
  return names;
}

void check_allowed(const RandomQuestion& given, const Question& question) {
  for (std::size_t shape = 0; shape < question.shapes.size(); ++shape) {
    for (const auto workload : question.shapes[shape].workloads) {
      const auto& task = given.tasks.workloads[workload].requirement;
      bool some_provider = false;
      for (const auto& provider : providers_of(given.tasks.workloads[workload])) {
        bool equal = true;
        for (std::size_t type = 0; type < question.bins.size(); ++type) {
          const bool suits =
              !task.wants_gpu() || question.bins[type].whole_gpus == (task.gpu_form == capacity::GpuForm::kAll);
          const bool expected = suits && engine_takes(given, question, workload, provider, type);
          equal = equal && question.problem.shapes[shape].allowed[type] == expected;
        }
        some_provider = some_provider || equal;
      }
      CHECK(some_provider);
    }
  }
}

void check_counts(const RandomQuestion& given, const Question& question) {
  std::vector<std::int64_t> counts(given.tasks.workloads.size());
  for (const auto& origin : question.shapes) {
    for (std::size_t i = 0; i < origin.workloads.size(); ++i) counts[origin.workloads[i]] += origin.counts[i];
  }
  for (const auto& one : question.unplaceable) counts[one.workload] += one.count;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& workload = given.tasks.workloads[i];
    CHECK(counts[i] == (workload.kind == WorkloadKind::kDaemon ? 0 : *workload.count));
  }
}

/// The assigned tasks of one instance go there one by one, with every check of placement, in the order given.
void check_instance(const RandomQuestion& given, const Question& question, const Assignment& assigned) {
  const BinOrigin& bin = question.bins[assigned.bin_type];
  Scenario one = instance_of(given, bin);
  for (auto& workload : one.workloads) {
    if (workload.kind != WorkloadKind::kDaemon) std::erase_if(workload.constraints, looks_at_tasks);
  }
  const auto named = [&](const auto& each) { return each.id == assigned.instance; };
  const std::uint32_t instance =
      bin.standing.empty()
          ? 0
          : static_cast<std::uint32_t>(std::find_if(one.instances.begin(), one.instances.end(), named) -
                                       one.instances.begin());
  REQUIRE(instance < one.instances.size());
  one.instances[instance].profile =
      bin.standing.empty() ? one.instances[0].profile : given.tasks.instances[instance].profile;
  const InstanceProfile& profile = one.profiles[one.instances[instance].profile];
  Groups groups;
  InstanceState state = bin.standing.empty() ? empty_instance(profile) : starting_state(given.tasks, instance, groups);
  const auto put = [&](const Workload& workload) {
    const auto group = groups.number(workload.group);
    const Filter filter(one, groups, workload, group);
    if (workload.kind == WorkloadKind::kDaemon && !filter.wants_daemon(instance, state)) return;
    const auto& provider = workload.capacity_providers.empty() ? std::string() : profile.capacity_provider_name;
    if (workload.kind == WorkloadKind::kDaemon && !bin.standing.empty() && !filter.passes(instance, state, {})) return;
    const auto own = providers_of(workload);
    REQUIRE((workload.kind == WorkloadKind::kDaemon || std::find(own.begin(), own.end(), provider) != own.end()));
    REQUIRE(filter.passes(instance, state, provider));
    take(state, workload.requirement, group);
  };
  for (const auto& workload : one.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) put(workload);
  }
  std::vector<const Workload*> order;
  for (const auto& tasks : assigned.tasks)
    order.insert(order.end(), static_cast<std::size_t>(tasks.count), &one.workloads[tasks.workload]);
  for (const auto* workload : order) put(*workload);
}

/// A bin that is bought for any zone holds its tasks in each of them.
void check_zones(const RandomQuestion& given, const Question& question, packing::Pattern pattern) {
  if (!question.bins[pattern.type].standing.empty() || !zone_of(question, pattern).empty()) return;
  const BinOrigin own = question.bins[pattern.type];
  for (std::uint32_t type = 0; type < question.bins.size(); ++type) {
    if (question.bins[type].offer != own.offer || question.bins[type].whole_gpus != own.whole_gpus) continue;
    pattern.type = type;
    check_instance(given, question, assignments(given.tasks, given.market, question, {{pattern, 1}}, false).front());
  }
}

std::int64_t count_of(const Market& market, const Question& question, const packing::Packing& packing,
                      std::uint32_t offer) {
  std::int64_t count = 0;
  for (const auto& one : compute_purchases(question, market, packing)) count += one.offer == offer ? one.count : 0;
  return count;
}

void check_packing(const RandomQuestion& given, const Question& question) {
  packing::SolveLimits limits;
  limits.effort = 200'000;
  const auto solution = packing::solve(question.problem, limits);
  const Repaired real = repaired(given.tasks, given.market, question, solution.packing);
  const bool is_limited = packing::is_limited(question.problem);
  if (!is_limited) REQUIRE(real.left_over == std::vector<std::int64_t>(question.shapes.size()));
  const std::set<std::string> inexact{"gpu-memory-per-device", "gpu-sharing", "gpu-fraction-per-device", "ports"};
  const bool is_exact = std::none_of(question.relaxed.begin(), question.relaxed.end(),
                                     [&](const Relaxation& one) { return inexact.contains(one.id); });
  if (is_exact) CHECK(packing::compute_cost(question.problem, real.packing) == solution.cost);
  if (!is_limited) CHECK(packing::compute_cost(question.problem, real.packing) >= solution.cost);
  for (const auto& one : compute_purchases(question, given.market, real.packing))
    CHECK(count_of(given.market, question, real.packing, one.offer) <= given.market.offers[one.offer].limit);

  for (const auto& filled : real.packing) check_zones(given, question, filled.pattern);
  std::vector<std::int64_t> counts(given.tasks.workloads.size());
  for (const auto& assigned : assignments(given.tasks, given.market, question, real.packing, given.keeps_cluster)) {
    check_instance(given, question, assigned);
    for (const auto& tasks : assigned.tasks) counts[tasks.workload] += tasks.count;
  }
  for (const auto& one : question.unplaceable) counts[one.workload] += one.count;
  for (const auto& one : tasks_left_over(question, solution.left_over)) counts[one.workload] += one.count;
  for (const auto& one : tasks_left_over(question, real.left_over)) counts[one.workload] += one.count;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (given.tasks.workloads[i].kind != WorkloadKind::kDaemon) CHECK(counts[i] == *given.tasks.workloads[i].count);
  }
}

TEST_CASE("questions about random scenarios are what the engine answers") {
  std::int64_t solved = 0;
  for (std::uint64_t seed = 0; seed < random_cases(500); ++seed) {
    CAPTURE(seed);
    const RandomQuestion given(seed);
    const auto question = make_packing_question(given.tasks, given.market, given.options);
    check_counts(given, question);
    check_allowed(given, question);
    if (question.problem.shapes.empty()) continue;
    check_packing(given, question);
    ++solved;
  }
  CHECK(solved > at_least(200));
}

}  // namespace
}  // namespace bayplan::fleet
