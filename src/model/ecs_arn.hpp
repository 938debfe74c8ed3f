#pragma once
#include <optional>
#include <string_view>

namespace bayplan::model {

/// "arn:aws:ecs:us-east-1:123456789012:task/prod/0123abcd", or the older form without the cluster (ECS developer guide,
/// ecs-account-settings.html, "Amazon Resource Names (ARNs) and IDs").
struct EcsArn {
  std::string_view region;
  std::string_view account;
  std::string_view cluster;  ///< Empty in the older form, and of kinds that belong to no cluster.
  std::string_view id;       ///< The part after the last slash.
};

/// Nothing when `text` is no ARN of ECS of this kind ("task", "container-instance", "service", "cluster",
/// "capacity-provider", "task-definition"). Views the text.
std::optional<EcsArn> parse_ecs_arn(std::string_view text, std::string_view kind);

}  // namespace bayplan::model
