#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capacity/fargate_size.hpp"
#include "capacity/requirement.hpp"
#include "lint/lint.hpp"
#include "model/task_definition.hpp"

/// Whether a task definition can run on a launch type, by the rules of lint.
namespace bayplan::study {

enum class LaunchType : std::uint8_t { kEc2, kFargate, kFargateSpot, kManagedInstances };
inline constexpr std::array kLaunchTypes = {LaunchType::kEc2, LaunchType::kFargate, LaunchType::kFargateSpot,
                                            LaunchType::kManagedInstances};

std::string_view name_of(LaunchType type);   ///< "FARGATE_SPOT": a word for programs.
std::string_view title_of(LaunchType type);  ///< "Fargate Spot"
/// How it is billed: "per task and second by its size, at least one minute".
std::string_view billing_of(LaunchType type);

struct LaunchTypeReason {
  std::string rule;  ///< "BAY408"; empty when it is not a rule's.
  std::string text;  ///< "GPUs are not supported on Fargate"
  bool operator==(const LaunchTypeReason&) const = default;
};

/// Reasons of one definition on one launch type.
struct LaunchTypeCheck {
  std::vector<LaunchTypeReason> not_possible;  ///< In file order, each once.
  /// What must be written otherwise, and changes nothing for the containers: "networkMode awsvpc in place of bridge".
  std::vector<LaunchTypeReason> changes;
  bool becomes_awsvpc = false;                ///< One of the changes.
  std::optional<capacity::FargateSize> size;  ///< Fargate only: the smallest that holds the task.
  std::int64_t storage = 0;                   ///< GiB of ephemeral storage that is asked for; 0 when it is not.
};

/// The definition as written for the launch type instead of its own: with requiresCompatibilities, networkMode and the
/// size that it then has. `requirement`: of one task, overrides applied.
LaunchTypeCheck check_on(LaunchType type, const model::TaskDefinition& task,
                         const capacity::TaskRequirement& requirement, const lint::Tools& tools);

/// The check of Fargate as it is on Fargate Spot.
LaunchTypeCheck on_spot(LaunchTypeCheck fargate, const capacity::TaskRequirement& requirement);

}  // namespace bayplan::study
