#include "cli/options/view_options.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using namespace bayplan::cli;
using report::SortKey;

namespace {

const std::string kTask = R"({"family": "t", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "cpu": 256,
  "memory": 256}]})";

/// `place` of one task on two types, with `arguments` behind it.
Ran placed(const std::vector<std::string>& arguments) {
  MemoryFiles files;
  files.content = {{"t.json", kTask}};
  std::vector<std::string> line{"place",      "--instances", "c5.large=1", "--instances",
                                "m5.large=1", "--task",      "t.json=1"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return run_with(files, line);
}

}  // namespace

TEST_CASE("a sorting is a key and a direction") {
  const auto of = [](std::string_view text) { return parse_sorting(text); };
  CHECK(of("gpu")->key == SortKey::kGpu);
  CHECK(of("gpu")->descending);
  CHECK_FALSE(of("gpu:asc")->descending);
  CHECK_FALSE(of("name")->descending);
  CHECK(of("zone:desc")->descending);
  CHECK(of("free-memory")->key == SortKey::kFreeMemory);
  CHECK(of("memroy").error().help == "Did you mean memory?");
  CHECK(of("memroy").error().message == "--sort memroy: unknown key 'memroy'");
  CHECK(says(of("").error().help, "Keys: name, type, zone"));
  CHECK(of("gpu:down").error().help == "Write gpu:asc or gpu:desc.");
  CHECK(of("gpu:").error().message == "--sort gpu:: unknown direction ''");
}

TEST_CASE("a wrong query says where") {
  const auto wrong = placed({"--where", "attribute:stack = gpu"});
  CHECK(wrong.code == kUnusable);
  CHECK(wrong.out.empty());
  CHECK(says(wrong.err, "--where 'attribute:stack = gpu', character 17: "));
  const auto wide = placed({"--where", "attribute:\u00e9\u00e9 = gpu"});
  CHECK(says(wide.err, ", character "));
  const auto long_one = placed({"--where", "attribute:stack in [" + std::string(500, 'a')});
  CHECK(long_one.code == kUnusable);
  CHECK(says(long_one.err, "..."));
  CHECK(long_one.err.size() < 400);
}

TEST_CASE("what shapes the text needs a text") {
  for (const auto& arguments : {std::vector<std::string>{"--wide"}, {"--sort", "gpu"}, {"--where", "agentConnected"}}) {
    auto line = arguments;
    line.insert(line.end(), {"--output", "json"});
    CHECK(placed(line).code == kUnusable);
  }
  CHECK(placed({"--wide", "--output", "json", "--output", "text=out.txt"}).code == kClean);
}

TEST_CASE("sorting and where reach the text of place") {
  const auto sorted = placed({"--sort", "tasks:asc,name"});
  CHECK(sorted.code == kClean);
  CHECK(says(sorted.out, "2 instances, sorted by tasks (least first), then name\n"));
  CHECK(sorted.out.find("m5.large#1") < sorted.out.find("c5.large#1"));
  const auto some = placed({"--where", "attribute:ecs.instance-type == m5.large"});
  CHECK(says(some.out, "1 of 2 instances shown, where attribute:ecs.instance-type == m5.large\n"));
  CHECK_FALSE(says(some.out, "c5.large#1"));
}
