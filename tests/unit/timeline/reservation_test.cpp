#include "timeline/reservation.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "placement/build.hpp"

namespace reservation_test {

// CR = github.com/aws/containers-roadmap (issues), DG = docs.aws.amazon.com/AmazonECS/latest/developerguide. Numbers of
// cases are those of placement/worked_cases_test.cpp.

using namespace bayplan;
using namespace bayplan::timeline;
using namespace bayplan::placement::build;
using placement::InstanceGroup;
using placement::InstanceProfile;
using placement::Scenario;
using placement::Timing;

namespace {

using Kind = Scaling::Kind;

struct Estimate {
  std::string name;
  std::vector<InstanceProfile> types;
  capacity::TaskRequirement task;
  std::int64_t count = 1;
  std::optional<std::int64_t> added;
  bool is_distinct = false;
};

/// A group of these types, one zone.
struct Groups {
  Scenario scenario;
  InstanceGroup group;
};

Groups group_of(std::vector<InstanceProfile> types) {
  Groups result;
  result.scenario.profiles = std::move(types);
  for (std::uint32_t i = 0; i < result.scenario.profiles.size(); ++i) result.group.types.push_back({{i}});
  result.group.availability_zones = {"us-east-1a"};
  result.group.max_size = 1'000;
  result.group.is_managed = true;
  return result;
}

InstanceProfile shares(std::int64_t count, std::int64_t millionths) {
  auto profile = instance("g6f", 4096, 16'000, {count, 0});
  profile.gpu_fraction_millionths = millionths;
  return profile;
}

std::optional<std::int64_t> added(const Groups& groups, std::vector<WaitingKind> kinds) {
  return instances_to_add(groups.scenario, groups.group, kinds);
}

const InstanceProfile kSmall = instance("small", 1024, 4000);
const InstanceProfile kLarge = instance("large", 8192, 8000);
const InstanceProfile kOneGpu = instance("one", 8192, 60'000, {1, 15'000});
const InstanceProfile kFourGpus = instance("four", 32'768, 240'000, {4, 15'000});

InstanceGroup target(std::int64_t percent) {
  InstanceGroup group;
  group.max_size = 100;
  group.is_managed = true;
  group.target_capacity = percent;
  return group;
}

}  // namespace

TEST_CASE("managed scaling: instances for waiting tasks") {
  const std::vector<Estimate> cases = {
      {"one fits on each", {kSmall}, needs(1024, 1000), 3, 3},
      {"several share one", {kSmall}, needs(256, 1000), 5, 2},
      {"memory decides", {kSmall}, needs(1, 3000), 4, 4},
      {"asks for nothing", {kSmall}, needs(0, 0), 50, 1},
      {"too large", {kSmall}, needs(2048, 1), 3, std::nullopt},
      {"the largest type counts", {kSmall, kLarge}, needs(1024, 1), 16, 2},
      {"each figure alone: CPU of one, memory of the other",
       {instance("cpu", 8192, 2000), instance("memory", 2048, 16'000)},
       needs(1024, 2000),
       8,
       1},
      {"the smallest type guards", {kSmall, kLarge}, needs(2048, 1), 4, std::nullopt},
      {"distinctInstance", {kLarge}, needs(1, 1), 3, 3, true},
      {"fixed host port", {kLarge}, with_tcp(needs(1, 1), {80}), 3, 3},
      {"network interfaces: three each", {kLarge}, with_interface(needs(1, 1)), 4, 2},
      {"whole GPUs", {kFourGpus}, with_gpus(needs(1, 1), {1}), 5, 2},
      {"GPUs of two containers", {kFourGpus}, with_gpus(needs(1, 1), {2, 1}), 2, 2},
      {"no GPU on the smallest", {kSmall, kFourGpus}, with_gpus(needs(1, 1), {1}), 1, std::nullopt},
      {"the most GPUs count", {kOneGpu, kFourGpus}, with_gpus(needs(1, 1), {1}), 8, 2},
      {"ALL", {kFourGpus}, with_all_gpus(needs(1, 1)), 3, 3},
      {"ALL without a GPU", {kSmall}, with_all_gpus(needs(1, 1)), 3, std::nullopt},
      {"MPS: three of 5000 on each of four", {kFourGpus}, with_mps(needs(1, 1), {5000}), 13, 2},
      {"MPS: containers share one device", {kOneGpu}, with_mps(needs(1, 1), {8000, 8000}), 1, std::nullopt},
      {"shares: two of 0.4 do not fit on 0.5", {shares(2, 500'000)}, with_fraction(needs(1, 1), 400'000), 3, 2},
      {"shares want a fractional type", {kFourGpus}, with_fraction(needs(1, 1), 250'000), 1, std::nullopt},
      {"whole GPUs want a whole type", {shares(2, 500'000)}, with_gpus(needs(1, 1), {1}), 1, std::nullopt},
  };
  for (const auto& [name, types, task, count, expected, is_distinct] : cases) {
    INFO(name);
    CHECK(added(group_of(types), {{&task, is_distinct, count}}) == expected);
  }
}

TEST_CASE("managed scaling: several kinds of waiting tasks") {
  const auto groups = group_of({kSmall});
  const auto fits = needs(1024, 1);
  const auto halves = needs(512, 1);
  const auto never = needs(4096, 1);
  CHECK(added(groups, {}) == std::nullopt);
  CHECK(added(groups, {{&fits, false, 2}, {&halves, false, 10}}) == 5);  // the most of one kind, not the sum
  CHECK(added(groups, {{&halves, false, 10}, {&fits, false, 2}}) == 5);
  CHECK(added(groups, {{&never, false, 90}, {&fits, false, 2}}) == 2);
  CHECK(added(groups, {{&never, false, 90}}) == std::nullopt);
}

TEST_CASE("managed scaling: steps") {
  auto groups = group_of({kSmall});
  const auto task = needs(1024, 1);
  groups.group.minimum_scaling_step_size = 3;
  groups.group.maximum_scaling_step_size = 10;
  CHECK(added(groups, {{&task, false, 1}}) == 3);  // case 76
  CHECK(added(groups, {{&task, false, 4}}) == 4);
  CHECK(added(groups, {{&task, false, 20}}) == 10);  // case 77
  groups.group.maximum_scaling_step_size = 2;
  CHECK(added(groups, {{&task, false, 1}}) == 2);  // a minimum above the maximum
}

TEST_CASE("managed scaling: metric and the capacity it asks for") {
  struct Case {
    std::string name;
    Reservation reservation;
    std::int64_t target = 100;
    std::int64_t percent_millionths = 0;
    char side = '=';  ///< Of the target: + above, - below.
    std::int64_t capacity = 0;
  };
  const std::vector<Case> cases = {
      {"70: none runs, some wait; CR 1716, CR 961", {1, 0}, 100, 200'000'000, '+', 2},
      {"70: however many wait", {40, 0}, 100, 200'000'000, '+', 2},
      {"70 at half the target", {1, 0}, 50, 200'000'000, '+', 4},
      {"70 at 90", {1, 0}, 90, 200'000'000, '+', 3},
      {"71: none runs, none waits; CR 653", {0, 0}, 100, 100'000'000, '=', 0},
      {"71 at 90: above, but nothing is needed", {0, 0}, 90, 100'000'000, '+', 0},
      {"73: three run, four needed; CR 689", {4, 3}, 100, 133'333'333, '+', 4},
      {"74: eight of ten in use; DG", {8, 10}, 100, 80'000'000, '-', 8},
      {"74 at 80", {8, 10}, 80, 80'000'000, '=', 10},
      {"at 50 twice as many", {4, 4}, 50, 100'000'000, '+', 8},
      {"at 90 rounded up", {10, 10}, 90, 100'000'000, '+', 12},
      {"at 90, nine of ten", {9, 10}, 90, 90'000'000, '=', 10},
      {"a hair below", {899, 1000}, 90, 89'900'000, '-', 100},
      {"empty", {0, 3}, 100, 0, '-', 0},
  };
  for (const auto& [name, reservation, percent, millionths, side, capacity] : cases) {
    INFO(name);
    CHECK(reservation.percent_millionths() == millionths);
    CHECK(reservation.is_above(percent) == (side == '+'));
    CHECK(reservation.is_below(percent) == (side == '-'));
    CHECK(capacity_for(reservation, target(percent)) == capacity);
  }
}

TEST_CASE("managed scaling: capacity stays within the group's sizes") {
  auto group = target(100);
  group.min_size = 2;
  group.max_size = 5;
  CHECK(capacity_for({9, 3}, group) == 5);
  CHECK(capacity_for({0, 3}, group) == 2);
  CHECK(capacity_for({0, 0}, group) == 2);
  group.min_size = group.max_size = 1;
  CHECK(capacity_for({1, 0}, group) == 1);
}

TEST_CASE("managed scaling: out at the first data point above, then not before the warm-up is over") {
  ScalingAlarm alarm;
  const auto group = target(100);
  const Timing timing;
  CHECK(alarm.at_data_point(60, {3, 2}, 2, group, timing) == Scaling{Kind::kOut, 3});
  CHECK(alarm.at_data_point(120, {5, 2}, 3, group, timing) == Scaling{});
  CHECK(alarm.at_data_point(300, {5, 2}, 3, group, timing) == Scaling{});
  CHECK(alarm.at_data_point(360, {5, 3}, 3, group, timing) == Scaling{Kind::kOut, 5});
  CHECK(alarm.at_data_point(420, {6, 5}, 5, group, timing) == Scaling{});  // counted from the last one
}

TEST_CASE("managed scaling: nothing to add starts no warm-up") {
  ScalingAlarm alarm;
  auto group = target(100);
  group.max_size = 2;
  CHECK(alarm.at_data_point(60, {3, 2}, 2, group, {}) == Scaling{});  // at its largest
  group.max_size = 9;
  CHECK(alarm.at_data_point(120, {3, 2}, 3, group, {}) == Scaling{});  // launched already
  CHECK(alarm.at_data_point(180, {0, 0}, 0, target(90), {}) == Scaling{});
  CHECK(alarm.at_data_point(240, {4, 2}, 3, group, {}) == Scaling{Kind::kOut, 4});
}

TEST_CASE("managed scaling: out after so many data points in a row") {
  ScalingAlarm alarm;
  const auto group = target(100);
  Timing timing;
  timing.scale_out_data_points = 2;
  CHECK(alarm.at_data_point(60, {3, 2}, 2, group, timing) == Scaling{});
  CHECK(alarm.at_data_point(120, {2, 2}, 2, group, timing) == Scaling{});
  CHECK(alarm.at_data_point(180, {3, 2}, 2, group, timing) == Scaling{});
  CHECK(alarm.at_data_point(240, {3, 2}, 2, group, timing) == Scaling{Kind::kOut, 3});
}

TEST_CASE("managed scaling: in after so many data points below in a row, then each period") {
  ScalingAlarm alarm;
  auto group = target(100);
  group.min_size = 1;
  const auto at = [&](std::int64_t minute, Reservation reservation, std::int64_t capacity) {
    return alarm.at_data_point(minute * 60, reservation, capacity, group, {});
  };
  for (std::int64_t minute = 1; minute < 10; ++minute) CHECK(at(minute, {1, 8}, 8) == Scaling{});
  CHECK(at(10, {8, 8}, 8) == Scaling{});  // starts anew
  for (std::int64_t minute = 11; minute < 25; ++minute) CHECK(at(minute, {0, 8}, 8) == Scaling{});
  CHECK(at(25, {0, 8}, 8) == Scaling{Kind::kIn, 3});  // less than half
  CHECK(at(26, {0, 5}, 5) == Scaling{Kind::kIn, 2});
  CHECK(at(27, {0, 3}, 3) == Scaling{Kind::kIn, 1});
  CHECK(at(28, {0, 2}, 2) == Scaling{Kind::kIn, 1});  // at least one
  CHECK(at(29, {0, 1}, 1) == Scaling{});              // the smallest size
}

TEST_CASE("managed scaling: in no further than the target") {
  ScalingAlarm alarm;
  Timing timing;
  timing.scale_in_data_points = 1;
  CHECK(alarm.at_data_point(60, {8, 10}, 10, target(100), timing) == Scaling{Kind::kIn, 2});  // case 74
  CHECK(alarm.at_data_point(120, {8, 10}, 10, target(90), timing) == Scaling{Kind::kIn, 1});
  CHECK(alarm.at_data_point(180, {4, 10}, 10, target(50), timing) == Scaling{Kind::kIn, 2});
  CHECK(alarm.at_data_point(240, {8, 10}, 8, target(100), timing) == Scaling{});  // they go already
}

TEST_CASE("managed scaling: the warm-up does not hold back scale-in") {
  ScalingAlarm alarm;
  Timing timing;
  timing.scale_in_data_points = 1;
  CHECK(alarm.at_data_point(60, {1, 0}, 0, target(100), timing) == Scaling{Kind::kOut, 2});
  CHECK(alarm.at_data_point(120, {1, 2}, 2, target(100), timing) == Scaling{Kind::kIn, 1});
}

}  // namespace reservation_test
