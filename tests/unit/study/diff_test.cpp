#include "study/diff/diff.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"

namespace diff_test {

using namespace bayplan;

namespace {

const lint::Tools& tools() {
  static const lint::Tools kTools;
  return kTools;
}

study::ReadSide read(const MemoryFiles& files, const std::string& path) {
  return study::read_side({path, {}}, {}, tools(), files);
}

/// Compares OLD and NEW on the types named.
study::DiffReport compared(const MemoryFiles& files, const std::vector<std::string>& types, const std::string& before,
                           const std::string& after) {
  auto old_side = read(files, before);
  auto new_side = read(files, after);
  REQUIRE(old_side.errors.empty());
  REQUIRE(new_side.errors.empty());
  study::CapacityRequest request{tools().catalog.get().matching(types), true, {}};
  auto report = study::compare(std::move(old_side.side), std::move(new_side.side), {});
  study::look_at_types(report, request);
  return report;
}

std::string definition(const std::string& family, const std::string& container, const std::string& task = "") {
  return R"({"family": ")" + family + R"(", )" + task + R"("containerDefinitions": [{"name": "app",
    "image": "nginx:1.27", )" +
         container + "}]}";
}

std::string gpus(int count) {
  return R"("memory": 4096, "resourceRequirements": [{"type": "GPU", "value": ")" + std::to_string(count) + R"("}])";
}

}  // namespace

TEST_CASE("diff - copies and price of a copy on each type before and after") {
  MemoryFiles files;
  files.content = {{"old.json", definition("train", gpus(1))}, {"new.json", definition("train", gpus(2))}};
  const auto report = compared(files, {"g4dn.12xlarge", "g4dn.xlarge"}, "old.json", "new.json");
  REQUIRE(report.definitions.size() == 1);
  const auto& effect = *report.definitions[0].capacity;
  CHECK(effect.before->requirement.gpu_count == 1);
  CHECK(effect.after->requirement.gpu_count == 2);
  const auto rows = effect.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].any().type->name == "g4dn.xlarge");
  CHECK(rows[0].before->copies == 1);
  CHECK(rows[0].after->fits == capacity::Fits::kNo);
  CHECK(rows[1].before->copies == 4);
  CHECK(rows[1].after->copies == 2);
  CHECK(rows[1].after->price_per_copy == rows[1].any().price->hourly / 2);
  CHECK(effect.before->held_by == 2);
  CHECK(effect.after->held_by == 1);
  CHECK(report.can_deploy());
}

TEST_CASE("diff - what no type holds any more cannot be deployed") {
  MemoryFiles files;
  files.content = {{"one.json", definition("train", gpus(1))},
                   {"nine.json", definition("train", gpus(9))},
                   {"ten.json", definition("train", gpus(10))}};
  using study::Obstacle;
  const auto report = compared(files, {"g4dn.*"}, "one.json", "nine.json");
  CHECK(report.definitions[0].obstacles == std::vector{Obstacle::kNoType});
  CHECK_FALSE(report.can_deploy());
  CHECK(compared(files, {"g4dn.*"}, "nine.json", "ten.json").can_deploy());  // neither could before
  CHECK(compared(files, {"g4dn.*"}, "/dev/null", "nine.json").definitions[0].obstacles ==
        std::vector{Obstacle::kNoType});
  CHECK(compared(files, {"g4dn.*"}, "nine.json", "/dev/null").can_deploy());
}

TEST_CASE("diff - a definition on Fargate asks no instance type") {
  MemoryFiles files;
  const std::string fargate =
      R"("requiresCompatibilities": ["FARGATE"], "networkMode": "awsvpc", "cpu": "256", "memory": "512", )";
  files.content = {{"old.json", definition("web", R"("essential": true)", fargate)},
                   {"new.json", definition("web", R"("user": "1000")", fargate)}};
  const auto report = compared(files, {"t3.nano"}, "old.json", "new.json");
  const auto& effect = *report.definitions[0].capacity;
  CHECK_FALSE(effect.after->runs_on_instances);
  CHECK(effect.reported.empty());
  CHECK(report.can_deploy());
}

