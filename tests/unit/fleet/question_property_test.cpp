// Questions about random scenarios, held against the placement engine.
#include <set>

#include "catch.hpp"
#include "fleet/assignments.hpp"
#include "fleet/markets.hpp"
#include "fleet/purchase.hpp"
#include "packing/solve.hpp"
#include "placement/engine.hpp"
#include "placement/filters.hpp"
#include "placement/random_scenario.hpp"

namespace bayplan::fleet {
namespace {

using namespace placement;
using namespace placement::build;

bool looks_at_tasks(const Constraint& constraint) {
  return constraint.expression && constraint.expression->depends_on_tasks();
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
    for (const auto& profile : tasks.profiles) add_offer(profile);
  }

  Scenario tasks;
  Market market;
  QuestionOptions options;

 private:
  void add_offer(InstanceProfile profile) {
    if (one_in(2)) {
      profile.availability_zone.clear();
      profile.attributes.erase("ecs.availability-zone");
    }
    market.offers.push_back(test::offer(std::move(profile), 10'000 * (1 + number(50))));
  }
};

/// Whether the engine puts one task of the workload, with all daemons, on one instance of the bin.
bool engine_takes(const RandomQuestion& given, const Question& question, std::uint32_t workload,
                  std::string_view provider, std::size_t type) {
  Scenario one = with_purchases(given.tasks, given.market,
                                {{question.bins[type].offer, question.bins[type].availability_zone, 1}}, false);
  for (std::uint32_t i = 0; i < one.workloads.size(); ++i) {
    Workload& own = one.workloads[i];
    if (own.kind == WorkloadKind::kDaemon) continue;
    own.count = i == workload ? 1 : 0;
    std::erase_if(own.constraints, looks_at_tasks);
    if (!own.capacity_providers.empty()) own.capacity_providers = {{std::string(provider), 0, 1}};
  }
  const Outcome outcome = place(one);
  for (const auto& placement : outcome.placements) {
    if (placement.turn.workload == workload) return true;
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

/// The assigned tasks of one instance go there one by one, with every check of placement, in the order: distinct ones,
/// whole GPUs, shares by size.
void check_instance(const RandomQuestion& given, const Question& question, const Assignment& assigned) {
  const BinOrigin& bin = question.bins[assigned.bin_type];
  Scenario one = with_purchases(given.tasks, given.market, {{bin.offer, bin.availability_zone, 1}}, false);
  for (auto& workload : one.workloads) {
    if (workload.kind != WorkloadKind::kDaemon) std::erase_if(workload.constraints, looks_at_tasks);
  }
  Groups groups;
  InstanceState state = empty_instance(one.profiles.back());
  const auto put = [&](const Workload& workload) {
    const auto group = groups.number(workload.group);
    const Filter filter(one, groups, workload, group);
    if (workload.kind == WorkloadKind::kDaemon && !filter.wants_daemon(0, state)) return;
    const auto& provider =
        workload.capacity_providers.empty() ? std::string() : one.profiles.back().capacity_provider_name;
    const auto own = providers_of(workload);
    REQUIRE((workload.kind == WorkloadKind::kDaemon || std::find(own.begin(), own.end(), provider) != own.end()));
    REQUIRE(filter.passes(0, state, provider));
    take(state, workload.requirement, group);
  };
  for (const auto& workload : one.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) put(workload);
  }
  std::vector<const Workload*> order;
  for (const auto& tasks : assigned.tasks)
    order.insert(order.end(), static_cast<std::size_t>(tasks.count), &one.workloads[tasks.workload]);
  const auto rank = [](const Workload* workload) {
    const auto& task = workload->requirement;
    const bool is_distinct =
        std::any_of(workload->constraints.begin(), workload->constraints.end(),
                    [](const auto& each) { return each.type == ConstraintType::kDistinctInstance; });
    return std::tuple(!is_distinct, -task.gpu_count, -task.mps_memory, -task.gpu_fraction_millionths);
  };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
  for (const auto* workload : order) put(*workload);
}

void check_packing(const RandomQuestion& given, const Question& question) {
  packing::SolveLimits limits;
  limits.effort = 200'000;
  const auto solution = packing::solve(question.problem, limits);
  const auto packing = repaired(given.tasks, given.market, question, solution.packing);
  REQUIRE(packing);
  const std::set<std::string> inexact{"gpu-memory-per-device", "gpu-sharing", "gpu-fraction-per-device", "ports"};
  const bool is_exact = std::none_of(question.relaxed.begin(), question.relaxed.end(),
                                     [&](const Relaxation& one) { return inexact.contains(one.id); });
  if (is_exact) CHECK(packing::cost_of(question.problem, *packing) == solution.cost);
  CHECK(packing::cost_of(question.problem, *packing) >= solution.cost);

  std::vector<std::int64_t> counts(given.tasks.workloads.size());
  for (const auto& assigned : assignments(given.tasks, given.market, question, *packing, false)) {
    check_instance(given, question, assigned);
    for (const auto& tasks : assigned.tasks) counts[tasks.workload] += tasks.count;
  }
  for (const auto& one : question.unplaceable) counts[one.workload] += one.count;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (given.tasks.workloads[i].kind != WorkloadKind::kDaemon) CHECK(counts[i] == *given.tasks.workloads[i].count);
  }
}

TEST_CASE("questions about random scenarios are what the engine answers") {
  std::int64_t solved = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const RandomQuestion given(seed);
    const auto question = question_of(given.tasks, given.market, given.options);
    check_counts(given, question);
    check_allowed(given, question);
    if (question.problem.shapes.empty()) continue;
    check_packing(given, question);
    ++solved;
  }
  CHECK(solved > 150);
}

}  // namespace
}  // namespace bayplan::fleet
