#include "text/csv_lines.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::text {

bool CsvLines::next(CsvLine& line) {
  while (at_ < text_.size()) {
    const auto end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    line = {text_.substr(at_, end - at_), at_};
    at_ = end + 1;
    const auto content = trim(line.text);
    if (!content.empty() && content.front() != '#') return true;
  }
  return false;
}

}  // namespace bayplan::text
