#include "study/diff/diff_fields.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "study/diff/diff_side.hpp"

using namespace bayplan;

namespace {

study::DiffSide side_of(const std::string& text, const std::string& name = "web.json") {
  static const lint::Tools tools;
  auto read = study::read_side({name, text}, {}, tools, MemoryFiles());
  REQUIRE(read.errors.empty());
  REQUIRE(read.side.definitions.size() == 1);
  return std::move(read.side);
}

std::string words(const study::FieldChange& change) {
  const auto text = [](const auto& side) { return side ? side->text : std::string("absent"); };
  return change.path + ": " + text(change.before) + " -> " + text(change.after);
}

/// "path: before -> after" of every difference.
std::vector<std::string> differences(const std::string& before, const std::string& after) {
  const auto old_side = side_of(before);
  const auto new_side = side_of(after);
  std::vector<std::string> found;
  for (const auto& change :
       study::compare_definitions(old_side.definitions[0].compared, new_side.definitions[0].compared, {}))
    found.push_back(words(change));
  return found;
}

/// A definition whose only container has `members` beside its name and image.
std::string with_container(const std::string& members, const std::string& task = "") {
  return R"({"family": "web", )" + task + R"("containerDefinitions": [{"name": "app", "image": "nginx:1.27")" +
         (members.empty() ? "" : ", " + members) + "}]}";
}

std::vector<std::string> container_differences(const std::string& before, const std::string& after,
                                               const std::string& task = "") {
  return differences(with_container(before, task), with_container(after, task));
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("diff fields - what describe fills in is no difference") {
  const std::string written = R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27",
    "memory": 512, "portMappings": [{"containerPort": 80}],
    "healthCheck": {"command": ["CMD-SHELL", "curl -f http://localhost/"]},
    "mountPoints": [{"sourceVolume": "data", "containerPath": "/data"}]}],
    "volumes": [{"name": "data"}, {"name": "efs", "efsVolumeConfiguration": {"fileSystemId": "fs-1"}}]})";
  const std::string described = R"({"taskDefinition": {
    "taskDefinitionArn": "arn:aws:ecs:us-east-1:123456789012:task-definition/web:3", "revision": 3, "status": "ACTIVE",
    "requiresAttributes": [{"name": "com.amazonaws.ecs.capability.docker-remote-api.1.18"}],
    "compatibilities": ["EXTERNAL", "EC2"], "registeredAt": "2026-01-01T00:00:00Z", "registeredBy": "arn:aws:iam::1:root",
    "placementConstraints": [], "enableFaultInjection": false, "family": "web",
    "volumes": [{"name": "efs", "efsVolumeConfiguration": {"fileSystemId": "fs-1", "rootDirectory": "/"}},
                {"name": "data", "host": {}}],
    "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "cpu": 0, "memory": 512, "essential": true,
      "portMappings": [{"containerPort": 80, "hostPort": 0, "protocol": "tcp"}], "environment": [], "volumesFrom": [],
      "mountPoints": [{"sourceVolume": "data", "containerPath": "/data", "readOnly": false}], "systemControls": [],
      "healthCheck": {"command": ["CMD-SHELL", "curl -f http://localhost/"], "interval": 30, "timeout": 5, "retries": 3}
    }]}})";
  CHECK(differences(written, described).empty());
  CHECK(differences(described, written).empty());
}

TEST_CASE("diff fields - a value that is no default is a difference") {
  CHECK(container_differences("", R"("essential": false)") ==
        Words{"containerDefinitions[app].essential: absent -> false"});
  CHECK(container_differences(R"("essential": true)", R"("essential": false)") ==
        Words{"containerDefinitions[app].essential: true -> false"});
  CHECK(container_differences(R"("cpu": 256)", "") == Words{"containerDefinitions[app].cpu: 256 -> absent"});
  CHECK(container_differences(R"("healthCheck": {"command": ["CMD", "x"], "interval": 30})",
                              R"("healthCheck": {"command": ["CMD", "x"], "interval": 31})") ==
        Words{"containerDefinitions[app].healthCheck.interval: 30 -> 31"});
  CHECK(container_differences("", R"("dockerLabels": {"team": ""})").size() == 1);
}

