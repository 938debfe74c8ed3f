#include "lint/files/foreign_kind.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "importers/definition_file.hpp"

namespace bayplan::lint {
namespace {

using rules::FileKind;
using text::Value;

/// Keys by which a kind of file is recognized: those of the root object, or of each element of the root array. A suffix
/// names the type of the value where it matters: {} an object, [] an array, = a scalar. Keys are case-sensitive.
struct Signature {
  ForeignKind kind;
  std::array<std::string_view, 3> all;   ///< Required keys; an empty string requires none.
  std::array<std::string_view, 10> any;  ///< At least one of these is required, if there are any.
};

// A row requires two keys at least, except for a key that no other tool has: settings of all kinds have a `name`, a
// `version` or an `image`. docs/false-positives.md says on how many files the rows were tried.
constexpr Signature kObjects[] = {
    {{"GitHub Actions workflow", ""}, {"jobs{}"}, {"on", "true", "name="}},
    {{"GitHub action", ""}, {"runs{}", "name="}, {"description=", "inputs{}", "outputs{}", "branding{}"}},
    {{"CircleCI configuration", ""}, {"version", "jobs{}"}, {}},
    {{"CircleCI configuration", ""}, {"version", "workflows{}"}, {}},
    {{"CodeBuild build specification", ""}, {"version", "phases{}"}, {}},
    {{"CodeBuild build specification", ""}, {"version", "batch{}"}, {}},
    {{"CodeDeploy AppSpec file", "lint the task definition that it deploys"}, {"version", "Resources[]"}, {}},
    {{"CodeDeploy AppSpec file", "lint the task definition that it deploys"},
     {"version", "hooks{}"},
     {"os=", "files[]"}},
    {{"GitLab CI configuration", ""}, {"stages[]"}, {}},
    {{"Azure Pipelines definition", ""}, {"steps[]"}, {"pool", "trigger"}},
    {{"Azure Pipelines definition", ""}, {"jobs[]"}, {}},
    {{"Bitbucket Pipelines configuration", ""}, {"pipelines{}"}, {}},
    {{"Drone pipeline", ""}, {"kind=", "steps[]"}, {}},
    {{"Buildkite pipeline", ""}, {"steps[]"}, {}},
    {{"Travis CI configuration", ""},
     {"language"},
     {"script", "install", "before_install", "before_script", "matrix", "env"}},
    {{"Kubernetes manifest", "write an ECS task definition with containerDefinitions"}, {"apiVersion=", "kind="}, {}},
    {{"Helm chart", ""}, {"apiVersion=", "name=", "version="}, {}},
    {{"npm package", ""},
     {"name="},
     {"scripts{}", "dependencies{}", "devDependencies{}", "peerDependencies{}", "workspaces[]", "main="}},
    {{"lock file", ""}, {"lockfileVersion"}, {}},
    {{"Composer package", ""}, {"require{}"}, {"autoload{}", "name=", "require-dev{}"}},
    {{"TypeScript configuration", ""}, {"compilerOptions{}"}, {}},
    {{"ESLint configuration", ""}, {"rules{}"}, {"extends", "env{}", "plugins[]", "parserOptions{}"}},
    {{"Serverless Framework service", ""}, {"service", "provider"}, {"functions", "resources", "plugins", "custom"}},
    {{"Pulumi project", ""}, {"runtime", "name="}, {}},
    {{"Terraform configuration in JSON", "lint its plan: terraform show -json PLAN > plan.json"},
     {"resource{}"},
     {"provider{}", "terraform{}", "variable{}", "//", "output{}", "data{}", "locals{}"}},
    {{"CDK manifest", "lint the template next to it"}, {"version=", "artifacts{}"}, {}},
    {{"CDK asset manifest", "lint the template next to it"}, {"version=", "dockerImages{}"}, {}},
    {{"CDK configuration", "lint what cdk synth writes"}, {"app=", "context{}"}, {}},
    {{"CDK configuration", "lint what cdk synth writes"}, {"app=", "watch{}"}, {}},
    {{"OpenAPI document", ""}, {"paths{}"}, {"openapi=", "swagger="}},
    {{"JSON Schema", ""}, {"$schema=", "properties{}"}, {}},
    {{"JSON Schema", ""}, {"$schema="}, {"definitions{}", "$defs{}"}},
    {{"JSON Schema", ""}, {}, {"allOf[]", "anyOf[]", "oneOf[]", "patternProperties{}", "additionalProperties"}},
    {{"JSON Schema", ""}, {"properties{}"}, {"type=", "required[]"}},
    {{"JSON Schema", ""}, {"items{}", "type="}, {}},
    {{"IAM policy", ""}, {"Version=", "Statement"}, {}},
    {{"IAM policy", ""}, {"Statement[]"}, {}},
    {{"Step Functions state machine", ""}, {"StartAt=", "States{}"}, {}},
    {{"AWS Batch job definition", "ECS definitions of its jobs are made by AWS Batch"},
     {"jobDefinitionName="},
     {"type=", "containerProperties{}", "ecsProperties{}", "nodeProperties{}"}},
    {{"AWS Batch job definition", "ECS definitions of its jobs are made by AWS Batch"}, {"containerProperties{}"}, {}},
    {{"ecs-params file of the ECS CLI", ""}, {"version"}, {"task_definition{}", "run_params{}"}},
    {{"EventBridge target", "lint the task definition that it runs"}, {"EcsParameters{}"}, {}},
    {{"list of EventBridge targets", "lint the task definitions that they run"}, {"Rule=", "Targets[]"}, {}},
    {{"EventBridge schedule", "lint the task definition that it runs"},
     {"ScheduleExpression="},
     {"Target{}", "Targets[]", "Name="}},
    {{"file for --overrides of run-task", "lint the task definition that it changes"}, {"containerOverrides[]"}, {}},
    {{"Elastic Beanstalk Dockerrun file of version 1, which has no task definition", ""},
     {"AWSEBDockerrunVersion"},
     {"Image{}", "Ports[]", "Volumes[]", "Logging="}},
    {{"development container configuration", ""},
     {"name="},
     {"customizations{}", "postCreateCommand", "forwardPorts[]", "dockerComposeFile", "remoteUser=", "features{}"}},
    {{"Dependabot configuration", ""}, {"version", "updates[]"}, {}},
    {{"pre-commit configuration", ""}, {"repos[]"}, {}},
    {{"Renovate configuration", ""}, {"extends[]"}, {"packageRules[]", "schedule[]", "labels[]", "timezone="}},
    {{"MkDocs configuration", ""}, {"site_name="}, {}},
    {{"Prometheus configuration", ""}, {"scrape_configs[]"}, {}},
    {{"OpenTelemetry Collector configuration", ""}, {"receivers{}"}, {"exporters{}", "processors{}", "service{}"}},
    {{"Grafana dashboard", ""}, {"panels[]"}, {"title=", "schemaVersion=", "templating{}"}},
    {{"CloudWatch dashboard", ""}, {"widgets[]"}, {}},
    {{"CloudWatch agent configuration", ""}, {"agent{}"}, {"metrics{}", "logs{}"}},
    {{"Docker Bake file", ""}, {"group{}", "target{}"}, {}},
    {{"Vercel configuration", ""}, {"rewrites[]"}, {}},
    {{"launch settings of an editor", ""}, {"version=", "configurations[]"}, {}},
    {{"task settings of an editor", ""}, {"version=", "tasks[]"}, {}},
    {{"notebook", ""}, {"cells[]", "nbformat"}, {}},
    {{"GeoJSON document", ""}, {"type=", "features[]"}, {}},
};
constexpr Signature kElements[] = {
    {{"CloudFormation Guard test", ""}, {"input", "expectations"}, {}},
    {{"Ansible playbook", ""}, {"hosts"}, {"tasks", "roles", "vars", "become", "gather_facts", "name="}},
    {{"list of Ansible tasks", ""},
     {"name="},
     {"include_tasks", "import_tasks", "when", "register=", "become", "notify", "set_fact{}",
      "community.aws.ecs_taskdefinition{}", "community.aws.ecs_service{}", "ecs_taskdefinition{}"}},
    {{"list of EventBridge targets", "lint the task definitions that they run"},
     {"Arn="},
     {"EcsParameters{}", "RoleArn="}},
    {{"list of CloudFormation parameters", "give it by --params with its template"}, {"ParameterKey="}, {}},
    {{"image definitions file of CodePipeline", "lint the task definition whose images it sets"},
     {"name=", "imageUri="},
     {}},
    {{"list of tags", ""}, {"Key=", "Value="}, {}},
};

bool has(Value object, std::string_view wanted) {
  const bool has_form = wanted.ends_with("{}") || wanted.ends_with("[]");
  const bool is_scalar = wanted.ends_with('=');
  const Value value = object.find(wanted.substr(0, wanted.size() - (has_form ? 2 : is_scalar ? 1 : 0)));
  if (!value) return false;
  if (wanted.ends_with("{}")) return value.is_object();
  if (wanted.ends_with("[]")) return value.is_array();
  return !is_scalar || (!value.is_object() && !value.is_array() && !value.is_null());
}

bool matches(Value object, const Signature& signature) {
  const auto has_it = [&](std::string_view wanted) { return has(object, wanted); };
  const auto is_met = [&](std::string_view wanted) { return wanted.empty() || has_it(wanted); };
  const auto is_asked = [](std::string_view wanted) { return !wanted.empty(); };
  return std::all_of(signature.all.begin(), signature.all.end(), is_met) &&
         (std::none_of(signature.any.begin(), signature.any.end(), is_asked) ||
          std::any_of(signature.any.begin(), signature.any.end(),
                      [&](std::string_view wanted) { return is_asked(wanted) && has_it(wanted); }));
}

/// https://aws.github.io/copilot-cli/docs/manifest/overview/
constexpr std::array<std::string_view, 7> kCopilotTypes{"Load Balanced Web Service",
                                                        "Backend Service",
                                                        "Worker Service",
                                                        "Request-Driven Web Service",
                                                        "Static Site",
                                                        "Scheduled Job",
                                                        "Environment"};
constexpr ForeignKind kCopilot{"AWS Copilot manifest", "lint its template: copilot svc package > stack.yaml"};
constexpr ForeignKind kEcspresso{"ecspresso configuration",
                                 "lint the files in its service_definition and task_definition"};
constexpr ForeignKind kJsonLines{"newline-delimited JSON", "lint reads one document per file"};
constexpr ForeignKind kRecording{"recording of API calls", ""};
constexpr ForeignKind kTerraformCode{"file of Terraform code (HCL)",
                                     "lint its plan: terraform show -json PLAN > plan.json"};
constexpr ForeignKind kProgram{"program", "lint the definition that it makes"};
constexpr ForeignKind kSyntaxOfApi{"syntax of the ECS API reference, without values", "fill it in"};

bool is_copilot(Value root) {
  const Value type = root.find("type");
  return root.find("name") && type && type.is_string() &&
         std::find(kCopilotTypes.begin(), kCopilotTypes.end(), type.text()) != kCopilotTypes.end();
}

/// https://github.com/kayac/ecspresso, "Configuration file".
bool is_ecspresso(Value root) {
  const auto names_file = [&](std::string_view key) {
    const Value value = root.find(key);
    return value && value.is_string();
  };
  return !root.find("containerDefinitions") && root.find("service") &&
         (names_file("task_definition") || names_file("service_definition"));
}

bool has_all(Value value, std::initializer_list<std::string_view> keys) {
  return value && value.is_object() && std::all_of(keys.begin(), keys.end(), [&](auto key) { return value.find(key); });
}

Value first_of(Value list) {
  return list && list.is_array() && list.size() > 0 ? list.at(0) : Value();
}

/// One call or event.
bool is_recorded(Value value) {
  return has_all(value, {"request", "response"}) || has_all(value, {"eventSource", "eventName"}) ||
         has_all(value, {"status_code", "data"}) || has_all(value, {"detail-type", "detail"}) ||
         has_all(value, {"recorded-content"}) || has_all(value, {"scope", "method", "path"});
}

/// Recognizes recordings of VCR and similar tools, HAR, CloudTrail, placebo, LocalStack snapshots, nock.
bool is_recording(Value root) {
  if (root.is_array()) return is_recorded(first_of(root));
  if (is_recorded(root) || is_recorded(root.at(0)) || is_recorded(first_of(root.find("Records")))) return true;
  for (const std::string_view key : {"interactions", "http_interactions"}) {
    if (has_all(first_of(root.find(key)), {"request"})) return true;
  }
  const Value log = root.find("log");
  return has_all(log, {"entries"});
}

/// `{ name = "a" }` or `resource "aws_ecs_service" "web" {`: Terraform's language in a file that is named as JSON.
bool is_terraform_value(const text::Document& document) {
  std::string_view source = trim(document.source());
  if (document.format() != text::Format::kJson || document.faults().empty()) return false;
  while (!source.empty() && (source.front() == '[' || source.front() == '{')) source = trim(source.substr(1));
  std::size_t end = 0;
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  while (end < source.size() && is_of_name(source[end])) ++end;
  std::string_view behind = trim(source.substr(end));
  if (end == 0) return false;
  if (behind.starts_with('=')) return !behind.starts_with("==");
  const bool is_in_brackets = source.data() != trim(document.source()).data();
  while (behind.starts_with('"') && behind.find('"', 1) != std::string_view::npos)
    behind = trim(behind.substr(behind.find('"', 1) + 1));
  return !is_in_brackets && behind.starts_with('{');
}

/// A file that is named as JSON and begins with a statement of Python, JavaScript or Go, or names its interpreter.
bool is_program(const text::Document& document) {
  if (document.format() != text::Format::kJson || document.faults().empty()) return false;
  const std::string_view source = trim(document.source());
  const std::string_view line = source.substr(0, source.find('\n'));
  for (const std::string_view word : {"import ", "from ", "const ", "let ", "var ", "export ", "package ", "#!",
                                      "module.exports", "'use strict'", "\"use strict\";"}) {
    if (line.starts_with(word)) return true;
  }
  return false;
}

/// A service of Compose.
bool is_compose_service(Value value) {
  return value.is_object() && (value.find("image") || value.find("build")) && !value.find("name");
}

/// Members of a service in version 1 of Compose, where the services are at the root of the file.
bool has_compose_member(Value value) {
  for (const std::string_view key :
       {"build", "ports", "volumes", "environment", "links", "command", "env_file", "expose"}) {
    if (value.find(key)) return true;
  }
  return false;
}

}  // namespace

bool is_syntax_of_api(const text::Document& document) {
  if (document.format() != text::Format::kJson || document.faults().empty()) return false;
  const std::string_view source = document.source();
  constexpr std::size_t kLeast = 3;
  std::size_t bare = 0;
  for (const std::string_view type : {"number", "boolean"}) {
    for (auto at = source.find(type); at != std::string_view::npos; at = source.find(type, at + type.size())) {
      const bool is_value = trim(source.substr(0, at)).ends_with(':');
      if (is_value && std::string_view(",\r\n }").find(source.substr(at + type.size(), 1)) != std::string_view::npos)
        ++bare;
    }
  }
  return bare >= kLeast && source.find("\"string\"") != std::string_view::npos;
}

std::uint32_t second_json_line(const text::Document& document) {
  if (document.format() != text::Format::kJson || document.faults().empty()) return 0;
  std::size_t objects = 0;
  std::uint32_t line = 0;
  std::uint32_t second = 0;
  for (const auto written : split(document.source(), '\n')) {
    ++line;
    const auto object = trim(written);
    if (object.empty()) continue;
    if (!object.starts_with('{') || !object.ends_with('}')) return 0;
    if (++objects == 2) second = line;
  }
  return second;
}

bool is_template(Value root) {
  const Value type = root.find("Type");
  const Value resources = root.find("Resources");
  return (type && type.text() == "AWS::ECS::TaskDefinition") || (resources && resources.is_object()) ||
         root.find("AWSTemplateFormatVersion");
}

bool is_compose(Value root) {
  if (root.find("containerDefinitions") || is_copilot(root)) return false;
  if (const Value services = root.find("services")) {
    const auto members = services.children();
    return services.is_object() && std::any_of(members.begin(), members.end(), [](Value service) {
             return is_compose_service(service) || (service.is_object() && service.find("extends"));
           });
  }
  const auto members = root.children();
  return root.size() > 0 && std::all_of(members.begin(), members.end(), is_compose_service) &&
         std::any_of(members.begin(), members.end(), has_compose_member);
}

const ForeignKind* foreign_kind(const text::Document& document) {
  if (second_json_line(document) > 0) return &kJsonLines;
  if (is_terraform_value(document)) return &kTerraformCode;
  if (is_program(document)) return &kProgram;
  if (is_syntax_of_api(document)) return &kSyntaxOfApi;
  const Value root = document.root();
  if (!root || root.size() == 0 || (!root.is_object() && !root.is_array())) return nullptr;
  const auto elements = root.children();
  if (root.is_array()) {
    for (const auto& one : kElements) {
      const auto is_of = [&](Value element) { return element.is_object() && matches(element, one); };
      if (std::all_of(elements.begin(), elements.end(), is_of)) return &one.kind;
    }
    return is_recording(root) ? &kRecording : nullptr;
  }
  if (is_recording(root)) return &kRecording;
  if (is_ecspresso(root)) return &kEcspresso;
  if (is_copilot(root)) return &kCopilot;
  for (const auto& one : kObjects) {
    if (matches(root, one)) return &one.kind;
  }
  return nullptr;
}

std::string_view what_it_is(const FileReport& report) {
  constexpr std::string_view kUnknown = "contains no ECS definition";
  if (!report.document) return kUnknown;
  if (const auto* kind = foreign_kind(*report.document)) return kind->name;
  const Value root = report.document->root();
  if (!root || !root.is_object()) return kUnknown;
  if (!importers::why_definitions_are_left_out(root).empty())
    return "CloudFormation template whose task definitions are excluded by a condition or macro";
  if (is_template(root)) return "CloudFormation template without ECS task definitions or services";
  if (report.document->format() == text::Format::kHcl) return "Terraform code without ECS task definitions or services";
  if (report.kind == FileKind::kTerraform) return "Terraform plan or state without ECS task definitions or services";
  return is_compose(root) ? "Compose file" : kUnknown;
}

}  // namespace bayplan::lint
