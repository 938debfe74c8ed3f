#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using cli::Ran;
using cli::run_with;

namespace {

Ran run_collect(std::vector<std::string> arguments) {
  MemoryFiles files;
  arguments.insert(arguments.begin(), "collect");
  return run_with(files, arguments);
}

}  // namespace

TEST_CASE("collect prints a script that begins with what it is about") {
  const auto ran = run_collect({"--cluster", "prod"});
  CHECK(ran.code == 0);
  CHECK(ran.out.find("\ncluster=prod\nregion=\nfolder=ecs-prod\n") != std::string::npos);
  CHECK(ran.out.ends_with("\ncollect && bayplan place --cluster \"$folder\"\n"));
}

TEST_CASE("collect takes a region, a folder and the ARN of a cluster") {
  const auto ran = run_collect({"--cluster", "arn:aws:ecs:us-east-2:1:cluster/prod", "--region", "us-east-1"});
  CHECK(ran.out.find("cluster=arn:aws:ecs:us-east-2:1:cluster/prod\nregion=us-east-1\nfolder=ecs-prod\n") !=
        std::string::npos);
  const auto of_arn = run_collect({"--cluster", "arn:aws:ecs:us-east-2:1:cluster/prod"});
  CHECK(of_arn.out.find("\nregion=us-east-2\n") != std::string::npos);
  CHECK(run_collect({"--folder", "a/b.1"}).out.find("cluster=default\nregion=\nfolder=a/b.1\n") != std::string::npos);
}

TEST_CASE("collect refuses an ARN of something else") {
  for (const char* name : {"arn:aws:ecs:us-east-2:1:service/prod/web", "arn:aws:s3:::bucket", "a/b"}) {
    CAPTURE(name);
    const auto ran = run_collect({"--cluster", name});
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("not the ARN of a cluster: '") != std::string::npos);
  }
}

TEST_CASE("collect puts nothing into a script that a shell would read otherwise") {
  for (const char* name : {"a b", "$(id)", "a;b", "a'b", "-n", "a\nb"}) {
    CAPTURE(name);
    const auto ran = run_collect({"--cluster=" + std::string(name)});
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("bayplan: ") != std::string::npos);
  }
  CHECK(run_collect({"--region", "us east"}).code == 2);
  CHECK(run_collect({"--folder", "~/x y"}).code == 2);
  CHECK(run_collect({"--format", "json"}).code == 2);
}

TEST_CASE("collect prints its phases") {
  const auto ran = run_collect({"--cluster", "prod", "--stats"});
  CHECK(ran.code == 0);
  CHECK(ran.err.find("report ") != std::string::npos);
  CHECK(ran.err.find("total ") != std::string::npos);
  CHECK(run_collect({"--cluster", "prod"}).err.empty());
}
