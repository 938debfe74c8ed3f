// Every known sentence leads to its own entry, whatever it came through.
#include "rules/sentences.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/strings.hpp"
#include "catch.hpp"
#include "rules/rule_data.hpp"
#include "support/in_sources.hpp"

namespace {

using namespace bayplan;

std::vector<std::string> ids_in(const rules::Sentences& sentences, std::string_view text) {
  std::vector<std::string> ids;
  for (const auto& answer : sentences.answers_to(text)) ids.emplace_back(answer.id);
  return ids;
}

bool leads_to(const rules::Sentences& sentences, std::string_view text, std::string_view code) {
  const auto answers = sentences.answers_to(text);
  return std::any_of(answers.begin(), answers.end(), [&](const rules::Answer& answer) {
    return std::find(answer.rules.begin(), answer.rules.end(), code) != answer.rules.end();
  });
}

}  // namespace

TEST_CASE("sentences - each example leads to its own entry and to no other") {
  const auto sentences = rules::Sentences::load();
  const auto data = rules::RuleData::load();
  std::set<std::string_view> ids;
  for (const auto& row : sentences.rows()) {
    INFO(row.id << ": " << row.example);
    CHECK(ids.insert(row.id).second);
    CHECK(ids_in(sentences, row.example) == std::vector<std::string>{std::string(row.id)});
    CHECK(row.source.starts_with("https://"));
    for (const auto code : row.rules) CHECK(data.find(code) != nullptr);
    for (const auto& answer : sentences.answers_to(row.example)) {
      CHECK(answer.cause.find('{') == std::string::npos);
      CHECK(std::count(answer.fix.begin(), answer.fix.end(), '{') ==
            std::count(answer.fix.begin(), answer.fix.end(), '}'));
      if (answer.rules.empty()) CHECK_FALSE((answer.cause.empty() || answer.fix.empty()));
    }
  }
}

TEST_CASE("sentences - what the text came through does not matter") {
  const auto sentences = rules::Sentences::load();
  for (const std::string text :
       {"No Fargate configuration exists for given values: 512 CPU, 512 memory.",
        "no fargate configuration exists for given values: 512 cpu, 512 memory",
        "Invalid request provided: Create TaskDefinition: No Fargate configuration exists for given values: 512 CPU, "
        "512 memory. See the Amazon ECS documentation for the valid values. (Service: AmazonECS; Status Code: 400)",
        "operation error ECS: RegisterTaskDefinition, https response error StatusCode: 400, RequestID: 1-2, "
        "ClientException: No Fargate configuration exists for given values: 512 CPU, 512 memory.",
        "An error occurred (ClientException) when calling the RegisterTaskDefinition operation: No Fargate\n"
        "configuration exists for   given values: 512 CPU,\r\n 512 memory."}) {
    INFO(text);
    const auto answers = sentences.answers_to(text);
    REQUIRE(answers.size() == 1);
    CHECK(answers[0].id == "fargate-no-size");
    CHECK(answers[0].values.at("cpu") == "512");
    CHECK(answers[0].cause.find("cpu 512 with memory 512") != std::string::npos);
  }
  CHECK(ids_in(sentences,
               "{\"reason\": \"Unknown volume \\u2018x\\u2019\"} Unknown volume \xE2\x80\x98"
               "data\xE2\x80\x99.") == std::vector<std::string>{"unknown-volume"});
}

