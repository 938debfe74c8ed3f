#include "text/edited_text.hpp"

#include <algorithm>
#include <tuple>

namespace bayplan::text {

const OffsetMap::Piece& OffsetMap::piece_at(std::uint32_t offset) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                      [](std::uint32_t value, const Piece& piece) { return value < piece.begin; });
  return after == pieces_.begin() ? pieces_.front() : *(after - 1);
}

Span OffsetMap::original(Span edited) const {
  if (pieces_.empty()) return {0, 0};
  const Piece& first = piece_at(edited.begin);
  const std::uint32_t begin =
      first.is_copy ? first.original.begin + (edited.begin - first.begin) : first.original.begin;
  if (edited.length() == 0) return {begin, begin};
  const Piece& last = piece_at(edited.end - 1);
  const std::uint32_t end = last.is_copy ? last.original.begin + (edited.end - last.begin) : last.original.end;
  return {begin, std::max(begin, end)};
}

bool OffsetMap::is_copy(Span edited) const {
  if (pieces_.empty()) return false;
  const Piece& piece = piece_at(edited.begin);
  return piece.is_copy && edited.end <= piece.begin + piece.original.length();
}

EditedText apply(std::string_view text, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return std::tie(a.span.begin, a.span.end) < std::tie(b.span.begin, b.span.end);
  });
  EditedText result;
  result.text.reserve(text.size() + edits.size());
  std::uint32_t copied = 0;
  const auto copy_to = [&](std::uint32_t end) {
    if (end <= copied) return;
    result.offsets.pieces_.push_back({static_cast<std::uint32_t>(result.text.size()), {copied, end}, true});
    result.text += text.substr(copied, end - copied);
    copied = end;
  };
  for (const Edit& edit : edits) {
    copy_to(edit.span.begin);
    if (!edit.text.empty()) {
      result.offsets.pieces_.push_back({static_cast<std::uint32_t>(result.text.size()), edit.span, false});
      result.text += edit.text;
    }
    copied = std::max(copied, edit.span.end);
  }
  copy_to(static_cast<std::uint32_t>(text.size()));
  return result;
}

}  // namespace bayplan::text