TEST_CASE("diff fields - order counts in commands and name servers alone") {
  CHECK(container_differences(R"("command": ["a", "b"], "dnsServers": ["10.0.0.1", "10.0.0.2"])",
                              R"("command": ["b", "a"], "dnsServers": ["10.0.0.2", "10.0.0.1"])") ==
        Words{R"(containerDefinitions[app].command: ["a", "b"] -> ["b", "a"])",
              R"(containerDefinitions[app].dnsServers: ["10.0.0.1", "10.0.0.2"] -> ["10.0.0.2", "10.0.0.1"])"});
  CHECK(container_differences(R"("links": ["db", "cache"], "linuxParameters": {"capabilities": {"add": ["A", "B"]}},
                                 "ulimits": [{"name": "core", "softLimit": 0, "hardLimit": 0},
                                             {"name": "nofile", "softLimit": 1, "hardLimit": 2}])",
                              R"("ulimits": [{"hardLimit": 2, "name": "nofile", "softLimit": 1},
                                             {"name": "core", "hardLimit": 0, "softLimit": 0}],
                                 "linuxParameters": {"capabilities": {"add": ["B", "A"]}}, "links": ["cache", "db"])")
            .empty());
}

TEST_CASE("diff fields - elements are matched by what they are called") {
  CHECK(
      container_differences(
          R"("environment": [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}, {"name": "C", "value": "3"}])",
          R"("environment": [{"name": "D", "value": ""}, {"name": "C", "value": "3"}, {"name": "B", "value": "4"}])") ==
      Words{"containerDefinitions[app].environment[D]: absent -> ", "containerDefinitions[app].environment[B]: 2 -> 4",
            "containerDefinitions[app].environment[A]: 1 -> absent"});
  CHECK(container_differences(
            R"("portMappings": [{"containerPort": 53, "protocol": "udp"}, {"containerPort": 53}])",
            R"("portMappings": [{"containerPort": 53, "name": "dns"}, {"containerPort": 53, "protocol": "udp"}])") ==
        Words{"containerDefinitions[app].portMappings[53/tcp].name: absent -> dns"});
  CHECK(container_differences(R"("links": ["db"])", R"("links": ["cache"])") ==
        Words{"containerDefinitions[app].links[cache]: absent -> cache",
              "containerDefinitions[app].links[db]: db -> absent"});
}

TEST_CASE("diff fields - of a variable that is given twice the order counts") {
  CHECK(
      container_differences(R"("environment": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}])",
                            R"("environment": [{"name": "A", "value": "2"}, {"name": "A", "value": "1"}])") ==
      Words{"containerDefinitions[app].environment[A]: 1 -> 2", "containerDefinitions[app].environment[A#2]: 2 -> 1"});
  CHECK(differences(with_container("", R"("placementConstraints": [{"type": "memberOf", "expression": "a == 1"},
                                                           {"type": "memberOf", "expression": "b == 1"}], )"),
                    with_container("", R"("placementConstraints": [{"type": "memberOf", "expression": "b == 1"},
                                                           {"type": "memberOf", "expression": "a == 1"}], )"))
            .empty());
}

TEST_CASE("diff fields - sizes compare as sizes, the environment as text") {
  const auto sized = [](const std::string& cpu, const std::string& memory) {
    return with_container("", R"("cpu": ")" + cpu + R"(", "memory": ")" + memory + R"(", )");
  };
  CHECK(differences(sized("1 vCPU", "2 GB"), sized("1024", "2048")).empty());
  CHECK(differences(sized("1 vCPU", "2 GB"), sized("1024", "2049")) == Words{"memory: 2 GB -> 2049"});
  CHECK(container_differences(R"("memory": "512")", R"("memory": 512)").empty());
  CHECK(container_differences(R"("environment": [{"name": "A", "value": "1024"}])",
                              R"("environment": [{"name": "A", "value": "1 vCPU"}])")
            .size() == 1);
}

TEST_CASE("diff fields - the network mode says what a host port means") {
  const std::string plain = R"("portMappings": [{"containerPort": 80}])";
  const std::string same_port = R"("portMappings": [{"containerPort": 80, "hostPort": 80}])";
  CHECK(container_differences(plain, same_port, R"("networkMode": "awsvpc", )").empty());
  CHECK(container_differences(plain, same_port, R"("networkMode": "host", )").empty());
  CHECK(container_differences(plain, same_port) ==
        Words{"containerDefinitions[app].portMappings[80/tcp].hostPort: absent -> 80"});
  CHECK(container_differences(plain, same_port, R"("networkMode": "${MODE}", )").size() == 1);
}

