#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "text/document.hpp"

namespace bayplan::rules {

/// Finds the innermost values of a document for many places in its text. What a list or object holds is looked through
/// once, however many places it holds: a file may have a hundred thousand faults.
class InnermostValues {
 public:
  explicit InnermostValues(const text::Document& document) : document_(document) {}

  /// The innermost value that holds the span, a key with its value; absent when the document has no root. Of several
  /// (aliases of YAML hold the text of their anchors) the one that begins last.
  text::Value around(Span span) const;

 private:
  struct Child {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t farthest_end;  ///< Largest end of this child and all before it.
    text::Value value;
  };
  using Children = std::vector<Child>;

  const Children& find_children(text::Value parent) const;

  const text::Document& document_;
  mutable std::map<std::uint32_t, Children> by_parent_;  ///< Keyed by beginning.
};

}  // namespace bayplan::rules
