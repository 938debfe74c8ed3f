#include <sstream>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/application.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using cli::Ran;
using cli::run_with;
using cli::says;

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

TEST_CASE("global options - nothing on the command line steers the terminal") {
  for (const std::string word : {"\x1b[31m", "\x9b", "\u202e", "\xff\xfe"}) {
    const auto ran = run({"lint", "--verbose=" + word});
    CHECK(ran.code == cli::kUnusable);
    CHECK(ran.err.find(word) == std::string::npos);
    CHECK(ran.err.find("\uFFFD") != std::string::npos);
  }
}

TEST_CASE("global options - an empty word is not taken for one that was left out") {
  for (const char* command :
       {"lint", "fit", "place", "fleet", "whatif", "why", "repack", "sweep", "catalog", "explain"}) {
    INFO(command);
    const auto ran = run({command, ""});
    CHECK(ran.code == cli::kUnusable);
    CHECK(ran.out.empty());
    CHECK(says(ran.err, ": an empty word was given"));
  }
}

TEST_CASE("global options - standard input is read as far as the limit") {
  MemoryFiles files;
  for (const char* command : {"fit", "lint"}) {
    std::istringstream in(std::string(20u << 20, 'a'));
    std::ostringstream out;
    std::ostringstream err;
    const bool is_fit = std::string_view(command) == "fit";
    const int code = cli::run({command, "-", "--max-input", "17000000"}, {in, out, err, files});
    CHECK(code != cli::kClean);
    CHECK(code != cli::kInternalError);
    if (!is_fit) continue;  // of lint a large definition is a finding
    CHECK(code == cli::kUnusable);
    CHECK(err.str().find("standard input is larger than 17000000 bytes") != std::string::npos);
    CHECK(in.tellg() < (18 << 20));
  }
}