TEST_CASE("diff fields - the launch type says what is the default") {
  const std::string fargate = R"("requiresCompatibilities": ["FARGATE"], )";
  const std::string ec2 = R"("requiresCompatibilities": ["EC2"], )";
  const auto with = [](const std::string& task) { return with_container("", task); };
  CHECK(differences(with(fargate), with(fargate + R"("networkMode": "awsvpc", )")).empty());
  CHECK(differences(with(ec2), with(ec2 + R"("networkMode": "bridge", )")).empty());
  CHECK(differences(with(ec2), with(ec2 + R"("networkMode": "awsvpc", )")) == Words{"networkMode: absent -> awsvpc"});
  const std::string platform =
      R"("runtimePlatform": {"cpuArchitecture": "X86_64", "operatingSystemFamily": "LINUX"}, )";
  CHECK(differences(with(fargate), with(fargate + platform)).empty());
  CHECK(differences(with(ec2), with(ec2 + platform)).size() == 1);
}

TEST_CASE("diff fields - secrets are never shown") {
  CHECK(container_differences(R"("environment": [{"name": "DB_PASSWORD", "value": "hunter2-old"}])",
                              R"("environment": [{"name": "DB_PASSWORD", "value": "hunter2-new"}])") ==
        Words{"containerDefinitions[app].environment[DB_PASSWORD]: (hidden) -> (hidden)"});
  CHECK(container_differences("", R"("dockerLabels": {"app.secretKey": "hunter2"})") ==
        Words{R"~(containerDefinitions[app].dockerLabels: absent -> {"app.secretKey": "(hidden)"})~"});
  CHECK(container_differences(R"("command": ["run", "--password", "hunter2"])", R"("command": ["run", "-p"])") ==
        Words{R"~(containerDefinitions[app].command: ["run", "--password", "(hidden)"] -> ["run", "-p"])~"});
  CHECK(container_differences("", R"("command": ["sh", "-c", "PGPASSWORD=hunter2 psql"])") ==
        Words{R"~(containerDefinitions[app].command: absent -> ["sh", "-c", "(hidden)"])~"});
  const std::string arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:db-AbCdEf";
  CHECK(container_differences("", R"("secrets": [{"name": "DB_PASSWORD", "valueFrom": ")" + arn + R"("}])") ==
        Words{"containerDefinitions[app].secrets[DB_PASSWORD]: absent -> " + arn});
  const auto added = differences(with_container(""), R"({"family": "web", "containerDefinitions": [
    {"name": "app", "image": "nginx:1.27"},
    {"name": "db", "image": "db:1", "environment": [{"name": "API_TOKEN", "value": "hunter2"}]}]})");
  REQUIRE(added.size() == 1);
  CHECK(added[0].find("hunter2") == std::string::npos);
  CHECK(added[0].find(R"~({"name": "API_TOKEN", "value": "(hidden)"})~") != std::string::npos);
}

TEST_CASE("diff fields - placeholders compare as text and say so") {
  const auto before = side_of(with_container(R"("memory": 512)"));
  const auto after = side_of(R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:${TAG}",
    "memory": 512}]})");
  const auto changes = study::compare_definitions(before.definitions[0].compared, after.definitions[0].compared, {});
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].after->is_unknown);
  CHECK_FALSE(changes[0].before->is_unknown);
  const std::string placeholder = with_container(R"("memory": "${MEMORY}")");
  CHECK(differences(placeholder, placeholder).empty());
}

TEST_CASE("diff fields - of a bare list of containers nothing else is compared") {
  CHECK(differences(R"([{"name": "app", "image": "nginx:1.27", "memory": 512}])",
                    with_container(R"("memory": 1024)", R"("networkMode": "host", )")) ==
        Words{"containerDefinitions[app].memory: 512 -> 1024"});
}

TEST_CASE("diff fields - tags count where they were asked for") {
  const std::string tagged = with_container("", R"("tags": [{"key": "team", "value": "a"}], )");
  CHECK(differences(tagged, R"({"taskDefinition": )" + with_container("") + "}").empty());
  CHECK(differences(tagged, R"({"taskDefinition": )" + with_container("") +
                                R"(, "tags": [{"key": "team", "value": "b"}]})") == Words{"tags[team]: a -> b"});
  CHECK(differences(tagged, with_container("")) == Words{"tags[team]: a -> absent"});
}
