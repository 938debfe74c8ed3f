#include <nlohmann/json.hpp>
#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"

using namespace bayplan;

TEST_CASE("fit command - a file that cannot be read does not stop the others") {
  MemoryFiles files;
  files.content = {{"web.json", R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27",
    "cpu": 256, "memory": 256}]})"},
                   {"list.json", "{}"}};
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run({"fit", "missing.json", "web.json", "list.json", "--types", "c5.large", "--output", "json"},
                            {in, out, err, files});
  CHECK(code == 2);
  CHECK(err.str().find("missing.json") != std::string::npos);
  CHECK(err.str().find("list.json") != std::string::npos);
  const auto report = nlohmann::json::parse(out.str());
  REQUIRE(report["taskDefinitions"].size() == 1);
  CHECK(report["taskDefinitions"][0]["family"] == "web");
  CHECK(report["notAnswered"] == nlohmann::json({"missing.json", "list.json"}));
}