TEST_CASE("sentences - quotes, leads of a log, colors and cut lines do not matter") {
  const auto sentences = rules::Sentences::load();
  const std::string message =
      "(service web) was unable to place a task because no container instance met all of its requirements. The closest "
      "matching (container-instance 0123456789abcdef0) has insufficient memory available.";
  const auto wanted = ids_in(sentences, message);
  REQUIRE(wanted.size() == 1);
  /// The message in lines of `columns`, each behind `lead`.
  const auto in_lines = [&](std::size_t columns, const std::string& lead) {
    std::string text;
    for (std::size_t at = 0; at < message.size(); at += columns) text += lead + message.substr(at, columns) + "\n";
    return text;
  };
  for (const std::string& text :
       {"> " + message, "> > " + message, in_lines(80, "> "), in_lines(50, ""), in_lines(80, ""), in_lines(120, ""),
        "Nov 26 20:42:56 ip-10-0-0-12 deploy[431]: " + message, "<14>Nov 26 20:42:56 ip-10-0-0-12 deploy: " + message,
        "2026-11-26T20:42:56.123Z INFO " + message, "\x1b[31m" + message + "\x1b[0m",
        "\x1b[1;31mERROR\x1b[0m " + message}) {
    INFO(text);
    CHECK(ids_in(sentences, text) == wanted);
  }
}

TEST_CASE("sentences - several in one paste are answered in order, the same one once") {
  const auto sentences = rules::Sentences::load();
  CHECK(ids_in(sentences, "Unknown volume 'a'.\nToo many containers.\nUnknown volume 'a'.\nUnknown volume 'b'.") ==
        std::vector<std::string>{"unknown-volume", "too-many-containers", "unknown-volume"});
}

TEST_CASE("sentences - an event is answered with its reason") {
  const auto sentences = rules::Sentences::load();
  const std::string frame =
      "service web was unable to place a task because no container instance met all of its "
      "requirements. The closest matching container-instance 1234-ab ";
  CHECK(ids_in(sentences, frame + "has insufficient memory available.") == std::vector<std::string>{"resource-memory"});
  CHECK(ids_in(sentences, frame + "encountered error \"RESOURCE:GPU\".") == std::vector<std::string>{"resource-gpu"});
  CHECK(sentences.answers_to(frame + "is already using a port required by your task.")[0].values.at("instance") ==
        "1234-ab");
}

TEST_CASE("sentences - a text without one has a nearest, or none") {
  const auto sentences = rules::Sentences::load();
  CHECK(sentences.answers_to("the weather is fine").empty());
  CHECK_FALSE(sentences.nearest_to("the weather is fine").has_value());
  const auto near = sentences.nearest_to("container list must not be empty");
  REQUIRE(near.has_value());
  CHECK(near->id == "containers-empty");
}

TEST_CASE("sentences - every recorded answer of the server leads to its rule") {
  std::ifstream in(in_sources("../shared/spec/server-errors.md"));
  if (!in) {
    WARN("skipped: ../shared/spec/server-errors.md is not here");
    return;
  }
  const auto sentences = rules::Sentences::load();
  std::size_t checked = 0;
  for (std::string line; std::getline(in, line);) {
    const auto cells = split(line, '|');
    if (cells.size() < 7) continue;
    const bool is_client = trim(cells[1]).starts_with("C");
    const auto code = trim(cells[2]);
    if (!code.starts_with("BAY")) continue;
    const auto answer = trim(cells[is_client ? 5 : 4]);
    INFO(code << " " << answer);
    CHECK(leads_to(sentences, answer, code));
    ++checked;
  }
  CHECK(checked > 60);
}

TEST_CASE("sentences - every failure word and event of the placement notes is known") {
  std::ifstream in(in_sources("../shared/spec/placement.md"));
  if (!in) {
    WARN("skipped: ../shared/spec/placement.md is not here");
    return;
  }
  const std::set<std::string_view> not_sentences{
      "failures[].reason",
      "arn",
      "reason",
      "detail",
      "stopCode",
      "For more information, see the Troubleshooting section of the Amazon ECS Developer Guide.",
      "(service NAME) ... The closest matching (container-instance ID) ..."};
  const auto sentences = rules::Sentences::load();
  std::size_t checked = 0;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("### 5.")) inside = line < "### 5.4";
    if (!inside) continue;
    const auto parts = split(line, '`');
    for (std::size_t i = 1; i < parts.size(); i += 2) {
      if (not_sentences.count(parts[i]) > 0) continue;
      INFO(parts[i]);
      CHECK_FALSE(sentences.answers_to(parts[i]).empty());
      ++checked;
    }
  }
  CHECK(checked > 15);
  for (const std::string_view word :
       {"RESOURCE:CPU", "RESOURCE:MEMORY", "RESOURCE:PORTS", "RESOURCE:ENI", "RESOURCE:GPU", "AGENT", "ATTRIBUTE",
        "LOCATION", "MISSING", "INACTIVE", "RESOURCE:FARGATE"}) {
    INFO(word);
    REQUIRE(sentences.answers_to(word).size() == 1);
    CHECK(sentences.answers_to(word)[0].said == word);
  }
}

