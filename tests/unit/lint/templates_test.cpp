// CloudFormation and CDK: what is said of the definitions inside a template.
#include "catch.hpp"
#include "lint/files/find_files.hpp"
#include "lint/fix/fixes.hpp"
#include "lint/lint.hpp"

namespace templates_test {

namespace {

using namespace bayplan;
using rules::FileKind;

lint::FileReport report_of(std::string text, lint::Options options = {}, const std::string& name = "stack.yaml") {
  static const lint::Tools tools;
  return lint::lint_document(std::move(text), name, options, tools);
}

/// "code line message" of every finding.
std::vector<std::string> to_error(const lint::FileReport& report) {
  std::vector<std::string> told;
  for (const auto& one : report.findings) {
    const auto& source = report.document->source();
    const auto line = 1 + std::count(source.begin(), source.begin() + one.span.begin, '\n');
    told.push_back(std::string(one.code) + " " + std::to_string(line) + " " + one.message);
  }
  return told;
}

std::vector<std::string> told(std::string text, lint::Options options = {}) {
  return to_error(report_of(std::move(text), std::move(options)));
}

/// A template of one task definition: its properties, indented by nothing.
std::string task(const std::string& properties, const std::string& sections = {}) {
  std::string text = sections + "Resources:\n  Task:\n    Type: AWS::ECS::TaskDefinition\n    Properties:\n";
  for (std::size_t at = 0; at < properties.size();) {
    const auto end = std::min(properties.find('\n', at), properties.size());
    text += "      " + properties.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return text;
}

/// The template with its safe fixes.
std::string fixed(std::string text, const std::string& name = "stack.yaml") {
  return lint::fix_text(std::move(text), [&](std::string bytes) { return report_of(std::move(bytes), {}, name); })
      .bytes;
}

using Told = std::vector<std::string>;

const std::string kContainer = "ContainerDefinitions: [{Name: a, Image: \"nginx:1.27\", Memory: 512}]\n";

}  // namespace

TEST_CASE("templates - what CloudFormation makes up or converts is no fault") {
  CHECK(told(task(kContainer)).empty());
  CHECK(told(task(kContainer + "Cpu: 256\nMemory: 1024")).empty());
  CHECK(told("Resources:\n  S:\n    Type: AWS::ECS::Service\n    Properties: {TaskDefinition: web, Cluster: c}\n")
            .empty());
  CHECK(told(task("Family: [a]\n" + kContainer)) == Told{"BAY016 5 Task: Family must be a string, got a list"});
}

TEST_CASE("templates - keys are told in the spelling of the template") {
  CHECK(told(task(kContainer + "memory: 512\nCpuu: 256")) ==
        Told{"BAY013 6 Task: \"memory\" must be spelled Memory in CloudFormation",
             "BAY015 7 Task: unknown key \"Cpuu\" in task definition"});
  const auto report =
      report_of(task("Volumes: [{Name: a, EfsVolumeConfiguration: {FilesystemId: fs-12345678}}]\n" + kContainer));
  REQUIRE(to_error(report) ==
          Told{"BAY013 5 Task: \"EfsVolumeConfiguration\" must be spelled EFSVolumeConfiguration in CloudFormation"});
  REQUIRE(report.findings[0].fix);
  CHECK(report.findings[0].fix->edits[0].text == "EFSVolumeConfiguration");
  CHECK(report.findings[0].pointer == "/Resources/Task/Properties/Volumes/0/EfsVolumeConfiguration");
  CHECK(report.findings[0].help == "use EFSVolumeConfiguration");
  CHECK(report_of(task(kContainer + "memory: 512")).findings[0].help == "use Memory");
}

TEST_CASE("templates - a number in place of a text is fixed like the text") {
  const std::string fargate =
      "RequiresCompatibilities: [FARGATE]\nNetworkMode: awsvpc\n"
      "ContainerDefinitions: [{Name: a, Image: \"nginx:1.27\"}]\n";
  const auto edits = [](const lint::FileReport& report) {
    std::string words = std::to_string(report.findings.size());
    for (const auto& finding : report.findings) {
      if (!finding.fix) continue;
      const Edit& first = finding.fix->edits.at(0);
      const std::string_view source = report.document->source();
      words += " " + std::string(source.substr(first.span.begin, first.span.length())) + " -> " + first.text;
    }
    return words;
  };
  CHECK(edits(report_of(task(fargate + "Cpu: 256\nMemory: 500"))) == "1 500 -> \"512\"");
  CHECK(edits(report_of(task(fargate + "Cpu: \"256\"\nMemory: \"500\""))) == "1 \"500\" -> \"512\"");
  CHECK(edits(report_of(task(fargate + "Cpu: 300\nMemory: 1024"))) == "1 300 -> \"512\"");
  // Other resources may use the parameter.
  const std::string parameter = "Parameters:\n  Size: {Type: Number, Default: 500}\n";
  CHECK(edits(report_of(task(fargate + "Cpu: 256\nMemory: !Ref Size", parameter))) == "1");
}

TEST_CASE("templates - a wrong key is an error at every depth, since CloudFormation checks the resource schema first") {
  const auto severities = [](const std::string& properties) {
    std::vector<Severity> result;
    for (const auto& one : report_of(task(properties)).findings) result.push_back(one.severity);
    return result;
  };
  const std::string container = "ContainerDefinitions: [{Name: a, Image: \"nginx:1.27\", Memory: 512, ";
  CHECK(severities(kContainer + "cpu: 256") == std::vector{Severity::kError});
  CHECK(severities(kContainer + "Cpuu: 256") == std::vector{Severity::kError});
  for (const auto* member : {"cpu: 256}]", "Enviroment: []}]", "Read_Only_Root_Filesystem: true}]", "Host: {}}]"}) {
    CAPTURE(member);
    CHECK(severities(container + member) == std::vector{Severity::kError});
  }
  CHECK(severities(container + "cpu: 1, user: a, hostname: b, privileged: false}]") == std::vector{Severity::kError});
  CHECK(severities(container + "Newer: true}]") == std::vector{Severity::kWarning});
}

TEST_CASE("templates - an image that the GitHub action writes may be absent or empty") {
  const lint::Tools tools;
  lint::Options options;
  for (const std::string image : {"", R"("image": "", )"}) {
    CAPTURE(image);
    const auto text = R"({"family": "a", "containerDefinitions": [{"name": "a", )" + image + R"("memory": 256}]})";
    options.rules.deploy_with = rules::DeployClient::kAny;
    CHECK(lint::lint_document(text, "a.json", options, tools).findings.size() == 1);
    options.rules.deploy_with = rules::DeployClient::kGithubAction;
    CHECK(lint::lint_document(text, "a.json", options, tools).findings.empty());
  }
}

TEST_CASE("templates - Terraform takes a null in a bare list for absent, and the AWS CLI refuses it") {
  const std::string list = R"([{"name": "a", "image": "nginx:1.27", "memory": 256, "command": null}])";
  lint::Options options;
  const lint::Tools tools;
  const auto codes = [&] {
    std::vector<std::string> result;
    for (const auto& one : lint::lint_document(list, "list.json", options, tools).findings)
      result.emplace_back(one.code);
    return result;
  };
  CHECK(codes() == std::vector<std::string>{"BAY009"});
  options.rules.deploy_with = rules::DeployClient::kAwsCli;
  CHECK(codes() == std::vector<std::string>{"BAY009", "BAY020"});
}

TEST_CASE("templates - what is not known is told as it is written") {
  const auto report = report_of(task(kContainer + "TaskRoleArn: !GetAtt Role.Arn"));
  REQUIRE_FALSE(report.skipped.empty());
  CHECK(report.skipped[0].because == "!GetAtt Role.Arn");
}

TEST_CASE("templates - a definition of the API inside a template is one fault with one fix") {
  const auto report =
      report_of(task("family: web\ncontainerDefinitions: [{name: a, image: \"nginx:1.27\", memory: 512}]"));
  REQUIRE(to_error(report) ==
          Told{"BAY013 5 Task: \"family\" and 4 more keys use ECS API spelling; CloudFormation requires Family"});
  REQUIRE(report.findings[0].fix);
  CHECK(report.findings[0].fix->safe);
  CHECK(report.findings[0].fix->edits.size() == 5);
}

TEST_CASE("templates - a key is not renamed to one that is there already") {
  const auto report =
      report_of(task("Family: web\nContainerDefinitions: [{Name: a, name: b, Image: \"nginx:1.27\", Memory: 512}]"));
  REQUIRE(to_error(report) == Told{"BAY013 6 Task: \"name\" must be spelled Name in CloudFormation"});
  CHECK_FALSE(report.findings[0].fix);
}

TEST_CASE("templates - a fix replaces what is written, never a reference") {
  const auto referred =
      report_of(task("NetworkMode: !Ref Mode\n" + kContainer, "Parameters: {Mode: {Type: String, Default: AWSVPC}}\n"));
  REQUIRE(to_error(referred) == Told{"BAY022 6 Task: invalid NetworkMode \"AWSVPC\""});
  CHECK_FALSE(referred.findings[0].fix);
  const auto direct = report_of(task("NetworkMode: AWSVPC\n" + kContainer));
  REQUIRE(direct.findings.size() == 1);
  REQUIRE(direct.findings[0].fix);
  CHECK(direct.findings[0].fix->edits[0].text == "\"awsvpc\"");
}

TEST_CASE("templates - a list or map of literals is written anew, in the spelling of the template") {
  const std::string head =
      "Family: web\nRequiresCompatibilities: [EC2]\nContainerDefinitions:\n  - Name: a\n    Image: !Ref Image\n";
  CHECK(fixed(task(head + R"(    Memory: 512
    Environment:
      PORT: 80
      HOST: web
    Ulimits:
      - nofile: 1024
    PortMappings: ["8080:80/udp"]
    DockerLabels:
      - Name: team
        Value: shop
    HealthCheck: CMD-SHELL, curl -f http://localhost/ || exit 1)")) == task(head + R"(    Memory: 512
    Environment:
      - Name: PORT
        Value: "80"
      - Name: HOST
        Value: web
    Ulimits:
      - Name: nofile
        SoftLimit: 1024
        HardLimit: 1024
    PortMappings: [{ContainerPort: 80, HostPort: 8080, Protocol: udp}]
    DockerLabels:
      team: shop
    HealthCheck: {"Command": ["CMD-SHELL", "curl -f http://localhost/ || exit 1"]})"));
}

TEST_CASE("templates - a template in JSON is written anew as one in YAML is") {
  const std::string head = R"({"Resources": {"Task": {"Type": "AWS::ECS::TaskDefinition", "Properties": {
  "Family": "web", "RequiresCompatibilities": ["EC2"], "ContainerDefinitions": [{
    "Name": {"Fn::Sub": "${AWS::StackName}-a"}, "Image": "nginx:1.27", "Memory": 512,
    )";
  CHECK(
      fixed(head + R"("Environment": {"PORT": "80"}, "ExtraHosts": ["db:10.0.0.7"]}]}}}})", "stack.json") ==
      head +
          R"("Environment": [{"Name": "PORT", "Value": "80"}], "ExtraHosts": [{"Hostname": "db", "IpAddress": "10.0.0.7"}]}]}}}})");
  const std::string referred = head + R"("Environment": {"PORT": {"Ref": "Port"}}}]}}}})";
  CHECK(fixed(referred, "stack.json") == referred);
}

TEST_CASE("templates - a list or map with a reference in it stays") {
  const std::string head =
      "Family: web\nRequiresCompatibilities: [EC2]\nContainerDefinitions:\n  - Name: a\n    Image: nginx:1.27\n";
  for (const std::string text : {"    Memory: 512\n    Environment: {PORT: \"80\", HOST: !Ref Host}",
                                 "    Memory: 512\n    Environment: [{PORT: !Ref Port}]",
                                 "    Memory: 512\n    Environment: {PORT: \"80\", HOST: {Ref: Host}}",
                                 "    Memory: 512\n    DockerLabels: [{Name: team, Value: !Sub \"${Team}\"}]"}) {
    INFO(text);
    CHECK(fixed(task(head + text)) == task(head + text));
  }
}

TEST_CASE("templates - parameters of the run decide") {
  const std::string parameters = "Parameters: {Size: {Type: Number}}\n";
  const std::string text =
      task("ContainerDefinitions: [{Name: a, Image: \"nginx:1.27\", Memory: !Ref Size}]", parameters);
  CHECK(told(text).empty());
  lint::Options options;
  options.parameters = {{"Size", "2"}};
  CHECK(told(text, options) == Told{"BAY208 6 Task: memory 2 MiB is below the minimum of a container"});
}

TEST_CASE("templates - nulls are refused, and what is open is not a placeholder of the user") {
  CHECK(told(task(kContainer + "TaskRoleArn:")) ==
        Told{"BAY020 6 Task: TaskRoleArn is null, which CloudFormation rejects"});
  CHECK(report_of(task(kContainer + "TaskRoleArn:")).findings[0].severity == Severity::kError);
  lint::Options options;
  options.selection.extend_select = {"BAY008"};
  options.rules.strict_unknown = true;
  CHECK(told(task(kContainer + "TaskRoleArn: !GetAtt Role.Arn"), options).empty());
}

TEST_CASE("templates - an element that may come silences what it might settle") {
  const std::string sections = "Parameters: {Env: {Type: String}}\nConditions: {P: !Equals [!Ref Env, p]}\n";
  CHECK(told(task("Volumes: [!If [P, {Name: v}, !Ref AWS::NoValue]]\n"
                  "ContainerDefinitions:\n"
                  "  - Name: a\n    Image: nginx:1.27\n    Memory: 512\n    Essential: false\n"
                  "    MountPoints: [{SourceVolume: v, ContainerPath: /v}]\n"
                  "    DependsOn: [{ContainerName: b, Condition: START}]\n"
                  "    VolumesFrom: [{SourceContainer: b}]\n    Links: [b]\n"
                  "  - !If [P, {Name: b, Image: \"nginx:1.27\", Memory: 512}, !Ref AWS::NoValue]\n",
                  sections))
            .empty());
  CHECK(told(task("RequiresCompatibilities: [!If [P, FARGATE, EC2]]\n" + kContainer, sections)).empty());
  CHECK(
      told(
          task(
              "RequiresCompatibilities: !If [P, [FARGATE], [EC2]]\nVolumes: !If [P, [], []]\n"
              "ContainerDefinitions: [{Name: a, Image: \"nginx:1.27\", Memory: 512, MountPoints: [{SourceVolume: v, "
              "ContainerPath: /v}], PortMappings: [!If [P, {ContainerPort: 1}, {ContainerPort: 2}]], Environment: [!If "
              "[P, {Name: A, Value: b}, !Ref AWS::NoValue]]}]",
              sections))
          .empty());
}

TEST_CASE("templates - a service is held against the definition of its template") {
  const std::string text = task("NetworkMode: awsvpc\n" + kContainer) +
                           "  Web:\n    Type: AWS::ECS::Service\n    Properties: {TaskDefinition: !Ref Task}\n";
  CHECK(told(text) == Told{"BAY1116 9 Web: subnets are required because Task uses NetworkMode awsvpc (line 5)"});
}

TEST_CASE("templates - a broken template is told where it breaks") {
  CHECK(told("AWSTemplateFormatVersion: '2010-09-09'\nParameters:\n  A: 'it's'\n").at(0).starts_with("BAY006 3 "));
  CHECK(told(task(kContainer + "Cpu: [1")).at(0).starts_with("BAY006 6 "));
}

TEST_CASE("templates - files are known by what they hold") {
  const auto kind = [](const std::string& text) { return report_of(text).kind; };
  CHECK(kind(task(kContainer)) == FileKind::kCloudFormation);
  CHECK(kind(task(kContainer) + "    Metadata: {\"aws:cdk:path\": S/Task/Resource}\n") == FileKind::kCdk);
  const auto foreign = report_of("Resources: {B: {Type: AWS::S3::Bucket}}\n");
  CHECK(foreign.kind == FileKind::kCloudFormation);
  CHECK_FALSE(lint::is_linted(foreign));
  CHECK(lint::may_be_linted("Type: AWS::ECS::Service"));
  CHECK_FALSE(lint::may_be_linted("Type: AWS::S3::Bucket"));
}

TEST_CASE("templates - the construct of the CDK is named") {
  const auto report =
      report_of(task("ContainerDefinitions: []") + "    Metadata: {\"aws:cdk:path\": S/Task/Resource}\n");
  REQUIRE(report.findings.size() == 1);
  REQUIRE(report.findings[0].related.size() == 1);
  const Span span = report.findings[0].related[0].span;
  CHECK(report.document->source().substr(span.begin, span.length()) == "S/Task/Resource");
}

TEST_CASE("templates - a service finds the definition of its template by family too") {
  const std::string properties = kContainer + "Family: web\nNetworkMode: bridge\n";
  const auto with_service = [&](const std::string& reference) {
    return told(task(properties) +
                "  Service:\n    Type: AWS::ECS::Service\n    Properties:\n      LaunchType: FARGATE\n"
                "      NetworkConfiguration: {AwsvpcConfiguration: {Subnets: [subnet-0123456789abcdef0]}}\n"
                "      TaskDefinition: " +
                reference + "\n");
  };
  const auto by_id = with_service("!Ref Task");
  REQUIRE(by_id.size() == 1);
  CHECK(by_id.front() == "BAY1120 11 Service: Task cannot run on FARGATE: its NetworkMode is bridge (line 7)");
  CHECK(with_service("web") == by_id);
  CHECK(with_service("web:3").empty());  // a revision that is there already
  CHECK(with_service("other").empty());
}

TEST_CASE("templates - what a broken line hides is not called missing") {
  const auto all = told(
      "Resources:\n  Task:\n    Type: AWS::ECS::TaskDefinition\n    Properties:\n      ContainerDefinitions:\n"
      "        - Name: x\n         Image: y\n");
  REQUIRE(all.size() == 1);
  CHECK(all[0].substr(0, 8) == "BAY006 7");
}

}  // namespace templates_test
