#include <map>
#include <set>

#include "catch.hpp"
#include "placement/plain_engine.hpp"
#include "placement/random_scenario.hpp"
#include "placement/verify/verify.hpp"
#include "report/why/why_report.hpp"
#include "study/why/remedy_search.hpp"
#include "study/why/why.hpp"

namespace {

using namespace bayplan;
using namespace bayplan::placement;
using study::Why;

constexpr std::uint64_t kScenarios = 500;  // of fewer not every kind of remedy comes up

std::map<std::string, std::int64_t> groups_on(const InstanceState& state, const Groups& groups) {
  std::map<std::string, std::int64_t> tasks;
  for (const auto& own : state.tasks_by_group) tasks[groups.name(own.group)] += own.tasks;
  return tasks;
}

/// A snapshot starts where the turn stood.
void check_snapshot(const Why& why) {
  const auto& scenario = why.snapshot.scenario;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    Groups groups;
    const auto state = starting_state(scenario, i, groups);
    auto alike = state;
    const auto& stood = why.trace->standing().states[i];
    alike.tasks_by_group = stood.tasks_by_group;
    CHECK(alike == stood);
    CHECK(groups_on(state, groups) == groups_on(stood, why.trace->standing().groups));
  }
}

void check_funnel(const Why& why) {
  const auto& funnel = why.trace->funnel();
  std::int64_t left = funnel.instances;
  for (const auto& step : funnel.steps) {
    CHECK(step.removed > 0);
    left -= step.removed;
    CHECK(step.left == left);
  }
  CHECK(left == static_cast<std::int64_t>(funnel.candidates.size()));
  if (why.failure == nullptr) return;
  RejectedCounts counts;
  for (const auto& rejection : why.trace->rejections()) {
    for (const Check check : rejection.failed.list()) ++counts.by_check[static_cast<std::size_t>(check)];
  }
  CHECK(counts.by_check == why.failure->rejected.by_check);
}

/// The instance that a moved task goes to passes every check for it, as things stand.
void check_move(const Why& why, const study::MoveTask& move) {
  const auto& running = why.snapshot.scenario.running[move.task];
  CHECK(running.instance != move.to);
  const auto& placed_by = why.snapshot.placed_by[move.task];
  if (!placed_by) return;  // random scenarios name no definition of what ran before
  auto groups = why.trace->standing().groups;
  const auto& workload = why.trace->scenario().workloads[*placed_by];
  CHECK(workload.kind != WorkloadKind::kDaemon);
  const Filter filter(why.trace->scenario(), groups, workload, groups.number(workload.group));
  // One that was dealt to a capacity provider stays with it.
  const auto& provider = why.trace->profile_of(running.instance).capacity_provider_name;
  const bool is_dealt = !workload.capacity_providers.empty();
  CHECK(filter.passes(move.to, why.trace->standing().states[move.to], is_dealt ? provider : std::string_view()));
}

struct Sums {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t interfaces = 0, volumes = 0, tasks = 0, ports = 0, whole_gpus = 0, shared_memory = 0, shares = 0;
  std::size_t running = 0;
  bool operator==(const Sums&) const = default;
};

Sums taken_of(const Scenario& scenario, std::optional<std::uint32_t> instance) {
  Sums sums;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto* use = scenario.use_of(i);
    if (use == nullptr || (instance && i != *instance)) continue;
    sums.cpu += use->cpu;
    sums.memory += use->memory;
    sums.interfaces += use->network_interfaces;
    sums.volumes += use->ebs_volumes;
    sums.tasks += use->tasks;
    sums.ports += static_cast<std::int64_t>(use->tcp_ports.size() + use->udp_ports.size());
    for (const auto& gpu : use->gpus) {
      sums.whole_gpus += gpu.dedicated ? 1 : 0;
      sums.shared_memory += gpu.shared_memory;
      sums.shares += gpu.share_millionths;
    }
    sums.running += scenario.running_on(i).size();
  }
  return sums;
}

