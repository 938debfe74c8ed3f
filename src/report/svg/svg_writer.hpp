#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Elements of an SVG. All lengths are pixels at the picture's own size.
namespace bayplan::report {

/// 123 -> "12.3", 120 -> "12".
std::string from_tenths(std::int64_t tenths);

/// Broken at blanks, and inside of words that are too long for a line; at most `most` lines, the last ends in an
/// ellipsis where there would be more.
std::vector<std::string> lines_of(std::string_view text, std::size_t columns, std::size_t most);

/// Collects elements. Every text is made printable and escaped here and nowhere else; names of classes are bayplan's.
class SvgWriter {
 public:
  void text(std::string_view style, std::int64_t x, std::int64_t y, std::string_view text);
  /// Ends at `x`.
  void text_to(std::string_view style, std::int64_t x, std::int64_t y, std::string_view text);
  /// One letter in the middle of each place.
  void letters(std::string_view style, const std::vector<std::int64_t>& xs, std::int64_t y, std::string_view letters);
  void box(std::string_view style, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
           std::int64_t radius = 0);
  /// `x` and `width` in tenths of a pixel.
  void bar(std::string_view style, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height);
  void path(std::string_view style, std::string_view data);
  /// The content has its own origin and is one picture to a screen reader, which reads the title.
  void open_group(std::int64_t x, std::int64_t y, std::string_view title);
  void close_group();

  const std::string& elements() const { return elements_; }

 private:
  void element(std::string_view name, std::string_view style);

  std::string elements_;
};

}  // namespace bayplan::report