TEST_CASE("diff - a finding that has moved is neither new nor gone") {
  MemoryFiles files;
  const std::string clash = R"("memory": 512, "memoryReservation": 1024)";
  files.content = {{"old.json", definition("web", clash)},
                   {"moved.json", "\n\n" + definition("web", R"("user": "1000", )" + clash)},
                   {"worse.json", definition("web", R"("memory": 512, "memoryReservation": 2048)")},
                   {"fixed.json", definition("web", R"("memory": 512, "memoryReservation": 256)")}};
  const auto findings = [&](const std::string& before, const std::string& after) {
    return compared(files, {"t3.large"}, before, after).definitions[0].findings;
  };
  CHECK(findings("old.json", "moved.json").appeared.empty());
  CHECK(findings("old.json", "moved.json").vanished.empty());
  CHECK(findings("old.json", "worse.json").appeared.size() == 1);
  CHECK(findings("old.json", "worse.json").vanished.size() == 1);
  CHECK(findings("old.json", "fixed.json").appeared.empty());
  CHECK(findings("old.json", "fixed.json").vanished.size() == 1);
}

TEST_CASE("diff - new errors of the definition mean that ECS would reject it") {
  MemoryFiles files;
  files.content = {{"good.json", definition("web", R"("memory": 512)")},
                   {"bad.json", definition("web", R"("memory": 512, "memoryReservation": 1024)")},
                   {"worse.json", definition("web", R"("memory": 512, "memoryReservation": 2048)")}};
  const auto report = compared(files, {"t3.large"}, "good.json", "bad.json");
  CHECK(report.definitions[0].obstacles == std::vector{study::Obstacle::kRefused});
  CHECK(report.appeared(Severity::kError) == 1);
  const auto refused_before = compared(files, {"t3.large"}, "bad.json", "worse.json");
  CHECK(refused_before.definitions[0].obstacles.empty());
  CHECK(refused_before.appeared(Severity::kError) == 1);
}

TEST_CASE("diff - what lint says of describe output for being that is no finding") {
  MemoryFiles files;
  files.content = {{"old.json", R"({"taskDefinition": {"revision": 3, "status": "ACTIVE", "family": "web",
    "taskDefinitionArn": "arn:aws:ecs:us-east-1:123456789012:task-definition/web:3", "containerDefinitions":
    [{"name": "app", "image": "nginx:1.27", "memory": 512}]}})"},
                   {"new.json", definition("web", R"("memory": 512)")}};
  CHECK_FALSE(compared(files, {"t3.large"}, "old.json", "new.json").differs());
}

TEST_CASE("diff - what a task requires is worked out alike for describe output") {
  MemoryFiles files;
  files.content = {{"old.json", R"({"taskDefinition": {"family": "web", "revision": 3, "status": "ACTIVE",
    "requiresAttributes": [{"name": "com.amazonaws.ecs.capability.task-iam-role"}, {"name": "ecs.capability.task-eni"}],
    "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 512}]}})"},
                   {"new.json", definition("web", R"("memory": 1024)")}};
  const auto effect = compared(files, {"t3.large"}, "old.json", "new.json").definitions[0].capacity.value();
  CHECK(effect.before->requirement.required_attributes.empty());
  CHECK(effect.after->requirement.required_attributes.empty());
  CHECK(effect.before->held_by == 1);
}

TEST_CASE("diff - the cheapest copy is on a type that is on sale") {
  MemoryFiles files;
  files.content = {{"old.json", definition("train", gpus(1))}, {"new.json", definition("train", gpus(2))}};
  const auto effect = compared(files, {"p2.8xlarge", "g4dn.12xlarge"}, "old.json", "new.json").definitions[0].capacity;
  REQUIRE(effect->after->cheapest.has_value());
  CHECK(effect->after->cheapest->type->name == "g4dn.12xlarge");
  const auto retired = compared(files, {"p2.8xlarge"}, "old.json", "new.json").definitions[0].capacity;
  CHECK(retired->after->held_by == 1);
  CHECK_FALSE(retired->after->cheapest.has_value());
}

