#include "lint/files/foreign_kind.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "importers/definition_file.hpp"

namespace bayplan::lint {
namespace {

using rules::FileKind;
using text::Value;

/// https://aws.github.io/copilot-cli/docs/manifest/overview/
constexpr std::array<std::string_view, 7> kCopilotTypes{"Load Balanced Web Service",
                                                        "Backend Service",
                                                        "Worker Service",
                                                        "Request-Driven Web Service",
                                                        "Static Site",
                                                        "Scheduled Job",
                                                        "Environment"};

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

/// API_CreateTaskSet: update-service has no `scale`, `externalId` or `clientToken`.
bool is_task_set(Value root) {
  return root.find("service") && root.find("cluster") && root.find("taskDefinition") &&
         (root.find("scale") || root.find("externalId"));
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

bool is_guard_test(Value root) {
  const auto elements = root.children();
  return root.is_array() && root.size() > 0 && std::all_of(elements.begin(), elements.end(), [](Value element) {
           return has_all(element, {"input", "expectations"});
         });
}

/// Whether the value looks like a service of Compose.
bool is_compose_service(Value value) {
  if (!value.is_object()) return false;
  return value.find("build") || value.find("depends_on") || (value.find("image") && value.find("ports"));
}

}  // namespace

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
  const Value services = root.find("services");
  if (services) return services.is_object();
  const auto members = root.children();
  return std::any_of(members.begin(), members.end(), is_compose_service);
}

ForeignKind foreign_kind(const text::Document& document) {
  if (second_json_line(document) > 0) return ForeignKind::kJsonLines;
  const Value root = document.root();
  if (!root || root.size() == 0 || (!root.is_object() && !root.is_array())) return ForeignKind::kNone;
  if (is_guard_test(root)) return ForeignKind::kGuardTest;
  if (is_recording(root)) return ForeignKind::kRecording;
  if (is_ecspresso(root)) return ForeignKind::kEcspresso;
  if (is_task_set(root)) return ForeignKind::kTaskSet;
  return root.is_object() && is_copilot(root) ? ForeignKind::kCopilot : ForeignKind::kNone;
}

std::string_view name_of(ForeignKind kind) {
  switch (kind) {
    case ForeignKind::kCopilot:
      return "AWS Copilot manifest";
    case ForeignKind::kEcspresso:
      return "ecspresso configuration";
    case ForeignKind::kTaskSet:
      return "create-task-set request";
    case ForeignKind::kJsonLines:
      return "newline-delimited JSON";
    case ForeignKind::kGuardTest:
      return "CloudFormation Guard test";
    case ForeignKind::kRecording:
      return "recorded API calls";
    case ForeignKind::kNone:
      break;
  }
  return {};
}

std::string_view what_it_is(const FileReport& report) {
  constexpr std::string_view kUnknown = "contains no ECS definition";
  if (!report.document) return kUnknown;
  if (const auto kind = foreign_kind(*report.document); kind != ForeignKind::kNone) return name_of(kind);
  const Value root = report.document->root();
  if (!root || !root.is_object()) return kUnknown;
  if (!importers::why_definitions_are_left_out(root).empty())
    return "CloudFormation template whose task definitions are excluded by a condition or macro";
  if (is_template(root)) return "CloudFormation template without ECS task definitions or services";
  if (report.kind == FileKind::kTerraform) return "Terraform plan or state without ECS task definitions or services";
  return is_compose(root) ? "Compose file" : kUnknown;
}

}  // namespace bayplan::lint
