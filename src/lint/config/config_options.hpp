#pragma once
#include "lint/config/config.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// How files are linted when nothing but the config says it.
Options options_of(const Config& config);

}  // namespace bayplan::lint
