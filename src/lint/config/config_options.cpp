#include "lint/config/config_options.hpp"

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

}  // namespace bayplan::lint
