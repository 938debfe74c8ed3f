#pragma once
#include <string>
#include <string_view>

namespace bayplan::report {

/// Broken at blanks to fit 80 columns; every line but the first is indented, the first stands there already.
std::string wrapped(std::string_view text, std::size_t indent);

}  // namespace bayplan::report
