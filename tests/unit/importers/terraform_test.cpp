#include "importers/terraform.hpp"

#include "catch.hpp"
#include "shape/request_schemas.hpp"
#include "support/document_check.hpp"
#include "text/read.hpp"

namespace terraform_test {

using namespace bayplan;
using importers::Subject;
using importers::SubjectKind;
using text::Kind;

namespace {

struct Plan {
  std::unique_ptr<const text::Document> document;
  std::vector<Subject> subjects;

  const Subject& named(std::string_view address) const {
    for (const auto& subject : subjects) {
      if (subject.name == address) return subject;
    }
    FAIL("no subject " << address);
    return subjects.front();
  }
  text::Value root(std::string_view address) const { return named(address).document->root(); }
  /// What the file says where the value stands.
  std::string find_source(text::Value value) const {
    return document->source().substr(value.span().begin, value.span().length());
  }
};

Plan read(std::string json, text::RetentionRule keep = {}) {
  static const shape::RequestSchemas schemas;
  Plan plan{text::read_document(std::move(json), {.format = text::Format::kJson, .keep = std::move(keep)}), {}};
  plan.subjects = importers::read_terraform(*plan.document, schemas);
  return plan;
}

/// A state with one task definition.
Plan read_definition(const std::string& values) {
  return read(
      R"({"terraform_version": "1.9.5", "values": {"root_module": {"resources": [{"address": "aws_ecs_task_definition.a",
    "mode": "managed", "type": "aws_ecs_task_definition", "name": "a", "values": )" +
      values + "}]}}}");
}

Plan read_service(const std::string& values, const std::string& unknown = "{}", const std::string& expressions = "{}") {
  return read(R"({"planned_values": {"root_module": {"resources": [{"address": "aws_ecs_service.a", "mode": "managed",
    "type": "aws_ecs_service", "name": "a", "values": )" +
              values + R"(}]}}, "resource_changes": [{"address": "aws_ecs_service.a", "change": {"actions": ["create"],
    "after_unknown": )" +
              unknown + R"(}}], "configuration": {"root_module": {"resources": [{"address": "aws_ecs_service.a",
    "mode": "managed", "type": "aws_ecs_service", "name": "a", "expressions": )" +
              expressions + "}]}}}");
}

/// Two modules, one of them with instances, and a service in each.
constexpr const char* kModules = R"({"terraform_version": "1.9.5",
 "planned_values": {"root_module": {
  "resources": [{"address": "aws_s3_bucket.x", "mode": "managed", "type": "aws_s3_bucket", "name": "x", "values": {"tags": {}}}],
  "child_modules": [
   {"address": "module.task[\"a.b\"]", "resources": [{"address": "module.task[\"a.b\"].aws_ecs_task_definition.t[0]", "mode": "managed",
     "type": "aws_ecs_task_definition", "name": "t", "index": 0, "values": {"family": "t", "network_mode": "bridge"}}]},
   {"address": "module.run", "child_modules": [{"address": "module.run.module.inner", "resources": [
     {"address": "module.run.module.inner.aws_ecs_service.s", "mode": "managed", "type": "aws_ecs_service", "name": "s",
      "values": {"name": "s"}},
     {"address": "data.aws_ecs_task_definition.d", "mode": "data", "type": "aws_ecs_task_definition", "name": "d", "values": {}}]}]}]}},
 "resource_changes": [
  {"address": "module.task[\"a.b\"].aws_ecs_task_definition.t[0]", "type": "aws_ecs_task_definition", "deposed": "1", "change": {"actions": ["delete"], "after_unknown": {"family": true}}},
  {"address": "module.task[\"a.b\"].aws_ecs_task_definition.t[0]", "type": "aws_ecs_task_definition", "change": {"actions": ["create"], "after_unknown": {"cpu": true}, "before": {"cpu": "1"}}},
  {"address": "module.run.module.inner.aws_ecs_service.s", "type": "aws_ecs_service", "change": {"actions": ["create"], "after_unknown": {"task_definition": true}}}],
 "configuration": {"root_module": {"module_calls": {
   "task": {"module": {"outputs": {"arn": {"expression": {"references": ["aws_ecs_task_definition.t[0].arn", "aws_ecs_task_definition.t[0]"]}}},
     "resources": [{"address": "aws_ecs_task_definition.t", "mode": "managed", "type": "aws_ecs_task_definition", "name": "t",
                    "expressions": {"family": {}, "cpu": {}}}]}},
   "run": {"expressions": {"definition": {"references": ["module.task[\"a.b\"].arn", "module.task"]}}, "module": {"module_calls": {
     "inner": {"expressions": {"arn": {"references": ["var.definition"]}}, "module": {"resources": [
       {"address": "aws_ecs_service.s", "mode": "managed", "type": "aws_ecs_service", "name": "s",
        "expressions": {"task_definition": {"references": ["var.arn"]}}}]}}}}}}}}})";

}  // namespace

