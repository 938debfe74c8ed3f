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

TEST_CASE("fit command - a size that is no amount gets no answer, whatever lint may say") {
  MemoryFiles files;
  files.content = {{"bad.json", R"({"family": "bad", "cpu": "lots", "containerDefinitions": [
  {"name": "app", "image": "nginx:1.27", "memory": -1, "cpu": 99999999999999999999,
   "resourceRequirements": [{"type": "GPU", "value": "many"}]}]})"},
                   {"web.json", R"({"containerDefinitions": [{"name": "app", "image": "a:1", "memory": 64}]})"}};
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  const int code = cli::run({"fit", "--no-lint", "bad.json", "web.json", "--types", "c5.large", "--output", "json"},
                            {in, out, err, files});
  CHECK(code == 2);
  CHECK(err.str() == R"(bayplan: bad.json:1:26: cpu cannot be 'lots'
  Use CPU units ("512"; 1 vCPU is 1024) or "0.5 vCPU"
bayplan: bad.json:2:52: containerDefinitions[app].memory cannot be '-1'
  MiB: a whole number from 0 up
bayplan: bad.json:2:63: containerDefinitions[app].cpu cannot be '99999999999999999999'
  CPU units: a whole number from 0 up
bayplan: bad.json:3:54: containerDefinitions[app].resourceRequirements: the value of GPU cannot be 'many'
  Write how many ("1"), a fraction ("0.5") or "ALL"
)");
  const auto report = nlohmann::json::parse(out.str());
  CHECK(report["taskDefinitions"].size() == 1);
  CHECK(report["notAnswered"].front() == "bad.json");
}

TEST_CASE("fit command - what is reserved leaves less of a type whose memory nobody measured, too") {
  MemoryFiles files;
  files.content = {
      {"web.json", R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "a:1", "memory": 64}]})"}};
  const auto run = [&](const std::string& reserved) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    const int code = cli::run({"fit", "web.json", "--types", "p6e-gb200.36xlarge", "--reserved-memory", reserved},
                              {in, out, err, files});
    return std::to_string(code) + " " + out.str().substr(0, out.str().find('\n')) + err.str();
  };
  CHECK(run("0") == "0 web (64 MiB): 1 of 1 type may fit, none certainly");
  CHECK(run("1000000000") == "1 web (64 MiB): 0 of 1 types fit");
  CHECK(run("1000000001") ==
        "2 bayplan: --reserved-memory must be MiB from 0 to 1000000000, not '1000000001'\n  For example: "
        "--reserved-memory 512, or 1GiB\n");
}
