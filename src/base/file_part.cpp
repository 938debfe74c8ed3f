#include "base/file_part.hpp"

namespace bayplan {

FilePart parse_file_part(const std::string& text, const Files& files) {
  const auto first = text.find('#');
  if (first == std::string::npos || files.exists(text)) return {text, {}};
  for (auto mark = text.rfind('#'); mark != first; mark = text.rfind('#', mark - 1)) {
    if (files.exists(text.substr(0, mark))) return {text.substr(0, mark), text.substr(mark + 1)};
  }
  return {text.substr(0, first), text.substr(first + 1)};
}

}  // namespace bayplan
