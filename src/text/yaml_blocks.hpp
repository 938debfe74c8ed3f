#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace bayplan::text {

/// Walks over the lines of a YAML text and passes over the text of blocks (`|`, `>`), which is no YAML. A template
/// statement at the margin does not end a block.
class YamlBlocks {
 public:
  explicit YamlBlocks(std::string_view text) : text_(text) {}

  /// `line_end`: of a line that was read. Gives the begin of the next line, or the end of it when it is text of a
  /// block.
  std::size_t after_line(std::size_t line_end);

 private:
  std::string_view text_;
  std::optional<std::size_t> block_;  ///< Column of the key or dash that a block belongs to.
};

}  // namespace bayplan::text
