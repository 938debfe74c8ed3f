#pragma once
#include <string>

#include "lint/config/config.hpp"

namespace bayplan::lint {

/// `read_config` of a file that nobody named (`find_config`): a link that leads out of the project is an error, for
/// what it names would be quoted.
ConfigFile read_found_config(const std::string& path, const Files& files, const Lazy<rules::RuleData>& data);

}  // namespace bayplan::lint
