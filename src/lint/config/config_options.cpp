#include "lint/config/config_options.hpp"

#include "base/path_sandbox.hpp"
#include "catalog/types_named.hpp"

namespace bayplan::lint {

Options options_of(const Config& config) {
  Options options;
  using Words = std::vector<std::string>;
  options.selection.select = config.select.value_or(Words());
  options.selection.extend_select = config.extend_select.value_or(Words());
  options.selection.ignore = config.ignore.value_or(Words());
  options.severities = config.severities;
  options.placeholders = model::Placeholders(config.placeholders);
  options.rules.deploy_with = config.deploy_with.value_or(rules::DeployClient::kAny);
  options.rules.needs = config.needs;
  options.rules.instances.reserved_memory = config.cluster.reserved_memory.value_or(0);
  options.rules.instances.trunking = config.cluster.trunking.value_or(false);
  options.rules.instances.daemons = config.cluster.daemons;
  options.rules.types = config.types.value_or(Words());
  options.rules.launch_type = config.launch_type;
  return options;
}

std::optional<Error> fault_of_types(const Config& config, const catalog::Catalog& catalog) {
  if (!config.types) return std::nullopt;
  for (const auto& glob : *config.types) {
    const auto named = catalog::types_named(catalog, {glob});
    if (named) continue;
    Error error = config.places.at("types." + glob);
    error.message = named.error().message;
    error.help = named.error().help;
    return error;
  }
  return std::nullopt;
}

ConfigFile read_found_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data) {
  if (PathSandbox(files, folder_around(path)).contains(path)) return read_config(path, files, data);
  ConfigFile refused;
  refused.errors.push_back(
      {.message = "is a symbolic link to a file outside its folder, its project and the working directory",
       .file = path,
       .help = "pass the target explicitly: --config FILE"});
  return refused;
}

}  // namespace bayplan::lint
