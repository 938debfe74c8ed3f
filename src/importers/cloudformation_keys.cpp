#include "importers/cloudformation_keys.hpp"

#include <array>

#include "base/strings.hpp"
#include "importers/subject.hpp"

namespace bayplan::importers {
namespace {

struct Special {
  std::string_view structure;  ///< Title in the schema; empty: whatever holds it.
  std::string_view member;
  std::string_view key;
};

/// Where CloudFormation does more than to raise the first letter.
/// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ecs-taskdefinition.html and
/// aws-resource-ecs-service.html, 2026-08; aws-resource-ecs-cluster.html and aws-resource-ecs-capacityprovider.html,
/// 2026-11; EcsParameters of aws-properties-events-rule-ecsparameters.html and
/// aws-properties-scheduler-schedule-ecsparameters.html, 2026-11.
constexpr std::array<Special, 12> kSpecial{{
    {"", "efsVolumeConfiguration", "EFSVolumeConfiguration"},
    {"", "fsxWindowsFileServerVolumeConfiguration", "FSxWindowsFileServerVolumeConfiguration"},
    {"", "s3filesVolumeConfiguration", "S3FilesVolumeConfiguration"},
    {"EFS volume", "fileSystemId", "FilesystemId"},
    {"", "iam", "IAM"},
    {"proxy configuration", "properties", "ProxyConfigurationProperties"},
    {"", "placementStrategy", "PlacementStrategies"},
    {"cluster", "settings", "ClusterSettings"},
    {"capacity provider", "cluster", "ClusterName"},
    {"run-task call", "taskDefinition", "TaskDefinitionArn"},
    {"run-task call", "count", "TaskCount"},
    {"run-task call", "tags", "TagList"},
}};

bool applies(const Special& special, std::string_view structure) {
  return special.structure.empty() || special.structure == structure;
}

}  // namespace

std::string in_cloudformation(std::string_view member, std::string_view structure) {
  for (const auto& special : kSpecial) {
    if (special.member == member && applies(special, structure)) return std::string(special.key);
  }
  return spelled(member, Spelling::kPascalCase);
}

const shape::Member* member_meant(const shape::Rule& rule, std::string_view key) {
  for (const auto& special : kSpecial) {
    if (equal_ignoring_case(special.key, key) && applies(special, rule.title)) return rule.find(special.member);
  }
  for (const auto& member : rule.members) {
    if (equal_ignoring_case(member.name, key)) return &member;
  }
  return nullptr;
}

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-ecs-service-forcenewdeployment.html
bool is_for_cloudformation_alone(const shape::Rule& rule, std::string_view key) {
  return key == "ForceNewDeployment" && rule.find("schedulingStrategy") != nullptr;
}

}  // namespace bayplan::importers
