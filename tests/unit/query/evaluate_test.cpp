#include "catch.hpp"
#include "query/possible_tasks.hpp"
#include "unit/query/instance.hpp"

using namespace bayplan::query;

namespace {

TestInstance gpu_instance() {
  TestInstance instance;
  instance.attributes = {{"ecs.instance-type", "p3.2xlarge"},
                         {"ecs.availability-zone", "us-east-1a"},
                         {"ecs.os-type", "linux"},
                         {"stack", "prod"},
                         {"gpus", "12"},
                         {"empty", ""}};
  instance.version = "1.14.5";
  instance.id = "i-abcd1234";
  instance.registered = "2018-02-12T23:59:59Z";
  instance.groups = {"service:web"};
  return instance;
}

bool holds(std::string_view text, const InstanceView& instance) {
  INFO(text);
  const auto parsed = parse(text);
  REQUIRE(parsed);
  return parsed.expression->holds(instance);
}

}  // namespace

TEST_CASE("query expressions that hold") {
  const auto text = GENERATE(
      as<std::string>(), "attribute:ecs.instance-type == p3.2xlarge", "attribute:ecs.instance-type==p3.2xlarge",
      "attribute:ecs.instance-type equals 'p3.2xlarge'", "attribute:ecs.instance-type == \"p3.2xlarge\"",
      "attribute:ecs.instance-type =~ p3.*", "attribute:ecs.instance-type matches p[23]\\.2?xlarge",
      "attribute:ecs.instance-type =~ (g4dn|p3)\\..*", "(attribute:ecs.instance-type =~ (g4dn|p3)\\..*)",
      "attribute:ecs.instance-type !~ g4dn.*", "attribute:ecs.instance-type not_matches p3",
      "attribute:ecs.availability-zone in [us-east-1a, us-east-1b]",
      "attribute:ecs.availability-zone in ['us-east-1b','us-east-1a']",
      "attribute:ecs.availability-zone !in [us-east-1c]",
      "attribute:ecs.availability-zone not_in [us-east-1c, us-east-1d]", "attribute:stack exists",
      "attribute:retiring !exists", "attribute:retiring not_exists",
      "attribute:retiring !exists or attribute:retiring != true", "not(attribute:retiring == true)",
      "!(attribute:retiring == true)", "!attribute:retiring exists", "attribute:empty exists",
      "attribute:stack != test", "attribute:gpus > 9", "attribute:gpus >= 12.0", "attribute:stack > alpha",
      "agentConnected == true", "agentConnected in [true]", "agentVersion == 1.14.5.0", "agentVersion < 1.14.10",
      "agentVersion greater_than 1.9.99", "ec2InstanceId in ['i-abcd1234', 'i-wxyx7890']", "registeredAt < 2018-02-13",
      "registeredAt >= 2018-02-13T01:00:00+02:00", "registeredAt == 2018-02-12T23:59:59", "runningTasksCount == 1",
      "runningTasksCount less_than_equal 1", "task:group == service:web", "task:group in [service:web, family:train]",
      "not(task:group == databases)",
      // not binds tighter than and, and tighter than or
      "attribute:stack == prod or attribute:stack == prod and attribute:stack == test",
      "not attribute:stack == test and attribute:stack == prod", "not not attribute:stack == prod",
      "attribute:stack==prod&&agentConnected==true||attribute:stack==test");
  CHECK(holds(text, gpu_instance()));
}

TEST_CASE("query expressions that do not hold") {
  const auto text = GENERATE(
      as<std::string>(), "attribute:ecs.instance-type == P3.2xlarge", "attribute:ecs.instance-type == p3.*",
      "attribute:ecs.instance-type =~ p3", "attribute:ecs.instance-type in [p2.xlarge]", "attribute:Stack exists",
      "attribute:retiring != true", "attribute:retiring !in [true]", "attribute:retiring !~ true",
      "attribute:retiring > 0", "attribute:empty == ' '", "attribute:gpus < 9", "agentConnected == false",
      "agentVersion > 1.14.5", "agentVersion >= 1.14.10", "registeredAt > 2018-02-13", "runningTasksCount > 1",
      "task:group == databases", "task:group != service:web",
      "(attribute:stack == prod or attribute:stack == prod) and attribute:stack == test",
      "not(attribute:stack == prod and agentConnected == true)",
      "attribute:ecs.os-type == linux and attribute:ecs.os-family == WINDOWS_SERVER_2019_FULL");
  CHECK_FALSE(holds(text, gpu_instance()));
}

TEST_CASE("query versions compare part by part") {
  const std::string_view expression = "agentVersion < 1.14.5";
  TestInstance instance;
  CHECK_FALSE(holds(expression, instance));  // not known
  instance.version = "1.9.0";
  CHECK(holds(expression, instance));
  instance.version = "1.14.5";
  CHECK_FALSE(holds(expression, instance));
  instance.version = "1.14.10";
  CHECK_FALSE(holds(expression, instance));
}

TEST_CASE("query task groups on an empty instance") {
  const TestInstance empty;
  CHECK_FALSE(holds("task:group == databases", empty));
  CHECK(holds("not(task:group == databases)", empty));
  CHECK_FALSE(holds("task:group != databases", empty));
}

