#include "report/document/assumptions.hpp"

#include <sstream>

#include "catch.hpp"

namespace bayplan::report {
namespace {

std::string joined(const std::vector<Assumption>& assumptions, bool verbose = false) {
  std::ostringstream out;
  write_assumptions_text(out, assumptions, verbose, Style(false));
  return out.str();
}

TEST_CASE("assumptions are counted in one line, and those of one text share a line of 80 columns with -v") {
  const std::vector<Assumption> two = {{"architecture-not-stated", "web", "planned on x86_64 alone"},
                                       {"zone-unknown", "", "any"},
                                       {"architecture-not-stated", "api", "planned on x86_64 alone"},
                                       {"architecture-not-stated", "etl", "planned on arm64 alone, as images say"}};
  CHECK(joined({}).empty());
  // What is unknown may turn the answer.
  CHECK(joined(two) == "Assumption: any [zone-unknown]\n2 more assumptions (-v)\n");
  CHECK(joined({two.front()}) == "1 assumption (-v)\n");
  CHECK(joined(two, true) ==
        "Assumption: planned on x86_64 alone [architecture-not-stated: web, api]\n"
        "Assumption: any [zone-unknown]\n"
        "Assumption: planned on arm64 alone, as images say [architecture-not-stated:\n"
        "  etl]\n");
  CHECK(joined({{"tie-drawn", "", "seed 1"}, {"tie-drawn", "", "seed 1"}}, true) ==
        "Assumption: seed 1 [tie-drawn: 2 times]\n");
  const std::string text = "the name of the region with a letter stands for each of them";
  CHECK(joined({{"zones-named", "us-east-1", text}}, true) ==
        "Assumption: the name of the region with a letter stands for each of them\n"
        "  [zones-named: us-east-1]\n");
}

TEST_CASE("names inside an assumption cannot steer the terminal") {
  CHECK(joined({{"zone-outside-region", "us\x7f", "us\x1b[31m is no zone"}}, true) ==
        "Assumption: us\uFFFD[31m is no zone [zone-outside-region: us\uFFFD]\n");
}

TEST_CASE("verbose reports name every subject and every assumption") {
  std::vector<Assumption> many;
  for (const char* subject : {"a", "b", "c", "d", "e"}) many.push_back({"one", subject, "text"});
  CHECK(joined(many, true) == "Assumption: text [one: a, b, c, d, e]\n");
  for (const char* id : {"two", "three", "four", "five", "six"}) many.push_back({id, "", "text"});
  CHECK(joined(many) == "6 assumptions (-v)\n");
  CHECK(joined(many, true).ends_with("Assumption: text [six]\n"));
}

TEST_CASE("assumptions of one id that differ by their subject alone are one group") {
  const std::vector<Assumption> all = {{"subnets-assumed", "web", "web states none"},
                                       {"subnets-assumed", "api", "api states none"},
                                       {"subnets-assumed", "etl", "etl states none, as images say"}};
  const auto groups = grouped_by_id(all);
  REQUIRE(groups.size() == 1);
  CHECK(groups.front().words() == "web states none; 1 differs in detail");
  CHECK(groups.front().subject_words(false) == "web, api, etl");
}

TEST_CASE("JSON keeps every assumption and counts those of an id") {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  write_assumptions_json(json, {{"a", "x", "one"}, {"b", "", "two"}, {"a", "y", "one"}});
  json.end_object();
  CHECK(out.str().find(R"("assumptionCounts": {"a": 2, "b": 1})") != std::string::npos);
  CHECK(out.str().find(R"({"id": "a", "subject": "y", "text": "one"})") != std::string::npos);
}

TEST_CASE("launch types other than EC2 are told before all else, once a sentence") {
  const std::vector<Assumption> all = {{"tie-drawn", "", "seed 1"},
                                       {"launch-type-not-ec2", "web", "for FARGATE"},
                                       {"launch-type-not-ec2", "api", "for FARGATE"},
                                       {"launch-type-not-ec2", "edge", "for EXTERNAL"}};
  CHECK(notes_of(all) == std::vector<std::string>{"web, api: for FARGATE", "edge: for EXTERNAL"});
  CHECK(notes_of({all.front()}).empty());
}

}  // namespace
}  // namespace bayplan::report
