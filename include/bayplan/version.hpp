#pragma once
#include <string_view>

/// The version of these headers. `bayplan::version()` is that of the library: if they differ, the program was
/// compiled with one release and linked with another.
#define BAYPLAN_VERSION_MAJOR 0
#define BAYPLAN_VERSION_MINOR 1
#define BAYPLAN_VERSION_PATCH 0

/// Every public name is `bayplan::NAME`. The namespace `bayplan::v0` prevents two releases with different
/// types from being linked together; do not write the `v0`.
namespace bayplan::v0 {

/// "0.1.0", the version of the built library.
std::string_view version();

}  // namespace bayplan::v0

#ifndef BAYPLAN_BUILDS_ITSELF  // the sources of the library use these names for other types in `bayplan`
namespace bayplan {
using namespace v0;
}  // namespace bayplan
#endif
