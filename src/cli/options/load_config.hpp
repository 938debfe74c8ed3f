#pragma once
#include <optional>
#include <string>

#include "cli/application.hpp"
#include "lint/config/config.hpp"
#include "lint/config/config_options.hpp"
#include "lint/lint.hpp"

namespace bayplan::cli {

/// The config that `path` names, else the nearest upwards, else one that says nothing. What is wrong with it is
/// printed; then there is none.
std::optional<lint::Config> load_config(const std::string& path, const lint::Tools& tools, Streams& io);

}  // namespace bayplan::cli
