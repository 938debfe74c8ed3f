#include "capacity/requirement.hpp"

#include <memory>

#include "capacity/gpu_request.hpp"
#include "catch.hpp"
#include "text/read.hpp"

using namespace bayplan;
using capacity::GpuForm;
using capacity::TaskRequirement;
using Ports = std::vector<std::uint16_t>;
using Names = std::vector<std::string>;

namespace {

TaskRequirement requirement(std::string json) {
  const auto document = text::read_document(std::move(json));
  REQUIRE(document->root());
  const model::Placeholders placeholders;
  return capacity::requirement_of(model::bind_task_definition(document->root(), placeholders));
}

TaskRequirement of_containers(const std::string& containers, const std::string& members = "") {
  return requirement(R"({"family": "f", )" + members + R"("containerDefinitions": [)" + containers + "]}");
}

}  // namespace

TEST_CASE("requirement - memoryReservation goes before memory") {
  const auto task = of_containers(
      R"({"name": "a", "memoryReservation": 128, "memory": 300, "cpu": 10}, {"name": "b", "memory": 64})");
  CHECK(task.family == "f");
  CHECK(task.memory == 192);
  CHECK(task.cpu == 10);
  CHECK_FALSE(task.wants_gpu());
}

TEST_CASE("requirement - task level goes before the containers") {
  const auto task =
      of_containers(R"({"name": "a", "memory": 300, "cpu": 10})", R"("cpu": "1 vCPU", "memory": "2 GB", )");
  CHECK(task.cpu == 1024);
  CHECK(task.memory == 2048);
}

TEST_CASE("requirement - Windows ignores task-level sizes") {
  const auto task = of_containers(
      R"({"name": "a", "memory": 300, "cpu": 10})",
      R"("cpu": "1024", "memory": "2048", "runtimePlatform": {"operatingSystemFamily": "WINDOWS_SERVER_2022_CORE"}, )");
  CHECK(task.windows);
  CHECK(task.cpu == 10);
  CHECK(task.memory == 300);
}

TEST_CASE("requirement - GPUs are summed over containers") {
  const auto one = R"({"name": "a", "memory": 1, "resourceRequirements": [{"type": "GPU", "value": "1"}]})";
  const auto two = R"({"name": "b", "memory": 1, "resourceRequirements": [{"type": "GPU", "value": "2"}]})";
  const auto task = of_containers(std::string(one) + ", " + two);
  CHECK(task.gpu_form == GpuForm::kCount);
  CHECK(task.gpu_count == 3);
  REQUIRE(task.gpu_containers.size() == 2);
  CHECK(task.gpu_containers[1].name == "b");
  CHECK(task.gpu_containers[1].container == 1);
  CHECK(task.gpu_containers[1].count == 2);
}

TEST_CASE("requirement - forms of a GPU request") {
  const auto with = [](const std::string& wanted) {
    return of_containers(R"({"name": "a", "memory": 1, "resourceRequirements": [)" + wanted + "]}");
  };
  CHECK(with(R"({"type": "GPU", "value": "ALL"})").gpu_form == GpuForm::kAll);
  const auto quarter = with(R"({"type": "GPU", "value": "0.25"})");
  CHECK(quarter.gpu_form == GpuForm::kFraction);
  CHECK(quarter.gpu_fraction_millionths == 250'000);
  const auto mps = with(R"({"type": "GPU", "sharingStrategy": {"nvidiaMps": {"memory": 8000}}})");
  CHECK(mps.gpu_form == GpuForm::kMps);
  CHECK(mps.mps_memory == 8000);
  const auto huge = with(R"({"type": "GPU", "sharingStrategy": {"nvidiaMps": {"memory": 9223372036854775807}}})");
  CHECK(huge.mps_memory == capacity::kLargestSize);
  CHECK(mps.required_attributes == Names{"ecs.capability.gpu-sharing-mps"});
  CHECK_FALSE(with(R"({"type": "InferenceAccelerator", "value": "x"})").wants_gpu());
  CHECK_FALSE(with(R"({"type": "GPU", "value": "0"})").wants_gpu());
  CHECK(with(R"({"type": "GPU", "value": "${N}"})").unknown == Names{"containerDefinitions[a].resourceRequirements"});
}

TEST_CASE("requirement - GPU values") {
  CHECK(capacity::parse_gpu_value("1.0")->form == GpuForm::kCount);
  CHECK(capacity::parse_gpu_value(".5")->fraction_millionths == 500'000);
  CHECK(capacity::parse_gpu_value("0.125")->fraction_millionths == 125'000);
  for (const auto* bad : {"", "-1", "1,5", "two", "0.", ".", "1e3", "0.1234567", "99999999999999999999"}) {
    CAPTURE(bad);
    CHECK_FALSE(capacity::parse_gpu_value(bad).has_value());
  }
}

TEST_CASE("requirement - host ports by network mode") {
  const std::string web = R"({"name": "a", "memory": 1, "portMappings": [
      {"containerPort": 8080, "hostPort": 80}, {"containerPort": 53, "hostPort": 53, "protocol": "udp"}, {"containerPort": 9000}]})";
  const auto bridge = of_containers(web);
  CHECK(bridge.tcp_ports == Ports{80});
  CHECK(bridge.udp_ports == Ports{53});
  CHECK(bridge.network_interfaces == 0);

  const auto host = of_containers(
      R"({"name": "a", "memory": 1, "portMappings": [{"containerPort": 9000}, {"containerPort": 80, "hostPort": 80}]})",
      R"("networkMode": "host", )");
  CHECK(host.tcp_ports == Ports{80, 9000});

  const auto awsvpc = of_containers(web, R"("networkMode": "awsvpc", )");
  CHECK(awsvpc.tcp_ports.empty());
  CHECK(awsvpc.network_interfaces == 1);
  CHECK(awsvpc.required_attributes == Names{"ecs.capability.task-eni"});
}

