// A run over many files: in order whatever the threads do, bounded, and none of them stops the others.
#include "lint/lint_files.hpp"

#include <atomic>
#include <sstream>
#include <thread>

#include "base/memory_files.hpp"
#include "base/ordered_parallel_for.hpp"
#include "catch.hpp"
#include "cli/application.hpp"

namespace {

using namespace bayplan;

const std::string kClean = R"({"family": "web", "requiresCompatibilities": ["EC2"], "networkMode": "awsvpc",
  "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256, "essential": true}]})";
const std::string kBad = R"({"family": "we b", "requiresCompatibilities": ["EC2"], "networkMode": "awsvpc",
  "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256, "essential": true}]})";

/// Files that are listed and gone when they are read.
class VanishingFiles : public MemoryFiles {
 public:
  std::string gone;

  Result<std::string> read(const std::string& path, std::size_t limit) const override {
    if (path == gone) return Error{"No such file or directory", path};
    return MemoryFiles::read(path, limit);
  }
};

/// Counts the reads of Terraform code.
class CountingFiles : public MemoryFiles {
 public:
  mutable std::atomic<std::size_t> reads{0};

  Result<std::string> read(const std::string& path, std::size_t limit) const override {
    if (path.ends_with(".tf")) ++reads;
    return MemoryFiles::read(path, limit);
  }
};

struct Ran {
  int code = 0;
  std::string out, err;
};

Ran bayplan_lint(Files& files, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "lint");
  std::istringstream in;
  std::ostringstream out, err;
  const int code = cli::run(arguments, {in, out, err, files});
  return {code, out.str(), err.str()};
}

std::string number(int i) {
  std::string digits = std::to_string(i);
  return std::string(4 - digits.size(), '0') + digits;
}

}  // namespace

TEST_CASE("in order - what is made late is handed over in its turn") {
  for (const unsigned jobs : {1u, 2u, 7u}) {
    std::vector<std::size_t> taken;
    std::atomic<std::size_t> made{0};
    std::size_t furthest = 0;
    const auto make = [&](std::size_t i) {
      ++made;
      if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
      return i;
    };
    const auto take = [&](std::size_t i) {
      furthest = std::max(furthest, made.load() - taken.size());
      taken.push_back(i);
    };
    OrderedParallelFor<std::size_t>(1000, make, take).run(jobs);
    REQUIRE(taken.size() == 1000);
    for (std::size_t i = 0; i < taken.size(); ++i) CHECK(taken[i] == i);
    CHECK(furthest <= 64);  // what waits does not grow with the number of files
  }
  OrderedParallelFor<int>(
      0, [](std::size_t) { return 1; }, [](int) { FAIL("nothing was asked for"); })
      .run(2);
}

TEST_CASE("lint - any number of threads writes the same bytes") {
  MemoryFiles files;
  for (int i = 0; i < 300; ++i) files.content["d/" + number(i) + ".json"] = i % 3 == 0 ? kBad : kClean;
  const auto alone = bayplan_lint(files, {"d", "-j", "1", "--output", "json"});
  CHECK(alone.code == 1);
  CHECK(alone.out.find("d/0297.json") != std::string::npos);
  for (const auto* jobs : {"2", "9"}) {
    const auto together = bayplan_lint(files, {"d", "-j", jobs, "--output", "json"});
    CHECK(together.out == alone.out);
    CHECK(together.code == alone.code);
  }
}

TEST_CASE("lint - a file that vanishes is told and the rest goes on") {
  VanishingFiles files;
  files.content = {{"d/a.json", kBad}, {"d/b.json", kClean}, {"d/c.json", kBad}};
  files.gone = "d/b.json";
  const auto ran = bayplan_lint(files, {"d"});
  CHECK(ran.code == 2);
  CHECK(ran.out.find("d/a.json:1:12 error BAY102") != std::string::npos);
  CHECK(ran.out.find("d/c.json:1:12 error BAY102") != std::string::npos);
  CHECK(ran.err == "bayplan: d/b.json: No such file or directory\n");
}

