#include "fleet/recommended/launch_trials.hpp"

#include "catch.hpp"
#include "fleet/by_hand.hpp"

namespace bayplan::fleet {
namespace {

using placement::Scenario;
using placement::build::needs;
using placement::build::run_task;

/// Two kinds, so that they are launched one by one; 20 instances hold them all.
Scenario many() {
  return by_hand::tasks({run_task("one", needs(1, 1), 50'000), run_task("two", needs(1, 2), 50'000)});
}

Market one_type() {
  return by_hand::market({{"a", 1, 8192, 16'384, 0}});
}

TEST_CASE("launch trials - an interruption ends a launch at once and is not taken for an answer") {
  const Scenario tasks = many();
  const Market market = one_type();
  bool goes_on = true;
  FillRequest request;
  request.orders = 2;
  const std::function<bool()> go_on = [&] { return goes_on; };
  FillEffort effort;
  effort.limit = 1'000'000;
  effort.go_on = &go_on;
  goes_on = false;
  {
    LaunchTrials trials(tasks, market, request, effort);
    CHECK_FALSE(trials.fills({{0, "", 20}}));
    CHECK(effort.is_interrupted);
    CHECK(effort.spent < 10'000);
    const auto left = trials.leftover({{0, "", 20}});
    REQUIRE(left);
    CHECK(*left == Leftover{0, 0});
  }
  goes_on = true;
  effort.is_interrupted = false;
  LaunchTrials trials(tasks, market, request, effort);
  CHECK(trials.fills({{0, "", 20}}));
  CHECK(effort.spent > 200'000);
}

TEST_CASE("launch trials - an answer that was interrupted is not remembered") {
  const Scenario tasks = many();
  const Market market = one_type();
  bool goes_on = false;
  FillRequest request;
  request.orders = 1;
  const std::function<bool()> go_on = [&] { return goes_on; };
  FillEffort effort;
  effort.limit = 1'000'000;
  effort.go_on = &go_on;
  LaunchTrials trials(tasks, market, request, effort);
  CHECK_FALSE(trials.fills({{0, "", 20}}));
  goes_on = true;
  effort.is_interrupted = false;
  CHECK(trials.fills({{0, "", 20}}));
}

TEST_CASE("launch trials - a launch ends with the first task without a place") {
  const Scenario tasks = many();
  const Market market = one_type();
  FillRequest request;
  FillEffort effort;
  effort.limit = 1'000'000;
  effort.go_on = &request.go_on;
  LaunchTrials trials(tasks, market, request, effort);
  CHECK_FALSE(trials.fills({{0, "", 1}}));
  CHECK(effort.spent < 20'000);
}

TEST_CASE("launch trials - alike tasks are not launched") {
  const Scenario tasks = by_hand::tasks({run_task("own", needs(1024, 1024), 10'000'000)});
  const Market market = one_type();
  FillRequest request;
  FillEffort effort;
  effort.limit = 1'000;
  effort.go_on = &request.go_on;
  LaunchTrials trials(tasks, market, request, effort);
  CHECK(trials.fills({{0, "", 1'250'000}}));
  const auto left = trials.leftover({{0, "", 1'249'999}});
  REQUIRE(left);
  CHECK(*left == Leftover{8});
  CHECK(effort.spent < 100);
}

}  // namespace
}  // namespace bayplan::fleet
