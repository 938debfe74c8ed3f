
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using cli::Ran;
using cli::run_with;

namespace {

Ran run(const std::vector<std::string>& arguments) {
  MemoryFiles files;
  return run_with(files, arguments);
}

}  // namespace

TEST_CASE("global options - every command that needs no input tells its phases") {
  for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
           {"explain", "BAY113", "--stats"}, {"schema", "--list", "--stats"}, {"catalog", "p3.2xlarge", "--stats"}}) {
    INFO(line.front());
    const auto ran = run(line);
    CHECK(ran.code == cli::kClean);
    CHECK_FALSE(ran.out.empty());
    CHECK(ran.err.find("total") != std::string::npos);
  }
}

TEST_CASE("global options - schema refuses a format that it does not write") {
  const auto ran = run({"schema", "fit-report", "--output", "jsn"});
  CHECK(ran.code == cli::kUnusable);
  CHECK(ran.err.find("unknown output format 'jsn'; did you mean 'json'?") != std::string::npos);
}
