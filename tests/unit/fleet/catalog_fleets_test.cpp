#include "base/memory_files.hpp"
#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/recommended/fleet_rank.hpp"

/// Fleets of the catalog's types at its prices.
namespace bayplan::fleet {
namespace {

using by_hand::usd;
using placement::Scenario;
using placement::Workload;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;
using placement::build::with_gpus;

struct Planned {
  packing::Solution ideal;
  Fill fill;
  std::vector<std::string> types;  ///< Of the recommended fleet.
};

Planned plan(const std::vector<Workload>& workloads, std::vector<std::string> types, const FillRequest& request = {}) {
  auto catalog = catalog::Catalog::load();
  const Scenario tasks = by_hand::tasks(workloads);
  MarketRequest wanted;
  wanted.types = std::move(types);
  const auto loaded = load_market(wanted, tasks, catalog, MemoryFiles());
  REQUIRE(loaded.market);
  const Question question = make_packing_question(tasks, *loaded.market, {0, request.zones});
  REQUIRE(question.unplaceable.empty());
  Planned planned{by_hand::ideal(question), {}, {}};
  planned.fill = find_fill(tasks, *loaded.market, question, planned.ideal, request);
  if (planned.fill.recommended) planned.types = list_types(*loaded.market, planned.fill.recommended->purchases);
  return planned;
}

capacity::TaskRequirement one_gpu() {
  return with_gpus(needs(2048, 7168), {1});
}
capacity::TaskRequirement two_gpus() {
  return with_gpus(needs(8192, 32'768), {2});
}

TEST_CASE("40 tasks over g4dn, g3 and p3 cost 28.272 USD when the largest are launched first") {
  const auto planned =
      plan({run_task("one", one_gpu(), 24), run_task("two", two_gpus(), 8), run_task("cpu", needs(1024, 2048), 8)},
           {"g4dn.*", "g3.*", "p3.*"});
  CHECK(planned.ideal.cost == usd(28.272));
  REQUIRE(planned.fill.recommended);
  CHECK(planned.fill.recommended->hourly_cost == usd(28.272));
  CHECK(planned.fill.recommended->policy.order == placement::TaskOrder::kLargestFirst);
}

TEST_CASE("the same tasks as services cost more, and as little again with the constraint that is recommended") {
  const auto planned =
      plan({service("one", one_gpu(), 24), service("two", two_gpus(), 8), service("cpu", needs(1024, 2048), 8)},
           {"g4dn.*", "g3.*", "p3.*"});
  REQUIRE(planned.fill.recommended);
  CHECK(planned.fill.recommended->hourly_cost == usd(28.272));
  CHECK_FALSE(planned.fill.recommended->policy.constraints.empty());
  REQUIRE_FALSE(planned.fill.by_policy.empty());
  CHECK(planned.fill.by_policy.front().hourly_cost > usd(28.272));
  CHECK(planned.fill.by_policy.front().hourly_cost <= usd(28.272 + 2 * 0.526));
}

TEST_CASE("100 one-GPU tasks take 25 g4dn.12xlarge, 38 when any zone of three may be lost") {
  const std::vector<Workload> tasks = {run_task("train", with_gpus(needs(1024, 6144), {1}), 100)};
  const auto once = plan(tasks, {"g4dn.12xlarge"});
  REQUIRE(once.fill.recommended);
  CHECK(instances_of(once.fill.recommended->purchases) == 25);
  CHECK(once.fill.recommended->hourly_cost == usd(97.8));
  FillRequest request;
  request.zones = {"us-east-1a", "us-east-1b", "us-east-1c"};
  request.survives_zone_loss = true;
  const auto twice = plan(tasks, {"g4dn.12xlarge"}, request);
  REQUIRE(twice.fill.recommended);
  CHECK(instances_of(twice.fill.recommended->purchases) == 38);
  CHECK(twice.fill.recommended->hourly_cost == usd(148.656));
}

}  // namespace
}  // namespace bayplan::fleet
