#pragma once
#include <string>

#include "lint/fix/fixes.hpp"

namespace bayplan::lint {

/// Adds comments that suppress the findings that nothing suppresses yet. If they would change anything else, none is
/// added.
FixedText add_ignores(std::string bytes, const Recheck& recheck);

}  // namespace bayplan::lint
