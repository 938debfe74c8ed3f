#include "awscli/shorthand.hpp"

#include "catch.hpp"

namespace {

using namespace bayplan::awscli;

/// JSON-like, one line: what Python's repr of the AWS CLI's own result says, with double quotes.
std::string shown(const ShorthandValue& value) {
  if (value.kind == ShorthandValue::Kind::kText) return '"' + value.text + '"';
  const bool is_list = value.kind == ShorthandValue::Kind::kList;
  std::string text;
  for (const auto& child : value.children) {
    text += text.empty() ? "" : ",";
    if (!is_list) text += '"' + child.key + "\":";
    text += shown(child);
  }
  return is_list ? "[" + text + "]" : "{" + text + "}";
}

std::string parsed(std::string_view text) {
  const auto result = parse_shorthand(text);
  REQUIRE(result.value.has_value() != result.fault.has_value());
  return result.fault ? "fault at " + std::to_string(result.fault->at) + ": " + result.fault->message
                      : shown(*result.value);
}

struct Case {
  std::string_view text;
  std::string_view expected;
};

}  // namespace

TEST_CASE("shorthand parses what the AWS CLI parses") {
  // Each right side was printed by awscli.shorthand.ShorthandParser (1.45.11).
  const Case cases[] = {
      {"a=b", R"({"a":"b"})"},
      {"a=b,c=d", R"({"a":"b","c":"d"})"},
      {"a=b,c", R"({"a":["b","c"]})"},
      {"a=b,c,d=e,f", R"({"a":["b","c"],"d":["e","f"]})"},
      {"a=,b=c", R"({"a":"","b":"c"})"},
      {"a=", R"({"a":""})"},
      {"a=[b,c]", R"({"a":["b","c"]})"},
      {"a=[]", R"({"a":[]})"},
      {"a=[b]", R"({"a":["b"]})"},
      {"a={b=c,d=e}", R"({"a":{"b":"c","d":"e"}})"},
      {"a={}", R"({"a":{}})"},
      {"a={b=[c,d]},e=f", R"({"a":{"b":["c","d"]},"e":"f"})"},
      {"a=[{b=c},{b=d}]", R"({"a":[{"b":"c"},{"b":"d"}]})"},
      {"a=[[b,c],[d]]", R"({"a":[["b","c"],["d"]]})"},
      {"a='b,c'", R"({"a":"b,c"})"},
      {"a=\"b,c\",d=e", R"({"a":"b,c","d":"e"})"},
      {"a='b\\'c'", R"({"a":"b'c"})"},
      {"a=b\\,c", R"({"a":"b,c"})"},
      {"type=spread,field=attribute:ecs.availability-zone",
       R"({"type":"spread","field":"attribute:ecs.availability-zone"})"},
      {"type=memberOf,expression=attribute:stack == prod",
       R"({"type":"memberOf","expression":"attribute:stack == prod"})"},
      {"type=memberOf,expression='attribute:ecs.instance-type in [p3.2xlarge, p3.8xlarge]'",
       R"({"type":"memberOf","expression":"attribute:ecs.instance-type in [p3.2xlarge, p3.8xlarge]"})"},
      {"awsvpcConfiguration={subnets=[subnet-1,subnet-2],securityGroups=[sg-1],assignPublicIp=DISABLED}",
       R"({"awsvpcConfiguration":{"subnets":["subnet-1","subnet-2"],"securityGroups":["sg-1"],"assignPublicIp":"DISABLED"}})"},
      {" a = b , c = d ", "fault at 1: expected '=', found 'a'"},
      {"a = b , c = d", R"({"a":"b","c":"d"})"},
      {"a=b c", R"({"a":"b c"})"},
      {"a=b=c", R"({"a":"b=c"})"},
      {"a=b=c,d", R"({"a":["b=c","d"]})"},
      {"a/b:c.d-e_f#g=h", R"({"a/b:c.d-e_f#g":"h"})"},
      {"=b", R"({"":"b"})"},
      {"a={b=c,b=d}", R"({"a":{"b":"d"}})"},
      {"a=\xC3\xA9", "{\"a\":\"\xC3\xA9\"}"},
      {"a=b,c, d =e", R"({"a":["b","c"],"d":"e"})"},
      {"a=[ b , c ]", R"({"a":["b","c"]})"},
      {"a=[b,]", R"({"a":["b"]})"},
      {"a={ b = c , d = e }", R"({"a":{"b":"c","d":"e"}})"},
      {"a='b\\\\'", R"({"a":"b\"})"},
      {"a@=b", R"({"a":"b"})"},
      {"a=${X}", "fault at 5: expected ',', found '}'"},
  };
  for (const auto& one : cases) {
    INFO(one.text);
    CHECK(parsed(one.text) == one.expected);
  }
}

TEST_CASE("shorthand names what it expected and where") {
  const Case cases[] = {
      {"", "fault at 0: expected '=', found the end"},
      {"a", "fault at 1: expected '=', found the end"},
      {"a=b,", "fault at 4: expected a value after ',', found the end"},
      {"a=b,c,", "fault at 6: expected a value after ',', found the end"},
      {"a=[b", "fault at 4: expected ',' or ']', found the end"},
      {"a={b=c", "fault at 6: expected ',' or '}', found the end"},
      {"a={b}", "fault at 4: expected '=', found '}'"},
      {"a='b", "fault at 2: missing closing quote '"},
      {"a=b,a=c", "fault at 4: duplicate key 'a'"},
      {"a=[b]c", "fault at 5: expected ',', found 'c'"},
  };
  for (const auto& one : cases) {
    INFO(one.text);
    CHECK(parsed(one.text) == one.expected);
  }
}

TEST_CASE("shorthand remembers where values stand and which may name files") {
  const auto result = parse_shorthand("name=web,command=[sh,'-c x'],token@=file://t.txt");
  REQUIRE(result.value);
  const auto& members = result.value->children;
  REQUIRE(members.size() == 3);
  CHECK(members[0].span == bayplan::Span{5, 8});
  CHECK(members[0].key_span == bayplan::Span{0, 4});
  CHECK(members[1].span == bayplan::Span{17, 28});
  CHECK(members[1].children[1].span == bayplan::Span{21, 27});
  CHECK(members[2].may_name_file);
  CHECK_FALSE(members[0].may_name_file);
}

TEST_CASE("shorthand nested without end is a fault and no crash") {
  const std::string deep = "a=" + std::string(100'000, '[');
  CHECK(parsed(deep).find("nested too deep") != std::string::npos);
}
