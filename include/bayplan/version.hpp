#pragma once
#include <string_view>

/// The version of these headers. The library's own is `bayplan::version()`: a program that finds the two different was
/// compiled against one release and linked with another.
#define BAYPLAN_VERSION_MAJOR 0
#define BAYPLAN_VERSION_MINOR 1
#define BAYPLAN_VERSION_PATCH 0

/// Every public name is `bayplan::NAME`. That it lives in `bayplan::v0` keeps two releases whose types differ from
/// being linked into one another; nobody writes the `v0`.
namespace bayplan::v0 {

/// "0.1.0", as the library was built.
std::string_view version();

}  // namespace bayplan::v0

#ifndef BAYPLAN_BUILDS_ITSELF  // the library's own sources have other things by these names in `bayplan`
namespace bayplan {
using namespace v0;
}  // namespace bayplan
#endif
