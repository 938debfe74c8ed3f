#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/model/scenario.hpp"
#include "replay/records/history.hpp"
#include "text/document.hpp"

namespace bayplan::replay {

using namespace placement;  // NOLINT: what is recorded becomes the input of placement

/// How the tasks of a service or of a RunTask call are placed.
struct PlacementTerms {
  WorkloadKind kind = WorkloadKind::kTasks;
  std::vector<Strategy> strategies;
  std::vector<Constraint> constraints;
  std::vector<std::string> subnets;
  std::optional<std::vector<std::string>> availability_zones;  ///< Of a described service; else `subnets` say it.
  std::string launch_type;
  std::string task_definition;  ///< "web:7", "web"; of later failures.
  bool has_providers = false;
  std::string unreadable;  ///< What of the request bayplan cannot simulate; empty = nothing.
};

/// Reads the terms in the JSON of requestParameters. `known`: those of the service before an update.
PlacementTerms terms_of_request(std::string_view json, WorkloadKind kind, const PlacementTerms* known = nullptr);
/// The terms of a service that a snapshot describes.
PlacementTerms terms_of_service(const RunningService& service);

/// Reads a definition as RegisterTaskDefinition answers it; nothing when it has no family or no revision. The document
/// must be kept as long as the definition.
std::optional<TaskDefinition> definition_of_json(const std::string& json,
                                                 std::vector<std::shared_ptr<const text::Document>>& documents);

}  // namespace bayplan::replay