TEST_CASE("sentences - what a sentence leaves out is told by its stand-in") {
  const auto sentences = rules::Sentences::load();
  const auto whole = sentences.answers_to("No Fargate configuration exists for given values: 1024 CPU, 1024 memory");
  const auto bare = sentences.answers_to("No Fargate configuration exists for given values");
  REQUIRE(whole.size() == 1);
  REQUIRE(bare.size() == 1);
  CHECK(whole[0].cause.find("cpu 1024 with memory 1024") != std::string::npos);
  CHECK(bare[0].cause.find("cpu as given with memory as given") != std::string::npos);
}

TEST_CASE("sentences - ids, counts and line breaks do not matter") {
  const auto sentences = rules::Sentences::load();
  const std::pair<std::string, std::string> pasted[] = {
      {"service shop-api_2 has started 14 tasks: (task 9f1c0d).", "started-tasks"},
      {"(service shop) has started 2 tasks in ap-southeast-\n4b to AZ Rebalance: (task 77) (task 78).",
       "rebalance-started-tasks"},
      {"(service shop, taskSet ecs-svc/42) has begun draining\nconnections on 31 tasks.", "draining-connections"},
      {"(service shop) deregistered 3 targets in (target-\n  group arn:aws:x)", "deregistered-targets"},
      {"(service shop) registered 3 targets in (target-group arn:aws:x)", "registered-targets"},
      {"(service shop) (deployment ecs-svc/0987) deployment\r\nfailed: tasks failed to start.", "circuit-breaker"},
      {"ECS deployment ecs-\nsvc/9AbC in progress.", "deployment-in-progress"},
      {"{\"message\": \"(service shop) was unable to reach steady state because (taskSet ecs-svc/9) was unable to "
       "scale in due to (reason 40 tasks under protection)\"}",
       "scale-in-protection"},
      {"You\\u2019ve reached the limit on the number of vCPUs you can run concurrently", "fargate-quota"},
      {"\xE2\x95\xB7\n\xE2\x94\x82 Error: waiting for ECS Service (arn:aws:ecs:x) update: timeout while waiting for "
       "state\n"
       "\xE2\x94\x82 to become 'tfSTABLE' (last state: 'tfPENDING', timeout: 7m0s)\n\xE2\x95\xB5",
       "terraform-timeout"},
      {"\xE2\x94\x82 InvalidParameterException: The target group with targetGroupArn\n\xE2\x94\x82 "
       "arn:aws:elasticloadbalancing:eu-west-3:210987654321:targetgroup/b-\n\xE2\x94\x82 lue/9 does not have an "
       "associated\n\xE2\x94\x82 load balancer.",
       "target-group-unattached"},
      {"THE CONTAINER NGINX-2 DID NOT HAVE A CONTAINER PORT 8443 DEFINED.", "appspec-port"},
      {"the execute command failed because execute command was not enabled when the task was run or the execute "
       "command agent isn\xE2\x80\x99t running",
       "exec-not-enabled"},
      {"User: arn:aws:iam::210987654321:role/ci is not authorized to perform: ecs:RunTask on resource: arn:aws:ecs:x",
       "not-authorized"},
      {"#/ContainerDefinitions/7: extraneous key [logConfiguration] is not permitted", "template-key-case"},
      {"#/NetworkConfiguration: extraneous key [Subnet] is not permitted", "template-unknown-key"},
      {"\"eventName\": \"SERVICE_TASK_PLACEMENT_FAILURE\"", "event-placement-failure"},
      {"{\"name\": \"NVIDIA_VISIBLE_DEVICES\", \"value\": \"0,1\"}", "variable-visible-devices"},
  };
  for (const auto& [text, id] : pasted) {
    INFO(text);
    CHECK(ids_in(sentences, text) == std::vector<std::string>{id});
  }
  CHECK(sentences
            .answers_to("[{timeout}] timeout while waiting for state to become 'tfSTABLE' (last state: 'tfPENDING', "
                        "timeout: 7m0s)")[0]
            .cause.find("within 7m0s") != std::string::npos);
}

