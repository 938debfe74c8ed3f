#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "lint/config/config.hpp"

namespace bayplan::cli {

/// What the command line says in addition to the config.
struct SettingFlags {
  lint::Selection selection;
  std::vector<lint::SeverityOverride> severities;
  std::vector<std::string> types;
  std::string launch_type;
  std::string fail_on;
  std::string baseline;
  bool strict = false;
  bool strict_unknown = false;
  bool unsafe_fixes = false;
  std::string kind;
  std::vector<std::string> parameters;  ///< KEY=VALUE
  std::vector<std::string> variables;   ///< NAME=VALUE
  std::vector<std::string> others;      ///< Flags without a key in the config, as typed.
};

/// The settings in effect as a config that can be read again, each with the place it comes from.
void show_config(const lint::Config& config, const SettingFlags& flags, std::ostream& out);

}  // namespace bayplan::cli
