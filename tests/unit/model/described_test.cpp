#include "model/described.hpp"

#include "catch.hpp"
#include "model/ecs_arn.hpp"
#include "text/read.hpp"

using namespace bayplan;
using namespace bayplan::model;

namespace {

template <class T>
std::string fault_of(const std::string& json) {
  const auto document = text::read_document(json);
  T what;
  const auto fault = bind(document->root(), what);
  return fault ? fault->message : "";
}

template <class T>
T read(const std::string& json) {
  const auto document = text::read_document(json);
  T what;
  const auto fault = bind(document->root(), what);
  INFO((fault ? fault->message : ""));
  REQUIRE_FALSE(fault);
  return what;
}

std::string instance_with(const std::string& members) {
  return R"({"containerInstanceArn": "arn:aws:ecs:us-east-2:111122223333:container-instance/prod/0a1b")" +
         (members.empty() ? "" : ", " + members) + "}";
}

std::string task_with(const std::string& members) {
  return R"({"taskArn": "arn:aws:ecs:us-east-2:111122223333:task/prod/77", "taskDefinitionArn":
            "arn:aws:ecs:us-east-2:111122223333:task-definition/web:3")" +
         (members.empty() ? "" : ", " + members) + "}";
}

}  // namespace

TEST_CASE("an ARN of ECS says region, cluster and id, the older form no cluster") {
  const auto arn = parse_ecs_arn("arn:aws-cn:ecs:cn-north-1:111122223333:task/prod/0a1b", "task");
  REQUIRE(arn);
  CHECK(arn->region == "cn-north-1");
  CHECK(arn->cluster == "prod");
  CHECK(arn->id == "0a1b");
  const auto old = parse_ecs_arn("arn:aws:ecs:us-east-1:1:container-instance/0a1b", "container-instance");
  REQUIRE(old);
  CHECK(old->cluster.empty());
  CHECK(old->id == "0a1b");
  for (const char* wrong : {"", "0a1b", "arn:aws:ecs:us-east-1:1:task/", "arn:aws:ecs:us-east-1:1:tasks/x",
                            "arn:aws:ec2:us-east-1:1:task/x", "arn:aws:ecs:us-east-1:task/x",
                            "arn:aws:ecs:us-east-1:1:task/a/b/c", "arn:aws:ecs:us-east-1:1:task/a/"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_ecs_arn(wrong, "task"));
  }
}

