#pragma once
#include <string_view>

#include "text/document.hpp"

namespace bayplan::text {

/// What a plain scalar is by the core schema of YAML 1.2.2, section 10.3.2: `yes` and `on` are strings, `0777` is 777.
Kind resolve_plain(std::string_view text);

}  // namespace bayplan::text
