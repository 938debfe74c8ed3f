#include "base/version.hpp"

#include <string_view>

#include "bayplan/version.hpp"

#define BAYPLAN_TEXT_OF(number) #number
#define BAYPLAN_DOTTED(major, minor, patch) BAYPLAN_TEXT_OF(major) "." BAYPLAN_TEXT_OF(minor) "." BAYPLAN_TEXT_OF(patch)

namespace bayplan::v0 {

static_assert(std::string_view(BAYPLAN_PROJECT_VERSION) ==
                  BAYPLAN_DOTTED(BAYPLAN_VERSION_MAJOR, BAYPLAN_VERSION_MINOR, BAYPLAN_VERSION_PATCH),
              "CMakeLists.txt and include/bayplan/version.hpp name two versions");

std::string_view version() {
  return bayplan::version();
}

}  // namespace bayplan::v0
