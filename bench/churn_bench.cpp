// Tasks that end and others that come on a cluster 80 % full: what a simulation over time asks of the engine.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "placement/build.hpp"
#include "placement/engine/index_engine.hpp"
#include "placement/model/random.hpp"
#include "scenario_bench.hpp"

namespace {

using namespace bayplan;
using namespace bayplan::placement;

const std::map<std::string_view, std::vector<Strategy>> kChains{
    {"binpack", {build::binpack("memory")}},
    {"spread", {build::spread("instanceId")}},
    {"zone+instance", {build::spread("attribute:ecs.availability-zone"), build::spread("instanceId")}},
    {"zone+binpack", {build::spread("attribute:ecs.availability-zone"), build::binpack("memory")}},
    {"instance+binpack", {build::spread("instanceId"), build::binpack("memory")}},
    {"random", {{StrategyType::kRandom, {}}}},
};

/// Instances of three sizes in three zones; classes that differ in size, each a separate group.
Scenario cluster(std::uint32_t instances, std::uint32_t classes, const std::vector<Strategy>& chain) {
  std::vector<InstanceProfile> profiles;
  for (const char* zone : {"a", "b", "c"}) {
    profiles.push_back(build::instance("s", 4096, 15'000, {}, zone));
    profiles.push_back(build::instance("m", 8192, 31'000, {}, zone));
    profiles.push_back(build::instance("l", 16'384, 63'000, {}, zone));
  }
  std::vector<Workload> workloads;
  for (std::uint32_t i = 0; i < classes; ++i) {
    workloads.push_back(
        build::service(fmt::format("w{}", i), build::needs(256 + 64 * (i % 7), 900 + 250 * (i % 11)), 0, chain));
  }
  auto made = build::scenario_with(profiles, workloads);
  made.instances.clear();
  for (std::uint32_t i = 0; i < instances; ++i) made.instances.push_back({fmt::format("i{}", i), i % 9});
  return made;
}

struct Task {
  std::uint32_t workload = 0;
  std::uint32_t instance = 0;
};

class Churn {
 public:
  explicit Churn(Scenario& scenario) : scenario_(scenario), occupancy_(scenario), chooser_(occupancy_) {
    for (const auto& state : occupancy_.states()) memory_ += state.memory;
  }

  void fill() {
    const std::int64_t kept = memory_ / 5;
    while (memory_ > kept) place(any_class());
  }

  void pairs(std::int64_t count) {
    for (; count > 0; --count) {
      end(draw(random_, tasks_.size()));
      place(any_class());
    }
  }

  /// Structural changes, and a task of every class after each.
  void changes(std::int64_t count) {
    for (; count > 0; --count) {
      change();
      for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
        end(draw(random_, tasks_.size()));
        place(i);
      }
    }
  }

  std::size_t tasks() const { return tasks_.size(); }
  std::size_t failed() const { return failed_; }

 private:
  std::uint32_t any_class() { return static_cast<std::uint32_t>(draw(random_, scenario_.workloads.size())); }

  void place(std::uint32_t workload) {
    const auto choice = chooser_.choose(workload);
    if (!choice) {
      ++failed_;
      return;
    }
    occupancy_.take(workload, choice->instance);
    tasks_.push_back({workload, choice->instance});
    memory_ -= scenario_.workloads[workload].requirement.memory;
  }

  void end(std::size_t which) {
    const Task task = tasks_[which];
    tasks_[which] = tasks_.back();
    tasks_.pop_back();
    occupancy_.give_back(task.workload, task.instance, {});
    memory_ += scenario_.workloads[task.workload].requirement.memory;
  }

  void change() {
    const auto instance = static_cast<std::uint32_t>(draw(random_, scenario_.instances.size()));
    if (draw(random_, 2) == 0) {
      scenario_.instances.push_back({"new", scenario_.instances[instance].profile});
      occupancy_.add_instances();
    } else if (!occupancy_.is_gone(instance)) {
      for (std::size_t i = tasks_.size(); i-- > 0;) {
        if (tasks_[i].instance == instance) end(i);
      }
      occupancy_.remove_instance(instance);
    }
  }

  Scenario& scenario_;
  Occupancy occupancy_;
  IndexChooser chooser_;
  std::mt19937_64 random_{7};
  std::vector<Task> tasks_;
  std::int64_t memory_ = 0;  ///< Left.
  std::size_t failed_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4 || kChains.count(arguments[1]) == 0) {
    std::cerr << "usage: churn_bench CHAIN INSTANCES CLASSES [PAIRS [CHANGES]]\n";
    return 2;
  }
  const auto number = [&](int i, int otherwise) { return i < count ? std::atoi(arguments[i]) : otherwise; };
  auto scenario = cluster(static_cast<std::uint32_t>(number(2, 0)), static_cast<std::uint32_t>(number(3, 0)),
                          kChains.at(arguments[1]));
  std::clock_t begin = std::clock();
  Churn churn(scenario);
  churn.fill();
  fmt::print("{}: filled with {} tasks in {:.3f} s", arguments[1], churn.tasks(), bench::seconds_since(begin));
  begin = std::clock();
  churn.pairs(number(4, 1'000'000));
  fmt::print(", {} pairs in {:.3f} s", number(4, 1'000'000), bench::seconds_since(begin));
  begin = std::clock();
  churn.changes(number(5, 0));
  fmt::print(", {} changes in {:.3f} s; {} failed\n", number(5, 0), bench::seconds_since(begin), churn.failed());
}