TEST_CASE("a described instance holds what placement asks for") {
  const auto instance = read<DescribedInstance>(instance_with(R"(
    "ec2InstanceId": "i-1", "capacityProviderName": "gpu", "status": "DRAINING", "agentConnected": false, "version": 7,
    "versionInfo": {"agentVersion": "1.98.0"}, "runningTasksCount": 2, "pendingTasksCount": 1,
    "registeredAt": "2026-11-02T08:15:30.123000+01:00",
    "registeredResources": [
      {"name": "CPU", "type": "INTEGER", "doubleValue": 0.0, "longValue": 0, "integerValue": 4096},
      {"name": "MEMORY", "type": "LONG", "integerValue": 0, "longValue": 15000},
      {"name": "PORTS", "type": "STRINGSET", "stringSetValue": ["51678", "22", "22"]},
      {"name": "PORTS_UDP", "type": "STRINGSET", "stringSetValue": []},
      {"name": "GPU", "type": "STRINGSET", "stringSetValue": ["GPU-b", "GPU-a"]},
      {"name": "NEURON_CORES", "type": "STRINGSET", "stringSetValue": []}],
    "remainingResources": [{"name": "CPU", "type": "DOUBLE", "doubleValue": 1024.0}],
    "attributes": [{"name": "ecs.capability.task-eni"}, {"name": "stack", "value": "prod"}],
    "gpuDevices": [{"gpuId": "GPU-b", "sharingMode": "NVIDIA_MPS", "totalMemoryInMiB": 22563,
                    "remainingMemoryInMiB": 10563, "containerCount": 2}])"));
  CHECK(instance.cluster == "prod");
  CHECK(instance.region == "us-east-2");
  CHECK(instance.id == "0a1b");
  CHECK(instance.ec2_instance_id == "i-1");
  CHECK(instance.capacity_provider_name == "gpu");
  CHECK(instance.status == "DRAINING");
  CHECK(instance.agent_connected == false);
  CHECK(instance.agent_version == "1.98.0");
  CHECK(instance.registered_at == 1793603730);
  CHECK(instance.running_tasks == 2);
  CHECK(instance.pending_tasks == 1);
  CHECK(instance.version == 7);
  CHECK(instance.registered.cpu == 4096);
  CHECK(instance.registered.memory == 15000);
  CHECK(instance.registered.tcp_ports == std::vector<std::uint16_t>{22, 51678});
  CHECK(instance.registered.udp_ports == std::vector<std::uint16_t>{});
  CHECK(instance.registered.gpu_ids == std::vector<std::string>{"GPU-b", "GPU-a"});
  CHECK(instance.remaining.cpu == 1024);
  CHECK_FALSE(instance.remaining.memory);
  CHECK_FALSE(instance.remaining.gpu_ids);
  CHECK(instance.attributes.at("stack") == "prod");
  CHECK(instance.attributes.at("ecs.capability.task-eni").empty());
  REQUIRE(instance.gpus.size() == 1);
  CHECK(instance.gpus[0].id == "GPU-b");
  CHECK(instance.gpus[0].sharing_mode == "NVIDIA_MPS");
  CHECK(instance.gpus[0].total_memory == 22563);
  CHECK(instance.gpus[0].remaining_memory == 10563);
}

TEST_CASE("a described time is ISO 8601 or seconds since 1970") {
  CHECK(read<DescribedInstance>(instance_with(R"("registeredAt": 1526920787.49)")).registered_at == 1526920787);
  CHECK(read<DescribedInstance>(instance_with(R"("registeredAt": 1526920787)")).registered_at == 1526920787);
  CHECK_FALSE(read<DescribedInstance>(instance_with(R"("registeredAt": {"year": 2018})")).registered_at);
  CHECK_FALSE(read<DescribedInstance>(instance_with(R"("registeredAt": 1e300)")).registered_at);
}

TEST_CASE("what is absent from a described instance stays unknown") {
  const auto instance = read<DescribedInstance>(instance_with(""));
  CHECK_FALSE(instance.agent_connected);
  CHECK_FALSE(instance.running_tasks);
  CHECK_FALSE(instance.registered.cpu);
  CHECK_FALSE(instance.registered.gpu_ids);
  CHECK(instance.status.empty());
}

TEST_CASE("a described task holds what it takes, its group and its GPUs") {
  const auto task = read<DescribedTask>(task_with(R"(
    "containerInstanceArn": "arn:aws:ecs:us-east-2:111122223333:container-instance/prod/0a1b", "group": "service:web",
    "lastStatus": "RUNNING", "desiredStatus": "STOPPED", "launchType": "EC2", "cpu": "256", "memory": 512, "version": 3,
    "attachments": [{"type": "AmazonElasticBlockStorage"}, {"type": "ElasticNetworkInterface", "status": "ATTACHED"}],
    "containers": [{"name": "nginx", "cpu": "0", "memory": "512", "memoryReservation": "128", "gpuIds": ["GPU-a"]}])"));
  CHECK(task.id == "77");
  CHECK(task.cluster == "prod");
  CHECK(task.task_definition == "web:3");
  CHECK(task.group == "service:web");
  CHECK(task.instance_arn == "arn:aws:ecs:us-east-2:111122223333:container-instance/prod/0a1b");
  CHECK(task.desired_status == "STOPPED");
  CHECK(task.cpu == 256);
  CHECK(task.memory == 512);
  CHECK(task.has_network_interface);
  REQUIRE(task.containers.size() == 1);
  CHECK(task.containers[0] == DescribedContainer{"nginx", {"GPU-a"}, 0, 512, 128});
  CHECK(read<DescribedTask>(task_with("")).group == "family:web");
  CHECK_FALSE(read<DescribedTask>(task_with(R"("attachments": [{"type": "x"}])")).has_network_interface);
}

TEST_CASE("a task with an ARN of the older form belongs to the cluster that it names") {
  const std::string old =
      R"({"taskArn": "arn:aws:ecs:us-east-2:1:task/77", "clusterArn": "arn:aws:ecs:us-east-2:1:cluster/c",
    "taskDefinitionArn": "arn:aws:ecs:us-east-2:1:task-definition/web:3"})";
  CHECK(read<DescribedTask>(old).cluster == "c");
}

