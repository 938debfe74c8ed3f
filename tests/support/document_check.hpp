#pragma once
#include <string>

#include "text/document.hpp"

namespace bayplan {

inline std::string first_broken_fault(const text::Document& document) {
  const auto size = document.source().size();
  for (const auto& fault : document.faults()) {
    if (fault.span.begin > fault.span.end || fault.span.end > size)
      return "fault outside of the text: " + fault.message;
    if (fault.message.empty()) return "a fault without message";
    for (const auto& related : fault.related) {
      if (related.span.begin > related.span.end || related.span.end > size)
        return "related place outside: " + fault.message;
    }
    if (!fault.fix) continue;
    std::uint32_t last = 0;
    for (const auto& edit : fault.fix->edits) {
      const bool is_ordered = edit.span.begin >= last && edit.span.end >= edit.span.begin && edit.span.end <= size;
      if (!is_ordered) return "edit out of order: " + fault.message;
      last = edit.span.end;
    }
  }
  return {};
}

inline std::string first_broken_child(text::Value value) {
  std::uint32_t last = value.span().begin;
  for (const auto child : value.children()) {
    if (value.is_object()) {
      if (child.key_span().begin < last) return "key out of order";
      last = child.key_span().end;
    }
    if (child.span().begin < last) return "child out of order";
    last = child.span().end;
  }
  return last > value.span().end ? "children reach out" : "";
}

/// What holds of every document, whatever was read: spans lie within the text, children within their parent and in
/// order. Empty when all is well. `is_expanded`: YAML aliases put spans elsewhere.
inline std::string first_broken_span(const text::Document& document, bool is_expanded = false) {
  const auto size = document.source().size();
  if (std::string broken = first_broken_fault(document); !broken.empty()) return broken;
  for (std::uint32_t i = 0; i < document.node_count(); ++i) {
    const auto value = document.node(i);
    const auto describe = [&](const std::string& what) {
      return what + " at node " + std::to_string(i) + " [" + std::to_string(value.span().begin) + "," +
             std::to_string(value.span().end) + ")";
    };
    if (value.span().begin > value.span().end || value.span().end > size) return describe("outside of the text");
    if (value.key_span().begin > value.key_span().end || value.key_span().end > size)
      return describe("key outside of the text");
    if (is_expanded) continue;
    if (std::string broken = first_broken_child(value); !broken.empty()) return describe(broken);
  }
  return {};
}

}  // namespace bayplan
