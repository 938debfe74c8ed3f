// Files of other tools that look like input of ECS: named for what they are, and no error in a search.
#include "lint/files/foreign_kind.hpp"

#include "catch.hpp"

namespace {

using namespace bayplan;

lint::FileReport report_of(const std::string& text, const std::string& name, lint::Search search) {
  static const lint::Tools tools;
  return lint::check_file(lint::read_file(text, name, search, {}, tools), {}, tools);
}

struct Case {
  std::string name;
  std::string text;
  std::string what;
};

const std::string kContainers = R"("containerDefinitions": [{"name": "app", "image": 7}])";

const std::vector<Case> kCases{
    {"manifest.yml", "name: api\ntype: Load Balanced Web Service\nimage:\n  build: ./Dockerfile\n  port: 80\n",
     "AWS Copilot manifest"},
    {"manifest.yml", "name: nightly\ntype: Scheduled Job\nimage:\n  location: nginx\non:\n  schedule: '@daily'\n",
     "AWS Copilot manifest"},
    {"ecspresso.yml",
     "region: us-east-1\ncluster: default\nservice: web\nservice_definition: ecs-service-def.json\n"
     "task_definition: ecs-task-def.json\ntimeout: 10m0s\n",
     "ecspresso configuration"},
    {"calls.json", "{\"call\": 1, " + kContainers + "}\n{\"call\": 2, " + kContainers + "}\n",
     "newline-delimited JSON"},
    {"rule_tests.yaml",
     "- name: none\n  input:\n    Resources:\n      Task:\n        Type: AWS::ECS::TaskDefinition\n        "
     "Properties:\n"
     "          ContainerDefinitions: []\n  expectations:\n    rules:\n      no_privileged: PASS\n",
     "CloudFormation Guard test"},
    {"tasks.yml",
     "- name: register\n  community.aws.ecs_taskdefinition:\n    family: web\n    container_definitions: \"{{ file "
     "}}\"\n"
     "- name: values\n  set_fact:\n    containers:\n      - name: app\n        portMappings:\n          - "
     "containerPort: "
     "80\n",
     "list of Ansible tasks"},
    {"cassette.yaml", "interactions:\n- request:\n    body: '{\"containerDefinitions\": []}'\n  response: {}\n",
     "recording of API calls"},
    {"call.json", R"({"status_code": 200, "data": {"taskDefinition": {)" + kContainers + "}}}",
     "recording of API calls"},
    {"trail.json",
     R"({"Records": [{"eventSource": "ecs.amazonaws.com", "eventName": "RegisterTaskDefinition", "requestParameters": {)" +
         kContainers + "}}]}",
     "recording of API calls"},
    {"ci.yml", "name: ci\non: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: [{run: make}]\n",
     "GitHub Actions workflow"},
    {"config.yml", "version: 2.1\njobs:\n  build:\n    docker: [{image: cimg/base}]\n    steps: [checkout]\n",
     "CircleCI configuration"},
    {"buildspec.yml", "version: 0.2\nphases:\n  build:\n    commands: [docker build .]\n",
     "CodeBuild build specification"},
    {"appspec.yaml", "version: 0.0\nResources:\n  - Web: {Type: 'AWS::ECS::Service'}\n", "CodeDeploy AppSpec file"},
    {"package.json", R"({"name": "web", "scripts": {"build": "tsc"}, "dependencies": {}})", "npm package"},
    {"deploy.yaml", "apiVersion: apps/v1\nkind: Deployment\nspec: {containers: [{name: a, image: b}]}\n",
     "Kubernetes manifest"},
    {"targets.json", R"([{"Id": "1", "Arn": "arn", "RoleArn": "arn:role", "Input": "{}"}])",
     "list of EventBridge targets"},
    {"images.json", R"([{"name": "app", "imageUri": "nginx:1.27"}])", "image definitions file of CodePipeline"},
    {"job.json", R"({"jobDefinitionName": "j", "type": "container", "eksProperties": {"podProperties": {}}})",
     "AWS Batch job definition"},
    {"machine.asl.json", R"({"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}})",
     "Step Functions state machine"},
    {"overrides.json", R"({"containerOverrides": [{"name": "app", "command": ["x"]}]})",
     "file for --overrides of run-task"},
    {"Dockerrun.aws.json", "{\"AWSEBDockerrunVersion\": \"1\"\n \"Image\": {\"Name\": \"a\"}}",
     "Elastic Beanstalk Dockerrun file of version 1, which has no task definition"},
    {"containers.json",
     "\n\nprovider \"aws\" {\n  region = \"us-east-1\"\n}\n\nresource \"aws_ecs_cluster\" \"main\" {}\n",
     "file of Terraform code (HCL)"},
    {"container.json", "{\n  name  = \"app\"\n  image = \"nginx:1.27\"\n}\n", "file of Terraform code (HCL)"},
    {"register.json",
     "import boto3\n\nboto3.client('ecs').register_task_definition(\n    family='web',\n    "
     "containerDefinitions=[{'name': 'web', 'essential': True,}]\n)\n",
     "program"},
    {"request.json",
     "{\n \"containerDefinitions\": [{\n  \"cpu\": number,\n  \"essential\": boolean,\n  \"image\": \"string\",\n  "
     "\"memory\": number\n }],\n \"family\": \"string\"\n}\n",
     "syntax of the ECS API reference, without values"},
    {"schema.json", R"({"properties": {"family": {"type": "string"}}, "required": ["family"]})", "JSON Schema"},
    {"all.json", "[{\"family\": \"a\", " + kContainers + "}, {\"family\": \"b\", " + kContainers + "}]",
     "contains no ECS definition"},
    {"settings.json", "{\"deploy\": {" + kContainers + "}, \"x\": 1,}", "contains no ECS definition"},
};

}  // namespace