TEST_CASE("wrong ARNs and resources are refused") {
  CHECK(fault_of<DescribedInstance>("{}") == "containerInstanceArn is missing");
  CHECK(fault_of<DescribedInstance>(R"({"containerInstanceArn": "i-1"})") ==
        "containerInstanceArn is not the ARN of a container-instance: 'i-1'");
  CHECK(fault_of<DescribedTask>(R"({"taskArn": "arn:aws:ecs:us-east-2:1:service/prod/77"})") ==
        "taskArn is not the ARN of a task: 'arn:aws:ecs:us-east-2:1:service/prod/77'");
  CHECK(fault_of<DescribedTask>(task_with(R"("containerInstanceArn": "x")")) ==
        "containerInstanceArn is not the ARN of a container-instance: 'x'");
  CHECK(
      fault_of<DescribedTask>(
          R"({"taskArn": "arn:aws:ecs:us-east-2:1:task/77", "taskDefinitionArn": "arn:aws:ecs:us-east-2:1:task-definition/web"})") ==
      "taskDefinitionArn is not the ARN of a task-definition: 'arn:aws:ecs:us-east-2:1:task-definition/web'");
  CHECK(
      fault_of<DescribedCluster>(
          R"({"clusterArn": "arn:aws:ecs:us-east-2:1:cluster/c", "defaultCapacityProviderStrategy": [{"weight": 1}]})") ==
      "capacityProvider is missing");
  const auto resource = [](const std::string& text) {
    return fault_of<DescribedInstance>(instance_with(R"("registeredResources": [)" + text + "]"));
  };
  CHECK(resource(R"({"name": "CPU", "type": "INTEGER"})") == "integerValue is missing");
  CHECK(resource(R"({"name": "CPU", "type": "INTEGER", "integerValue": 1.5})") == "integerValue cannot be '1.5'");
  CHECK(resource(R"({"name": "CPU", "type": "INTEGER", "integerValue": -1})") == "integerValue cannot be '-1'");
  CHECK(resource(R"({"name": "MEMORY", "type": "LONG", "longValue": 9223372036854775807})") ==
        "longValue cannot be '9223372036854775807'");
  const auto remaining = [](const std::string& value) {
    return fault_of<DescribedInstance>(
        instance_with(R"("remainingResources": [{"name": "CPU", "type": "INTEGER", "integerValue": )" + value + "}]"));
  };
  CHECK(remaining("-1").empty());
  CHECK(remaining("1.5") == "integerValue must be a whole number below 10^11");
  CHECK(resource(R"({"name": "PORTS", "stringSetValue": ["http"]})") == "invalid port 'http'");
  CHECK(resource(R"({"name": "PORTS", "stringSetValue": ["65536"]})") == "invalid port '65536'");
  CHECK(resource(R"({"name": "PORTS", "stringSetValue": ["0"]})") == "invalid port '0'");
  CHECK(resource(R"({"name": "GPU", "stringSetValue": ["a", "b", "a"]})") == "duplicate GPU 'a'");
  CHECK(resource(R"({"name": "GPU", "type": "INTEGER", "integerValue": 4})") == "GPU without the ids of its devices");
}

TEST_CASE("described services, providers, clusters and types hold their figures") {
  const auto service = read<DescribedService>(
      R"({"serviceArn": "arn:aws:ecs:us-east-2:1:service/prod/web", "serviceName": "web", "desiredCount": 3, "runningCount": 2, "pendingCount": 1})");
  CHECK(service.cluster == "prod");
  CHECK(service.desired_count == 3);
  CHECK(service.running_count + service.pending_count == 3);
  CHECK_FALSE(
      read<DescribedService>(
          R"({"serviceArn": "arn:aws:ecs:us-east-2:1:service/prod/d", "serviceName": "d", "desiredCount": 3, "schedulingStrategy": "DAEMON"})")
          .desired_count);
  const auto provider = read<DescribedCapacityProvider>(
      R"({"name": "gpu", "autoScalingGroupProvider": {"managedScaling": {"status": "ENABLED"}}})");
  CHECK(provider.scales);
  CHECK_FALSE(read<DescribedCapacityProvider>(R"({"name": "FARGATE"})").scales);
  const auto cluster = read<DescribedCluster>(
      R"({"clusterArn": "arn:aws:ecs:us-east-2:1:cluster/prod", "registeredContainerInstancesCount": 4,
          "defaultCapacityProviderStrategy": [{"capacityProvider": "gpu", "base": 1, "weight": 2}]})");
  CHECK(cluster.name == "prod");
  CHECK(cluster.registered_instances == 4);
  CHECK(cluster.default_strategy == std::vector<DescribedProviderShare>{{"gpu", 1, 2}});
  const auto type = read<DescribedInstanceType>(
      R"({"InstanceType": "g9.xlarge", "CurrentGeneration": true, "Hypervisor": "nitro", "VCpuInfo": {"DefaultVCpus": 4},
          "MemoryInfo": {"SizeInMiB": 16384}, "ProcessorInfo": {"SupportedArchitectures": ["x86_64"]},
          "NetworkInfo": {"MaximumNetworkInterfaces": 4},
          "GpuInfo": {"Gpus": [{"Name": "X9", "Manufacturer": "NVIDIA", "Count": 2, "MemoryInfo": {"SizeInMiB": 24576}}]}})");
  CHECK(type.vcpus == 4);
  CHECK(type.memory == 16384);
  CHECK(type.network_interfaces == 4);
  CHECK(type.gpu_count == 2);
  CHECK(type.gpu_memory == 24576);
  CHECK(type.gpu_model == "X9");
  CHECK(type.architectures == std::vector<std::string>{"x86_64"});
}
