#include <cstdlib>
#include <string>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/build.hpp"
#include "placement/engine/index_engine.hpp"
#include "placement/plain_engine.hpp"
#include "placement/random_scenario.hpp"

namespace churn_test {

// Tasks come and end, instances come, go and change: the index chooser keeps choosing what the plain one chooses, for
// the same reasons.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// What a run came upon.
struct Tally {
  std::size_t placed = 0;
  std::size_t tied = 0;
  std::size_t failed = 0;
  std::size_t ended = 0;
  std::size_t stopped = 0;
  std::size_t added = 0;
  std::size_t changed = 0;
  std::size_t removed = 0;
  std::size_t forgotten = 0;
};

class Churn {
 public:
  Churn(Scenario& scenario, std::uint64_t seed, Tally& tally)
      : scenario_(scenario),
        random_(seed),
        tally_(tally),
        occupancy_(scenario),
        index_(occupancy_),
        plain_(plain_chooser(occupancy_)) {}

  /// Runs for so many steps, or until the choosers differ: says how.
  std::string run(std::size_t steps) {
    if (scenario_.instances.empty()) return {};
    for (std::size_t i = 0; i < steps; ++i) {
      const auto difference = step();
      if (!difference.empty()) return "step " + std::to_string(i) + ": " + difference;
    }
    return {};
  }

  std::string place_many(std::uint32_t task_class, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto difference = place(task_class);
      if (!difference.empty()) return std::to_string(i) + ": " + difference;
    }
    return {};
  }

  void end_many(std::size_t count) {
    for (std::size_t i = 0; i < count && !tasks_.empty(); ++i) end(below(tasks_.size()));
  }

  /// One task comes and goes until nobody can read any more in the history what was before.
  void fall_behind() {
    if (tasks_.empty()) return;
    const Task task = tasks_.front();
    if (task.stopping) return;
    while (tasks_.size() > 2 && one_in(2)) leave(1 + below(tasks_.size() - 1));
    if (one_in(2)) change(static_cast<std::uint32_t>(below(scenario_.instances.size())));
    auto gpus = task.gpus;
    for (const auto end = occupancy_.history().end(); occupancy_.history().begin() <= end;) {
      occupancy_.give_back(task.workload, task.instance, gpus);
      gpus = occupancy_.take(task.workload, task.instance);
    }
    tasks_.front().gpus = gpus;
    ++tally_.forgotten;
  }

  /// Ends every task: each instance must be as if none had been there.
  bool ends_empty() {
    while (!tasks_.empty()) end(tasks_.size() - 1);
    const Occupancy untouched(scenario_);
    for (std::uint32_t i = 0; i < untouched.states().size(); ++i) {
      const bool is_first = i < scenario_.in_use.size() && !occupancy_.is_gone(i);
      const auto wanted =
          is_first ? untouched.states()[i] : empty_instance(scenario_.profiles[scenario_.instances[i].profile]);
      if (!(occupancy_.states()[i] == wanted)) return false;
      const Room room = compute_room(wanted);
      const Room& own = occupancy_.rooms()[i];
      if (own.cpu != room.cpu || own.memory != room.memory || own.whole_gpus != room.whole_gpus) return false;
    }
    std::vector<std::int64_t> tasks(untouched.groups().size());
    for (const auto& state : occupancy_.states()) {
      for (const auto& own : state.tasks_by_group) tasks[own.group] += own.tasks;
    }
    for (std::uint32_t group = 0; group < tasks.size(); ++group) {
      if (occupancy_.tasks_of(group) != tasks[group]) return false;
    }
    return true;
  }

 private:
  struct Task {
    std::uint32_t workload = 0;
    std::uint32_t instance = 0;
    std::vector<ContainerGpus> gpus;
    bool stopping = false;
  };