TEST_CASE("terraform attributes become ECS's members, and what is not set is absent") {
  const auto plan =
      read_definition(R"({"family": "a", "cpu": "256", "memory": null, "ipc_mode": "", "network_mode": "awsvpc",
    "placement_constraints": [], "requires_compatibilities": ["EC2", "FARGATE"], "tags": {"x": "y"}, "tags_all": {"x": "y", "z": null},
    "ephemeral_storage": [{"size_in_gib": 21}], "runtime_platform": [],
    "proxy_configuration": [{"container_name": "envoy", "properties": {"ProxyIngressPort": "15000"}, "type": "APPMESH"}],
    "volume": [{"name": "v", "host_path": "/data", "configure_at_launch": null, "docker_volume_configuration": [],
                "efs_volume_configuration": [{"file_system_id": "fs-1", "root_directory": "/", "transit_encryption_port": 0,
                                              "authorization_config": [{"access_point_id": "fsap-1", "iam": "ENABLED"}]}]}]})");
  const auto root = plan.root("aws_ecs_task_definition.a");
  CHECK(root.find("family").text() == "a");
  CHECK(root.find("cpu").text() == "256");
  for (const auto* absent : {"memory", "ipcMode", "placementConstraints", "runtimePlatform", "containerDefinitions"})
    CHECK_FALSE(root.find(absent));
  CHECK(root.find("requiresCompatibilities").at(1).text() == "FARGATE");
  CHECK(root.find("ephemeralStorage").find("sizeInGiB").integer() == 21);
  REQUIRE(root.find("tags").size() == 1);
  CHECK(root.find("tags").at(0).find("key").text() == "x");
  CHECK(root.find("tags").at(0).find("value").text() == "y");
  const auto proxy = root.find("proxyConfiguration");
  CHECK(proxy.find("containerName").text() == "envoy");
  CHECK(proxy.find("properties").at(0).find("name").text() == "ProxyIngressPort");
  const auto volume = root.find("volumes").at(0);
  CHECK(volume.find("host").find("sourcePath").text() == "/data");
  CHECK_FALSE(volume.find("dockerVolumeConfiguration"));
  CHECK_FALSE(volume.find("configuredAtLaunch"));
  const auto efs = volume.find("efsVolumeConfiguration");
  CHECK(efs.find("authorizationConfig").find("accessPointId").text() == "fsap-1");
  CHECK_FALSE(efs.find("rootDirectory"));  // the provider's default beside an access point
  CHECK_FALSE(efs.find("transitEncryptionPort"));
}

TEST_CASE("a docker volume of one task has no autoprovision unless it is asked for") {
  const auto volume = [](const std::string& docker) {
    return read_definition(R"({"volume": [{"name": "v", "docker_volume_configuration": [)" + docker + "]}]})");
  };
  const auto provision = [](const Plan& plan) {
    return plan.root("aws_ecs_task_definition.a")
        .find("volumes")
        .at(0)
        .find("dockerVolumeConfiguration")
        .find("autoprovision");
  };
  CHECK_FALSE(provision(volume(R"({"scope": "task", "autoprovision": false})")));
  CHECK(provision(volume(R"({"scope": "task", "autoprovision": true})")));
  CHECK(provision(volume(R"({"scope": "shared", "autoprovision": false})")));
}