TEST_CASE("lint - several formats at once say the same") {
  MemoryFiles files;
  files.content = {{"a.json", kBad}};
  const auto ran = bayplan_lint(files, {"a.json", "--output", "oneline", "--output", "json=r.json", "--output",
                                        "sarif=r.sarif", "--output", "junit=r.xml"});
  CHECK(ran.code == 1);
  CHECK(ran.out.find("a.json:1:12 error BAY102") == 0);
  for (const auto* report : {"r.json", "r.sarif", "r.xml"}) {
    CHECK(files.content.at(report).find("BAY102") != std::string::npos);
  }
}

TEST_CASE("lint - an error of one output leaves the others whole") {
  class NoRoom : public MemoryFiles {
   public:
    Result<std::unique_ptr<NewFile>> create(const std::string& path) override {
      if (path == "full.json") return Error{"No space left on device", path};
      return MemoryFiles::create(path);
    }
  };
  NoRoom files;
  files.content = {{"a.json", kBad}};
  const auto ran = bayplan_lint(files, {"a.json", "--output", "json=full.json", "--output", "sarif=r.sarif"});
  CHECK(ran.code == 2);
  CHECK(files.content.count("full.json") == 0);
  CHECK(files.content.at("r.sarif").ends_with("}\n"));
  CHECK(ran.err == "bayplan: full.json: cannot write: No space left on device\nbayplan: wrote r.sarif\n");
}

TEST_CASE("lint - what the user says a file is decides, for files that were named") {
  MemoryFiles files;
  files.content = {{"d/odd.json", R"({"name": "web", "image": "nginx", "notes": []})"}, {"d/good.json", kClean}};
  CHECK(bayplan_lint(files, {"d/odd.json"}).code == 2);
  const auto told = bayplan_lint(files, {"d/odd.json", "--from", "task-definition", "--output", "oneline"});
  CHECK(told.code == 1);
  CHECK(told.out.find("error BAY103") != std::string::npos);
  CHECK(bayplan_lint(files, {"d", "--from", "task-definition"}).code == 0);
  CHECK(bayplan_lint(files, {"d/good.json", "--from", "describe"}).code == 0);
}

TEST_CASE("lint - a report never takes the place of a file that was to be checked") {
  MemoryFiles files;
  files.content = {{"a.json", kBad}, {"d/b.json", kBad}};
  const auto ran = bayplan_lint(files, {"a.json", "--output", "json=a.json"});
  CHECK(ran.code == 2);
  CHECK(ran.err == "bayplan: a.json: the report would overwrite this input\n  Name another file in --output.\n");
  CHECK(files.content.at("a.json") == kBad);
  CHECK(bayplan_lint(files, {"a.json", "--output", "json=b.json"}).code == 1);
}

TEST_CASE("lint - Terraform code is read, its variables are not") {
  MemoryFiles files;
  files.content = {{"main.tf", "resource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n}\n"},
                   {"network.tf", "resource \"aws_vpc\" \"main\" {}\n"},
                   {"prod.tfvars", "stage = \"prod\"\n"}};
  const auto ran = bayplan_lint(files, {"main.tf"});
  CHECK(ran.code == 1);
  CHECK(ran.out.find("aws_ecs_task_definition.web") != std::string::npos);
  CHECK(bayplan_lint(files, {"network.tf"}).err.find("bayplan: network.tf: is Terraform code without ECS") == 0);
  CHECK(bayplan_lint(files, {"prod.tfvars"}).err.find("bayplan: prod.tfvars: is Terraform code; lint its plan") == 0);
}