  std::uint64_t below(std::uint64_t bound) { return draw(random_, bound); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  std::string step() {
    if (one_in(30)) phase_ = below(3);
    if (one_in(25)) change_cluster();
    if (one_in(phase_ == 0 ? 8 : 2) && !tasks_.empty()) {
      leave(below(tasks_.size()));
      return {};
    }
    // Phases with one class alone let the indices of the others fall behind.
    if (phase_ != 2 || one_in(6)) task_class_ = static_cast<std::uint32_t>(below(occupancy_.classes().size()));
    return place(task_class_);
  }

  std::string place(std::uint32_t task_class) {
    const auto& name = scenario_.workloads[occupancy_.classes().workload_of(task_class)].name;
    const bool has_place = index_.has_place(task_class);
    const auto a = index_.choose(task_class);
    const auto b = plain_->choose(task_class);
    if (has_place != b.has_value()) return "whether " + name + " has a place";
    if (a.has_value() != b.has_value()) return name + (a ? " is placed" : " fails");
    if (!a) return explain(task_class, name);
    if (a->instance != b->instance || a->tied != b->tied) {
      return name + " on " + std::to_string(a->instance) + (a->tied ? " tied" : "") + " and not on " +
             std::to_string(b->instance) + (b->tied ? " tied" : "");
    }
    const std::uint32_t workload = occupancy_.classes().workload_of(task_class);
    tasks_.push_back({workload, a->instance, occupancy_.take(workload, a->instance)});
    ++tally_.placed;
    if (a->tied) ++tally_.tied;
    return {};
  }

  std::string explain(std::uint32_t task_class, const std::string& name) {
    ++tally_.failed;
    const PlacementAttempt attempt{occupancy_.classes().workload_of(task_class), 1, 0,
                                   occupancy_.classes().provider_position(task_class)};
    const bool in_full = one_in(8);
    const bool alike = index_.explain(attempt, task_class, in_full) == plain_->explain(attempt, task_class, in_full);
    return alike ? std::string() : "explanation of " + name + (in_full ? " in full" : "");
  }

  void leave(std::size_t which) {
    Task& task = tasks_[which];
    if (!task.stopping && one_in(3)) {
      task.stopping = true;
      occupancy_.leave_group(task.instance, occupancy_.group_of(task.workload));
      ++tally_.stopped;
    } else {
      end(which);
    }
  }

  void end(std::size_t which) {
    const Task& task = tasks_[which];
    const auto& requirement = scenario_.workloads[task.workload].requirement;
    if (task.stopping) {
      occupancy_.give_back(task.instance, requirement, kNoGroup, list_devices(requirement, task.gpus));
    } else {
      occupancy_.give_back(task.workload, task.instance, task.gpus);
    }
    forget(which);
    ++tally_.ended;
  }

  void forget(std::size_t which) {
    tasks_[which] = std::move(tasks_.back());
    tasks_.pop_back();
  }

  std::uint32_t profile_like(std::uint32_t profile) {
    if (one_in(2)) return profile;
    auto made = scenario_.profiles[profile];
    if (one_in(4)) {
      made.attributes["rack"] = std::to_string(below(4));
    } else {
      made.status = one_in(2) ? InstanceStatus::kActive : InstanceStatus::kDraining;
      made.agent_connected = !one_in(4);
    }
    scenario_.profiles.push_back(std::move(made));
    return static_cast<std::uint32_t>(scenario_.profiles.size() - 1);
  }

  void change_cluster() {
    const auto instance = static_cast<std::uint32_t>(below(scenario_.instances.size()));
    switch (below(3)) {
      case 0:
        return add(1 + below(3));
      case 1:
        return remove(instance);
      default:
        return change(instance);
    }
  }

  void add(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto like = scenario_.instances[below(scenario_.instances.size())].profile;
      scenario_.instances.push_back({"new" + std::to_string(scenario_.instances.size()), profile_like(like)});
    }
    occupancy_.add_instances();
    tally_.added += count;
  }

  void remove(std::uint32_t instance) {
    if (occupancy_.is_gone(instance)) return;
    const bool together = one_in(2);  // its tasks go with it, or one by one before it
    for (std::size_t i = tasks_.size(); i-- > 0;) {
      if (tasks_[i].instance != instance) continue;
      together ? forget(i) : end(i);
    }
    occupancy_.remove_instance(instance);
    ++tally_.removed;
  }

  void change(std::uint32_t instance) {
    if (occupancy_.is_gone(instance)) return;
    scenario_.instances[instance].profile = profile_like(scenario_.instances[instance].profile);
    occupancy_.change_profile(instance);
    ++tally_.changed;
  }

  Scenario& scenario_;
  std::mt19937_64 random_;
  Tally& tally_;
  Occupancy occupancy_;
  IndexChooser index_;
  std::unique_ptr<Chooser> plain_;
  std::vector<Task> tasks_;
  std::uint64_t phase_ = 0;
  std::uint32_t task_class_ = 0;
};

RandomSize size_of_case(std::uint64_t seed) {
  if (seed % 100 == 99) return {400, 40, 30};
  if (seed % 10 > 5) return {60, 12, 40};
  return {8, 6, 8};
}

}  // namespace

