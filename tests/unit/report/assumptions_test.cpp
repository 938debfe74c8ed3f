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

TEST_CASE("assumptions of one id share a line of 80 columns") {
  const std::vector<Assumption> two = {{"architecture-not-stated", "web", "planned on x86_64 alone"},
                                       {"zone-unknown", "", "any"},
                                       {"architecture-not-stated", "api", "planned on x86_64 alone"},
                                       {"architecture-not-stated", "etl", "planned on arm64 alone, as images say"}};
  CHECK(joined(two) ==
        "assumed architecture-not-stated (3: web, api, etl): planned on x86_64 alone; 1\n"
        "  differs in detail (-v)\n"
        "assumed zone-unknown: any\n");
  CHECK(joined(two, true) ==
        "assumed architecture-not-stated (2: web, api): planned on x86_64 alone\n"
        "assumed zone-unknown: any\n"
        "assumed architecture-not-stated (etl): planned on arm64 alone, as images say\n");
  // The subject inside the text is no detail.
  CHECK(joined({{"subnets-assumed", "web", "web states none"}, {"subnets-assumed", "api", "api states none"}}) ==
        "assumed subnets-assumed (2: web, api): web states none\n");
  CHECK(joined({{"tie-drawn", "", "seed 1"}, {"tie-drawn", "", "seed 1"}}) == "assumed tie-drawn (2 times): seed 1\n");
  const std::string text = "the name of the region with a letter stands for each of them";
  CHECK(joined({{"zones-named", "us-east-1", text}}) ==
        "assumed zones-named (us-east-1): the name of the region with a letter stands\n"
        "  for each of them\n");
}

TEST_CASE("names inside an assumption cannot steer the terminal") {
  CHECK(joined({{"zone-outside-region", "us\x7f", "us\x1b[31m is no zone"}}) ==
        "assumed zone-outside-region (us\uFFFD): us\uFFFD[31m is no zone\n");
}

TEST_CASE("many subjects and many assumptions are cut unless all are wanted") {
  std::vector<Assumption> many;
  for (const char* subject : {"a", "b", "c", "d", "e"}) many.push_back({"one", subject, "text"});
  CHECK(joined(many) == "assumed one (5: a, b, c and 2 more): text\n");
  CHECK(joined(many, true) == "assumed one (5: a, b, c, d, e): text\n");
  for (const char* id : {"two", "three", "four", "five", "six"}) many.push_back({id, "", "text"});
  CHECK(joined(many).ends_with("assumed five: text\nand 1 more (-v)\n"));
  CHECK(joined(many, true).ends_with("assumed six: text\n"));
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
  CHECK(launch_type_notes(all) == std::vector<std::string>{"web, api: for FARGATE", "edge: for EXTERNAL"});
  CHECK(launch_type_notes({all.front()}).empty());
}

}  // namespace
}  // namespace bayplan::report
