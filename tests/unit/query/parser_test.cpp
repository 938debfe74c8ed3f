#include "catch.hpp"
#include "query/query.hpp"

using namespace bayplan;
using namespace bayplan::query;

namespace {

struct BadExpression {
  std::string text;
  FaultKind kind;
  std::uint32_t begin;
  std::string found;  // the bytes pointed at
  std::string message;
  std::string help;
};

}  // namespace

TEST_CASE("query names the mistake, its place and what to write") {
  const auto bad = GENERATE(values<BadExpression>({
      {"", FaultKind::kEmpty, 0, "", "the expression is empty",
       "use for example attribute:ecs.instance-type == p3.2xlarge"},
      {"attribute:a = b", FaultKind::kSingleEquals, 12, "=", "found '=', expected an operator", "use =="},
      {"attribute:a=b", FaultKind::kSingleEquals, 11, "=", "found '=', expected an operator", "use =="},
      {"attributes:ecs.instance-type == p3.2xlarge", FaultKind::kAttributesPrefix, 0, "attributes:ecs.instance-type",
       "found 'attributes:', expected 'attribute:'", "use attribute:ecs.instance-type"},
      {"Attribute:a == b", FaultKind::kUnknownSubject, 0, "Attribute:a", "found 'Attribute:', expected 'attribute:'",
       "use attribute:a"},
      {"attribute:a == b and attribute:c == 'd", FaultKind::kUnclosedQuote, 36, "'", "unclosed quote", "add '"},
      {"attribute:a in [b, c", FaultKind::kUnclosedBracket, 15, "[", "unclosed bracket", "add ']'"},
      {"attribute:a in [b,", FaultKind::kUnclosedBracket, 15, "[", "unclosed bracket", "add ']'"},
      {"attribute:a in [", FaultKind::kUnclosedBracket, 15, "[", "unclosed bracket", "add ']'"},
      {"(attribute:a in [b, c)", FaultKind::kUnclosedBracket, 16, "[", "unclosed bracket", "add ']'"},
      {"attribute:a in []", FaultKind::kLiteral, 16, "]", "found ']', expected a value", ""},
      {"attribute:a in b", FaultKind::kLiteral, 15, "b", "found 'b', expected '['",
       "in requires a list in brackets: [a, b]"},
      {"attribute:a in [b c]", FaultKind::kSyntax, 18, "c", "found 'c', expected ',' or ']'", ""},
      {"attribute:a == [b, c]", FaultKind::kLiteral, 15, "[", "found a list after ==", "use in or !in with a list"},
      {"ecs.instance-type == p3.2xlarge", FaultKind::kMissingSubject, 0, "ecs.instance-type",
       "'ecs.instance-type' is not a subject; an attribute requires the prefix 'attribute:'",
       "use attribute:ecs.instance-type"},
      {"> 1.2.3", FaultKind::kMissingSubject, 0, ">", "found '>', expected a subject",
       "start a comparison with agentConnected, agentVersion, ec2InstanceId, registeredAt, runningTasksCount, "
       "task:group "
       "or attribute:NAME"},
      {"attribute:a == b and", FaultKind::kMissingSubject, 20, "", "found the end, expected a subject",
       "start a comparison with agentConnected, agentVersion, ec2InstanceId, registeredAt, runningTasksCount, "
       "task:group "
       "or attribute:NAME"},
      {"attribute: == b", FaultKind::kMissingSubject, 0, "attribute:", "missing name after 'attribute:'",
       "put the name directly after the colon: attribute:ecs.instance-type"},
      {"'attribute:a' == b", FaultKind::kMissingSubject, 0, "'", "found ''', expected a subject",
       "do not quote the left side: attribute:stack == 'prod'"},
      {"agentversion > 1", FaultKind::kUnknownSubject, 0, "agentversion", "unknown subject 'agentversion'",
       "did you mean agentVersion?"},
      {"task:groups == g", FaultKind::kUnknownSubject, 0, "task:groups", "unknown subject 'task:groups'",
       "did you mean task:group?"},
      {"attribute:a", FaultKind::kOperator, 11, "", "found the end, expected an operator after attribute:a",
       "to check whether it is set: attribute:a exists"},
      {"agentVersion and attribute:a exists", FaultKind::kOperator, 13, "and",
       "found 'and', expected an operator after agentVersion", "use for example agentVersion =="},
      {"attribute:a equal b", FaultKind::kOperator, 12, "equal", "unknown operator 'equal'", "did you mean equals?"},
      {"attribute:a contains b", FaultKind::kOperator, 12, "contains", "unknown operator 'contains'",
       "use ==, !=, >, >=, <, <=, =~, !~, in, !in, exists or !exists"},
      {"attribute:a === b", FaultKind::kOperator, 12, "===", "unknown operator '==='", "use =="},
      {"attribute:a <> b", FaultKind::kOperator, 12, "<>", "unknown operator '<>'", "use !="},
      {"ec2InstanceId > i-1", FaultKind::kOperator, 14, ">", "ec2InstanceId cannot be compared with >",
       "use == or in; it has no order"},
      {"runningTasksCount =~ 1.*", FaultKind::kOperator, 18, "=~", "runningTasksCount cannot be compared with =~",
       "use == or an order such as >"},
      {"attribute:a == and agentConnected == true", FaultKind::kLiteral, 15, "and",
       "found 'and', expected a value after ==", ""},
      {"attribute:a ==", FaultKind::kLiteral, 14, "", "found the end, expected a value after ==", ""},
      {"agentConnected == yes", FaultKind::kLiteral, 18, "yes", "agentConnected must be true or false, got \'yes'", ""},
      {"agentVersion > v1.2", FaultKind::kLiteral, 15, "v1.2",
       "agentVersion must be a version such as 1.90.0, got \'v1.2'", ""},
      {"registeredAt > 2018-02-30", FaultKind::kLiteral, 15, "2018-02-30",
       "registeredAt must be a date such as 2026-02-13 or 2026-06-18T22:28:28Z, got \'2018-02-30'", ""},
      {"runningTasksCount == one", FaultKind::kLiteral, 21, "one", "runningTasksCount must be an integer, got \'one'",
       ""},
      {"attribute:a == b & attribute:c exists", FaultKind::kSyntax, 17, "&", "found '&', expected && or 'and'",
       "use &&"},
      {"attribute:a == b | attribute:c exists", FaultKind::kSyntax, 17, "|", "found '|', expected || or 'or'",
       "use ||"},
      {"attribute:a == b AND attribute:c exists", FaultKind::kSyntax, 17, "AND", "found 'AND', expected 'and'",
       "use lowercase"},
      {"attribute:a == b c", FaultKind::kSyntax, 17, "c", "found 'c', expected 'and', 'or' or the end",
       "quote a value that contains spaces: 'a b'"},
      {"attribute:a == b, attribute:c == d", FaultKind::kSyntax, 16, ",", "found ',' outside a list",
       "use in [a, b] for several values, and for several conditions"},
      {"(attribute:a == b", FaultKind::kParenthesis, 0, "(", "unclosed parenthesis", "add ')'"},
      {"attribute:a == b)", FaultKind::kParenthesis, 16, ")", "unmatched closing parenthesis",
       "delete it, or add an opening one"},
  }));
  INFO(bad.text);
  const auto parsed = parse(bad.text);
  REQUIRE_FALSE(parsed);
  REQUIRE(parsed.fault);
  CHECK(parsed.fault->message == bad.message);
  CHECK(parsed.fault->help == bad.help);
  CHECK(static_cast<int>(parsed.fault->kind) == static_cast<int>(bad.kind));
  CHECK(parsed.fault->span.begin == bad.begin);
  CHECK(bad.text.substr(parsed.fault->span.begin, parsed.fault->span.length()) == bad.found);
}

