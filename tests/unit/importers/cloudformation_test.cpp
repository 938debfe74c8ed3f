#include "importers/cloudformation.hpp"

#include "catch.hpp"
#include "importers/in_words.hpp"
#include "shape/request_schemas.hpp"
#include "text/read.hpp"

using namespace bayplan;
using importers::ParameterValues;

namespace {

struct Read {
  std::unique_ptr<const text::Document> document;
  std::vector<importers::Subject> subjects;

  std::string_view written_at(std::string_view pointer) const {
    text::Value at = subjects.at(0).document->root();
    for (std::size_t begin = 1; begin < pointer.size();) {
      const auto end = std::min(pointer.find('/', begin), pointer.size());
      const auto token = pointer.substr(begin, end - begin);
      at = at.is_array() ? at.at(static_cast<std::size_t>(std::stoul(std::string(token)))) : at.find(token);
      begin = end + 1;
    }
    return std::string_view(document->source()).substr(at.span().begin, at.span().length());
  }
};

Read read(std::string text, const ParameterValues& parameters = {}) {
  static const shape::RequestSchemas schemas;
  Read result{text::read_document(std::move(text), {}), {}};
  result.subjects = importers::subjects_of_template(*result.document, parameters, schemas);
  return result;
}

/// All subjects, one after the other: "Task {...} Web {...}".
std::string in_words(const Read& read) {
  std::string result;
  for (const auto& subject : read.subjects) {
    result += (result.empty() ? "" : " ") + subject.name + " " + test::in_words(subject.document->root());
  }
  return result;
}

std::string made(std::string text, const ParameterValues& parameters = {}) {
  return in_words(read(std::move(text), parameters));
}

/// What ECS gets for the value of one key of a task definition, in addition to other sections of the template.
std::string memory(const std::string& value, const std::string& sections = {}, const ParameterValues& parameters = {}) {
  const auto all =
      made(sections +
               "\nResources:\n  T:\n    Type: AWS::ECS::TaskDefinition\n    Properties:\n      Memory: " + value + "\n",
           parameters);
  const std::string begin = "T {memory: ";
  return all.starts_with(begin) ? all.substr(begin.size(), all.size() - begin.size() - 1) : all;
}

std::string in_json(const std::string& value, const std::string& sections = {}) {
  const auto all =
      made(R"({)" + sections + R"("Resources": {"T": {"Type": "AWS::ECS::TaskDefinition", "Properties": {"Memory": )" +
           value + "}}}}");
  const std::string begin = "T {memory: ";
  return all.starts_with(begin) ? all.substr(begin.size(), all.size() - begin.size() - 1) : all;
}

const std::string kParameters = R"(
Parameters:
  Size: {Type: Number, Default: 512}
  Image: {Type: String}
  Env: {Type: String, AllowedValues: [dev, prod]}
  Nodes: {Type: CommaDelimitedList, Default: "a, b,c"}
  Secret: {Type: String, NoEcho: true, Default: hunter2}
  Kept: {Type: "AWS::SSM::Parameter::Value<String>", Default: /my/image}
  Blank: {Type: String, Default: ""}
)";

}  // namespace

