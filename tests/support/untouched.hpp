#pragma once
// What a fix must not change: every value that none of its edits touches.
#include <algorithm>
#include <sstream>
#include <string>

#include "base/finding.hpp"
#include "base/json_writer.hpp"
#include "text/document.hpp"
#include "text/write_value.hpp"

namespace bayplan::untouched {

/// As the API would receive it.
inline std::string received(text::Value value) {
  std::ostringstream out;
  JsonWriter json(out);
  text::write_value(json, value);
  return out.str();
}

inline bool is_touched(text::Value value, const Fix& fix) {
  const std::uint32_t begin = value.key_span().length() > 0 ? value.key_span().begin : value.span().begin;
  const std::uint32_t end = value.span().end;
  return std::any_of(fix.edits.begin(), fix.edits.end(), [&](const Edit& edit) {
    if (edit.span.length() == 0) return begin <= edit.span.begin && edit.span.begin <= end;
    return edit.span.begin < end && begin < edit.span.end;
  });
}

/// The first value, by pointer, that differs though no edit touches it; empty when there is none.
std::string changed_elsewhere(text::Value before, text::Value after, const Fix& fix);

inline std::string changed_member(text::Value before, text::Value after, const Fix& fix) {
  for (const text::Value child : before.children()) {
    const text::Value now = after.find(child.key());
    if (!now && !is_touched(child, fix)) return child.pointer();
    if (!now) continue;
    if (auto changed = changed_elsewhere(child, now, fix); !changed.empty()) return changed;
  }
  return {};
}

inline std::string changed_element(text::Value before, text::Value after, const Fix& fix) {
  std::size_t next = 0;
  const bool is_as_long = before.size() == after.size();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const text::Value child = before.at(i);
    if (is_as_long) {
      if (auto changed = changed_elsewhere(child, after.at(i), fix); !changed.empty()) return changed;
    } else if (!is_touched(child, fix)) {
      while (next < after.size() && received(after.at(next)) != received(child)) ++next;
      if (next++ >= after.size()) return child.pointer();
    }
  }
  return {};
}

inline std::string changed_elsewhere(text::Value before, text::Value after, const Fix& fix) {
  if (!is_touched(before, fix)) return received(before) == received(after) ? std::string() : before.pointer() + "/";
  if (before.is_object() && after.is_object()) return changed_member(before, after, fix);
  if (before.is_array() && after.is_array()) return changed_element(before, after, fix);
  return {};
}

}  // namespace bayplan::untouched
