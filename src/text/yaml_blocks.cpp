#include "text/yaml_blocks.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "text/template_language.hpp"

namespace bayplan::text {
namespace {

/// The column that the text of a block must be right of, when the line ends with the mark of one.
std::optional<std::size_t> block_begun_in(std::string_view line) {
  line = line.substr(0, line.find_last_not_of(" \r") + 1);
  if (line.ends_with('-') || line.ends_with('+')) line.remove_suffix(1);
  if (!line.ends_with(" |") && !line.ends_with(" >")) return std::nullopt;
  const std::size_t key = std::min(line.find_first_not_of(" -"), line.size());
  const bool has_key = line.find(':') != std::string_view::npos;
  return has_key ? key : line.rfind('-', key);
}

}  // namespace

std::size_t YamlBlocks::after_line(std::size_t line_end) {
  const std::size_t line = line_end == 0 ? 0 : text_.rfind('\n', line_end - 1) + 1;
  if (!block_) block_ = block_begun_in(text_.substr(line, line_end - line));
  if (!block_) return line_end + 1;
  const std::size_t begin = line_end + 1;
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  const std::size_t first = std::min(text_.find_first_not_of(' ', begin), text_.size());
  const bool is_blank = trim(text_.substr(std::min(begin, end), end - std::min(begin, end))).empty();
  if (is_blank || first - begin > *block_) return end;
  if (template_statement_length(text_, first) == 0) block_.reset();
  return begin;
}

}  // namespace bayplan::text