TEST_CASE("query says whether tasks can change the answer") {
  CHECK(parse("attribute:a exists or task:group == g").expression->depends_on_tasks());
  CHECK(parse("runningTasksCount < 3").expression->depends_on_tasks());
  CHECK_FALSE(parse("attribute:a exists and agentConnected == true").expression->depends_on_tasks());
}

TEST_CASE("query says whether some tasks would make it hold") {
  TestInstance instance;
  instance.attributes = {{"stack", "prod"}};
  const auto may_hold = [&](std::string_view text) { return parse(text).expression->may_hold(instance); };
  CHECK(may_hold("task:group == g"));
  CHECK(may_hold("not(task:group == g)"));
  CHECK(may_hold("runningTasksCount > 3 and attribute:stack == prod"));
  CHECK_FALSE(may_hold("runningTasksCount < 3 and attribute:stack == beta"));
  CHECK_FALSE(may_hold("attribute:stack == beta or (attribute:rack exists and task:group == g)"));
  CHECK_FALSE(may_hold("not(attribute:stack == prod or task:group == g)"));
  CHECK_FALSE(may_hold("attribute:stack == beta"));
}

TEST_CASE("query says whether some of the tasks that can start would make it hold") {
  TestInstance instance;
  instance.attributes = {{"stack", "prod"}};
  const auto may_hold = [&](std::string_view text, const PossibleTasks& tasks) {
    const auto expression = *parse(text).expression;
    const bool on_instance = bayplan::query::may_hold(expression, instance, predicates_with(expression, tasks));
    // Of an instance with other attributes no less is possible.
    CHECK(bayplan::query::may_hold(expression, tasks) >= on_instance);
    return on_instance;
  };
  const PossibleTasks none, web{{"service:web"}, false}, unknown{{}, true};
  CHECK(may_hold("task:group == service:web", web));
  CHECK_FALSE(may_hold("task:group == service:db", web));
  CHECK_FALSE(may_hold("task:group == service:web", none));
  CHECK(may_hold("task:group == service:web", unknown));
  CHECK(may_hold("task:group in [service:db, service:web]", web));
  CHECK_FALSE(may_hold("task:group =~ service:d.*", web));
  CHECK(may_hold("task:group !exists", web));
  CHECK_FALSE(may_hold("task:group exists", none));
  CHECK(may_hold("not(task:group == service:web)", web));
  CHECK_FALSE(may_hold("not(task:group !exists)", none));
  CHECK_FALSE(may_hold("runningTasksCount >= 1", none));
  CHECK(may_hold("runningTasksCount == 0", none));
  CHECK(may_hold("runningTasksCount >= 1", web));
  CHECK(may_hold("runningTasksCount >= 1", unknown));
  CHECK(may_hold("attribute:stack == prod or task:group == service:db", web));
  CHECK_FALSE(may_hold("attribute:stack == beta or task:group == service:db", web));
  CHECK_FALSE(may_hold("attribute:stack == beta and task:group == service:web", web));
}

TEST_CASE("query explains in words why it does not hold") {
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {"attribute:ecs.instance-type == p2.xlarge", "attribute ecs.instance-type is p3.2xlarge, must be p2.xlarge"},
      {"attribute:ecs.instance-type =~ g4dn.*", "attribute ecs.instance-type is p3.2xlarge, must match g4dn.*"},
      {"attribute:stack in [a, b, c]", "attribute stack is prod, must be a, b or c"},
      {"attribute:stack != prod", "attribute stack is prod, must not be prod"},
      {"attribute:retiring != true", "attribute retiring is not set, must not be true"},
      {"attribute:retiring exists", "attribute retiring is not set"},
      {"attribute:stack !exists", "attribute stack is set to prod, must not be set"},
      {"not(attribute:stack == prod)", "attribute stack is prod, must not be prod"},
      {"attribute:gpus > 100", "attribute gpus is 12, must be > 100"},
      {"not(attribute:gpus > 1)", "attribute gpus is 12, must be <= 1"},
      {"agentVersion >= 2.0", "agentVersion is 1.14.5, must be >= 2.0"},
      {"agentConnected == false", "agentConnected is true, must be false"},
      {"registeredAt > 2018-02-13", "registeredAt is 2018-02-12T23:59:59Z, must be > 2018-02-13"},
      {"runningTasksCount == 0", "runningTasksCount is 1, must be 0"},
      {"task:group == databases", "no task of group databases runs there"},
      {"not(task:group == service:web)", "a task of group service:web runs there"},
      {"attribute:stack == prod and attribute:x exists and runningTasksCount == 0",
       "attribute x is not set; runningTasksCount is 1, must be 0"},
      {"attribute:stack == a or attribute:stack == b",
       "attribute stack is prod, must be a; attribute stack is prod, must be b"},
      {"not(attribute:x exists or agentConnected == true)", "agentConnected is true, must not be true"},
      {"attribute:stack == prod", ""},
  }));
  INFO(text);
  CHECK(parse(text).expression->explain(gpu_instance()) == why);
}
