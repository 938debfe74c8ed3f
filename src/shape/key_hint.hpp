#pragma once
#include <string_view>
#include <vector>

#include "shape/check.hpp"

namespace bayplan::shape {

/// An object on the way from the root to the value at hand.
struct Step {
  const Rule* rule;
  std::string_view key;  ///< Of the member that holds it, lists left out; empty for the root.
};

/// What was meant by `key`, which the innermost object of `path` does not have.
KeyHint key_hint(const Schema& schema, const std::vector<Step>& path, std::string_view key);

}  // namespace bayplan::shape
