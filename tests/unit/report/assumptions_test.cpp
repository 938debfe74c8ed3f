#include "report/assumptions.hpp"

#include <sstream>

#include "catch.hpp"

namespace bayplan::report {
namespace {

std::string joined(const std::vector<Assumption>& assumptions, bool verbose = false) {
  std::ostringstream out;
  write_joined_assumptions_text(out, assumptions, verbose, Style(false));
  return out.str();
}

TEST_CASE("assumptions that differ in their subject alone share a line of 80 columns") {
  const std::vector<Assumption> two = {{"architecture-not-stated", "web", "planned on x86_64 alone"},
                                       {"zone-unknown", "", "any"},
                                       {"architecture-not-stated", "api", "planned on x86_64 alone"},
                                       {"architecture-not-stated", "etl", "planned on arm64 alone, as images say"}};
  CHECK(joined(two) ==
        "assumed architecture-not-stated (web, api): planned on x86_64 alone\n"
        "assumed zone-unknown: any\n"
        "assumed architecture-not-stated (etl): planned on arm64 alone, as images say\n");
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
  CHECK(joined(many) == "assumed one (a, b, c and 2 more): text\n");
  CHECK(joined(many, true) == "assumed one (a, b, c, d, e): text\n");
  for (const char* id : {"two", "three", "four", "five", "six"}) many.push_back({id, "", "text"});
  CHECK(joined(many).ends_with("assumed five: text\nand 1 more (-v)\n"));
  CHECK(joined(many, true).ends_with("assumed six: text\n"));
}

}  // namespace
}  // namespace bayplan::report
