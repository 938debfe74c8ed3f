#include "lint/files/template_words.hpp"

#include "catch.hpp"
#include "shape/request_schemas.hpp"

using namespace bayplan;

namespace {

std::string words(std::string_view text, std::string_view structure = {}) {
  static const shape::Schema task = shape::task_definition_schema();
  static const shape::Schema service = shape::service_schema();
  return lint::in_template_words(text, {&service, &task}, structure);
}

}  // namespace

TEST_CASE("keys with an inner capital are spelled as in a template", "[lint]") {
  CHECK(words("hostPort 81 is not containerPort 80") == "HostPort 81 is not ContainerPort 80");
  CHECK(words("its networkMode is bridge") == "its NetworkMode is bridge");
  CHECK(words("use efsVolumeConfiguration") == "use EFSVolumeConfiguration");
  CHECK(words("delete placementStrategy") == "delete PlacementStrategies");
  CHECK(words("move it into containerDefinitions[].linuxParameters.tmpfs") ==
        "move it into ContainerDefinitions[].LinuxParameters.Tmpfs");
  CHECK(words("fileSystemId is missing", "EFS volume") == "FilesystemId is missing");
  CHECK(words("fileSystemId is missing") == "FileSystemId is missing");
}

TEST_CASE("other words stay where they may be something else than keys", "[lint]") {
  for (const auto* text :
       {"memory 4096 needs cpu \"512\"", "use \"awsvpc\"", "add awslogs-group", "the image is empty", "memberOf",
        "\"awslogs-group\": \"/ecs/name\"", "${containerPort}", "/srv/hostPort", "fs-1.hostPort", "x_hostPort", ""}) {
    CHECK(words(text) == text);
  }
}

TEST_CASE("what is to be written is spelled as in a template", "[lint]") {
  CHECK(words("add \"memory\": 512") == "add \"Memory\": 512");
  CHECK(words("use {\"type\": \"GPU\", \"value\": \"1\"}") == "use {\"Type\": \"GPU\", \"Value\": \"1\"}");
  CHECK(words("add \"memory\" or \"memoryReservation\" (MiB) here, or \"memory\" to the task") ==
        "add \"Memory\" or \"MemoryReservation\" (MiB) here, or \"Memory\" to the task");
  CHECK(words("use {\"iam\": \"ENABLED\"}") == "use {\"IAM\": \"ENABLED\"}");
}
