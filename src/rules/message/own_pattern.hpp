#pragma once
#include <cassert>
#include <string_view>

#include "base/pattern.hpp"

namespace bayplan::rules {

/// A pattern of our own code or data, which compiles; the tests see to that.
inline Pattern own_pattern(std::string_view expression) {
  auto pattern = Pattern::compile(expression);
  assert(pattern.ok());
  return *pattern;
}

}  // namespace bayplan::rules
