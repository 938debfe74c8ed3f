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

/// The source of a scenario, its cluster and its task definitions. docs/formats.md describes the syntax.
///
///     ScenarioInput from_disk{.path = "scenario.yaml"};
///     ScenarioInput from_text{.path = "scenario.yaml", .texts = {{"scenario.yaml", text}}, .reads_disk = false};
///     ScenarioInput by_options{.instances = {"p3.16xlarge=2@us-east-2a"}, .tasks = {"train.json=max"}};
struct ScenarioInput {
  /// Path of the scenario (YAML or JSON), or of a CloudFormation template or terraform show -json, of which the
  /// services are placed. If it is empty, only the members below apply.
  std::string path = {};
  /// Texts by path, which take precedence over the disk: the scenario itself, or files that it names relative to its
  /// folder.
  std::map<std::string, std::string> texts = {};
  bool reads_disk = true;  ///< False: no files except `texts`.
  /// Path of a cluster file, folder of aws ecs describe-... output, CloudFormation template or terraform show -json;
  /// replaces the cluster of the scenario.
  std::optional<std::string> cluster = {};
  std::map<std::string, std::string, std::less<>> parameters = {};  ///< Parameter values of a CloudFormation template.
  std::vector<std::string> instances = {};  ///< "TYPE=N@AZ,AZ": N in total, distributed over the zones in turn.
  /// "TASKDEF=COUNT": a file, "FILE#NAME" for a definition of a template or plan, or a definition of the scenario.
  /// "=max", only for `place`: as many as fit.
  std::vector<std::string> tasks = {};
  std::optional<std::string> region = {};  ///< Region of the prices. The default is that of the scenario, or us-east-1.
  std::optional<std::uint64_t> seed =
      {};  ///< Seed of random choices, at most 2^63 - 1. The default is that of the scenario, or 1.
  /// Accept a folder of aws ecs describe-... output that counts or lists objects without descriptions; otherwise an
  /// error.
  bool allow_partial = false;
  /// Report an error for each definition that ECS would reject (lint errors of the definition itself).
  bool lint = true;
  std::size_t max_bytes = 0;  ///< Per file; 0 = 16 MiB, and 1 GiB for cluster descriptions.
};

}  // namespace bayplan::v0