TEST_CASE("foreign kind - a search passes over what other tools wrote, and says what it is") {
  for (const auto& one : kCases) {
    const auto report = report_of(one.text, one.name, lint::Search::kFound);
    CAPTURE(one.name, one.text);
    CHECK_FALSE(lint::is_linted(report));
    CHECK(lint::what_it_is(report) == one.what);
  }
}

TEST_CASE("foreign kind - a named file is told by its content too") {
  for (const auto& one : kCases) {
    if (one.what == "contains no ECS definition") continue;
    CAPTURE(one.name, one.text);
    const bool has_definition = one.what == "newline-delimited JSON";  // two definitions: a mistake in this file
    CHECK(lint::is_linted(report_of(one.text, one.name, lint::Search::kNamed)) == has_definition);
  }
}

TEST_CASE("foreign kind - definitions stay definitions") {
  const auto linted = [](const std::string& name, const std::string& text) {
    return lint::is_linted(report_of(text, name, lint::Search::kFound));
  };
  CHECK(linted("a.json", "{\"family\": \"web\", \"type\": \"Backend Service\", " + kContainers + "}"));
  CHECK(linted("a.json", "{\"name\": \"web\", \"type\": \"Backend Service\", " + kContainers + "}"));
  CHECK(linted("a.json", "{\"family\": \"web\", " + kContainers + ",}"));
  CHECK(linted("a.json", "{\"family\": \"web\", \"runtimePlatform\": {" + kContainers + "}"));
  CHECK(linted("a.json", "{" + kContainers + "}\n"));
}

TEST_CASE("foreign kind - a part of a list of containers is left alone unless it is named") {
  const std::string part = R"({"name": "exporter", "image": "web:1", "memory": 64, "essential": true},)";
  CHECK_FALSE(lint::is_linted(report_of(part, "exporter.json", lint::Search::kFound)));
  CHECK_FALSE(lint::is_linted(report_of(part + "\n" + part, "exporters.json", lint::Search::kFound)));
  CHECK(lint::is_linted(report_of(part, "exporter.json", lint::Search::kNamed)));
  CHECK(lint::is_linted(report_of(part.substr(0, part.size() - 1), "exporter.json", lint::Search::kFound)));
}

TEST_CASE("foreign kind - what starts tasks is linted as what ECS gets of it") {
  const auto kind_of = [](const std::string& name, const std::string& text) {
    const auto report = report_of(text, name, lint::Search::kFound);
    REQUIRE(report.subjects.size() == 1);
    return report.kind;
  };
  CHECK(kind_of("targets.json", R"([{"Id": "1", "Arn": "arn", "EcsParameters": {"TaskDefinitionArn": "web"}}])") ==
        rules::FileKind::kRunTask);
  CHECK(kind_of("machine.yaml",
                "StartAt: A\nStates:\n  A:\n    Type: Task\n    Resource: arn:aws:states:::ecs:runTask.sync\n"
                "    Parameters: {TaskDefinition: web}\n    End: true\n") == rules::FileKind::kRunTask);
  CHECK(kind_of("job.json", R"({"jobDefinitionName": "j", "containerProperties": {"image": "a", "memory": 512}})") ==
        rules::FileKind::kTaskDefinition);
}

TEST_CASE("foreign kind - $$$NAME$$$ and {INSERT ...} are unknown values, quoted and bare") {
  const auto json = report_of(
      R"({"family": "$$$FAMILY$$$", "taskRoleArn": "{INSERT ROLE ARN}", "containerDefinitions":
          [{"name": "{INSERT NAME}", "image": "$$$IMAGE$$$:latest", "cpu": $$$CPU$$$, "memory": {INSERT MEMORY}}]})",
      "a.json", lint::Search::kNamed);
  CHECK(json.findings.empty());
  CHECK(json.skipped.size() > 5);
  const auto yaml = report_of(
      "family: $$$FAMILY$$$\ncontainerDefinitions:\n  - name: {INSERT NAME}\n    image: $$$IMAGE$$$\n"
      "    memory: {INSERT MEMORY}\n",
      "a.yaml", lint::Search::kNamed);
  CHECK(yaml.findings.empty());
  const auto shell = report_of(
      R"({"family": "{INSERTED, TOO}", "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 64}]})",
      "a.json", lint::Search::kNamed);
  REQUIRE(shell.findings.size() == 1);
  CHECK(shell.findings[0].code == "BAY102");
}

