#pragma once
#include <optional>
#include <string>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "lint/config/config.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// How files are linted when nothing but the config says it.
Options options_of(const Config& config);

/// The first glob under `types` that names no instance type, which the schema cannot tell: an error where it stands.
std::optional<Error> fault_of_types(const Config& config, const catalog::Catalog& catalog);

/// `read_config` of a file that nobody named (`find_config`): a link that leads out of the project is an error, for
/// what it names would be quoted.
ConfigFile read_found_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::lint
