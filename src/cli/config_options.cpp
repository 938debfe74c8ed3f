#include "cli/config_options.hpp"

namespace bayplan::cli {

std::optional<lint::Config> load_config(const std::string& path, const lint::Tools& tools, Streams& io) {
  const std::string found = path.empty() ? lint::find_config(io.files).value_or("") : path;
  if (found.empty()) return lint::Config();
  auto read = lint::read_config(found, io.files, tools.rule_data);
  fail_all(io, read.errors);
  if (!read.errors.empty()) return std::nullopt;
  return std::move(read.config);
}

lint::Options options_of(const lint::Config& config) {
  lint::Options options;
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

}  // namespace bayplan::cli
