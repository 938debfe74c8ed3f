#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "base/span.hpp"

namespace bayplan::text {

/// Maps spans of an edited text back to those of the original.
class OffsetMap {
 public:
  /// What was inserted maps to the place of insertion, what was replaced to the whole of what it replaces.
  Span original(Span edited) const;
  /// Nothing of it was edited.
  bool is_copy(Span edited) const;

 private:
  friend struct EditedText apply(std::string_view text, std::vector<Edit> edits);

  struct Piece {
    std::uint32_t begin;  ///< Offset in the edited text.
    Span original;
    bool is_copy;
  };

  const Piece& piece_at(std::uint32_t offset) const;

  std::vector<Piece> pieces_;
};

struct EditedText {
  std::string text;
  OffsetMap offsets;
};

/// Applies edits that do not overlap, in any order; of several insertions at one place the first given comes first.
EditedText apply(std::string_view text, std::vector<Edit> edits);

}  // namespace bayplan::text
