#include "scenario/arguments.hpp"

#include "catch.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;

namespace {

/// "type:field" of each, or the error and its help.
std::string strategies(std::string_view text) {
  const auto parsed = parse_strategy_argument(text);
  if (!parsed) return parsed.error().message + " (" + parsed.error().help + ")";
  std::string out;
  for (const auto& strategy : *parsed) {
    constexpr std::string_view kNames[] = {"random", "spread", "binpack"};
    out +=
        (out.empty() ? "" : " ") + std::string(kNames[static_cast<std::size_t>(strategy.type)]) + ":" + strategy.field;
  }
  return out;
}

std::string constraint(std::string_view text) {
  const auto parsed = parse_constraint_argument(text);
  if (!parsed) return parsed.error().message + " (" + parsed.error().help + ")";
  REQUIRE(parsed->size() == 1);
  const Constraint& only = parsed->front();
  return only.type == ConstraintType::kMemberOf ? only.source + " => " + only.expression->print() : "distinctInstance";
}

}  // namespace

TEST_CASE("arguments strategies in both forms") {
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
      {"binpack:memory", "binpack:memory"},
      {"binpack:CPU", "binpack:cpu"},
      {"spread:instanceId", "spread:instanceId"},
      {"spread:host", "spread:instanceId"},
      {"spread:attribute:ecs.availability-zone", "spread:attribute:ecs.availability-zone"},
      {"random", "random:"},
      {"type=spread,field=attribute:ecs.availability-zone", "spread:attribute:ecs.availability-zone"},
      {"type=spread,field=attribute:ecs.availability-zone type=binpack,field=memory",
       "spread:attribute:ecs.availability-zone binpack:memory"},
      {"field=memory,type=binpack", "binpack:memory"},
      {"type=random", "random:"},
      {"random:x",
       "strategy 'random:x': random does not support a field (BAY1102) (write random; binpack and spread take one)"},
      {"type=random,field=x",
       "strategy 'type=random,field=x': random does not support a field (BAY1102) (write random; binpack and spread "
       "take one)"},
      {"binpack:gpu",
       "strategy 'binpack:gpu': binpack has no field \"gpu\": ECS documents only cpu and memory (BAY1101) (GPU tasks "
       "pack on "
       "cpu or memory; keep other tasks off GPU instances with memberOf)"},
      {"binpack", "strategy 'binpack': binpack needs a field (BAY1101) (write cpu or memory)"},
      {"spread:az",
       "strategy 'spread:az': spread has no field \"az\" (BAY1103) (write instanceId or attribute:NAME, such as "
       "attribute:ecs.availability-zone)"},
      {"binpak:memory", "strategy 'binpak:memory': unknown placement strategy 'binpak' (did you mean binpack?)"},
      {"type=spread,feild=host", "strategy 'type=spread,feild=host': unknown key 'feild' (did you mean field?)"},
      {"field=memory",
       "strategy 'field=memory': a placement strategy needs a type (for example type=binpack,field=memory)"},
      {"", "strategy '': a placement strategy is missing (for example binpack:memory)"},
  }));
  INFO(text);
  CHECK(strategies(text) == expected);
}

TEST_CASE("arguments constraints as the AWS CLI takes them") {
  const auto [text, expected] = GENERATE(table<std::string, std::string>({
      {"distinctInstance", "distinctInstance"},
      {"type=distinctInstance", "distinctInstance"},
      {"type=memberOf,expression=attribute:stack==prod", "attribute:stack==prod => attribute:stack == prod"},
      {"type=memberOf,expression=\"attribute:stack == prod\"", "attribute:stack == prod => attribute:stack == prod"},
      {"type=memberOf,expression='attribute:a in [b, c]'", "attribute:a in [b, c] => attribute:a in [b, c]"},
      {"type=memberOf,expression=attribute:a in [b, c]", "attribute:a in [b, c] => attribute:a in [b, c]"},
      {"expression=\"attribute:a exists\",type=memberOf", "attribute:a exists => attribute:a exists"},
      {R"([{"type": "memberOf", "expression": "attribute:a in [b, c]"}])",
       "attribute:a in [b, c] => attribute:a in [b, c]"},
      {"type=memberOf,expression=attribute:a = b",
       "expression 'attribute:a = b', character 13: found '=', expected an operator (use ==)"},
      {"type=distinctInstance,expression=x",
       "placement constraint 'type=distinctInstance,expression=x': distinctInstance does not support an expression "
       "(BAY1106) "
       "(write "
       "distinctInstance)"},
      {"type=memberof,expression=attribute:a exists",
       "placement constraint 'type=memberof,expression=attribute:a exists': unknown type 'memberof' (did you mean "
       "memberOf?)"},
      {"type=memberOf",
       "placement constraint 'type=memberOf': memberOf needs an expression (for example "
       "type=memberOf,expression=\"attribute:ecs.instance-type =~ p3.*\")"},
  }));
  INFO(text);
  CHECK(constraint(text) == expected);
}

