#pragma once
#include <string>
#include <string_view>

/// A path of this checkout, from its root, such as "schemas/service.schema.json". A function, so that the object files
/// of tests are the same in every checkout and a compiler cache finds them.
std::string in_sources(std::string_view path);
