#pragma once
#include "lsp/open_document.hpp"
#include "lsp/positions.hpp"
#include "text/document.hpp"

namespace bayplan::lsp {

/// Positions of an open text by the offsets of what was read from it, which has no byte order mark.
class SourcePositions {
 public:
  SourcePositions(const OpenDocument& open, const text::Document& read, Encoding encoding);

  Range range(Span span) const;
  /// Returns the span in the text that was read.
  Span span(const Range& range) const;
  std::uint32_t offset(Position position) const;

 private:
  std::uint32_t shift_;  ///< Bytes of the open text before what was read.
  Positions positions_;
};

}  // namespace bayplan::lsp