TEST_CASE("container definitions are read inside their string, and stand at their place in the plan") {
  const auto plan = read_definition(
      R"({"container_definitions": "[{\"Name\":\"caf\u00e9\",\"IMAGE\":\"a:1\",\"memory\":512,\"user\":null,)"
      R"(\"environment\":[{\"name\":\"Q\",\"value\":\"say \\\"hi\\\"\"},{},null],\"dockerLabels\":{\"Name\":\"x\"}}]", "family": "a"})");
  const auto& subject = plan.named("aws_ecs_task_definition.a");
  const auto container = subject.document->root().find("containerDefinitions").at(0);
  CHECK(container.find("name").text() == "caf\xC3\xA9");
  CHECK(plan.find_source(container.find("name")) == R"(\"caf\u00e9\")");
  CHECK(plan.find_source(container.find("memory")) == "512");
  CHECK(container.find("image").text() == "a:1");
  CHECK_FALSE(container.find("user"));
  REQUIRE(container.find("environment").size() == 1);
  const auto value = container.find("environment").at(0).find("value");
  CHECK(value.text() == "say \"hi\"");
  CHECK(plan.find_source(value) == R"(\"say \\\"hi\\\"\")");
  CHECK(container.find("dockerLabels").at(0).key() == "Name");  // the user's own
  CHECK(importers::pointer_in_file(subject, *plan.document, "/containerDefinitions/0/memory") ==
        "/values/root_module/resources/0/values/container_definitions");
  CHECK(importers::pointer_in_file(subject, *plan.document, "/requiresCompatibilities") ==
        "/values/root_module/resources/0/values/requires_compatibilities");
  CHECK(first_broken_fault(*subject.document).empty());
}

TEST_CASE("a fault of the JSON inside the string is a fault of the subject, at its place and without a fix") {
  const auto plan = read_definition(R"({"container_definitions": "[{\"name\":\"a\",}]"})");
  const auto& subject = plan.named("aws_ecs_task_definition.a");
  REQUIRE(subject.document->faults().size() == 1);
  const auto& fault = subject.document->faults().front();
  CHECK(fault.kind == text::FaultKind::kTrailingComma);
  CHECK(plan.document->source().substr(fault.span.begin, 3) == ",}]");
  CHECK_FALSE(fault.fix);
  CHECK(plan.document->faults().empty());
}

TEST_CASE("container definitions that are no JSON leave the containers unknown") {
  const auto plan = read_definition(R"({"container_definitions": "- name: a\n  image: b\n"})");
  const auto& subject = plan.named("aws_ecs_task_definition.a");
  CHECK(subject.document->root().find("containerDefinitions").kind() == Kind::kPlaceholder);
  CHECK_FALSE(subject.document->faults().empty());
}

TEST_CASE("modules, instances and what is known after apply") {
  const auto plan = read(kModules);
  REQUIRE(plan.subjects.size() == 2);
  const auto task = plan.root("module.task[\"a.b\"].aws_ecs_task_definition.t[0]");
  CHECK(task.find("family").text() == "t");  // a deposed object says nothing of the new one
  CHECK(task.find("cpu").kind() == Kind::kPlaceholder);
  CHECK(task.find("cpu").text() == "(known after apply)");
  CHECK(plan.find_source(task.find("cpu")) == "true");
  CHECK_FALSE(task.find("networkMode"));  // the provider filled it in: it is not sent
  const auto service = plan.root("module.run.module.inner.aws_ecs_service.s");
  CHECK(service.find("taskDefinition").text() == "module.task[\"a.b\"].aws_ecs_task_definition.t[0]");
  CHECK(plan.named("module.run.module.inner.aws_ecs_service.s").kind == SubjectKind::kService);
}

TEST_CASE("a plan of which only what matters is kept gives the same subjects") {
  const auto whole = read(kModules);
  const auto part = read(kModules, importers::matters_to_terraform);
  CHECK(part.document->node_count() < whole.document->node_count());
  REQUIRE(part.subjects.size() == whole.subjects.size());
  for (std::size_t i = 0; i < whole.subjects.size(); ++i) {
    const auto& a = whole.subjects[i];
    const auto& b = part.subjects[i];
    REQUIRE(a.document->node_count() == b.document->node_count());
    for (std::uint32_t n = 0; n < a.document->node_count(); ++n) {
      CHECK(a.document->node(n).text() == b.document->node(n).text());
      CHECK(a.document->node(n).span() == b.document->node(n).span());
      CHECK(whole.document->node(a.origins[n]).pointer() == part.document->node(b.origins[n]).pointer());
    }
  }
}

TEST_CASE("services in ECS's members") {
  const auto plan = read_service(
      R"({"name": "web", "desired_count": 0, "launch_type": "FARGATE", "scheduling_strategy": "REPLICA", "task_definition": "web:3",
      "deployment_maximum_percent": 200, "deployment_minimum_healthy_percent": 100, "deployment_controller": [{"type": "ECS"}],
      "deployment_circuit_breaker": [{"enable": true, "rollback": false}], "health_check_grace_period_seconds": 0,
      "load_balancer": [{"container_name": "web", "container_port": 80, "elb_name": "", "target_group_arn": "arn:tg"}],
      "network_configuration": [{"assign_public_ip": true, "security_groups": [], "subnets": ["s-1", null]}],
      "ordered_placement_strategy": [{"field": "", "type": "random"}], "platform_version": "1.4.0"})",
      R"({"iam_role": true, "platform_version": false, "network_configuration": [{"subnets": [false, true]}], "cluster": true})",
      R"({"launch_type": {}, "cluster": {}})");
  const auto root = plan.root("aws_ecs_service.a");
  CHECK(root.find("serviceName").text() == "web");
  CHECK(root.find("desiredCount").integer() == 0);
  CHECK(root.find("launchType").text() == "FARGATE");
  CHECK(root.find("taskDefinition").text() == "web:3");
  CHECK(root.find("cluster").kind() == Kind::kPlaceholder);
  for (const auto* absent : {"role", "platformVersion", "healthCheckGracePeriodSeconds", "serviceArn"})
    CHECK_FALSE(root.find(absent));
  const auto deployment = root.find("deploymentConfiguration");
  CHECK(deployment.find("maximumPercent").integer() == 200);
  CHECK(deployment.find("deploymentCircuitBreaker").find("enable").boolean() == true);
  CHECK(root.find("deploymentController").find("type").text() == "ECS");
  CHECK_FALSE(root.find("loadBalancers").at(0).find("loadBalancerName"));
  const auto network = root.find("networkConfiguration").find("awsvpcConfiguration");
  CHECK(network.find("assignPublicIp").text() == "ENABLED");
  CHECK(network.find("subnets").at(1).kind() == Kind::kPlaceholder);
  CHECK_FALSE(network.find("securityGroups"));
  CHECK_FALSE(root.find("placementStrategy").at(0).find("field"));
}