TEST_CASE("sentences - a particular answer silences the general one beside it") {
  const auto sentences = rules::Sentences::load();
  const std::string denied =
      "ResourceInitializationError: unable to pull secrets or registry auth: unable to retrieve ecr registry auth: "
      "AccessDeniedException: User: x is not authorized to perform: ecr:GetAuthorizationToken";
  CHECK(ids_in(sentences, denied) == std::vector<std::string>{"registry-denied"});
  const std::string exec =
      "CannotStartContainerError: failed to create task for container: OCI runtime create failed: exec: \"serve\": "
      "executable file not found in $PATH";
  CHECK(ids_in(sentences, exec) == std::vector<std::string>{"executable-not-found"});
  CHECK(ids_in(sentences, "{\"eventName\": \"SERVICE_TASK_PLACEMENT_FAILURE\", \"reason\": \"RESOURCE:CPU\"}") ==
        std::vector<std::string>{"resource-cpu"});
  CHECK(ids_in(sentences,
               "Service deployment rolled back because of invalid networking configuration. One or more "
               "rules not found") == std::vector<std::string>{"listener-rule-missing"});
}

TEST_CASE("sentences - a key alone is answered from the schemas") {
  const auto sentences = rules::Sentences::load();
  const auto port = sentences.answers_to("\"hostport\":");
  REQUIRE(port.size() == 1);
  CHECK(port[0].id == "key");
  CHECK(port[0].said == "hostport");
  CHECK(port[0].cause.find("In a task definition, containerDefinitions[].portMappings[].hostPort: ") == 0);
  const auto memory = sentences.answers_to("memory");
  REQUIRE(memory.size() == 1);
  CHECK(memory[0].cause.find("In a task definition, memory: ") == 0);  // the outermost first
  CHECK(memory[0].cause.find(" more places.") != std::string::npos);
  const auto count = sentences.answers_to("gpuCount");
  REQUIRE(count.size() == 1);
  CHECK(count[0].cause == "ECS has no key \"gpuCount\".");
  CHECK(count[0].fix.find("containerDefinitions[].resourceRequirements: [{\"type\": \"GPU\"") != std::string::npos);
  CHECK(sentences.answers_to("forceNewDeployment")[0].cause.find("In update-service, ") == 0);
  CHECK(sentences.answers_to("hostPort of web").empty());

  // A path of keys in any spelling, with the elements of lists or without.
  for (const auto* path : {"containerDefinitions.portMappings", "ContainerDefinitions[0].PortMappings[]",
                           "port_mappings", "containerDefinitions[*].portMappings",
                           "containerDefinitions.0.portMappings", "/containerDefinitions/0/portMappings"}) {
    const auto mappings = sentences.answers_to(path);
    REQUIRE(mappings.size() == 1);
    CHECK(
        mappings[0].cause ==
        "In a task definition, containerDefinitions[].portMappings: Ports that the container publishes. Type: list of "
        "objects, with the keys containerPort, hostPort, protocol, name, appProtocol, containerPortRange.");
  }
  const auto base = sentences.answers_to("capacityProviderStrategy.base");
  REQUIRE(base.size() == 1);
  CHECK(base[0].cause.starts_with("In a service (create-service), update-service and run-task, "));
  const auto mode = sentences.answers_to("networkMode");
  REQUIRE(mode.size() == 1);
  CHECK(mode[0].cause.find("one of bridge, host, awsvpc, none. In the API since 2016-08-16.") != std::string::npos);
  for (const auto* path :
       {"containerDefinitions.dockerLabels.team", "/containerDefinitions/0/dockerLabels/com.example~1team"}) {
    const auto label = sentences.answers_to(path);
    REQUIRE(label.size() == 1);
    CHECK(label[0].cause.starts_with("In a task definition, containerDefinitions[].dockerLabels.*: "));
  }
  CHECK(sentences.answers_to("team.shop").empty());
  CHECK(sentences.answers_to("portMappings.image").empty());
  CHECK(sentences.answers_to("flavor").empty());
}

