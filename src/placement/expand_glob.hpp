#pragma once
#include <string>
#include <vector>

#include "shape/sources.hpp"

namespace bayplan::placement {

/// Files that match the path `written` in a file, with `*`, `?` and `[...]`, sorted; the path itself when it holds none
/// of these. An error at `written` where there is none, or where a folder cannot be looked into or is out of reach.
std::vector<std::string> expand_glob(shape::Sources& sources, text::Value written);

}  // namespace bayplan::placement