TEST_CASE("query refuses regular expressions that Java reads differently") {
  const auto [pattern, name] = GENERATE(table<std::string, std::string>({
      {"(?=p3).*", "look-ahead"},
      {"(?<!p3).*", "look-behind"},
      {"a++", "a possessive quantifier"},
      {"a{,3}", "a { that repeats nothing"},
      {"{a}", "a { that repeats nothing"},
      {"a{2", "a { that repeats nothing"},
      {"(?U)a", "the flag U"},
      {"(?iU:a)", "the flag U"},
      {R"(\v)", R"(\v)"},
      {R"(\0141)", R"(\0)"},
      {"(a)\\1", "a back-reference"},
      {"(?<n>a)", "a named group"},
      {"[a-z&&[^b]]", "&& in a class"},
      {"\\p{Alpha}", "\\p{...}"},
  }));
  const auto parsed = parse("attribute:a =~ " + pattern);
  REQUIRE(parsed.fault);
  CHECK(static_cast<int>(parsed.fault->kind) == static_cast<int>(FaultKind::kRegularExpression));
  CHECK(parsed.fault->span == Span{15, static_cast<std::uint32_t>(15 + pattern.size())});
  CHECK(parsed.fault->message.find(name) != std::string::npos);
}

TEST_CASE("query notes readings that ECS does not document") {
  const auto doubts = [](std::string_view text) { return parse(text).expression->doubts(); };
  REQUIRE(doubts("agentConnected == true and task:group != g").size() == 1);
  CHECK(doubts("agentConnected == true and task:group != g")[0].help == "use not(task:group == GROUP)");
  CHECK(doubts("agentConnected == true and task:group != g")[0].span == Span{27, 42});
  CHECK(doubts("attribute:a > 5").at(0).message ==
        "how ECS orders attributes with > is not documented; compared as numbers if the attribute is a number, "
        "otherwise as text");
  CHECK(doubts("attribute:ecs.instance-type == p3.*").at(0).help == "use =~ with a regular expression: .*");
  CHECK(doubts("agentVersion in [1.2, 1.3]").at(0).message == "agentVersion with in is not documented");
  CHECK(doubts("attribute:a in [b] and runningTasksCount > 1 and task:group == g").empty());
}