TEST_CASE("lint - a service of Terraform code runs the definition of another file of its module") {
  MemoryFiles files;
  files.content["m/service.tf"] =
      "resource \"aws_ecs_service\" \"web\" {\n  name = \"web\"\n  task_definition = aws_ecs_task_definition.web.arn\n"
      "  load_balancer {\n    target_group_arn = aws_lb_target_group.web.arn\n    container_name = \"app\"\n"
      "    container_port = 81\n  }\n}\n";
  files.content["m/task.tf"] =
      "resource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n"
      "  container_definitions = jsonencode([{ name = \"app\", image = \"nginx\", memory = 64,\n"
      "    portMappings = [{ containerPort = 80 }] }])\n}\n";
  const auto ran = bayplan_lint(files, {"m", "--color", "never"});
  CHECK(ran.out.find("m/service.tf:7:22 error BAY1124") != std::string::npos);
  CHECK(ran.out.find("no port mapping for containerPort 81 (m/task.tf:3)") != std::string::npos);
  CHECK(ran.out.find("1 error in 1 of 2 files") != std::string::npos);
  const auto alone = bayplan_lint(files, {"m/service.tf", "--color", "never"});
  CHECK(alone.out.find("m/service.tf:7:22 error BAY1124") != std::string::npos);
}

TEST_CASE("lint - a finding of a module of Terraform code that every call has is reported in the module alone") {
  MemoryFiles files;
  files.content["m/main.tf"] =
      "module \"a\" {\n  source = \"./web\"\n  memory = 3072\n}\nmodule \"b\" {\n  source = \"./web\"\n  memory = "
      "512\n}\n";
  files.content["m/web/main.tf"] =
      "variable \"memory\" {\n  default = 4096\n}\nresource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n"
      "  requires_compatibilities = [\"FARGATE\"]\n  network_mode = \"awsvpc\"\n  cpu = 256\n  memory = var.memory\n"
      "  container_definitions = jsonencode([{ name = \"app\", image = \"nginx\",\n"
      "    portMappings = [{ containerPort = \"80\" }] }])\n}\n";
  const auto ran = bayplan_lint(files, {"m", "--color", "never"});
  // The default of the variable is not what any call has.
  CHECK(ran.out.find("m/web/main.tf:11:39 error BAY017") != std::string::npos);
  CHECK(ran.out.find("m/main.tf:3:12 error BAY113") != std::string::npos);
  CHECK(ran.out.find("2 errors in 2 files") != std::string::npos);
  // Without the module's file in the run, the call is all there is.
  const auto alone = bayplan_lint(files, {"m/main.tf", "--color", "never"});
  CHECK(alone.out.find("module.a.aws_ecs_task_definition.web") != std::string::npos);
  CHECK(alone.out.find("module.b.aws_ecs_task_definition.web: containerPort must be an integer") != std::string::npos);
  // By itself the module has its default.
  const auto module = bayplan_lint(files, {"m/web", "--color", "never"});
  CHECK(module.out.find("2 errors in 1 file") != std::string::npos);
}