TEST_CASE("daemon services have no count and no upper limit") {
  const auto plan =
      read_service(R"({"scheduling_strategy": "DAEMON", "desired_count": 3, "deployment_maximum_percent": 200,
    "deployment_minimum_healthy_percent": 50})");
  const auto root = plan.root("aws_ecs_service.a");
  CHECK_FALSE(root.find("desiredCount"));
  CHECK_FALSE(root.find("deploymentConfiguration").find("maximumPercent"));
  CHECK(root.find("deploymentConfiguration").find("minimumHealthyPercent").integer() == 50);
}

TEST_CASE("a service that may run one of two definitions names none") {
  const auto references =
      R"({"task_definition": {"references": ["aws_ecs_task_definition.a", "aws_ecs_task_definition.b"]}})";
  const auto plan = read_service(R"({"name": "web"})", R"({"task_definition": true})", references);
  CHECK(plan.root("aws_ecs_service.a").find("taskDefinition").kind() == Kind::kPlaceholder);
}

TEST_CASE("a state file is read as Terraform stores it, and its services are what ECS holds") {
  const auto plan = read(R"({"version": 4, "terraform_version": "1.9.5", "resources": [
    {"module": "module.m", "mode": "managed", "type": "aws_ecs_task_definition", "name": "t",
     "instances": [{"index_key": "k", "attributes": {"arn": "arn:aws:ecs:eu-west-1:1:task-definition/t:2", "family": "t"}}]},
    {"mode": "managed", "type": "aws_ecs_service", "name": "s", "instances": [{"attributes": {"id": "arn:s", "name": "s",
     "task_definition": "arn:aws:ecs:eu-west-1:1:task-definition/t:2"}}]}]})");
  REQUIRE(plan.subjects.size() == 2);
  CHECK(plan.subjects[0].name == "module.m.aws_ecs_task_definition.t[\"k\"]");
  const auto service = plan.root("aws_ecs_service.s");
  CHECK(service.find("serviceArn").text() == "arn:s");
  CHECK(service.find("taskDefinition").text() == plan.subjects[0].name);
}

TEST_CASE("texts that only look like a plan give no subject and do no harm") {
  for (const char* json : {"{}", "[]", "1", R"({"planned_values": null})", R"({"planned_values": {"root_module": []}})",
                           R"({"values": {"root_module": {"resources": {"a": 1}, "child_modules": "x"}}})",
                           R"({"values": {"root_module": {"resources": [{"type": "aws_ecs_service", "values": []}]}}})",
                           R"({"resources": [{"type": "aws_ecs_service", "instances": 3}], "resource_changes": 5})"}) {
    CHECK(read(json).subjects.empty());
  }
}

TEST_CASE("what begins like a plan") {
  CHECK(importers::begins_like_terraform(R"({"format_version":"1.2","terraform_version":"1.9.5")"));
  CHECK(importers::begins_like_terraform("\xEF\xBB\xBF\n{\n  \"version\": 4,\n  \"terraform_version\": \"1.9.5\""));
  CHECK_FALSE(importers::begins_like_terraform(R"([{"terraform_version": 1}])"));
  CHECK_FALSE(importers::begins_like_terraform(R"({"family": "web"})"));
  CHECK_FALSE(importers::begins_like_terraform(""));
}

}  // namespace terraform_test
