#include "lsp/source_positions.hpp"

namespace bayplan::lsp {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::uint32_t bytes_before(const OpenDocument& open, const text::Document& read) {
  const bool has_mark = open.text.starts_with(kByteOrderMark) && !read.source().starts_with(kByteOrderMark);
  return has_mark ? static_cast<std::uint32_t>(kByteOrderMark.size()) : 0;
}

/// A text that was decoded to another (zero bytes look like UTF-16) is its own measure: no place of it is in the open
/// one.
std::string_view measured(const OpenDocument& open, const text::Document& read) {
  return open.text.size() == read.source().size() + bytes_before(open, read) ? open.text : read.source();
}

}  // namespace

SourcePositions::SourcePositions(const OpenDocument& open, const text::Document& read, Encoding encoding)
    : shift_(bytes_before(open, read)), positions_(measured(open, read), encoding) {}

Range SourcePositions::range(Span span) const {
  return positions_.range({span.begin + shift_, span.end + shift_});
}

std::uint32_t SourcePositions::offset(Position position) const {
  const std::uint32_t offset = positions_.offset(position);
  return offset < shift_ ? 0 : offset - shift_;
}

Span SourcePositions::span(const Range& range) const {
  return {offset(range.start), offset(range.end)};
}

}  // namespace bayplan::lsp
