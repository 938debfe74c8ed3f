#pragma once
#include <string_view>

#include "text/document.hpp"

namespace bayplan::importers {

/// Text of a member; empty when it, or the object, is absent.
inline std::string_view text_of(text::Value object, std::string_view key) {
  const text::Value member = object ? object.find(key) : text::Value();
  return member ? member.text() : std::string_view();
}

inline bool is_scalar(text::Value value) {
  return value && !value.is_object() && !value.is_array();
}

}  // namespace bayplan::importers
