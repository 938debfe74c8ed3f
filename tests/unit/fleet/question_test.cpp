#include "catch.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/markets.hpp"

namespace bayplan::fleet {
namespace {

using namespace placement;
using namespace placement::build;
using test::bought;
using test::market;
using test::offer;
using test::usual_market;

using Names = std::vector<std::string>;
using Bits = std::vector<bool>;

Question ask(std::vector<Workload> workloads, const Market& on_offer, const QuestionOptions& options = {}) {
  return make_packing_question(scenario_with({}, std::move(workloads)), on_offer, options);
}

Names list_ids(const std::vector<Relaxation>& relaxed) {
  Names ids;
  for (const auto& one : relaxed) ids.push_back(one.id);
  return ids;
}

TEST_CASE("a question measures what its tasks take and nothing else") {
  const auto plain = ask({run_task("a", needs(1024, 2000), 3)}, usual_market());
  CHECK(plain.dimensions == Names{"CPU", "MEMORY"});
  REQUIRE(plain.problem.shapes.size() == 1);
  CHECK(plain.problem.shapes[0].size[0] == 1024);
  CHECK(plain.problem.shapes[0].size[1] == 2000);
  CHECK(plain.problem.shapes[0].count == 3);
  CHECK(plain.problem.types[1].capacity[0] == 8192);
  CHECK(plain.problem.types[1].price == 400'000);

  const auto all =
      ask({run_task("g", with_gpus(needs(0, 100), {1, 1}), 1), run_task("n", with_interface(needs(0, 100)), 1)},
          usual_market());
  CHECK(all.dimensions == Names{"MEMORY", "GPU", "ENI"});
  CHECK(all.problem.shapes[0].size[1] == 2);
  CHECK(all.problem.types[2].capacity[1] == 4);
  CHECK(all.problem.types[2].capacity[2] == 3);
  CHECK(all.problem.shapes[0].allowed == Bits{false, false, true});
}

TEST_CASE("interfaces that nobody stated limit no task") {
  auto given = market({offer(bought("x", 2048, 4000), 1)});
  given.offers[0].profile.network_interfaces = kUnlimitedInterfaces;
  CHECK(ask({run_task("n", with_interface(needs(0, 100)), 1)}, given).dimensions == Names{"MEMORY"});
}

TEST_CASE("EBS attachments are one resource, and another with the interfaces that share them") {
  const auto shared = with_attachments(bought("d3.8xlarge", 32768, 255'000), 2, true);
  const auto own = with_attachments(bought("c7i.large", 2048, 3'700), 31);
  const auto both = market({offer(shared, 4), offer(own, 1)});
  const auto bridge = ask({run_task("v", with_volume(needs(0, 100)), 1)}, both);
  CHECK(bridge.dimensions == Names{"MEMORY", "EBS"});
  CHECK(bridge.problem.types[0].capacity[1] == 2);
  CHECK(bridge.problem.types[1].capacity[1] == 31);
  const auto awsvpc = ask({run_task("v", with_volume(with_interface(needs(0, 100))), 1)}, both);
  CHECK(awsvpc.dimensions == Names{"MEMORY", "ENI", "EBS", "EBS_ENI"});
  CHECK(awsvpc.problem.shapes[0].size[3] == 2);
  CHECK(awsvpc.problem.types[0].capacity[3] == 2);
  CHECK(awsvpc.problem.types[1].capacity[3] > 1000);
  CHECK(ask({run_task("n", with_interface(needs(0, 100)), 1)}, market({offer(own, 1)})).dimensions ==
        Names{"MEMORY", "ENI"});
  CHECK(ask({run_task("v", with_volume(needs(0, 100)), 1)}, usual_market()).dimensions == Names{"MEMORY"});
}

TEST_CASE("tasks that a bin cannot tell apart are one shape") {
  const auto question =
      ask({run_task("a", needs(128, 100), 3), run_task("b", needs(128, 100), 4), run_task("c", needs(128, 200), 5)},
          usual_market());
  REQUIRE(question.problem.shapes.size() == 2);
  CHECK(question.problem.shapes[0].count == 7);
  CHECK(question.shapes[0].workloads == std::vector<std::uint32_t>{0, 1});
  CHECK(question.shapes[0].counts == std::vector<std::int64_t>{3, 4});
}

TEST_CASE("headroom is rounded up for each workload, daemons aside") {
  QuestionOptions options;
  options.headroom_percent = Percent::of(10);
  auto daemon = service("log", needs(128, 100), 1);
  daemon.kind = WorkloadKind::kDaemon;
  const auto question =
      ask({daemon, run_task("a", needs(128, 100), 11), run_task("b", needs(128, 200), 10)}, usual_market(), options);
  CHECK(question.problem.shapes[0].count == 13);
  CHECK(question.problem.shapes[1].count == 11);
  CHECK(question.problem.types[0].capacity[0] == 2048 - 128);
}

TEST_CASE("an offer that a daemon wants and does not fit is left out") {
  auto daemon = service("log", needs(4096, 100), 1);
  daemon.kind = WorkloadKind::kDaemon;
  const auto question = ask({daemon, run_task("a", needs(128, 100), 1)}, usual_market());
  REQUIRE(question.bins.size() == 2);
  CHECK(question.bins[0].offer == 1);
  CHECK(question.problem.types[0].capacity[0] == 4096);
  REQUIRE(question.left_out.size() == 1);
  CHECK(question.left_out[0].instance_type == "c.small");
  CHECK(question.left_out[0].why == "daemon service log has no room: RESOURCE:CPU");

  const auto unwanted = ask(
      {constrained(daemon, {member_of("attribute:ecs.instance-type != c.small")}), run_task("a", needs(128, 100), 1)},
      usual_market());
  CHECK(unwanted.left_out.empty());
  CHECK(unwanted.problem.types[0].capacity[0] == 2048);
}

TEST_CASE("constraints and attributes decide where a shape may go") {
  auto given = usual_market();
  given.offers[1].profile.attributes["stack"] = "prod";
  auto needy = run_task("b", needs(128, 100), 1);
  needy.requirement.required_attributes = {"stack"};
  const auto question =
      ask({constrained(run_task("a", needs(128, 200), 1), {member_of("attribute:ecs.instance-type =~ c.*")}), needy,
           run_task("c", needs(4096, 100), 1)},
          given);
  CHECK(question.problem.shapes[0].allowed == Bits{true, true, false});
  CHECK(question.problem.shapes[1].allowed == Bits{false, true, false});
  CHECK(question.problem.shapes[2].allowed == Bits{false, true, true});
}

TEST_CASE("distinctInstance is one task a bin, and workloads of one group share a token") {
  auto first = constrained(run_task("a", needs(128, 100), 3), {distinct_instance()});
  auto second = constrained(run_task("a", needs(128, 200), 3), {distinct_instance()});
  auto other = constrained(run_task("b", needs(128, 100), 3), {distinct_instance()});
  const auto question = ask({first, second, other, run_task("c", needs(128, 100), 1)}, usual_market());
  const auto& shapes = question.problem.shapes;
  REQUIRE(shapes.size() == 4);
  CHECK(shapes[0].most_per_bin == 1);
  CHECK(shapes[0].tokens != 0);
  CHECK(shapes[0].tokens == shapes[1].tokens);
  CHECK(shapes[2].most_per_bin == 1);
  CHECK(shapes[2].tokens == 0);
  CHECK(shapes[3].most_per_bin == packing::kUnlimited);
}

TEST_CASE("host ports are kept apart by as few tokens as do") {
  auto udp = run_task("d", needs(128, 300), 1);
  udp.requirement.udp_ports = {80};
  const auto question = ask(
      {run_task("a", with_tcp(needs(128, 100), {80, 443}), 2), run_task("b", with_tcp(needs(128, 200), {80, 443}), 1),
       run_task("c", with_tcp(needs(128, 250), {80, 8080}), 1), udp, run_task("e", with_tcp(needs(128, 100), {22}), 1)},
      usual_market());
  const auto& shapes = question.problem.shapes;
  REQUIRE(shapes.size() == 4);
  CHECK(shapes[0].tokens == 1);
  CHECK(shapes[1].tokens == 1);
  CHECK(shapes[2].tokens == 1);
  CHECK(shapes[3].tokens == 0);
  CHECK(shapes[3].most_per_bin == 1);
  REQUIRE(question.unplaceable.size() == 1);  // 22 is the agent's
  CHECK(question.unplaceable[0].workload == 4);
  CHECK(question.unplaceable[0].rejections[0].shortfall.tcp_ports == std::vector<std::uint16_t>{22});
}

TEST_CASE("ports beyond the tokens of a problem are relaxed and named") {
  std::vector<Workload> workloads;
  for (std::uint16_t i = 0; i < 66; ++i) {
    for (const MiB memory : {100, 200})
      workloads.push_back(run_task("w", with_tcp(needs(128, memory), {static_cast<std::uint16_t>(1000 + i)}), 1));
  }
  const auto question = ask(std::move(workloads), usual_market());
  REQUIRE(question.relaxed.size() == 1);
  CHECK(question.relaxed[0].id == "ports");
  CHECK(question.relaxed[0].text == "not kept apart on one instance: tcp 1064, tcp 1065");
}

TEST_CASE("a hundred reserved ports are a limit where they can be reached") {
  std::vector<Workload> workloads;
  for (std::uint16_t i = 0; i < 10; ++i) {
    std::vector<std::uint16_t> ports;
    for (std::uint16_t port = 0; port < 10; ++port) ports.push_back(static_cast<std::uint16_t>(1000 + 10 * i + port));
    workloads.push_back(run_task("w" + std::to_string(i), with_tcp(needs(128, 100), ports), 1));
  }
  const auto question = ask(workloads, usual_market());
  CHECK(question.dimensions == Names{"CPU", "MEMORY", "PORTS"});
  CHECK(question.problem.types[0].capacity[2] == 95);
  CHECK(question.problem.shapes[0].size[2] == 10);
  workloads.pop_back();
  CHECK(ask(workloads, usual_market()).dimensions == Names{"CPU", "MEMORY"});
}

TEST_CASE("tasks that take ALL GPUs have bins of their own") {
  const auto mixed = ask({run_task("all", with_all_gpus(needs(128, 100)), 1),
                          run_task("one", with_gpus(needs(128, 100), {1}), 1), run_task("none", needs(128, 100), 1)},
                         usual_market());
  REQUIRE(mixed.bins.size() == 4);
  CHECK_FALSE(mixed.bins[2].whole_gpus);
  CHECK(mixed.bins[3].whole_gpus);
  CHECK(mixed.bins[3].offer == 2);
  CHECK(mixed.problem.types[3].capacity[2] == 1);
  CHECK(mixed.problem.shapes[0].size[2] == 1);
  CHECK(mixed.problem.shapes[0].allowed == Bits{false, false, false, true});
  CHECK(mixed.problem.shapes[1].allowed == Bits{false, false, true, false});
  CHECK(mixed.problem.shapes[2].allowed == Bits{true, true, true, true});

  const auto alone = ask({run_task("all", with_all_gpus(needs(128, 100)), 1)}, usual_market());
  REQUIRE(alone.bins.size() == 3);
  CHECK(alone.bins[2].whole_gpus);
}

Market sharing_market() {
  auto given = usual_market();
  for (auto& one : given.offers) one.profile.attributes["ecs.capability.gpu-sharing-mps"] = "";
  return given;
}

TEST_CASE("one size of GPU share is counted in slots of each GPU") {
  const auto question = ask({run_task("s", with_mps(needs(128, 100), {5000}), 9)}, sharing_market());
  CHECK(question.dimensions == Names{"CPU", "MEMORY", "GPU_MEMORY"});
  CHECK(question.problem.shapes[0].size[2] == 1);
  CHECK(question.problem.types[2].capacity[2] == 12);  // three on each GPU of 16,000 MiB
  CHECK(question.relaxed.empty());
}

TEST_CASE("a whole GPU takes all shares of one") {
  const auto question =
      ask({run_task("s", with_mps(needs(128, 100), {5000}), 9), run_task("g", with_gpus(needs(128, 100), {2}), 1)},
          sharing_market());
  CHECK(question.problem.shapes[1].size[3] == 6);
  CHECK(question.relaxed.empty());
}

TEST_CASE("several sizes of GPU share are summed and the relaxation named") {
  const auto question =
      ask({run_task("s", with_mps(needs(128, 100), {5000}), 9), run_task("t", with_mps(needs(128, 100), {2000}), 1)},
          sharing_market());
  CHECK(question.problem.shapes[0].size[2] == 5);
  CHECK(question.problem.types[2].capacity[2] == 64);
  CHECK(list_ids(question.relaxed) == Names{"gpu-memory-per-device"});
}

TEST_CASE("fractions of a GPU are counted in millionths beside whole ones") {
  auto given = usual_market();
  given.offers.push_back(offer(bought("f.one", 4096, 8000, {1, 4000}), 300'000));
  given.offers.back().profile.gpu_fraction_millionths = 250'000;
  const auto question = ask(
      {run_task("f", with_fraction(needs(128, 100), 100'000), 2), run_task("g", with_gpus(needs(128, 100), {1}), 1)},
      given);
  CHECK(question.problem.shapes[0].size[2] == 100'000);
  CHECK(question.problem.shapes[0].allowed == Bits{false, false, false, true});
  CHECK(question.problem.shapes[1].size[2] == 1'000'000);
  CHECK(question.problem.shapes[1].allowed == Bits{false, false, true, false});
  CHECK(question.problem.types[2].capacity[2] == 4'000'000);
  CHECK(question.problem.types[3].capacity[2] == 200'000);
}

TEST_CASE("bins are told apart by zone only where a workload cares") {
  QuestionOptions options;
  options.zones = {"us-east-1a", "us-east-1b"};
  auto bound = run_task("a", needs(128, 100), 1);
  bound.availability_zones = Names{"us-east-1b", "us-east-1c"};
  const auto question = ask({bound, run_task("b", needs(128, 200), 1)}, usual_market(), options);
  REQUIRE(question.bins.size() == 6);
  CHECK(question.bins[1].availability_zone == "us-east-1b");
  CHECK(question.problem.shapes[0].allowed == Bits{false, true, false, true, false, true});

  bound.availability_zones = Names{"us-east-1a", "us-east-1b"};
  CHECK(ask({bound}, usual_market(), options).bins.size() == 3);
  const auto expression = constrained(run_task("c", needs(128, 100), 1),
                                      {member_of("attribute:ecs.availability-zone in [us-east-1a, us-east-1d]")});
  const auto named = ask({expression}, usual_market());
  REQUIRE(named.bins.size() == 6);
  CHECK(named.bins[1].availability_zone == "us-east-1d");
}

TEST_CASE("what looks at tasks or spreads is relaxed and named") {
  const auto question =
      ask({constrained(run_task("a", needs(128, 100), 1), {member_of("runningTasksCount >= 1")}),
           service("b", needs(128, 100), 1), run_task("c", needs(128, 100), 1, {spread("instanceId")})},
          usual_market());
  CHECK(list_ids(question.relaxed) == Names{"task-constraint", "spread", "spread"});
  CHECK(question.relaxed[1].subject == "b");
  REQUIRE(question.problem.shapes.size() == 1);
  CHECK(question.problem.shapes[0].allowed == Bits{true, true, true});
}

TEST_CASE("a type on which no tasks would make a constraint hold takes no task") {
  const auto question =
      ask({constrained(run_task("a", needs(128, 100), 1),
                       {member_of("attribute:ecs.instance-type == c.large or (attribute:rack exists and task:group == "
                                  "service:b)")})},
          usual_market());
  CHECK(list_ids(question.relaxed) == Names{"task-constraint"});
  REQUIRE(question.problem.shapes.size() == 1);
  CHECK(question.problem.shapes[0].allowed == Bits{false, true, false});
}

TEST_CASE("a workload is dealt to its capacity providers") {
  auto given = usual_market();
  given.offers[0].profile.capacity_provider_name = "p";
  given.offers[1].profile.capacity_provider_name = "q";
  auto dealt = run_task("a", needs(128, 100), 10);
  dealt.capacity_providers = {{"p", 1, 1}, {"q", 0, 2}, {"r", 1, 0}};
  const auto question = ask({dealt}, given);
  REQUIRE(question.problem.shapes.size() == 2);
  CHECK(question.problem.shapes[0].count == 4);
  CHECK(question.problem.shapes[0].allowed == Bits{true, false, false});
  CHECK(question.problem.shapes[1].count == 5);
  CHECK(question.problem.shapes[1].allowed == Bits{false, true, false});
  REQUIRE(question.unplaceable.size() == 1);
  CHECK(question.unplaceable[0].count == 1);
  CHECK(question.unplaceable[0].contradiction == "no available instance type meets capacity provider r");
}

using Weights = std::vector<std::int64_t>;

TEST_CASE("an offer's limit is its one bin type's, or shared by all of them") {
  auto given = usual_market();
  given.offers[0].limit = 7;
  given.offers[2].limit = 3;
  const auto question = ask({run_task("all", with_all_gpus(needs(128, 100)), 1),
                             run_task("one", with_gpus(needs(128, 100), {1}), 1), run_task("none", needs(128, 100), 1)},
                            given);
  REQUIRE(question.bins.size() == 4);
  CHECK(question.problem.types[0].limit == 7);
  CHECK(question.problem.types[2].limit == packing::kUnlimited);
  REQUIRE(question.problem.budgets.size() == 1);
  CHECK(question.problem.budgets[0].weights == Weights{0, 0, 1, 1});
  CHECK(question.problem.budgets[0].limit == 3);
}

TEST_CASE("an offer without limit and one of none") {
  auto given = usual_market();
  given.offers[0].limit = 0;
  const auto question = ask({run_task("a", needs(128, 100), 1)}, given);
  REQUIRE(question.bins.size() == 3);  // of the forbidden one too: a plan says what it would have held
  CHECK(question.problem.types[0].limit == 0);
  CHECK(question.problem.types[1].limit == packing::kUnlimited);
  CHECK(question.problem.budgets.empty());
}

TEST_CASE("limits of a type and quotas of vCPUs bind several offers") {
  auto given = usual_market();
  given.offers.push_back(given.offers[0]);
  given.offers.push_back(given.offers[0]);
  given.offers[4].is_owned = true;
  given.limits = {{"c.small", 5}, {"no.such", 1}};
  for (auto& one : given.offers) one.quota = one.profile.gpu_count > 0 ? "G and VT" : "Standard";
  given.quotas = {{"Standard", 32}, {"P", 8}};
  const auto question = ask({run_task("a", needs(128, 100), 1)}, given);
  REQUIRE(question.problem.budgets.size() == 2);
  CHECK(question.problem.budgets[0].weights == Weights{1, 0, 0, 1, 0});
  CHECK(question.problem.budgets[0].limit == 5);
  CHECK(question.problem.budgets[1].weights == Weights{2, 8, 0, 2, 2});
  CHECK(question.problem.budgets[1].limit == 32);
}

}  // namespace
}  // namespace bayplan::fleet
