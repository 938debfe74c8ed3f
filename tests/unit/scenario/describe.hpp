#pragma once
#include <string>
#include <vector>

/// Constructed output of aws ecs describe-..., for tests: shaped as the AWS CLI prints it, figures of no real account.
namespace bayplan::describe {

inline std::string arn(const std::string& kind, const std::string& rest) {
  return "arn:aws:ecs:us-east-2:111122223333:" + kind + "/" + rest;
}

inline std::string set_of(const std::string& name, const std::vector<std::string>& values) {
  std::string text = R"({"name": ")" + name + R"(", "type": "STRINGSET", "integerValue": 0, "stringSetValue": [)";
  for (std::size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "\"" : ", \"") + values[i] + "\"";
  return text + "]}";
}

inline std::string amount(const std::string& name, std::int64_t value) {
  return R"({"name": ")" + name + R"(", "type": "INTEGER", "doubleValue": 0.0, "integerValue": )" +
         std::to_string(value) + "}";
}

struct Instance {
  std::string id = "a";
  std::string type = "p3.8xlarge";
  std::string zone = "us-east-2a";
  std::int64_t cpu = 32768, memory = 240000;
  std::int64_t cpu_left = 32768, memory_left = 240000;
  std::vector<std::string> gpus = {};
  std::vector<std::string> gpus_free = {};
  std::vector<std::string> ports_taken = {"22"};
  std::string more = {};  ///< Further members, each with a comma before it.
  std::string cluster = "prod";
  std::vector<std::string> capabilities = {};
  std::string ec2_id = {};  ///< "i-<id>" when empty.
};

inline std::string instance_arn(const std::string& id, const std::string& cluster = "prod") {
  return arn("container-instance", cluster + "/" + id);
}

inline std::string print(const Instance& one) {
  std::string attributes = R"({"name": "ecs.availability-zone", "value": ")" + one.zone + "\"}";
  if (!one.type.empty()) attributes += R"(, {"name": "ecs.instance-type", "value": ")" + one.type + "\"}";
  for (const auto& name : one.capabilities) attributes += R"(, {"name": ")" + name + "\"}";
  std::string registered =
      amount("CPU", one.cpu) + ", " + amount("MEMORY", one.memory) + ", " + set_of("PORTS", {"22"});
  std::string remaining =
      amount("CPU", one.cpu_left) + ", " + amount("MEMORY", one.memory_left) + ", " + set_of("PORTS", one.ports_taken);
  if (!one.gpus.empty()) {
    registered += ", " + set_of("GPU", one.gpus);
    remaining += ", " + set_of("GPU", one.gpus_free);
  }
  return R"({"containerInstanceArn": ")" + instance_arn(one.id, one.cluster) + R"(", "ec2InstanceId": ")" +
         (one.ec2_id.empty() ? "i-" + one.id : one.ec2_id) + R"(", "registeredResources": [)" + registered +
         R"(], "remainingResources": [)" + remaining + R"(], "attributes": [)" + attributes + "]" +
         (one.more.find("\"status\"") == std::string::npos ? R"(, "status": "ACTIVE")" : "") +
         (one.more.find("\"agentConnected\"") == std::string::npos ? R"(, "agentConnected": true)" : "") + one.more +
         "}";
}

struct Task {
  std::string id = "t1";
  std::string instance = "a";  ///< Empty: it waits.
  std::string definition = "web:1";
  std::string group = "service:web";
  std::int64_t cpu = 1024, memory = 1000;
  std::vector<std::string> gpus = {};
  std::string more = {};
  std::string container = "main";
};

inline std::string print(const Task& one) {
  std::string gpus;
  for (const auto& id : one.gpus) gpus += (gpus.empty() ? "\"" : ", \"") + id + "\"";
  std::string text = R"({"taskArn": ")" + arn("task", "prod/" + one.id) + R"(", "taskDefinitionArn": ")" +
                     arn("task-definition", one.definition) + R"(", "group": ")" + one.group + "\"";
  if (!one.instance.empty()) text += R"(, "containerInstanceArn": ")" + instance_arn(one.instance) + "\"";
  text += R"(, "cpu": ")" + std::to_string(one.cpu) + R"(", "memory": ")" + std::to_string(one.memory) + "\"";
  text += R"(, "containers": [{"name": ")" + one.container + R"(", "gpuIds": [)" + gpus + "]}]";
  if (one.more.find("lastStatus") == std::string::npos) text += R"(, "lastStatus": "RUNNING")";
  if (one.more.find("desiredStatus") == std::string::npos) text += R"(, "desiredStatus": "RUNNING")";
  return text + R"(, "launchType": "EC2")" + one.more + "}";
}

template <class T>
std::string page(const std::string& member, const std::vector<T>& elements) {
  std::string text;
  for (const auto& element : elements) text += (text.empty() ? "" : ",\n  ") + print(element);
  return "{\"" + member + "\": [" + text + "], \"failures\": []}\n";
}

/// describe-task-definition of one container `main`.
inline std::string definition(const std::string& family, const std::string& container) {
  return R"({"taskDefinition": {"taskDefinitionArn": ")" + arn("task-definition", family + ":1") + R"(", "family": ")" +
         family +
         R"(", "revision": 1, "status": "ACTIVE", "compatibilities": ["EC2"], "containerDefinitions": [{"name": "main", "image": "x:1", )" +
         container + "}]}}\n";
}

}  // namespace bayplan::describe