TEST_CASE("foreign kind - what ecspresso leaves out of its requests is a finding for aws-cli alone") {
  const std::string text = R"({"family": "web", "taskRoleArn": null, "tags": [],
    "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})";
  const auto codes = [&](const std::string& name, rules::DeployClient client) {
    static const lint::Tools tools;
    lint::Options options;
    options.rules.deploy_with = client;
    std::vector<std::string> found;
    for (const auto& one : lint::lint_document(text, name, options, tools).findings) found.emplace_back(one.code);
    return found;
  };
  CHECK(codes("deploy/ecs-task-def.json", rules::DeployClient::kAny).empty());
  CHECK(codes("ecs-task-def-worker.json", rules::DeployClient::kAny).empty());
  CHECK(codes("ecs-task-definition.json", rules::DeployClient::kAny) == std::vector<std::string>{"BAY020", "BAY024"});
  CHECK(codes("ecs-task-def.json", rules::DeployClient::kAwsCli) == std::vector<std::string>{"BAY020", "BAY024"});
  CHECK(codes("task.json", rules::DeployClient::kAny) == std::vector<std::string>{"BAY020", "BAY024"});
}

TEST_CASE("foreign kind - a search takes a list in capitals by what containers alone have") {
  const std::string container = R"("Name": "app", "Image": "nginx:1.27", "Memory": 256)";
  const auto kind = [](const std::string& text, lint::Search search) { return report_of(text, "x.json", search).kind; };
  using rules::FileKind;
  CHECK(kind("[{" + container + ", \"Essential\": true}]", lint::Search::kFound) == FileKind::kContainerDefinitions);
  CHECK(kind("[{" + container + "}]", lint::Search::kFound) == FileKind::kUnrecognized);
  CHECK(kind("[{" + container + "}]", lint::Search::kNamed) == FileKind::kContainerDefinitions);
  CHECK(kind("[{" + container + "}, {\"Name\": \"b\"}]", lint::Search::kNamed) == FileKind::kUnrecognized);
}

TEST_CASE("foreign kind - a key that many tools have is no evidence") {
  for (const std::string_view text : {R"({"region": "us-east-1", "cluster": "prod", "service": "web"})",
                                      R"({"environment": {"A": "b"}, "timeout": 3})",
                                      R"({"secrets": {"path": "x"}, "version": 2, "healthCheck": "/"})",
                                      R"({"family": "serif", "size": 12, "weight": 4})", R"([1, 2, 3])",
                                      R"({"services": {"api": {"clients": {}}}})", "a: {image: x, digest: y}", "{",
                                      R"({"cluster": "c", "serviceName": "s", "desiredCount": 1, "servicePort": 80,
                                          "serviceProtocol": "none", "containers": []})"}) {
    CAPTURE(text);
    CHECK(report_of(std::string(text), "x.yaml", lint::Search::kNamed).kind == rules::FileKind::kUnrecognized);
  }
}

TEST_CASE("foreign kind - a container with members of the task definition is a container") {
  const auto report =
      report_of(R"({"name": "a", "image": "x:1", "cpu": 2048, "memory": 4096, "networkMode": "awsvpc"})", "a.json",
                lint::Search::kNamed);
  CHECK(report.kind == rules::FileKind::kContainerDefinitions);
  std::vector<std::string> codes;
  for (const auto& finding : report.findings) codes.emplace_back(finding.code);
  CHECK(codes == std::vector<std::string>{"BAY009", "BAY014"});
}

TEST_CASE("foreign kind - what is not read is listed as what it is") {
  const std::string named = "{family: 'web', containerDefinitions: []}";
  const auto kind = [](const std::string& text, const std::string& name) {
    return report_of(text, name, lint::Search::kFound).kind;
  };
  using rules::FileKind;
  CHECK(kind(named, "web.json5") == FileKind::kJson5);
  CHECK(kind("local x = 1;\n" + named, "web.jsonnet") == FileKind::kJsonnet);
  CHECK(kind("{{ template \"x\" . }}\n{\"containerDefinitions\": [{{ range .x }} }", "web.json.tmpl") ==
        FileKind::kTemplate);
  CHECK(kind("{family: 'web'}", "other.json5") == FileKind::kUnrecognized);
  CHECK(kind(R"({"family": "web", "containerDefinitions": []})", "web.jsonnet") == FileKind::kTaskDefinition);
}
