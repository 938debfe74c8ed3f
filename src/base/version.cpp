#include "base/version.hpp"

namespace bayplan {

std::string_view version() {
  return BAYPLAN_VERSION;
}

}  // namespace bayplan
