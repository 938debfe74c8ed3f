#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/pattern.hpp"
#include "base/result.hpp"
#include "lint/ignore_patterns.hpp"
#include "lint/selection.hpp"
#include "rules/context.hpp"

namespace bayplan::lint {

/// Patterns and the folder that they are relative to.
struct Exclusion {
  std::string folder;  ///< Absolute.
  IgnorePatterns patterns;

  /// Whether the file, or a folder around it, is excluded. `absolute` is a path from the root.
  bool holds(std::string_view absolute) const;
};

/// What a .bayplan.yaml says (schemas/config.schema.json); what it does not say is absent.
struct Config {
  std::optional<Exclusion> exclude;
  std::optional<model::Compatibility> launch_type;
  std::optional<rules::DeployClient> deploy_with;
  std::optional<std::vector<std::string>> types;
  std::optional<std::vector<std::string>> select;
  std::optional<std::vector<std::string>> extend_select;
  std::optional<std::vector<std::string>> ignore;
  std::vector<SeverityOverride> severities;  ///< Later ones win.
  rules::NeedsByName needs;
  std::vector<Pattern> placeholders;
};

struct ConfigFile {
  Config config;
  std::vector<Error> errors;  ///< Each with its place; then the config is of no use.
};

/// The nearest `.bayplan.yaml` from the working folder upwards, as a relative path; nothing when there is none up to
/// the root of the repository (or of the file system, where this is no repository).
std::optional<std::string> find_config(const Files& files);

/// Reads a config and those that it extends.
ConfigFile read_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data);

std::optional<model::Compatibility> compatibility_named(std::string_view name);  ///< "EC2", "FARGATE" ...

}  // namespace bayplan::lint