TEST_CASE("query prints canonically and stably") {
  const auto [text, printed] = GENERATE(table<std::string, std::string>({
      {"attribute:a==b&&agentConnected==true||attribute:c not_exists",
       "attribute:a == b and agentConnected == true or attribute:c !exists"},
      {"((attribute:a equals b))", "attribute:a == b"},
      {"!attribute:a exists", "not(attribute:a exists)"},
      {"not (attribute:a exists or attribute:b exists) and attribute:c exists",
       "not(attribute:a exists or attribute:b exists) and attribute:c exists"},
      {"(attribute:a exists or attribute:b exists) and attribute:c exists",
       "(attribute:a exists or attribute:b exists) and attribute:c exists"},
      {"attribute:a in ['x y',\"it's\",z]", "attribute:a in ['x y', \"it's\", z]"},
      {"attribute:a == 'and'", "attribute:a == 'and'"},
      {"attribute:a =~ (g4dn|g5)\\..*", "attribute:a =~ '(g4dn|g5)\\..*'"},
      {"task:group == service:web", "task:group == service:web"},
  }));
  INFO(text);
  const auto first = parse(text);
  REQUIRE(first);
  CHECK(first.expression->print() == printed);
  const auto second = parse(printed);
  REQUIRE(second);
  CHECK(second.expression->print() == printed);
}

TEST_CASE("query survives any length and nesting") {
  const auto repeated = [](std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  const std::string deep = repeated("(", 100'000) + "attribute:a exists" + repeated(")", 100'000);
  REQUIRE(parse(deep).fault);
  CHECK(static_cast<int>(parse(deep).fault->kind) == static_cast<int>(FaultKind::kTooDeep));
  CHECK(parse(deep).fault->span == Span{200, 201});

  CHECK(parse(repeated("(", 200) + "attribute:a exists" + repeated(")", 200)));
  CHECK(parse(repeated("not ", 100'000) + "attribute:a exists").expression->nodes().size() == 1);
  const auto chain = parse(repeated("attribute:a exists or ", 50'000) + "attribute:a exists");
  REQUIRE(chain);
  CHECK(chain.expression->root().operands.size() == 50'001);
}

TEST_CASE("query prefixes never crash and point inside the text") {
  const std::string text =
      "not(attribute:ecs.instance-type =~ \"(g4dn|g5)\\..*\") and (registeredAt < 2018-06-18T22:28:28+00:00 || "
      "ec2InstanceId in ['i-1', i-2] or task:group not_in [a]) && agentVersion >= 1.2.3";
  REQUIRE(parse(text));
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto parsed = parse(text.substr(0, length));
    CHECK(parsed.expression.has_value() != parsed.fault.has_value());
    if (parsed.fault) {
      CHECK(parsed.fault->span.end <= length);
    }
  }
}
