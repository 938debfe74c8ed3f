#include "lint/config/config_options.hpp"

#include "base/path_sandbox.hpp"
#include "catalog/types_named.hpp"
#include "rules/registry.hpp"

namespace bayplan::lint {
namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

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
  options.strict = config.strict.value_or(false);
  options.rules.strict_unknown = config.strict_unknown.value_or(false);
  options.rules.daemon = config.daemon.value_or(false);
  options.parameters = config.parameters;
  options.variables = config.variables;
  options.rules.house_rules = config.house_rules;
  return options;
}

Result<Options> options_of(const Config& config, const Settings& settings, const Tools& tools) {
  Options options = options_of(config);
  auto& selection = options.selection;
  if (!settings.selection.select.empty()) selection.select = settings.selection.select;
  append(selection.extend_select, settings.selection.extend_select);
  append(selection.ignore, settings.selection.ignore);
  options.severities.insert(options.severities.end(), settings.severities.begin(), settings.severities.end());
  if (!settings.types.empty()) options.rules.types = settings.types;
  if (settings.launch_type) options.rules.launch_type = settings.launch_type;
  if (settings.deploy_with) options.rules.deploy_with = *settings.deploy_with;
  options.from = settings.from;
  options.strict = options.strict || settings.strict;
  options.rules.strict_unknown = options.rules.strict_unknown || settings.strict_unknown;
  if (settings.daemon) options.rules.daemon = *settings.daemon;
  append(selection.extend_select, rules::codes_where([&](const rules::Rule& rule) {
           return rule.traits.asked_by != nullptr && options.rules.*rule.traits.asked_by;
         }));

  // The reader of the config has checked the selectors in it.
  std::vector<std::string> named = settings.selection.select;
  append(named, settings.selection.extend_select);
  append(named, settings.selection.ignore);
  for (const auto& severity : settings.severities) named.push_back(severity.selector);
  if (!named.empty()) {
    if (const auto checked = check_selectors(named, tools.rule_data.get()); !checked) return checked.error();
  }
  if (!options.rules.types.empty()) {
    const auto types = catalog::types_named(tools.catalog.get(), options.rules.types);
    if (!types && settings.types.empty()) return fault_of_types(config, tools.catalog.get()).value_or(types.error());
    if (!types) return types.error();
  }
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
