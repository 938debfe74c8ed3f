#pragma once
#include <string>
#include <string_view>

namespace bayplan::text {

/// What turns `before` into `after`, as `diff -u` writes it and `patch -p1` and `git apply` take it: three lines of
/// context, `path` under a/ and b/. Empty when they are equal. Lines end at LF; a CR before it is part of the line.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace bayplan::text
