#pragma once
#include <string>

#include "catch.hpp"
#include "text/document.hpp"

/// The source text of a span.
inline std::string written(const bayplan::text::Document& document, bayplan::Span span) {
  return document.source().substr(span.begin, span.length());
}
inline std::string written(bayplan::text::Value value) {
  return written(value.document(), value.span());
}

/// What holds of every document, whatever was read: spans lie within the text, children within their parent and in
/// order. Empty when all is well. `is_expanded`: aliases put spans elsewhere.
inline std::string first_broken_span(const bayplan::text::Document& document, bool is_expanded = false) {
  const auto size = document.source().size();
  const auto describe = [&](bayplan::text::Value value, const char* what) {
    return std::string(what) + " at " + value.pointer() + " [" + std::to_string(value.span().begin) + "," +
           std::to_string(value.span().end) + ")";
  };
  for (const auto& fault : document.faults()) {
    if (fault.span.begin > fault.span.end || fault.span.end > size)
      return "fault outside of the text: " + fault.message;
    if (fault.message.empty()) return "a fault without message";
    if (!fault.fix) continue;
    std::uint32_t last = 0;
    for (const auto& edit : fault.fix->edits) {
      if (edit.span.begin < last || edit.span.end < edit.span.begin || edit.span.end > size)
        return "edit out of order: " + fault.message;
      last = edit.span.end;
    }
  }
  for (std::uint32_t i = 0; i < document.node_count(); ++i) {
    const auto value = document.node(i);
    if (value.span().begin > value.span().end || value.span().end > size) return describe(value, "outside of the text");
    if (value.key_span().begin > value.key_span().end || value.key_span().end > size)
      return describe(value, "key outside of the text");
    if (is_expanded) continue;
    std::uint32_t last = value.span().begin;
    for (const auto child : value.children()) {
      if (value.is_object()) {
        if (child.key_span().begin < last) return describe(child, "key out of order");
        last = child.key_span().end;
      }
      if (child.span().begin < last) return describe(child, "out of order");
      last = child.span().end;
    }
    if (last > value.span().end) return describe(value, "children reach out");
  }
  return {};
}
