#include "placement/policy/policy_score.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "placement/build.hpp"
#include "placement/engine/engine.hpp"
#include "placement/policy/score_table.hpp"
#include "placement/verify/verify.hpp"

namespace bayplan::placement::policy_test {
namespace {

constexpr PolicyTask kShare{.cpu = 4000, .milli = 500, .cards = 1};
constexpr PolicyTask kTwoCards{.cpu = 8000, .milli = 1000, .cards = 2};
constexpr PolicyTask kNoGpu{.cpu = 16000};

PolicyNode node(std::int64_t cpu, std::vector<std::int32_t> cards) {
  return {.cpu = cpu, .memory = 1000, .cards = std::move(cards)};
}

PolicyContext context(Policy policy) {
  return {.policy = policy, .largest_cpu = 128'000, .largest_memory = 1000, .largest_milli = 8000};
}

}  // namespace

TEST_CASE("policy: a policy has one name and a wrong name suggests one") {
  for (const auto& entry : policies()) {
    CHECK(*parse_policy(entry.name) == entry.policy);
    CHECK(name_of(entry.policy) == entry.name);
  }
  const auto wrong = parse_policy("gpu-paking");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "unknown policy 'gpu-paking'");
  CHECK(wrong.error().help ==
        "Did you mean 'gpu-packing'? Policies: best-fit, worst-fit, first-fit, dot-product, gpu-packing, "
        "gpu-clustering, fgd, random");
}

TEST_CASE("policy: best fit adds up what is left of CPU and GPUs") {
  // (64,000 - 16,000) / 128,000 = 0.375 and 8,000 / 8,000 = 1: 100 - 50 x 1.375 = 31.25.
  CHECK(score(context(Policy::kBestFit), node(64'000, std::vector<std::int32_t>(8, 1000)), kNoGpu) == 31);
  CHECK(score(context(Policy::kBestFit), node(16'000, {0, 0}), kNoGpu) == 100);
  CHECK(score(context(Policy::kWorstFit), node(16'000, {0, 0}), kNoGpu) == 0);
}

TEST_CASE("policy: best fit weighs memory where a cluster has no GPUs") {
  auto without_gpus = context(Policy::kBestFit);
  without_gpus.weighs_memory = true;
  // 0 of the CPU and 400 / 1,000 of the memory are left: 100 - 50 x 0.4.
  CHECK(score(without_gpus, node(16'000, {}), {.cpu = 16'000, .memory = 600}) == 80);
}

TEST_CASE("policy: the dot product prefers what is unlike the request") {
  // 64/128 x 8/128 + 2/8 x 2/8 = 0.09375; half of it: 100 x (1 - 0.046875) = 95.3.
  CHECK(score(context(Policy::kDotProduct), node(64'000, {1000, 1000}), kTwoCards) == 95);
  CHECK(score(context(Policy::kDotProduct), node(128'000, std::vector<std::int32_t>(8, 1000)), kTwoCards) == 84);
}

TEST_CASE("policy: GPU packing prefers GPUs in use then instances in use") {
  const auto packing = context(Policy::kGpuPacking);
  CHECK(score(packing, node(64'000, {600, 1000}), kShare) == 94);   // 60 % of a used card are free: 100 - 6
  CHECK(score(packing, node(64'000, {400, 1000}), kShare) == 49);   // a free card of a used instance
  CHECK(score(packing, node(64'000, {1000, 1000}), kShare) == 31);  // an empty instance: 33 - 2
  CHECK(score(packing, node(64'000, {0, 1000, 1000}), kTwoCards) == 48);
  CHECK(score(packing, node(64'000, {1000, 1000}), kNoGpu) == 0);
}

TEST_CASE("policy: GPU clustering prefers instances with tasks of the same kind") {
  const auto clustering = context(Policy::kGpuClustering);
  auto mixed = node(64'000, {500, 1000});
  CHECK(score(clustering, mixed, kShare) == 45);  // 25 x (8,000 - 1,500) / 8,000 = 20, and 25 without GPU tasks
  mixed.affinities = {0};
  CHECK(score(clustering, mixed, kShare) == 95);
  mixed.affinities = {0, 2};
  CHECK(score(clustering, mixed, kShare) == 70);
  mixed.affinities = {2};
  CHECK(score(clustering, mixed, kShare) == 20);
}

TEST_CASE("policy: fragmentation counts what expected tasks cannot use") {
  auto fgd = context(Policy::kFgd);
  fgd.expected = {{.task = kShare, .count = 3}, {.task = kTwoCards, .count = 1}};
  // A share can use 600 and 1,000 but not 400; two whole cards are not there: 3 x 400 + 1 x 2,000.
  CHECK(fragmentation(fgd, node(64'000, {400, 600, 1000})) == 3200);
  // No task of either kind has enough CPU: all 2,000 count for all four.
  CHECK(fragmentation(fgd, node(1000, {400, 600, 1000})) == 8000);
  // A kind that constraints keep away cannot use anything; nor does a task without GPUs use any.
  fgd.expected = {{.task = kShare, .count = 1, .allowed = {false}}, {.task = kNoGpu, .count = 1}};
  CHECK(fragmentation(fgd, node(64'000, {1000})) == 2000);
}

TEST_CASE("policy: FGD puts a share where it strands least") {
  auto fgd = context(Policy::kFgd);
  fgd.expected = {{.task = kShare, .count = 1}, {.task = {.milli = 1000, .cards = 1}, .count = 1}};
  const auto used = node(64'000, {1000, 500});
  CHECK(least_fragmenting_card(fgd, used, kShare) == 1);
  // On a full instance the placement removes stranded capacity; on an empty one it strands half a card.
  CHECK(score(fgd, node(64'000, {500}), kShare) > score(fgd, node(64'000, {1000}), kShare));
  CHECK_FALSE(least_fragmenting_card(fgd, node(64'000, {400}), kShare));
}

TEST_CASE("policy: typical tasks are the most frequent until 95 percent") {
  const auto kept =
      keep_typical({{.task = kShare, .count = 4}, {.task = kTwoCards, .count = 90}, {.task = kNoGpu, .count = 6}});
  REQUIRE(kept.size() == 2);
  CHECK(kept[0].task == kTwoCards);
  CHECK(kept[1].task == kNoGpu);
}

TEST_CASE("policy: a policy task takes cards as its GPUs") {
  auto taken = node(64'000, {400, 1000, 1000});
  CHECK(has_room(taken, kTwoCards));
  take(taken, kTwoCards, std::nullopt);
  CHECK(taken.cards == std::vector<std::int32_t>{400, 0, 0});
  CHECK(taken.cpu == 56'000);
  CHECK(taken.affinities == std::vector<std::int32_t>{2});
  CHECK_FALSE(has_room(taken, kShare));
  CHECK_FALSE(fullest_card(taken, 500));
}

TEST_CASE("policy: the highest score wins the first of equals or a drawn one") {
  ScoreTable table(4);
  CHECK_FALSE(table.best(nullptr));
  table.set(1, 7);
  table.set(3, 7);
  table.set(2, 5);
  CHECK(table.best(nullptr)->instance == 1);
  CHECK(table.best(nullptr)->tied);
  std::mt19937_64 generator(1);
  bool found_last = false;
  for (int i = 0; i < 50; ++i) {
    const auto drawn = table.best(&generator)->instance;
    CHECK((drawn == 1 || drawn == 3));
    found_last |= drawn == 3;
  }
  CHECK(found_last);
  table.set(1, std::nullopt);
  CHECK(table.best(nullptr)->instance == 3);
  CHECK_FALSE(table.best(nullptr)->tied);
}

namespace {

/// What a policy weighs of the cluster: its largest amounts.
PolicyContext context_of(const Scenario& scenario) {
  PolicyContext context{.policy = *scenario.policy, .weighs_memory = true};
  std::int64_t gpus = 0;
  for (const auto& profile : scenario.profiles) {
    context.largest_cpu = std::max(context.largest_cpu, profile.cpu);
    context.largest_memory = std::max(context.largest_memory, profile.memory);
    gpus = std::max(gpus, profile.gpu_count);
  }
  context.weighs_memory = gpus == 0;
  context.largest_milli = std::max<std::int64_t>(1, gpus * kWholeCard);
  return context;
}

/// A cluster and tasks with whole GPUs or without.
Scenario random_scenario(std::mt19937& random, Policy policy) {
  const auto below = [&](std::uint32_t most) { return static_cast<std::int64_t>(random() % most); };
  std::vector<InstanceProfile> instances;
  const bool has_gpus = below(2) == 0;
  for (std::int64_t i = 2 + below(5); i > 0; --i) {
    const std::int64_t gpus = has_gpus ? below(5) : 0;
    const CpuUnits cpu = 1024 * (1 + below(8));
    const MiB memory = 1024 * (1 + below(16));
    instances.push_back(build::instance("x", cpu, memory, {gpus, 16'384}));
  }
  std::vector<Workload> workloads;
  for (std::int64_t i = 1 + below(4); i > 0; --i) {
    const CpuUnits cpu = 256 * (1 + below(8));
    const MiB memory = 256 * (1 + below(8));
    auto task = build::needs(cpu, memory);
    if (const auto gpus = has_gpus ? below(3) : 0; gpus > 0) task = build::with_gpus(task, {gpus});
    workloads.push_back(build::run_task("t" + std::to_string(i), task, 1 + below(5)));
  }
  auto scenario = build::scenario_with(std::move(instances), std::move(workloads));
  scenario.policy = policy;
  return scenario;
}

}  // namespace

TEST_CASE("policy: every choice has the highest score of a plain search") {
  std::mt19937 random(7);
  constexpr Policy kPolicies[] = {Policy::kBestFit,    Policy::kWorstFit,   Policy::kFirstFit,
                                  Policy::kDotProduct, Policy::kGpuPacking, Policy::kGpuClustering};
  for (int round = 0; round < 600; ++round) {
    const auto scenario = random_scenario(random, kPolicies[round % std::size(kPolicies)]);
    const auto context = context_of(scenario);
    std::vector<PolicyNode> nodes;
    for (const auto& instance : scenario.instances) {
      const auto& profile = scenario.profiles[instance.profile];
      nodes.push_back({profile.cpu,
                       profile.memory,
                       std::vector<std::int32_t>(static_cast<std::size_t>(profile.gpu_count), kWholeCard),
                       instance.profile,
                       {}});
    }
    const auto outcome = place(scenario);
    CHECK(verify(scenario, outcome).empty());
    for (const auto& placement : outcome.placements) {
      const auto& need = scenario.workloads[placement.attempt.workload].requirement;
      PolicyTask task{need.cpu, need.memory, need.gpu_count > 0 ? kWholeCard : 0,
                      static_cast<std::int32_t>(need.gpu_count)};
      std::optional<std::uint32_t> best;
      for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (!has_room(nodes[i], task)) continue;
        if (!best || score(context, nodes[i], task) > score(context, nodes[*best], task)) best = i;
      }
      REQUIRE(best);
      REQUIRE(placement.instance == *best);
      take(nodes[*best], task, std::nullopt);
    }
  }
}

}  // namespace bayplan::placement::policy_test