TEST_CASE("arguments strategies as JSON") {
  CHECK(strategies(R"([{"type": "spread", "field": "host"}, {"type": "random"}])") == "spread:instanceId random:");
  CHECK(strategies(R"([{"type": "binpack", "field": "gpu"}])").find("binpack has no field \"gpu\"") !=
        std::string::npos);
  CHECK(strategies(R"([{"type": "binpack",)").find("strategies") == std::string::npos);
  CHECK_FALSE(parse_strategy_argument(R"([{"type": "binpack",)"));
}

TEST_CASE("arguments of a long expression the place of the fault is shown") {
  const auto shown = [](std::size_t before, std::size_t behind) {
    const std::string text = "attribute:" + std::string(before, 'a') + " = " + std::string(behind, 'b');
    const auto parsed = parse_constraint_argument("type=memberOf,expression=" + text);
    REQUIRE_FALSE(parsed);
    const std::string& message = parsed.error().message;
    return message.substr(0, message.find(','));
  };
  CHECK(shown(95, 92) == "expression '" + ("attribute:" + std::string(95, 'a') + " = " + std::string(92, 'b')) + "'");
  CHECK(shown(95, 200) == "expression '..." + std::string(39, 'a') + " = " + std::string(38, 'b') + "...'");
  CHECK(shown(10, 300) == "expression 'attribute:" + std::string(10, 'a') + " = " + std::string(57, 'b') + "...'");
  std::string text;
  for (int i = 0; i < 12; ++i) text += "attribute:a exists and ";
  text += "attribute:c = d";
  const auto parsed = parse_constraint_argument("type=memberOf,expression=" + text);
  REQUIRE_FALSE(parsed);
  CHECK(parsed.error().message.find("expression '..." + text.substr(text.find('=') - 40) + "', character ") == 0);
}

TEST_CASE("arguments instances") {
  const auto full = parse_instances_argument("p3.2xlarge=4@us-east-2a,us-east-2b");
  REQUIRE(full);
  CHECK(full->instance_type == "p3.2xlarge");
  CHECK(full->count == 4);
  CHECK(full->availability_zones == std::vector<std::string>{"us-east-2a", "us-east-2b"});
  CHECK(parse_instances_argument("c5.large")->count == 1);
  CHECK(parse_instances_argument("c5.large@us-east-2a")->availability_zones.size() == 1);
  const auto refusal = [](std::string_view text) { return parse_instances_argument(text).error().message; };
  CHECK(refusal("=3") == "--instances '=3': the instance type is missing");
  CHECK(refusal("c5.large=x") == "--instances 'c5.large=x': 'x' is not a number");
  CHECK(refusal("c5.large=0") == "--instances 'c5.large=0': the count must be between 1 and 1000000");
  CHECK(refusal("c5.large=2@a,") == "--instances 'c5.large=2@a,': an availability zone is missing");
}

TEST_CASE("arguments tasks") {
  CHECK(parse_task_argument("train=3")->count == 3);
  CHECK(parse_task_argument("train")->count == 1);
  CHECK(parse_task_argument("train=max")->count == std::nullopt);
  CHECK(parse_task_argument("a=b/train.json=2")->task_definition == "a=b/train.json");
  CHECK(parse_task_argument("train=many").error().message == "--task 'train=many': 'many' is not a number");
  CHECK(parse_task_argument("train=0").error().message == "--task 'train=0': the count must be between 1 and 3000000");
  CHECK(parse_task_argument("=1").error().message == "--task '=1': the task definition is missing");
}
