#pragma once
#include <cstddef>
#include <string_view>

namespace bayplan::text {

struct CsvLine {
  std::string_view text;
  std::size_t offset = 0;  ///< Bytes from the start of the file.
};

/// Lists the lines of a CSV file in which each row is one line. Blank lines and comments (`#`) are left out.
class CsvLines {
 public:
  /// `text` must outlive the lines.
  explicit CsvLines(std::string_view text) : text_(text) {}

  /// Gives the next line; false, and `line` is unspecified, at the end of the file.
  bool next(CsvLine& line);

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace bayplan::text
