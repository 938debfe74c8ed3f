#pragma once
#include <string_view>

#include "text/document.hpp"

namespace bayplan::rules {

/// The text of a member of our own data; empty when it is left out.
inline std::string_view text_of(text::Value object, std::string_view key) {
  const text::Value member = object.find(key);
  return member ? member.text() : std::string_view();
}

}  // namespace bayplan::rules
