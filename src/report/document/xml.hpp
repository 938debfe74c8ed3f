#pragma once
#include <string>
#include <string_view>

namespace bayplan::report {

/// Text as XML 1.0 content or attribute: no character that XML forbids, markup escaped, line ends kept by reference.
std::string xml(std::string_view text);

}  // namespace bayplan::report
