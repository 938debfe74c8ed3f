#include "rules/network/network_mode.hpp"
#include "rules/task/platform.hpp"

#include "catch.hpp"
#include "text/read.hpp"

namespace {

using namespace bayplan;
using rules::NetworkMode;

/// The mode that `text` gives, read as a task definition or, when it is a list, as containers alone.
std::optional<NetworkMode> mode_of(const std::string& text,
                                   std::optional<model::Compatibility> launch_type = std::nullopt,
                                   bool is_whole = true) {
  const auto document = text::read_document(text, {});
  const model::Placeholders placeholders;
  const rules::Options options;
  const rules::Deployment deployment;
  const Lazy<catalog::Catalog> catalog([]() -> catalog::Catalog {
    FAIL("the catalog was asked for");
    std::abort();
  });
  const Lazy<shape::Schema> schema([]() -> shape::Schema {
    FAIL("the schema was asked for");
    std::abort();
  });
  const Lazy<std::vector<shape::ShapeFinding>> shape([] { return std::vector<shape::ShapeFinding>(); });
  const text::Value root = document->root();
  auto task = model::bind_task_definition(root, placeholders);
  task.assumed_compatibility = launch_type;
  const auto kind = root.is_array() ? rules::FileKind::kContainerDefinitions : rules::FileKind::kTaskDefinition;
  const Lazy<rules::Platform> platform(
      [&] { return rules::determine_platform(task, rules::sees_task(kind, is_whole)); });
  return rules::network_mode({.document = *document,
                              .root = root,
                              .kind = kind,
                              .is_whole = is_whole,
                              .file = "task.json",
                              .task = task,
                              .placeholders = placeholders,
                              .options = options,
                              .deployment = deployment,
                              .catalog = catalog,
                              .schema = schema,
                              .shape = shape,
                              .platform = platform});
}

std::string compatible_with(const std::string& list, const std::string& members = "") {
  return R"({"family": "web", "requiresCompatibilities": )" + list + (members.empty() ? "" : ", ") + members + "}";
}

}  // namespace

TEST_CASE("network mode - as written, whatever the launch type") {
  for (const auto mode : {NetworkMode::kBridge, NetworkMode::kHost, NetworkMode::kAwsvpc, NetworkMode::kNone}) {
    const std::string member = R"("networkMode": ")" + std::string(name_of(mode)) + '"';
    CHECK(mode_of("{" + member + "}") == mode);
    CHECK(mode_of(compatible_with(R"(["FARGATE"])", member)) == mode);
    CHECK(mode_of(compatible_with(R"(["MANAGED_INSTANCES"])", member)) == mode);
  }
  CHECK(mode_of(R"({"networkMode": "AWSVPC"})") == NetworkMode::kAwsvpc);
  CHECK(mode_of(R"({"networkMode": "default"})") == std::nullopt);
  CHECK(mode_of(R"({"networkMode": "vpc"})") == std::nullopt);
  CHECK(mode_of(R"({"networkMode": "${MODE}"})") == std::nullopt);
  CHECK(mode_of(R"({"networkMode": ["awsvpc"]})") == std::nullopt);
}

TEST_CASE("network mode - what ECS takes without one") {
  CHECK(mode_of(R"({"family": "web"})") == NetworkMode::kBridge);
  CHECK(mode_of(R"({"family": "web", "networkMode": null})") == NetworkMode::kBridge);
  CHECK(mode_of(compatible_with("[]")) == NetworkMode::kBridge);
  CHECK(mode_of(compatible_with(R"(["EC2"])")) == NetworkMode::kBridge);
  CHECK(mode_of(compatible_with(R"(["EXTERNAL"])")) == NetworkMode::kBridge);
  CHECK(mode_of(compatible_with(R"(["FARGATE"])")) == NetworkMode::kAwsvpc);
  CHECK(mode_of(compatible_with(R"(["EC2", "FARGATE"])")) == NetworkMode::kAwsvpc);
  CHECK(mode_of(compatible_with(R"(["FARGATE", "MANAGED_INSTANCES"])")) == NetworkMode::kAwsvpc);
  CHECK(mode_of(R"({"family": "web"})", model::Compatibility::kFargate) == NetworkMode::kAwsvpc);
}

TEST_CASE("network mode - nothing where the file does not tell") {
  CHECK(mode_of(compatible_with(R"(["MANAGED_INSTANCES"])")) == std::nullopt);
  CHECK(mode_of(compatible_with(R"(["EC2", "MANAGED_INSTANCES"])")) == std::nullopt);
  CHECK(mode_of(compatible_with(R"(["MAINFRAME"])")) == std::nullopt);
  CHECK(mode_of(compatible_with(R"(["${LAUNCH_TYPE}"])")) == std::nullopt);
  CHECK(mode_of(compatible_with(R"("FARGATE")")) == std::nullopt);
  CHECK(mode_of(R"([{"name": "app", "image": "nginx:1.27"}])") == std::nullopt);
  CHECK(mode_of(R"({"family": "web"})", std::nullopt, false) == std::nullopt);
  CHECK(mode_of(R"({"network_mode": "awsvpc"})") == std::nullopt);
  CHECK(mode_of(R"({"network": "awsvpc"})") == std::nullopt);
}

TEST_CASE("network mode - Windows has Docker's nat without one") {
  const std::string windows = R"("runtimePlatform": {"operatingSystemFamily": "WINDOWS_SERVER_2022_CORE"})";
  CHECK(mode_of("{" + windows + "}") == std::nullopt);
  CHECK(mode_of(compatible_with(R"(["EC2"])", windows)) == std::nullopt);
  CHECK(mode_of(compatible_with(R"(["FARGATE"])", windows)) == NetworkMode::kAwsvpc);
  CHECK(mode_of("{" + windows + R"(, "networkMode": "awsvpc"})") == NetworkMode::kAwsvpc);
  CHECK(mode_of(R"({"runtimePlatform": {"operatingSystemFamily": "LINUX"}})") == NetworkMode::kBridge);
  CHECK(mode_of(R"({"runtimePlatform": {"operatingSystemFamily": "${OS}"}})") == std::nullopt);
}