TEST_CASE("requirement - dynamic host ports reserve nothing") {
  const auto task = of_containers(
      R"({"name": "a", "memory": 1, "portMappings": [{"containerPort": 80, "hostPort": 0}, {"containerPortRange": "90-99"}]})");
  CHECK(task.tcp_ports.empty());
  CHECK(task.required_attributes == Names{"ecs.capability.network.container-port-range"});
}

TEST_CASE("requirement - attributes follow from members") {
  const auto task = of_containers(
      R"({"name": "a", "memory": 1, "image": "1.dkr.ecr.us-east-1.amazonaws.com/a:1", "privileged": true,
          "secrets": [{"name": "S", "valueFrom": "arn:aws:secretsmanager:us-east-1:1:secret:s"}],
          "healthCheck": {"command": ["CMD", "true"]}, "logConfiguration": {"logDriver": "awslogs"}})",
      R"("taskRoleArn": "r", "executionRoleArn": "e", "networkMode": "host", "cpu": "256", )");
  CHECK(task.required_attributes ==
        Names{"com.amazonaws.ecs.capability.ecr-auth", "com.amazonaws.ecs.capability.logging-driver.awslogs",
              "com.amazonaws.ecs.capability.privileged-container",
              "com.amazonaws.ecs.capability.task-iam-role-network-host", "ecs.capability.container-health-check",
              "ecs.capability.execution-role-awslogs", "ecs.capability.execution-role-ecr-pull",
              "ecs.capability.secrets.asm.environment-variables"});
}

TEST_CASE("requirement - requiresAttributes of describe output win") {
  const auto task = of_containers(
      R"({"name": "a", "memory": 1, "privileged": true})",
      R"("requiresAttributes": [{"name": "z"}, {"name": "com.amazonaws.ecs.capability.docker-remote-api.1.19"}, {"name": "b"}], )");
  CHECK(task.required_attributes == Names{"b", "z"});
}

TEST_CASE("requirement - placeholders are listed where they decide") {
  const auto task =
      of_containers(R"({"name": "web", "memory": "${MEMORY}", "cpu": 10}, {"memory": 10, "cpu": "${CPU}"})");
  CHECK(task.unknown == Names{"containerDefinitions[1].cpu", "containerDefinitions[web].memory"});
  CHECK(of_containers(R"({"name": "web", "memory": "${MEMORY}"})", R"("memory": "512", )").unknown.empty());
  CHECK(of_containers(R"({"name": "web", "memory": 10}, ${MORE})").unknown == Names{"containerDefinitions"});
}

TEST_CASE("requirement - absurd sizes do not overflow") {
  const auto task = of_containers(
      R"({"name": "a", "memory": 9223372036854775807}, {"name": "b", "memory": 9223372036854775807, "cpu": -5})");
  CHECK(task.memory > 0);
  CHECK(task.cpu == 0);
}

TEST_CASE("requirement - one line for a headline") {
  CHECK(
      capacity::describe(of_containers(
          R"({"name": "a", "memory": 120000, "cpu": 16384, "resourceRequirements": [{"type": "GPU", "value": "4"}]})")) ==
      "4 GPU, 16 vCPU, 120000 MiB");
  CHECK(capacity::describe(of_containers(
            R"({"name": "a", "memory": 80, "cpu": 100, "portMappings": [{"containerPort": 1, "hostPort": 80}]})")) ==
        "100 CPU units, 80 MiB, TCP port 80");
  CHECK(capacity::describe(of_containers(R"({"name": "a", "memory": 80, "cpu": 256})",
                                         R"("runtimePlatform": {"cpuArchitecture": "ARM64"}, )")) ==
        "0.25 vCPU, 80 MiB, arm64");
}
