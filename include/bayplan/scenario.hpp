#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bayplan/version.hpp"

namespace bayplan::v0 {

/// Where a scenario, its cluster and its task definitions come from. A scenario's own syntax, and every option's:
/// docs/placement.md.
///
///     ScenarioInput from_disk{.path = "scenario.yaml"};
///     ScenarioInput from_text{.path = "scenario.yaml", .texts = {{"scenario.yaml", text}}, .reads_disk = false};
///     ScenarioInput by_options{.instances = {"p3.16xlarge=2@us-east-2a"}, .tasks = {"train.json=max"}};
struct ScenarioInput {
  std::string path = {};  ///< Of the scenario, YAML or JSON; empty = the members below say all.
  /// Texts by path, looked at before the disk: the scenario itself, or what it names relative to its own folder.
  std::map<std::string, std::string> texts = {};
  bool reads_disk = true;  ///< False: there is no file beside `texts`.
  /// Path of a cluster file, folder of aws ecs describe-... output, CloudFormation template or terraform show -json, in
  /// place of the scenario's cluster.
  std::optional<std::string> cluster = {};
  std::map<std::string, std::string, std::less<>> parameters = {};  ///< Of a cluster that is a CloudFormation template.
  std::vector<std::string> instances = {};  ///< "TYPE=N@AZ,AZ": N in all, dealt to the zones in turn.
  /// "TASKDEF=COUNT": a file, or a definition of the scenario. "=max", to place only: as many as fit.
  std::vector<std::string> tasks = {};
  std::optional<std::string> region = {};  ///< Of prices; else the scenario's, else us-east-1.
  std::optional<std::uint64_t> seed = {};  ///< Of all that is drawn, up to 2^63 - 1; else the scenario's, else 1.
  /// A folder of aws ecs describe-... output may count or list what it does not describe; else that is an error.
  bool allow_partial = false;
  /// A definition that ECS would refuse to register (lint errors of the definition itself) is an error each.
  bool lint = true;
  std::size_t max_bytes = 0;  ///< Of one file; 0 = 16 MiB, and 1 GiB of what describes clusters.
};

}  // namespace bayplan::v0
