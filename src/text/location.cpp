#include "text/location.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace bayplan::text {

namespace {

constexpr std::size_t kMarkDistance = 512;

}  // namespace

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0}, marks_{{0, 0}} {
  std::size_t feed = text.find('\n');
  std::size_t carriage_return = text.find('\r');
  while (feed != std::string_view::npos || carriage_return != std::string_view::npos) {
    const std::size_t end = carriage_return + 1 == feed ? feed : std::min(feed, carriage_return);
    starts_.push_back(static_cast<std::uint32_t>(end + 1));
    if (feed <= end) feed = text.find('\n', end + 1);
    if (carriage_return <= end) carriage_return = text.find('\r', end + 1);
  }
  for (Mark mark = marks_.back(); text.size() - mark.offset > kMarkDistance; marks_.push_back(mark)) {
    const auto block = text.substr(mark.offset, kMarkDistance);
    const auto other = std::find_if(block.begin(), block.end(), [](char c) { return (c & 0x80) != 0; });
    std::size_t offset = mark.offset + static_cast<std::size_t>(other - block.begin());
    mark.code_points += static_cast<std::uint32_t>(other - block.begin());
    for (; offset < mark.offset + kMarkDistance; ++mark.code_points) decode_utf8(text, offset);
    mark.offset = static_cast<std::uint32_t>(offset);
  }
}

std::uint32_t LineIndex::code_points_before(std::uint32_t offset) const {
  const auto after = std::upper_bound(marks_.begin(), marks_.end(), offset,
                                      [](std::uint32_t wanted, const Mark& mark) { return wanted < mark.offset; });
  const Mark& mark = *(after - 1);
  return mark.code_points + static_cast<std::uint32_t>(code_points(text_.substr(mark.offset, offset - mark.offset)));
}

Location LineIndex::location(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::uint32_t start = *(after - 1);
  return {static_cast<std::uint32_t>(after - starts_.begin()),
          offset - start < kMarkDistance
              ? static_cast<std::uint32_t>(code_points(text_.substr(start, offset - start)) + 1)
              : code_points_before(offset) - code_points_before(start) + 1};
}

std::string_view LineIndex::line(std::uint32_t line) const {
  const std::uint32_t start = starts_[line - 1];
  if (line == starts_.size()) return text_.substr(start);
  std::uint32_t end = starts_[line] - 1;
  if (text_[end] == '\n' && end > start && text_[end - 1] == '\r') --end;
  return text_.substr(start, end - start);
}

}  // namespace bayplan::text
