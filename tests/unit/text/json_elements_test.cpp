#include "text/json_elements.hpp"

#include "catch.hpp"

using namespace bayplan;
using namespace bayplan::text;

namespace {

const ElementsWanted kWanted{{"tasks", "task", "clusters", "providers"}, {"data"}};

struct Walked {
  std::vector<std::string> elements;  ///< "tasks[1] {...}"
  std::optional<BrokenJson> broken;
  bool holds_wanted = false;
  std::size_t passed_over = 0;
  std::uint32_t first_passed_over = 0;
};

Walked walk(std::string_view text, const Limits& limits = {}) {
  Walked walked;
  const auto walk = for_each_element(text, kWanted, limits, [&](const JsonElement& element) {
    std::string line(element.member);
    if (element.is_listed || element.member.empty()) line += "[" + std::to_string(element.position) + "]";
    walked.elements.push_back(line + " " + std::string(text.substr(element.span.begin, element.span.length())));
    return true;
  });
  walked.broken = walk.broken;
  walked.holds_wanted = walk.holds_wanted;
  walked.passed_over = walk.passed_over;
  walked.first_passed_over = walk.first_passed_over;
  return walked;
}

using Lines = std::vector<std::string>;

std::string sarif_message(const Walked& walked) {
  return walked.broken ? std::to_string(walked.broken->fault.span.begin) + ": " + walked.broken->fault.message : "";
}

}  // namespace

TEST_CASE("json elements stand in one answer, in pages, in lists of pages and in lines") {
  CHECK(walk(R"({"tasks": [{"a": 1}, {"b": "}"}], "failures": [{}], "nextToken": null})").elements ==
        Lines{R"(tasks[0] {"a": 1})", R"(tasks[1] {"b": "}"})"});
  CHECK(walk("{\"tasks\": [{}]}\n{\"tasks\": [{\"x\": [1]}]}{\"task\":{\"y\":0}}").elements ==
        Lines{"tasks[0] {}", R"(tasks[0] {"x": [1]})", R"(task {"y":0})"});
  CHECK(walk(R"([{"tasks": [{"a": 1}]}, {"tasks": []}, {"clusters": [{"b": 2}]}])").elements ==
        Lines{R"(tasks[0] {"a": 1})", R"(clusters[0] {"b": 2})"});
  CHECK(walk("{\"arn\": \"a\"}\n\n{\"arn\": \"b\"}\n").elements == Lines{R"([0] {"arn": "a"})", R"([1] {"arn": "b"})"});
  CHECK(walk(R"([{"arn": "a"}, 7, {"arn": "b"}])").elements == Lines{R"([0] {"arn": "a"})", R"([2] {"arn": "b"})"});
}

TEST_CASE("json elements under a wrapper are those of the answer itself") {
  CHECK(walk(R"({"status_code": 200, "data": {"tasks": [{"a": 1}], "Metadata": {}}})").elements ==
        Lines{R"(tasks[0] {"a": 1})"});
}

TEST_CASE("json elements are objects, a list of names is none") {
  CHECK(walk(R"({"providers": ["gpu", "cpu"], "name": "c"})").elements ==
        Lines{R"([0] {"providers": ["gpu", "cpu"], "name": "c"})"});
  CHECK(walk(R"({"tasks": "none", "task": null})").elements == Lines{R"([0] {"tasks": "none", "task": null})"});
  CHECK(walk(R"({"tasks": []})").elements.empty());
  CHECK(walk(R"({"tasks": []})").holds_wanted);
  CHECK_FALSE(walk(R"({"providers": ["gpu"]})").holds_wanted);
  CHECK(walk("").elements.empty());
  CHECK_FALSE(walk(" \n").broken);
}

