#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "importers/cloudformation_template.hpp"
#include "importers/parameter_use.hpp"
#include "placement/model/scenario.hpp"
#include "text/document.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// A scenario that a command has made, its places those of `document`.
struct WrittenScenario {
  std::shared_ptr<const text::Document> document;
  std::string file;  ///< The name in error messages.
};

/// What inputs besides the scenario, the sides of a comparison, make of the values of the command line.
struct UsedElsewhere {
  importers::ParameterUse parameters = {};            ///< Of --param.
  std::set<std::string, std::less<>> variables = {};  ///< The given variables that they use.
  bool has_code = false;                              ///< One of them is Terraform code.
};

/// What the command line asks for.
struct ScenarioRequest {
  std::string scenario;                   ///< Path of a scenario file; empty = the options below say all.
  std::optional<std::string> cluster;     ///< Path of any description of a cluster, in place of the scenario's; `#NAME`
                                          ///< behind it says which, where one file has several.
  importers::ParameterValues parameters;  ///< --param, of CloudFormation templates: the cluster, definitions.
  /// --var and --var-file, of Terraform code: texts as `terraform -var` takes them, and paths of files of values.
  std::map<std::string, std::string, std::less<>> variables = {};
  std::vector<std::string> variable_files = {};
  UsedElsewhere used_elsewhere = {};
  std::vector<std::string> instances;    ///< --instances TYPE=N@AZ,AZ; without `cluster` in place of the scenario's.
  std::vector<std::string> tasks;        ///< --task TASKDEF=COUNT; TASKDEF is a file or a definition of the scenario.
  std::vector<std::string> strategies;   ///< --strategy binpack:memory, --placement-strategy type=...,field=...
  std::vector<std::string> constraints;  ///< --placement-constraints type=memberOf,expression="..."
  std::vector<std::string> definitions;  ///< Files of task definitions, in addition to those of the scenario.
  std::vector<std::string> deployed =
      {};  ///< Definitions that are deployed later, which no request names by family alone.
  std::vector<std::string> zones = {};                    ///< Zones that the command line names outside `instances`.
  std::optional<std::string> region;                      ///< --region
  std::optional<std::int64_t> seed;                       ///< --seed
  std::optional<Policy> policy = std::nullopt;            ///< --policy, in place of settings.policy.
  std::optional<Seconds> until = std::nullopt;            ///< --until
  std::optional<WrittenScenario> written = std::nullopt;  ///< Replaces a file.
  /// The services that a live cluster describes are the scenario's too, but for those that it writes itself.
  bool takes_services = false;
  /// What is in flight in a described cluster is read, for `study::settle`, and tasks whose desiredStatus is STOPPED
  /// have ended. Otherwise the cluster stays as it is described, with what stops still in its place.
  bool settles = false;
  /// So are the services of the cluster that the scenario writes itself: it says what becomes of them afterwards.
  bool settles_written = false;
  /// The command places by settings.policy; others must not pass it over, so for them it is an error.
  bool takes_policy = false;
  /// Auto Scaling groups launch nothing, which takes no time, and are kept: they say what may be bought.
  bool keeps_groups = false;
  /// A live cluster may count or list what no answer describes: that is reported as a finding and is no error.
  bool allow_partial = false;
  std::string command = "place";  ///< For the lines that errors propose.
  bool may_be_idle = false;  ///< That there is nothing to place, or no cluster, is no error: what is described counts.
};

struct LoadedScenario {
  std::optional<Scenario> scenario;  ///< Nothing when there are errors.
  std::vector<Error> errors;         ///< All of them, by file and position.
  bool has_scenario_file = false;    ///< A scenario file was read, and no template, plan or code in place of one.
};

/// Reads, checks and resolves a scenario with everything that it names. Strategies and constraints of the command line
/// are those of its --task tasks; without --task they replace those of every service and task of the file.
/// `catalog` takes up the scenario's own instance types and must outlive the scenario.
LoadedScenario load_scenario(const ScenarioRequest& request, const Files& files, catalog::Catalog& catalog,
                             const Limits& limits = {});

}  // namespace bayplan::scenario