TEST_CASE("a template gives its task definitions and services in ECS spelling", "[importers]") {
  CHECK(made(R"(
AWSTemplateFormatVersion: "2010-09-09"
Resources:
  Cluster: {Type: AWS::ECS::Cluster}
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Family: train
      Volumes:
        - Name: data
          EFSVolumeConfiguration: {FilesystemId: fs-1, AuthorizationConfig: {IAM: ENABLED}}
        - Name: share
          FSxWindowsFileServerVolumeConfiguration: {FileSystemId: fs-2}
      ProxyConfiguration:
        ProxyConfigurationProperties: [{Name: AppPorts, Value: "80"}]
      ContainerDefinitions:
        - Name: main
          DockerLabels: {Com.Example: x, Fn: y}
          LogConfiguration: {LogDriver: awslogs, Options: {awslogs-group: g, Mode: z}}
  Web:
    Type: AWS::ECS::Service
    Properties:
      EnableECSManagedTags: true
      PlacementStrategies: [{Type: binpack, Field: memory}]
      NetworkConfiguration: {AwsvpcConfiguration: {AssignPublicIp: ENABLED}}
      ForceNewDeployment: {EnableForceNewDeployment: true}
)") == "Cluster {} Task {family: 'train', volumes: [{name: 'data', efsVolumeConfiguration: {fileSystemId: 'fs-1', "
       "authorizationConfig: {iam: 'ENABLED'}}}, {name: 'share', fsxWindowsFileServerVolumeConfiguration: "
       "{fileSystemId: 'fs-2'}}], proxyConfiguration: {properties: [{name: 'AppPorts', value: '80'}]}, "
       "containerDefinitions: [{name: 'main', dockerLabels: {Com.Example: 'x', Fn: 'y'}, logConfiguration: {logDriver: "
       "'awslogs', options: {awslogs-group: 'g', Mode: 'z'}}}]} "
       "Web {enableECSManagedTags: true, placementStrategy: [{type: 'binpack', field: 'memory'}], "
       "networkConfiguration: {awsvpcConfiguration: {assignPublicIp: 'ENABLED'}}}");
}

TEST_CASE("a key in other capitals is read as what it means, and one that nobody knows stays", "[importers]") {
  CHECK(
      made(R"({"Resources": {"T": {"Type": "AWS::ECS::TaskDefinition", "Properties": {
    "family": "x", "NetworkModus": "host", "GPUs": 1,
    "Volumes": [{"EfsVolumeConfiguration": {}}, {"EFSVolumeConfiguration": {"FileSystemId": "fs-1"}}],
    "ContainerDefinitions": [{"memory": 1, "Entrypoint": ["a"], "cpuu": 3}]}}}})") ==
      "T {family: 'x', networkModus: 'host', gPUs: 1, volumes: [{efsVolumeConfiguration: {}}, "
      "{efsVolumeConfiguration: {fileSystemId: 'fs-1'}}], containerDefinitions: [{memory: 1, entryPoint: ['a'], cpuu: "
      "3}]}");
  CHECK(
      made("Resources: {S: {Type: AWS::ECS::Service, Properties: {PlacementStrategy: [], placementStrategies: []}}}") ==
      "S {placementStrategy: [], placementStrategy: []}");
}