/// A task that moves takes with it what it takes, no more and no less; one that ends gives it back.
void check_books(const Why& why, const study::Remedy& remedy, const Scenario& changed) {
  const auto& before = why.snapshot.scenario;
  if (const auto* move = std::get_if<study::MoveTask>(&remedy.change)) {
    // A full share counts as a whole device, and a task for all devices takes as many as its instance has.
    const auto form = move->requirement.gpu_form;
    const bool takes_the_same = form != capacity::GpuForm::kFraction && form != capacity::GpuForm::kAll;
    if (takes_the_same) CHECK(taken_of(changed, {}) == taken_of(before, {}));
    CHECK(taken_of(changed, move->to).tasks == taken_of(before, move->to).tasks + 1);
    CHECK(taken_of(changed, move->to).cpu == taken_of(before, move->to).cpu + move->requirement.cpu);
  }
  if (const auto* end = std::get_if<study::EndTask>(&remedy.change)) {
    const auto left = taken_of(changed, {});
    const auto all = taken_of(before, {});
    CHECK(left.memory == all.memory - end->requirement.memory);
    CHECK(left.cpu == all.cpu - end->requirement.cpu);
    CHECK(left.running == all.running - 1);
    CHECK_FALSE(before.running[end->task].daemon);
  }
}

void check_remedy(const Why& why, const study::Remedy& remedy) {
  const auto& base = remedy.at_its_turn ? why.snapshot.scenario : why.trace->scenario();
  const auto changed = study::with_change(base, remedy.change);
  const auto outcome = place_plainly(changed);
  CHECK(verify(changed, outcome).empty());
  CHECK_FALSE(report::remedy_text(why, remedy).empty());
  if (const auto* move = std::get_if<study::MoveTask>(&remedy.change)) check_move(why, *move);
  if (remedy.at_its_turn) check_books(why, remedy, changed);
  if (remedy.at_its_turn) {
    CHECK(study::instance_of(outcome, {why.snapshot.asked, 0}) == remedy.instance);
    return;
  }
  const auto asked = study::asked_task(why.trace->outcome(), why.trace->attempt());
  CHECK(study::instance_of(outcome, asked).has_value());
  CHECK(outcome.failures.size() < why.trace->outcome().failures.size());
  CHECK(static_cast<std::int64_t>(outcome.failures.size()) == remedy.still_unplaced);
}

}  // namespace

TEST_CASE("why - over random scenarios the funnel adds up and every remedy places the task with the plain engine") {
  const auto catalog = catalog::Catalog::load();
  std::map<std::string_view, int> kinds;
  int placed = 0;
  for (std::uint64_t seed = 0; seed < kScenarios; ++seed) {
    const auto scenario = build::RandomScenario(seed, {.instances = 12, .workloads = 12, .count = 6}).make();
    const auto outcome = place_plainly(scenario);
    for (std::uint32_t workload = 0; workload < scenario.workloads.size(); ++workload) {
      const auto attempt = study::attempt_to_explain(outcome, workload);
      if (!attempt || scenario.workloads[workload].kind == WorkloadKind::kDaemon) continue;
      CAPTURE(seed, workload);
      const auto why = study::ask_why(scenario, outcome, *attempt, seed % 8 == 0 ? &catalog : nullptr);
      CHECK(why.mistakes == std::vector<std::string>{});
      CHECK(why.withdrawn == std::vector<std::string>{});
      check_funnel(why);
      CHECK(why.instance.has_value() == !why.trace->funnel().candidates.empty());
      CHECK(why.instance.has_value() == (why.failure == nullptr));
      placed += why.instance ? 1 : 0;
      check_snapshot(why);
      if (why.instance) continue;
      for (const auto& remedy : why.remedies.list) {
        CAPTURE(report::remedy_text(why, remedy));
        check_remedy(why, remedy);
        ++kinds[report::remedy_kind(remedy)];
      }
    }
  }
  CHECK(placed > 80);
  for (const std::string_view kind : {"hostPort", "move", "wait", "size", "constraint", "strategy", "subnet",
                                      "capacityProvider", "instance", "addInstance"}) {
    CAPTURE(kind);
    CHECK(kinds[kind] > 0);
  }
}