TEST_CASE("lint - what is wrong with a text that Terraform code reads is reported in the text alone") {
  MemoryFiles files;
  files.content["m/main.tf"] =
      "resource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n"
      "  container_definitions = templatefile(\"${path.module}/web.json.tpl\", { port = \"80\", memory = 2 })\n}\n"
      "resource \"aws_ecs_task_definition\" \"job\" {\n  family = \"job\"\n"
      "  container_definitions = jsonencode([{ name = \"job\", image = \"b\", memory = 64, networkMode = \"host\" "
      "}])\n}\n";
  files.content["m/web.json.tpl"] =
      "[{\"name\": \"web\", \"image\": \"nginx\", \"networkMode\": \"host\", \"memory\": ${memory}}]\n";
  const auto count = [](const std::string& text, std::string_view word) {
    int found = 0;
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  const auto ran = bayplan_lint(files, {"m", "--output", "oneline", "--color", "never"});
  CHECK(ran.out.find("m/web.json.tpl:1:36 warning BAY014") != std::string::npos);
  CHECK(ran.out.find("m/main.tf:7") != std::string::npos);
  CHECK(count(ran.out, "BAY014") == 2);
  // What only the values of the call bring is reported where they are.
  CHECK(ran.out.find("m/main.tf:3:27 warning BAY208") != std::string::npos);
  // So is what another container of the text has, too.
  files.content["m/web.json.tpl"] =
      "[{\"name\": \"web\", \"image\": \"nginx\", \"memory\": 2}, "
      "{\"name\": \"log\", \"image\": \"nginx\", \"memory\": ${memory}}]\n";
  const auto two = bayplan_lint(files, {"m", "--output", "oneline", "--color", "never"});
  CHECK(two.out.find("m/main.tf:3:27 warning BAY208") != std::string::npos);
  CHECK(two.out.find("m/web.json.tpl:1:46 warning BAY208") != std::string::npos);
  files.content["m/web.json.tpl"] =
      "[{\"name\": \"web\", \"image\": \"nginx\", \"networkMode\": \"host\", \"memory\": ${memory}}]\n";
  // Without the text in the run, the code is all there is.
  CHECK(count(bayplan_lint(files, {"m/main.tf", "--output", "oneline", "--color", "never"}).out, "BAY014") == 2);
}

TEST_CASE(
    "lint - a text that template_file renders is reported in the text alone, through the outputs of modules, too") {
  MemoryFiles files;
  files.content["m/web/main.tf"] =
      "variable \"memory\" {}\n"
      "data \"template_file\" \"web\" {\n  template = file(\"${path.module}/web.json.template\")\n"
      "  vars = { memory = var.memory }\n}\n"
      "output \"json\" { value = data.template_file.web.rendered }\n";
  files.content["m/web/web.json.template"] =
      "[{\"name\": \"web\", \"image\": \"nginx\", \"networkMode\": \"host\", \"memory\": ${memory}}]\n";
  files.content["m/main.tf"] =
      "module \"web\" {\n  source = \"./web\"\n  memory = 2\n}\n"
      "resource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n"
      "  container_definitions = module.web.json\n}\n";
  const auto ran = bayplan_lint(files, {"m", "--output", "oneline", "--color", "never"});
  CHECK(ran.out.find("m/web/web.json.template:1:36 warning BAY014") != std::string::npos);
  CHECK(ran.out.find("BAY014", ran.out.find("BAY014") + 1) == std::string::npos);
  // What only the values bring is reported where they are.
  CHECK(ran.out.find("m/main.tf:7:27 warning BAY208") != std::string::npos);
}

TEST_CASE("lint - files of Terraform code are read as often in a large folder as in a small one") {
  const auto reads_per_file = [](int count) {
    CountingFiles files;
    for (int i = 0; i < count; ++i)
      files.content["m/" + number(i) + ".tf"] =
          "resource \"aws_ecs_cluster\" \"c" + number(i) + "\" {\n  name = \"a b\"\n}\n";
    const auto ran = bayplan_lint(files, {"m", "-j", "1", "--output", "json"});
    CHECK(ran.code == 1);
    const auto reads = files.reads.load() / static_cast<std::size_t>(count);
    CHECK(bayplan_lint(files, {"m", "-j", "7", "--output", "json"}).out == ran.out);
    return reads;
  };
  CHECK(reads_per_file(80) == reads_per_file(20));
}

TEST_CASE("a .gitignore that cannot be read is told, for what it keeps out is searched") {
  const auto found = lint::find_files(
      {"."}, MemoryFiles(std::map<std::string, std::string>{{".gitignore/x", ""}, {"web.json", kClean}}));
  REQUIRE(found.errors.size() == 1);
  CHECK(found.errors.front().file == ".gitignore");
  CHECK(found.candidates.size() == 1);
  lint::SearchOptions options;
  options.respect_gitignore = false;
  CHECK(lint::find_files({"."}, MemoryFiles(std::map<std::string, std::string>{{".gitignore/x", ""}}), options)
            .errors.empty());
}
