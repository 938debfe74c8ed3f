#pragma once
#include <string>
#include <string_view>

#include "text/document.hpp"

namespace bayplan::study {

inline constexpr std::string_view kHidden = "(hidden)";

/// A value as reports may show it: scalars as written, the rest as JSON on one line, and what looks like a secret as
/// `kHidden`.
struct Shown {
  std::string text;
  bool is_hidden = false;  ///< Some of it is.
};

/// `name` is what the value is known by: its key, or the name of the variable that it is the value of.
Shown shown(text::Value value, std::string_view name);

}  // namespace bayplan::study
