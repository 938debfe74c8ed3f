#pragma once
#include <optional>
#include <string>

#include "shape/check.hpp"

namespace bayplan::rules {

/// How a value would look as the list (or the list element) that the schema wants.
struct Rewrite {
  std::string text;       ///< JSON.
  bool complete = false;  ///< Says all that the value said: may replace it.
};

/// For `Problem::kNotAList`; nothing when what was meant cannot be told.
std::optional<Rewrite> as_list(const shape::ShapeFinding& finding);

}  // namespace bayplan::rules
