#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "lint/config/config.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// How files are linted when nothing but the config says it.
Options options_of(const Config& config);

/// What flags of a command or options of the library say; it wins over the config.
struct Settings {
  Selection selection;  ///< `select` replaces that of the config, the other lists add to it.
  std::vector<SeverityOverride> severities;
  std::vector<std::string> types;  ///< Globs of instance types; empty for those of the config.
  std::optional<model::Compatibility> launch_type;
  std::optional<rules::DeployClient> deploy_with;
  std::optional<rules::FileKind> from;
  bool strict = false;
  bool strict_unknown = false;
  std::optional<bool> daemon;
};

/// How files are linted with a config and these settings. Fails when they name no rule or no instance type.
Result<Options> options_of(const Config& config, const Settings& settings, const Tools& tools);

/// The first glob under `types` that names no instance type, which the schema cannot find: an error at its position.
std::optional<Error> fault_of_types(const Config& config, const catalog::Catalog& catalog);

/// `read_config` of a file that was found, not named (`find_config`): a link that leads out of the project is an error,
/// for what it names would be quoted.
ConfigFile read_found_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::lint