TEST_CASE("json elements before a fault are handed over, the fault names its place") {
  const auto cut = walk(R"({"tasks": [{"a": 1}, {"b": )");
  CHECK(cut.elements == Lines{R"(tasks[0] {"a": 1})"});
  CHECK(sarif_message(cut) == "27: unexpected end of file, expected '}'");
  REQUIRE(cut.broken->inside);
  CHECK(cut.broken->inside->member == "tasks");
  CHECK(cut.broken->inside->position == 1);
  CHECK(cut.broken->inside->span == Span{21, 27});

  const auto page = walk("{}\n{\"tasks\": [{}], \"x\"\n{}");
  REQUIRE(page.broken->inside);
  CHECK(page.broken->inside->member.empty());
  CHECK(page.broken->inside->span == Span{3, 23});
  const auto mixed = walk(R"({"tasks": [{}, null, 5]}{"tasks": ["a"]})");
  CHECK(mixed.elements.front() == "tasks[0] {}");
  CHECK(mixed.passed_over == 2);
  CHECK(mixed.first_passed_over == 15);

  CHECK(sarif_message(walk(R"({"tasks": [{"a": [1}]})")) == "19: unexpected '}', expected ']'");
  CHECK(sarif_message(walk(R"({"tasks": [{}] "x": 1})")) == "15: unexpected '\"', expected ',' or '}' after the value");
  CHECK(sarif_message(walk(R"({"tasks": [{} {}]})")) == "14: unexpected '{', expected ',' or ']' after the value");
  CHECK(sarif_message(walk(R"({tasks: []})")) == "1: unexpected 't', expected a key in double quotes");
  CHECK(sarif_message(walk(R"({"tasks" [])")) == "9: unexpected '[', expected ':' after the key");
  CHECK(sarif_message(walk(R"({"a": "b)")) == "8: unexpected end of file, expected '\"' at the end of the string");
  CHECK(sarif_message(walk(R"({"a": ])")) == "6: unexpected ']', expected a value");
  CHECK(sarif_message(walk("An error occurred")) == "0: unexpected 'A', expected '{' or '['");
  CHECK(sarif_message(walk("{\"a\": 1}\n\xc3\xa4")) == "9: unexpected '\xc3\xa4', expected '{' or '['");
}

TEST_CASE("json elements nested too deep are refused") {
  Limits limits;
  limits.depth = 3;
  CHECK_FALSE(walk(R"({"tasks": [{"a": [[]]}]})", limits).broken);
  CHECK(sarif_message(walk(R"({"tasks": [{"a": [[[]]]}]})", limits)) == "19: nested deeper than 3 levels");
}

TEST_CASE("json elements stop when the reader has enough") {
  int seen = 0;
  const auto enough = for_each_element(R"([{"tasks": [{}, {}]}, {"tasks": [{}]} oops)", kWanted, {},
                                       [&](const JsonElement&) { return ++seen < 2; });
  CHECK(seen == 2);
  CHECK_FALSE(enough.broken);
}

TEST_CASE("a json element is a document of its own, with its fault") {
  const std::string text = R"({"tasks": [{"a": 1}, {"a": x}]})";
  CHECK(parse_element(text, {11, 19}, {})->root().find("a").integer() == 1);
  const auto broken = parse_element(text, {21, 29}, {});
  REQUIRE(broken->faults().size() == 1);
  CHECK(broken->faults()[0].span.begin == 6);
  Limits limits;
  limits.definition_bytes = 7;
  CHECK(parse_element(text, {11, 19}, limits)->faults().at(0).kind == FaultKind::kTooLarge);
}

TEST_CASE("json elements of a text cut off or flipped anywhere are whole objects of it") {
  const std::string whole =
      R"([{"tasks": [{"a": "x\"}", "b": [1, {"c": null}]}, {}], "n": -1.5e3, "data": {"task": {"d": []}}},
    {"clusters": [{"e": "\u00e9"}]}] {"f": true})";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const auto cut = walk(whole.substr(0, at));
    for (const auto& element : cut.elements) CHECK(element.back() == '}');
    for (const char flipped : {'{', ']', '"', '\\', ',', '\0'}) {
      std::string text = whole;
      text[at] = flipped;
      for (const auto& element : walk(text).elements) CHECK(element.back() == '}');
    }
  }
}
