#include "catch.hpp"
#include "placement/engine/index_engine.hpp"
#include "placement/plain_engine.hpp"
#include "placement/random_scenario.hpp"

namespace bayplan::placement {
namespace {

using namespace build;

struct Stands {
  std::uint32_t workload = 0;
  std::uint32_t instance = 0;
  std::vector<ContainerGpus> gpus;
};

/// A cluster that is changed at random and put back as it was, again and again.
class Restored {
 public:
  Restored(Scenario& scenario, std::uint64_t seed) : random_(seed), occupancy_(scenario), chooser_(occupancy_) {
    for (int i = 0; i < 40; ++i) place(tasks_);
  }

  void change_and_restore() {
    struct Saved {
      std::uint32_t instance;
      InstanceState state;
    };
    std::vector<Saved> saved;
    std::vector<char> is_saved(occupancy_.states().size());
    const auto save = [&](std::uint32_t instance) {
      if (is_saved[instance]++ == 0) saved.push_back({instance, occupancy_.states()[instance]});
    };
    auto tasks = tasks_;
    for (std::uint64_t i = 0, count = 1 + draw(random_, 12); i < count; ++i) {
      const auto what = draw(random_, 4);
      if (what == 0 && !occupancy_.states().empty()) {
        const auto instance = static_cast<std::uint32_t>(draw(random_, occupancy_.states().size()));
        if (occupancy_.is_gone(instance)) continue;
        save(instance);
        std::erase_if(tasks, [&](const Stands& task) { return task.instance == instance; });
        occupancy_.remove_instance(instance);
        ++lost;
      } else if (what == 1 && !tasks.empty()) {
        const auto which = draw(random_, tasks.size());
        const Stands task = tasks[which];
        save(task.instance);
        occupancy_.give_back(task.workload, task.instance, task.gpus);
        tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(which));
      } else {
        const auto task_class = static_cast<std::uint32_t>(draw(random_, occupancy_.classes().size()));
        const auto choice = chooser_.choose(task_class);
        if (!choice) continue;
        save(choice->instance);
        const auto workload = occupancy_.classes().workload_of(task_class);
        tasks.push_back({workload, choice->instance, occupancy_.take(workload, choice->instance)});
      }
    }
    for (auto& own : saved) occupancy_.restore(own.instance, std::move(own.state));
  }

  /// As if nothing had ever happened but what stands.
  void check(const Scenario& scenario) {
    Occupancy fresh(scenario);
    for (const auto& task : tasks_) REQUIRE(fresh.take(task.workload, task.instance) == task.gpus);
    REQUIRE(occupancy_.states() == fresh.states());
    REQUIRE(occupancy_.standing() == fresh.standing());
    for (std::uint32_t group = 0; group < fresh.groups().size(); ++group)
      REQUIRE(occupancy_.tasks_of(group) == fresh.tasks_of(group));
    for (std::size_t i = 0; i < fresh.rooms().size(); ++i) {
      const auto &a = occupancy_.rooms()[i], &b = fresh.rooms()[i];
      REQUIRE((a.cpu == b.cpu && a.memory == b.memory && a.network_interfaces == b.network_interfaces &&
               a.whole_gpus == b.whole_gpus && a.ebs_attachments == b.ebs_attachments &&
               a.shared_attachments == b.shared_attachments));
    }
    const auto plain = plain_chooser(fresh);
    chooser_.draw_anew();
    for (std::uint32_t task_class = 0; task_class < fresh.classes().size(); ++task_class) {
      const auto own = chooser_.choose(task_class);
      const auto other = plain->choose(task_class);
      REQUIRE(own.has_value() == other.has_value());
      if (!own) {
        const PlacementAttempt attempt{fresh.classes().workload_of(task_class), 1, 0,
                                       fresh.classes().provider_position(task_class)};
        REQUIRE(chooser_.explain(attempt, task_class, false) == plain->explain(attempt, task_class, false));
        continue;
      }
      REQUIRE(own->instance == other->instance);
      REQUIRE(own->tied == other->tied);
      ++chosen;
    }
  }

  std::int64_t lost = 0;
  std::int64_t chosen = 0;

 private:
  void place(std::vector<Stands>& tasks) {
    const auto task_class = static_cast<std::uint32_t>(draw(random_, occupancy_.classes().size()));
    const auto choice = chooser_.choose(task_class);
    if (!choice) return;
    const auto workload = occupancy_.classes().workload_of(task_class);
    tasks.push_back({workload, choice->instance, occupancy_.take(workload, choice->instance)});
  }

  std::mt19937_64 random_;
  Occupancy occupancy_;
  IndexChooser chooser_;
  std::vector<Stands> tasks_;
};

TEST_CASE("a cluster that is put back stands as it stood") {
  std::int64_t lost = 0;
  std::int64_t chosen = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    auto given = RandomScenario(seed, seed % 2 == 0 ? RandomSize{9, 6, 8} : RandomSize{50, 10, 20}).make();
    INFO("seed " << seed);
    Restored cluster(given, seed);
    for (int i = 0; i < 8; ++i) {
      cluster.change_and_restore();
      cluster.check(given);
    }
    lost += cluster.lost;
    chosen += cluster.chosen;
  }
  CHECK(lost > 500);
  CHECK(chosen > 800);
}

}  // namespace
}  // namespace bayplan::placement