TEST_CASE("sentences - a key of bayplan's own files is answered unless ECS has it") {
  const auto sentences = rules::Sentences::load();
  const auto cause = [&](std::string_view key) {
    const auto found = sentences.answers_to(key);
    return found.size() == 1 ? found[0].cause : std::string();
  };
  CHECK(cause("services[].desiredCount").starts_with("In a scenario, services[].desiredCount: "));
  CHECK(cause("containerInstances.attributes").starts_with("In a cluster, containerInstances[].attributes: "));
  CHECK(cause("settings").starts_with("In a scenario, settings. Type: object"));
  CHECK(cause("settings.timing").starts_with("In a scenario, settings.timing: "));
  CHECK(cause("rules[].require.matches").starts_with("In .bayplan.yaml, rules[].require.matches: "));
  CHECK(cause("fail_on").starts_with("In .bayplan.yaml, failOn: "));
  CHECK(cause("axes.count.vary").starts_with("In a grid, axes.*.vary: "));
  CHECK(cause("variants.zone.lose-az").starts_with("In a scenario, variants.*.lose-az: "));
  CHECK(cause("placementStrategy").starts_with("In a service (create-service), "));
  const auto matches = sentences.answers_to("rules[].require.matches");
  CHECK(matches[0].source == "docs/config.md");
  CHECK(matches[0].fix == "`bayplan schema config` prints all keys.");
}

TEST_CASE("sentences - a value of an enum alone is answered from the schemas") {
  const auto sentences = rules::Sentences::load();
  const auto binpack = sentences.answers_to("\"binpack\",");
  REQUIRE(binpack.size() == 1);
  CHECK(binpack[0].id == "key");
  CHECK(binpack[0].cause.find("A value of placementStrategy[].type in a service (create-service).") == 0);
  CHECK(sentences.answers_to("rtprio")[0].cause.find("A value of containerDefinitions[].ulimits[].name in a task") ==
        0);
  CHECK(sentences.answers_to("FARGATE")[0].cause.find("A value of requiresCompatibilities in a task") == 0);
  CHECK(sentences.answers_to("cpu")[0].cause.find("In a task definition, cpu: ") == 0);  // a key first
}

TEST_CASE("sentences - a name is answered when it is pasted alone, with or without a value") {
  const auto sentences = rules::Sentences::load();
  for (const auto* text : {"awslogs-group", "\"awslogs-group\"", "'awslogs-group':", "\"awslogs-group\": \"/ecs/web\",",
                           "AWSLOGS-GROUP"}) {
    INFO(text);
    CHECK(ids_in(sentences, text) == std::vector<std::string>{"option-awslogs-group"});
  }
  CHECK(ids_in(sentences, "ECS_CLUSTER=prod") == std::vector<std::string>{"variable-ecs-cluster"});
  CHECK(ids_in(sentences, "shmSize") == std::vector<std::string>{"docker-shm-size"});
  CHECK(ids_in(sentences, "no container instance met all of its requirements") ==
        std::vector<std::string>{"event-no-instance"});
  CHECK(sentences.answers_to("the awslogs-group of web").empty());
  CHECK(sentences.answers_to("my-awslogs-group").empty());
}