TEST_CASE("the choosers agree while tasks end and instances come, go and change") {
  const std::uint64_t first = from_environment("BAYPLAN_ENGINE_SEED", 0);
  const std::uint64_t cases = from_environment("BAYPLAN_ENGINE_CASES", random_cases(2000));
  Tally tally;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    auto given = RandomScenario(seed, size_of_case(seed)).make();
    Churn churn(given, seed, tally);
    INFO("seed " << seed);
    REQUIRE(churn.run(seed % 10 > 5 ? 400 : 120) == "");
    REQUIRE(churn.ends_empty());
  }
  if (std::getenv("BAYPLAN_ENGINE_CASES") != nullptr) {
    WARN(cases << " cases: " << tally.placed << " placed, " << tally.tied << " of them tied, " << tally.failed
               << " failed, " << tally.ended << " ended, " << tally.stopped << " of them after stopping, instances: "
               << tally.added << " added, " << tally.changed << " changed, " << tally.removed << " removed");
  }
  CHECK(tally.tied > 0);
  CHECK(tally.failed > 0);
  CHECK(tally.stopped > 0);
  CHECK(tally.added > 0);
  CHECK(tally.changed > 0);
  CHECK(tally.removed > 0);
}

/// Every instance has a profile of its own, and one of 40 racks.
void spread_over_racks(Scenario& given) {
  const auto profiles = given.profiles;
  given.profiles.clear();
  for (std::uint32_t i = 0; i < given.instances.size(); ++i) {
    given.profiles.push_back(profiles[given.instances[i].profile]);
    given.profiles.back().attributes["rack"] = std::to_string(i % 40);
    given.instances[i].profile = i;
  }
  for (auto& workload : given.workloads) {
    if (workload.kind != WorkloadKind::kDaemon)
      workload.strategies.insert(workload.strategies.begin(), spread("attribute:rack"));
  }
}

TEST_CASE("the choosers agree while tasks end and instances change where a spread has many values") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < random_cases(300); ++seed) {
    auto given = RandomScenario(seed, {80, 8, 30}).make();
    spread_over_racks(given);
    Churn churn(given, seed, tally);
    INFO("seed " << seed);
    REQUIRE(churn.run(150) == "");
    if (seed % 5 == 0) churn.fall_behind();
    REQUIRE(churn.run(100) == "");
    REQUIRE(churn.ends_empty());
  }
  CHECK(tally.tied > 0);
  CHECK(tally.failed > 0);
  CHECK(tally.added > 0);
  CHECK(tally.changed > 0);
  CHECK(tally.removed > 0);
}

TEST_CASE("the choosers agree when the history has forgotten what an index has not seen") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    auto given = RandomScenario(seed, seed % 2 == 0 ? RandomSize{8, 6, 8} : RandomSize{60, 12, 40}).make();
    Churn churn(given, seed, tally);
    INFO("seed " << seed);
    for (int i = 0; i < 4; ++i) {
      REQUIRE(churn.run(150) == "");
      churn.fall_behind();
    }
    REQUIRE(churn.run(150) == "");
  }
  CHECK(tally.forgotten > 50);
}

TEST_CASE("the choosers agree while a level of own tasks falls and rises") {
  for (const auto& chain : std::vector<std::vector<Strategy>>{
           {spread("instanceId")},
           {spread("instanceId"), binpack("memory")},
           {spread("attribute:ecs.availability-zone"), spread("instanceId"), binpack("cpu"), binpack("memory")},
           {binpack("memory"), spread("instanceId")}}) {
    std::vector<InstanceProfile> profiles;
    for (const char* zone : {"a", "b"}) {
      profiles.push_back(instance("s", 2048, 6000, {}, zone));
      profiles.push_back(instance("m", 4096, 8000, {}, zone));
    }
    auto given =
        scenario_with(profiles, {service("one", needs(100, 700), 0, chain), service("two", needs(300, 200), 0, chain)});
    for (std::uint32_t i = 0; i < 400; ++i) given.instances.push_back({"more" + std::to_string(i), i % 4});
    Tally tally;
    Churn churn(given, 1, tally);
    REQUIRE(churn.place_many(0, 850) == "");
    for (const std::size_t ended : {3u, 40u, 200u, 500u, 90u}) {
      churn.end_many(ended);
      REQUIRE(churn.place_many(1, ended / 3) == "");
      REQUIRE(churn.place_many(0, ended) == "");
    }
    CHECK(tally.tied > 100);
  }
}

}  // namespace churn_test
