#pragma once
#include <string>
#include <string_view>

namespace bayplan::report {

/// A path as a URI reference (RFC 3986): "./" taken off, all but unreserved characters and "/" percent-encoded; an
/// absolute path becomes a file URI.
std::string relative_uri(std::string_view path);

/// A path as the services name files of a repository: without "./" in front.
std::string_view repository_path(std::string_view path);

}  // namespace bayplan::report