TEST_CASE("scalars take the type that the schema wants", "[importers]") {
  CHECK(made(R"(
Resources:
  T:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Cpu: 256
      Memory: 512
      ContainerDefinitions:
        - Cpu: "128"
          Memory: 512MB
          Essential: "true"
          Privileged: yes
          ReadonlyRootFilesystem: nope
          Environment: [{Name: A, Value: true}, {Name: B, Value: 1.5}]
          DockerLabels: {x: 1}
)") == "T {cpu: '256', memory: '512', containerDefinitions: [{cpu: 128, memory: '512MB', essential: true, privileged: "
       "true, readonlyRootFilesystem: 'nope', environment: [{name: 'A', value: 'true'}, {name: 'B', value: '1.5'}], "
       "dockerLabels: {x: '1'}}]}");
}

TEST_CASE("Ref tells a parameter by its value or default, and nothing else", "[importers]") {
  CHECK(memory("!Ref Size", kParameters) == "'512'");
  CHECK(memory("{Ref: Size}", kParameters) == "'512'");
  CHECK(memory("!Ref Size", kParameters, {{"Size", "1024"}}) == "'1024'");
  CHECK(memory("!Ref Image", kParameters) == "<!Ref Image>");
  CHECK(memory("!Ref Env", kParameters) == "<!Ref Env>");
  CHECK(memory("!Ref Nodes", kParameters) == "['a', 'b', 'c']");
  CHECK(memory("!Ref Secret", kParameters) == "<!Ref Secret>");
  CHECK(memory("!Ref Secret", kParameters, {{"Secret", "s"}}) == "<!Ref Secret>");
  CHECK(memory("!Ref Kept", kParameters) == "<!Ref Kept>");
  CHECK(memory("!Ref Blank", kParameters) == "<!Ref Blank>");
  CHECK(memory("!Ref Blank", kParameters, {{"Blank", ""}}) == "''");
  CHECK(memory("!Ref Nobody", kParameters, {{"Nobody", "1"}}) == "<!Ref Nobody>");
  CHECK(memory("!Ref AWS::Region") == "<!Ref AWS::Region>");
  CHECK(memory("!Ref AWS::Region", "", {{"AWS::Region", "eu-west-1"}}) == "'eu-west-1'");
  CHECK(memory("!Ref AWS::NoValue") == "T {}");
  CHECK(in_json(R"({"Ref": "Size"})", R"("Parameters": {"Size": {"Type": "Number", "Default": 2048}},)") == "'2048'");
}

TEST_CASE("Sub fills in what is known and keeps the rest", "[importers]") {
  CHECK(memory("!Sub \"${Size}M\"", kParameters) == "'512M'");
  CHECK(memory("!Sub \"${AWS::AccountId}.dkr/${Image}:${Size}\"", kParameters) ==
        "'${AWS::AccountId}.dkr/${Image}:512'");
  CHECK(memory("!Sub \"${Role.Arn} ${!Kept} ${\"", kParameters) == "'${Role.Arn} ${Kept} ${'");
  CHECK(memory("!Sub [\"${Size}-${Mine}-${Other}\", {Mine: !Ref Size, Size: 1, Other: !Ref Image}]", kParameters) ==
        "'1-512-${Other}'");
  CHECK(in_json(R"({"Fn::Sub": ["${A}", {"A": "x"}]})") == "'x'");
  CHECK(memory("!Sub [1, 2, 3]") == "'1'");
  CHECK(memory("!Sub {a: b}") == "<!Sub>");
}

TEST_CASE("Join, Split and Select work on lists", "[importers]") {
  CHECK(memory("!Join ['-', [a, !Ref Size, !Ref AWS::NoValue, !Ref Image]]", kParameters) == "'a-512-${Image}'");
  CHECK(memory("!Join ['', !Ref Nodes]", kParameters) == "'abc'");
  CHECK(memory("!Join ['', !Ref Image]", kParameters) == "<!Join ['', !Ref Image]>");
  CHECK(memory("!Join ['', [!GetAtt Repo.Uri, ':1', !ImportValue x]]") == "'${Repo.Uri}:1${ImportValue x}'");
  CHECK(memory("!Split [':', 'a:b:']") == "['a', 'b', '']");
  CHECK(memory("!Split [':', !Ref Image]", kParameters) == "<!Split [':', !Ref Image]>");
  CHECK(memory("!Select [1, !Split [':', 'a:b']]") == "'b'");
  CHECK(memory("!Select ['0', [x, y]]") == "'x'");
  CHECK(memory("!Select [0, [!Ref Image, y]]", kParameters) == "<!Ref Image>");
  CHECK(memory("!Select [2, [x, y]]") == "<!Select [2, [x, y]]>");
  CHECK(memory("!Select [-1, [x, y]]") == "<!Select [-1, [x, y]]>");
  CHECK(in_json(R"({"Fn::Join": ["", ["a", {"Fn::Select": [0, {"Fn::Split": ["/", "x/y"]}]}]]})") == "'ax'");
}

TEST_CASE("FindInMap looks into mappings when all names are known", "[importers]") {
  const std::string map =
      kParameters + "Mappings: {Sizes: {dev: {Memory: 512, Zones: [a, b]}, prod: {Memory: 4096}}}\n";
  CHECK(memory("!FindInMap [Sizes, dev, Memory]", map) == "'512'");
  CHECK(memory("!FindInMap [Sizes, !Ref Env, Memory]", map) == "<!FindInMap [Sizes, !Ref Env, Memory]>");
  CHECK(memory("!FindInMap [Sizes, !Ref Env, Memory]", map, {{"Env", "prod"}}) == "'4096'");
  CHECK(memory("!FindInMap [Sizes, dev, Zones]", map) == "['a', 'b']");
  CHECK(memory("!FindInMap [Sizes, test, Memory]", map) == "<!FindInMap [Sizes, test, Memory]>");
  CHECK(memory("!FindInMap [Sizes, test, Memory, {DefaultValue: 64}]", map) == "'64'");
  CHECK(in_json(R"({"Fn::FindInMap": ["M", "a", "b"]})", R"("Mappings": {"M": {"a": {"b": "c"}}},)") == "'c'");
}

TEST_CASE("If follows conditions that are known", "[importers]") {
  const std::string sections = kParameters + R"(
Conditions:
  IsProd: !Equals [!Ref Env, prod]
  IsNotProd: !Not [!Condition IsProd]
  IsSmall: !Equals [!Ref Size, 512]
  Both: !And [!Condition IsSmall, !Condition IsProd]
  Either: !Or [!Condition IsSmall, {Condition: IsProd}]
  Neither: !And [!Not [!Condition IsSmall], !Condition IsProd]
  Round: !Not [!Condition Trip]
  Trip: !Not [!Condition Round]
)";
  const auto decided = [&](const std::string& name, const ParameterValues& parameters = {}) {
    return memory("!If [" + name + ", 1, 2]", sections, parameters);
  };
  CHECK(decided("IsSmall") == "'1'");
  CHECK(decided("IsSmall", {{"Size", "9"}}) == "'2'");
  CHECK(decided("IsProd") == "<!If [IsProd, 1, 2]>");
  CHECK(decided("IsProd", {{"Env", "prod"}}) == "'1'");
  CHECK(decided("IsNotProd", {{"Env", "prod"}}) == "'2'");
  CHECK(decided("IsNotProd") == "<!If [IsNotProd, 1, 2]>");
  CHECK(decided("Both") == "<!If [Both, 1, 2]>");
  CHECK(decided("Both", {{"Env", "dev"}}) == "'2'");
  CHECK(decided("Either") == "'1'");
  CHECK(decided("Neither") == "'2'");
  CHECK(decided("Round") == "<!If [Round, 1, 2]>");
  CHECK(decided("Missing") == "<!If [Missing, 1, 2]>");
  CHECK(memory("!If [IsProd, 7, 7]", sections) == "'7'");
  CHECK(memory("!If [IsProd, !Ref AWS::NoValue, !Ref AWS::NoValue]", sections) == "T {}");
  CHECK(memory("!If [IsSmall, !Ref AWS::NoValue, 1]", sections) == "T {}");
  CHECK(memory("!If [IsProd, 1]", sections) == "<!If [IsProd, 1]>");
  CHECK(in_json(R"({"Fn::If": ["C", "a", "b"]})", R"("Conditions": {"C": {"Fn::Equals": ["x", "x"]}},)") == "'a'");
}

TEST_CASE("a list keeps a place for an element that may come", "[importers]") {
  CHECK(made(R"(
Parameters: {Env: {Type: String}}
Conditions: {IsProd: !Equals [!Ref Env, prod], IsTrue: !Equals [1, 1]}
Resources:
  T:
    Type: AWS::ECS::TaskDefinition
    Properties:
      RequiresCompatibilities: [!If [IsProd, FARGATE, !Ref AWS::NoValue], !If [IsTrue, EC2, X], !Ref AWS::NoValue]
      ContainerDefinitions: [!If [IsTrue, {Name: a, Cpu: "1"}, {}]]
)") == "T {requiresCompatibilities: [<!If [IsProd, FARGATE, !Ref AWS::NoValue]>, 'EC2'], containerDefinitions: [{name: "
       "'a', cpu: 1}]}");
}

TEST_CASE("what is not known of a command is not the shell's", "[importers]") {
  CHECK(made(R"(
Parameters: {Size: {Type: Number, Default: 2}}
Resources:
  T:
    Type: AWS::ECS::TaskDefinition
    Properties:
      ContainerDefinitions:
        - Command: [!Sub "run ${Size}", !Sub "run ${AWS::Region}", "run ${HOME}"]
          HealthCheck: {Command: !Join [" ", [CMD, !Ref X]], Interval: 5}
          User: !Sub "${AWS::Region}-user"
)") == "T {containerDefinitions: [{command: ['run 2', <run ${AWS::Region}>, 'run ${HOME}'], healthCheck: {command: "
       "<CMD ${X}>, interval: 5}, user: '${AWS::Region}-user'}]}");
}

TEST_CASE("resources of a false condition and of macros are left out", "[importers]") {
  CHECK(made(R"(
Conditions: {Never: !Equals [1, 2]}
Resources:
  A: {Type: AWS::ECS::TaskDefinition, Condition: Never, Properties: {Family: a}}
  B: {Type: AWS::ECS::TaskDefinition, Condition: Unknown, Properties: {Family: b}}
  C: {Type: AWS::ECS::TaskDefinition, Properties: {Family: c, "Fn::Transform": {Name: AWS::Include}}}
  D: {Type: AWS::ECS::TaskDefinition, Properties: !Transform {Name: X}}
  E: {Type: AWS::ECS::TaskDefinition}
  F: {Type: AWS::ECS::TaskDefinition, Properties: {RuntimePlatform: {"Fn::ForEach::X": [], CpuArchitecture: ARM64}}}
  "Fn::ForEach::Loop": [N, [1], {"T${N}": {Type: AWS::ECS::TaskDefinition, Properties: {Family: z}}}]
)") == "B {family: 'b'} F {runtimePlatform: <Fn::ForEach::X>}");
}

TEST_CASE("a service names the task definition of its template", "[importers]") {
  CHECK(made(R"(
Resources:
  A: {Type: AWS::ECS::Service, Properties: {TaskDefinition: !Ref Task}}
  B: {Type: AWS::ECS::Service, Properties: {TaskDefinition: {"Fn::GetAtt": [Task, TaskDefinitionArn]}}}
  C: {Type: AWS::ECS::Service, Properties: {TaskDefinition: !Ref Cluster, Cluster: !Ref Task}}
  Task: {Type: AWS::ECS::TaskDefinition, Properties: {}}
  Cluster: {Type: AWS::ECS::Cluster}
)") == "A {taskDefinition: 'Task'} B {taskDefinition: 'Task'} C {taskDefinition: <!Ref Cluster>, cluster: <!Ref Task>} "
       "Task {} Cluster {}");
}

TEST_CASE("spans and origins show the place of use", "[importers]") {
  const auto yaml = read(R"(
Parameters: {Size: {Type: Number, Default: 512}, L: {Type: CommaDelimitedList, Default: "EC2,FARGATE"}}
Resources:
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Memory: !Ref Size
      Cpu: !If [X, 1, 1]
      Family: "we\x62"
      RequiresCompatibilities: !Ref L
)");
  CHECK(yaml.written_at("/memory") == "Size");
  CHECK(yaml.written_at("/cpu") == "[X, 1, 1]");
  CHECK(yaml.written_at("/family") == "\"we\\x62\"");
  CHECK(yaml.written_at("/requiresCompatibilities/1") == "L");
  const auto& subject = yaml.subjects.at(0);
  CHECK(subject.name == "Task");
  CHECK(subject.spelling == importers::Spelling::kPascalCase);
  CHECK(subject.origins.size() == subject.document->node_count());
  CHECK(importers::pointer_in_file(subject, *yaml.document, "/memory") == "/Resources/Task/Properties/Memory");
  CHECK(importers::pointer_in_file(subject, *yaml.document, "/requiresCompatibilities/1") ==
        "/Resources/Task/Properties/RequiresCompatibilities");
  CHECK(importers::pointer_in_file(subject, *yaml.document, "/ephemeralStorage") ==
        "/Resources/Task/Properties/EphemeralStorage");
  CHECK(importers::pointer_in_file(subject, *yaml.document, "/networkMode") ==
        "/Resources/Task/Properties/NetworkMode");
  const auto json = read(
      R"({"Parameters": {"S": {"Default": 1}}, "Resources": {"T": {"Type": "AWS::ECS::TaskDefinition", "Properties":
         {"Memory": {"Ref": "S"}, "Cpu": {"Fn::Sub": "${S}"}}}}})");
  CHECK(json.written_at("/memory") == R"({"Ref": "S"})");
  CHECK(json.written_at("/cpu") == R"({"Fn::Sub": "${S}"})");
}

TEST_CASE("an absent member is named as the template would spell it, but not in a map of the user", "[importers]") {
  const auto yaml = read(R"(
Resources:
  Task:
    Type: AWS::ECS::TaskDefinition
    Properties:
      Volumes: [{EFSVolumeConfiguration: {}}]
      ContainerDefinitions: [{LogConfiguration: {Options: {awslogs-group: g}}}]
)");
  const auto pointer = [&](std::string_view made_pointer) {
    return importers::pointer_in_file(yaml.subjects.at(0), *yaml.document, made_pointer);
  };
  const std::string properties = "/Resources/Task/Properties";
  CHECK(pointer("/volumes/0/efsVolumeConfiguration/fileSystemId") ==
        properties + "/Volumes/0/EFSVolumeConfiguration/FilesystemId");
  CHECK(pointer("/containerDefinitions/0/logConfiguration/options/mode") ==
        properties + "/ContainerDefinitions/0/LogConfiguration/Options/mode");
  CHECK(pointer("/containerDefinitions/0/logConfiguration/logDriver") ==
        properties + "/ContainerDefinitions/0/LogConfiguration/LogDriver");
}

TEST_CASE("a subject outlives the document of its file", "[importers]") {
  auto yaml =
      read(R"(Resources: {T: {Type: AWS::ECS::TaskDefinition, Properties: {Family: "we\x62", "M\x65mory": 1}}})");
  yaml.document.reset();
  CHECK(in_words(yaml) == "T {family: 'web', memory: '1'}");
}

TEST_CASE("what is no template gives nothing", "[importers]") {
  CHECK(made("[]").empty());
  CHECK(made("").empty());
  CHECK(made("Resources: [1]").empty());
  CHECK(made("Resources: {A: 1, B: {Type: [x]}, C: {Type: AWS::ECS::TaskDefinition, Properties: 3}}").empty());
}

TEST_CASE("a template that makes too much is unknown from there on", "[importers]") {
  std::string pattern;
  for (int i = 0; i < 5000; ++i) pattern += "${Long}";
  const std::string sections = "Parameters: {Long: {Type: String, Default: " + std::string(5000, 'x') + "}}";
  CHECK(memory("!Sub \"" + pattern + "\"", sections) == "<!Sub>");

  std::string chain = "Conditions:\n  C0: !Equals [1, 1]\n";
  for (int i = 1; i < 100; ++i) {
    const std::string before = "!Condition C" + std::to_string(i - 1);
    chain += "  C" + std::to_string(i) + ": !And [" + before + ", " + before + "]\n";
  }
  CHECK(memory("!If [C50, 1, 2]", chain) == "'1'");
  CHECK(memory("!If [C99, 1, 2]", chain) == "<!If [C99, 1, 2]>");
}

TEST_CASE("templates of the CDK and parameters are told", "[importers]") {
  const auto find_root_event = [](const Read& one) { return one.document->root(); };
  const auto cdk = read(R"({"Resources": {"T": {"Type": "X", "Metadata": {"aws:cdk:path": "S/T/Resource"}}}})");
  const auto plain = read(R"({"Resources": {"T": {"Type": "AWS::ECS::Service", "Metadata": {"a": 1}}}})");
  CHECK(importers::is_cdk(find_root_event(cdk)));
  CHECK_FALSE(importers::is_cdk(find_root_event(plain)));
  CHECK_FALSE(importers::has_ecs_resources(find_root_event(cdk)));
  CHECK(importers::has_ecs_resources(find_root_event(plain)));
  CHECK(importers::is_cloudformation(find_root_event(plain)));
  CHECK_FALSE(importers::is_cloudformation({}));

  const auto template_text =
      read("Parameters: {Env: {Type: String, AllowedValues: [dev, prod]}, Size: {Type: Number}}");
  const auto check = importers::check_parameters(
      find_root_event(template_text), {{"Env", "test"}, {"Size", "1"}, {"Other", "x"}, {"AWS::Region", "eu-west-1"}});
  CHECK(check.declared == std::vector<std::string>{"AWS::Region", "Env", "Size"});
  REQUIRE(check.refused.size() == 1);
  CHECK(check.refused[0].name == "Env");
  CHECK(check.refused[0].allowed == std::vector<std::string_view>{"dev", "prod"});
}
