#include "rules/task/platform.hpp"

#include <stdexcept>
#include <string>

#include "catch.hpp"
#include "text/read.hpp"

namespace {

using namespace bayplan;
using rules::OperatingSystem;

/// The platform of the definition; `says` is what the member that states it holds, empty for a default.
struct Seen {
  OperatingSystem system;
  std::string says;
};

Seen platform_in(const std::string& text, rules::FileKind kind = rules::FileKind::kTaskDefinition) {
  const auto document = text::read_document(text);
  const model::Placeholders placeholders;
  const auto task = model::bind_task_definition(document->root(), placeholders);
  const rules::Options options;
  const rules::Deployment deployment;
  const Lazy<catalog::Catalog> catalog([]() -> catalog::Catalog { throw std::logic_error("not needed"); });
  const Lazy<shape::Schema> schema([]() -> shape::Schema { throw std::logic_error("not needed"); });
  const Lazy<std::vector<shape::ShapeFinding>> shape([] { return std::vector<shape::ShapeFinding>(); });
  const Lazy<rules::Platform> determined([&] { return rules::determine_platform(task, rules::sees_task(kind, true)); });
  const rules::Context context{.document = *document,
                               .root = document->root(),
                               .kind = kind,
                               .file = "task.json",
                               .task = task,
                               .placeholders = placeholders,
                               .options = options,
                               .deployment = deployment,
                               .catalog = catalog,
                               .schema = schema,
                               .shape = shape,
                               .platform = determined};
  const auto& platform = determined.get();
  CHECK(rules::is_windows(context) == (platform.system == OperatingSystem::kWindows));
  CHECK(rules::is_linux(context) == (platform.system == OperatingSystem::kLinux));
  return {platform.system, platform.stated ? std::string(platform.stated.text()) : ""};
}

std::string with_constraint(const std::string& expression, const std::string& members = "") {
  return R"({)" + members + R"("placementConstraints": [{"type": "memberOf", "expression": ")" + expression + R"("}]})";
}

std::string with_image(const std::string& image, const std::string& members = "") {
  return R"({)" + members + R"("containerDefinitions": [{"name": "app", "image": ")" + image + R"("}]})";
}

}  // namespace

TEST_CASE("platform - operatingSystemFamily says it") {
  const auto family = [](const std::string& value) {
    return platform_in(R"({"runtimePlatform": {"operatingSystemFamily": )" + value + "}}");
  };
  CHECK(family(R"("WINDOWS_SERVER_2022_CORE")").system == OperatingSystem::kWindows);
  CHECK(family(R"("WINDOWS_SERVER_2022_CORE")").says == "WINDOWS_SERVER_2022_CORE");
  CHECK(family(R"("windows_server_2022_core")").system == OperatingSystem::kWindows);
  CHECK(family(R"("LINUX")").system == OperatingSystem::kLinux);
  CHECK(family(R"("SOLARIS")").system == OperatingSystem::kUnknown);
  CHECK(family(R"("${OS}")").system == OperatingSystem::kUnknown);
  CHECK(family("7").system == OperatingSystem::kUnknown);
  CHECK(family("null").system == OperatingSystem::kLinux);
  CHECK(platform_in(R"({"runtimePlatform": ${PLATFORM}})").system == OperatingSystem::kUnknown);
  CHECK(platform_in(R"({"runtimePlatform": null})").system == OperatingSystem::kLinux);
  CHECK(platform_in(R"({"runtimePlatform": {"cpuArchitecture": "ARM64"}})").system == OperatingSystem::kLinux);
}

TEST_CASE("platform - a constraint says it where the family does not") {
  CHECK(platform_in(with_constraint("attribute:ecs.os-type == windows")).system == OperatingSystem::kWindows);
  CHECK(platform_in(with_constraint("attribute:ecs.os-type == windows")).says == "attribute:ecs.os-type == windows");
  CHECK(platform_in(with_constraint("attribute:ecs.os-type != linux")).system == OperatingSystem::kWindows);
  CHECK(platform_in(with_constraint("attribute:ecs.os-type == linux")).says == "attribute:ecs.os-type == linux");
  CHECK(platform_in(with_constraint("attribute:ecs.os-family == WINDOWS_SERVER_2019_FULL")).system ==
        OperatingSystem::kWindows);
  CHECK(platform_in(with_constraint("attribute:ecs.os-type in [linux, windows]")).says.empty());
  CHECK(platform_in(with_constraint("attribute:ecs.os-type == plan9")).says.empty());
  CHECK(platform_in(with_constraint("attribute:ecs.os-type = windows")).system == OperatingSystem::kLinux);
  CHECK(platform_in(with_constraint("${CONSTRAINT} ecs.os-")).system == OperatingSystem::kLinux);
  const std::string linux_family = R"("runtimePlatform": {"operatingSystemFamily": "LINUX"}, )";
  CHECK(platform_in(with_constraint("attribute:ecs.os-type == windows", linux_family)).system ==
        OperatingSystem::kLinux);
}

TEST_CASE("platform - nothing said means Linux but for images of Windows") {
  CHECK(platform_in("{}").system == OperatingSystem::kLinux);
  CHECK(platform_in("{}").says.empty());
  CHECK(platform_in(with_image("nginx:1.27")).system == OperatingSystem::kLinux);
  for (const std::string image : {"mcr.microsoft.com/windows/servercore/iis", "repo/app:1-nanoserver-ltsc2022",
                                  "repo/app:windowsservercore", "mcr.microsoft.com/dotnet/Framework/aspnet:4.8"}) {
    INFO(image);
    CHECK(platform_in(with_image(image)).system == OperatingSystem::kUnknown);
    CHECK(platform_in(with_image(image, R"("requiresCompatibilities": ["FARGATE"], )")).system ==
          OperatingSystem::kLinux);
    CHECK(platform_in(with_image(image, R"("requiresCompatibilities": ["MANAGED_INSTANCES"], )")).system ==
          OperatingSystem::kLinux);
  }
  CHECK(platform_in("[]", rules::FileKind::kContainerDefinitions).system == OperatingSystem::kUnknown);
}