TEST_CASE("diff - several definitions are matched by family") {
  MemoryFiles files;
  files.content = {{"old/a.json", definition("web", R"("memory": 512)")},
                   {"old/b.json", definition("job", R"("memory": 512)")},
                   {"old/c.json", definition("gone", R"("memory": 512)")},
                   {"new/x.json", definition("job", R"("memory": 1024)")},
                   {"new/y.json", definition("web", R"("memory": 512)")},
                   {"new/z.json", definition("fresh", R"("memory": 512)")},
                   {"new/package.json", R"({"name": "app", "version": "1"})"}};
  const auto report = compared(files, {"t3.large"}, "old", "new");
  REQUIRE(report.definitions.size() == 4);
  CHECK(report.definitions[0].name == "job");
  CHECK(report.definitions[0].fields.size() == 1);
  CHECK(report.definitions[1].name == "web");
  CHECK_FALSE(report.definitions[1].differs());
  CHECK(report.definitions[2].is_new());
  CHECK(report.definitions[2].name == "fresh");
  CHECK(report.definitions[3].is_removed());
  CHECK(report.definitions[3].name == "gone");
}

TEST_CASE("diff - one definition on each side are one, whatever their families") {
  MemoryFiles files;
  files.content = {{"old.json", definition("web", R"("memory": 512)")},
                   {"new.json", definition("web2", R"("memory": 512)")}};
  const auto report = compared(files, {"t3.large"}, "old.json", "new.json");
  REQUIRE(report.definitions.size() == 1);
  REQUIRE(report.definitions[0].fields.size() == 1);
  CHECK(report.definitions[0].fields[0].path == "family");
}

TEST_CASE("diff - definitions of a template are matched by their logical ids") {
  const auto resource = [](const std::string& id, const std::string& memory) {
    return R"(")" + id + R"(": {"Type": "AWS::ECS::TaskDefinition", "Properties": {"ContainerDefinitions":
      [{"Name": "app", "Image": "nginx:1.27", "Memory": )" +
           memory + "}]}}";
  };
  MemoryFiles files;
  files.content = {{"old.json", R"({"Resources": {)" + resource("Web", "512") + ", " + resource("Job", "256") + "}}"},
                   {"new.json", R"({"Resources": {)" + resource("Job", "256") + ", " + resource("Web", "768") + "}}"}};
  const auto report = compared(files, {"t3.large"}, "old.json", "new.json");
  REQUIRE(report.definitions.size() == 2);
  CHECK(report.definitions[0].name == "Job");
  CHECK_FALSE(report.definitions[0].differs());
  CHECK(report.definitions[1].name == "Web");
  REQUIRE(report.definitions[1].fields.size() == 1);
  CHECK(report.definitions[1].fields[0].path == "containerDefinitions[app].memory");
}

TEST_CASE("diff - an empty file holds no definition, a file of another kind is an error with its place") {
  MemoryFiles files;
  files.content = {{"empty.json", " \n"},
                   {"service.json", R"({"serviceName": "web", "taskDefinition": "web", "desiredCount": 1})"},
                   {"cluster.yaml", "clusterName: prod\ncontainerInstances:\n  - {instanceType: t3.large}\n"},
                   {"broken.json", R"({"family": "web", "containerDefinitions": [{"name": )"},
                   {"packed.json", "\x1F\x8B\x08"}};
  CHECK(read(files, "empty.json").errors.empty());
  CHECK(read(files, "empty.json").side.definitions.empty());
  CHECK(read(files, "/dev/null").side.definitions.empty());
  for (const std::string path : {"service.json", "cluster.yaml", "broken.json", "packed.json", "missing.json"}) {
    INFO(path);
    const auto errors = read(files, path).errors;
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].file == path);
    CHECK((errors[0].line > 0 || path == "missing.json"));
    CHECK((errors[0].message == "file is compressed with gzip") == (path == "packed.json"));
  }
}

}  // namespace diff_test
