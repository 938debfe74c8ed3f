#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"

namespace explain_command_test {

namespace {

using namespace bayplan;

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome explain(std::vector<std::string> arguments, const std::string& input = {}) {
  MemoryFiles files;
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  arguments.insert(arguments.begin(), "explain");
  const int code = cli::run(arguments, {in, out, err, files});
  return {code, out.str(), err.str()};
}

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("explain command - standard input is read and answered") {
  const auto seen = explain({"-"}, "failures:\n  reason: Unknown volume \"data\".\n  Too many\n containers.\n");
  CHECK(seen.code == 0);
  CHECK(says(seen.out, "BAY501"));
  CHECK(says(seen.out, "{\"name\": \"data\"}"));
  CHECK(says(seen.out, "BAY104"));
}

TEST_CASE("explain command - words need no quotes") {
  CHECK(says(explain({"too", "many", "containers"}).out, "BAY104"));
  CHECK(explain({"no-such", "words-known"}).code == 1);
}

TEST_CASE("explain command - exit codes") {
  CHECK(explain({"bay104"}).code == 0);
  CHECK(explain({"RESOURCE:GPU"}).code == 0);
  CHECK(explain({"the weather is fine"}).code == 1);
  CHECK(explain({"BAY9999"}).code == 2);
  CHECK(says(explain({"gpu-on-fargat"}).err, "gpu-on-fargate"));
  CHECK(explain({}).code == 2);
  CHECK(explain({"-"}, " \n").code == 2);
}

TEST_CASE("explain command - a rule and a sentence in one call") {
  const auto seen = explain({"BAY104", "Unknown volume 'x'."});
  CHECK(seen.code == 0);
  CHECK(says(seen.out, "BAY104 too-many-containers"));
  CHECK(says(seen.out, "volume x"));
}

TEST_CASE("explain command - machine formats are written for an unknown text too") {
  const auto seen = explain({"the weather is fine", "--format", "json"});
  CHECK(seen.code == 1);
  CHECK(says(seen.out, "\"kind\": \"a text without an error\""));
  CHECK(says(seen.out, "\"nearest\": null"));
}

TEST_CASE("explain command - a rule that is named several times is told once") {
  const auto once = explain({"BAY113", "BAY114"});
  CHECK(once.code == 0);
  CHECK(explain({"BAY113", "BAY114", "BAY113", "BAY114", "BAY113"}).out == once.out);
}

}  // namespace explain_command_test
