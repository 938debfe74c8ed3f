#pragma once
#include <string>
#include <string_view>

namespace bayplan::report {

/// Text inside an element or a quoted attribute of HTML: shows as written and makes no markup. What a terminal would
/// obey shows as an escape.
std::string html_text(std::string_view text);

/// "sha256-" and the digest in base64, as a content security policy names an inline script.
/// @param digest in hexadecimal digits.
std::string policy_source(std::string_view digest);

}  // namespace bayplan::report
