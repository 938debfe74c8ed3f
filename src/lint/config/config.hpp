#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/path_sandbox.hpp"
#include "base/pattern.hpp"
#include "base/result.hpp"
#include "capacity/requirement.hpp"
#include "lint/config/house_rules.hpp"
#include "lint/config/ignores.hpp"
#include "lint/config/selection.hpp"
#include "lint/files/file_patterns.hpp"
#include "rules/context.hpp"

namespace bayplan::lint {

/// How the instances that tasks run on are set up (`cluster`).
struct ClusterSettings {
  std::optional<MiB> reserved_memory;
  std::optional<bool> trunking;
  std::vector<std::string> daemon_files;  ///< The text as it is written.
  std::vector<capacity::TaskRequirement> daemons;
};

/// What a .bayplan.yaml says (schemas/config.schema.json); what it does not say is absent.
struct Config {
  std::optional<FilePatterns> include;
  std::optional<FilePatterns> exclude;
  std::optional<model::Compatibility> launch_type;
  std::optional<rules::DeployClient> deploy_with;
  std::optional<std::vector<std::string>> types;
  ClusterSettings cluster;
  capacity::NeedsByName needs;
  std::optional<std::vector<std::string>> select;
  std::optional<std::vector<std::string>> extend_select;
  std::optional<std::vector<std::string>> ignore;
  std::vector<SeverityOverride> severities;  ///< Later ones win.
  std::vector<FileIgnore> file_ignores;
  std::optional<Severity> fail_on;
  std::optional<std::string> baseline;  ///< Relative to the working folder.
  std::string baseline_text;            ///< The text as it is written.
  std::optional<bool> strict;
  std::optional<bool> strict_unknown;
  std::optional<bool> unsafe_fixes;
  std::optional<bool> daemon;  ///< `kind: daemon`
  std::map<std::string, std::string, std::less<>> parameters;
  std::map<std::string, std::string, std::less<>> variables;  ///< Of placeholders and Terraform code.
  HouseRules house_rules;                                     ///< Also those of extended configs.
  std::vector<std::string> placeholder_texts;
  std::vector<Pattern> placeholders;
  /// Where each is written, without a message: by key, of the keys that hold one entry a name by "key.name".
  std::map<std::string, Error> places;
};

struct ConfigFile {
  Config config;
  std::vector<Error> errors;  ///< Each with its place; then the config is of no use.
};

/// The nearest configuration file (`kConfigNames`) from the working folder upward, as a relative path; nothing if there
/// is none up to the root of the repository (or of the file system, outside of a repository).
std::optional<std::string> find_config(const Files& files);

/// Files from the working folder up to the configuration file in use that have a similar name and are not read, each
/// with a message that names the file that is read. A name that could belong to another file, such as `bayplan.yaml`,
/// counts only if the file consists of settings.
std::vector<Error> ignored_configs(const Files& files);

bool is_config_name(std::string_view name);

/// Reads a config and those that it extends.
ConfigFile read_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data);

std::optional<model::Compatibility> compatibility_named(std::string_view name);  ///< "EC2", "FARGATE" ...
std::string_view name_of(model::Compatibility compatibility);                    ///< "MANAGED_INSTANCES"
std::string_view name_of(rules::DeployClient client);                            ///< "aws-cli"

constexpr std::string_view kConfigName = kConfigNames.front();  ///< The name that is recommended and written.

}  // namespace bayplan::lint
