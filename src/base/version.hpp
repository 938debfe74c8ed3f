#pragma once
#include <string_view>

namespace bayplan {

/// "1.2.3", as the build was configured.
std::string_view version();

}  // namespace bayplan
