#pragma once
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "placement/scenario.hpp"

namespace bayplan::report {

/// A page that is a comment on GitHub, or less: where it is longer than a comment may be (65,536 characters) it ends
/// with the last whole line before that, says how much is left out, and closes what is open.
std::string cut_to_comment(std::string page);

/// Collects a page. Every text is escaped here.
class MarkdownPage {
 public:
  void heading(std::string_view text);
  void line(std::string_view text);  ///< A paragraph.
  /// In bold, then as it is.
  void line(std::string_view strong, std::string_view text);
  void item(std::string_view code, std::string_view text);  ///< `code`: shown as such; empty = none.
  void end_items() { page_ += '\n'; }
  void code(std::string_view lines);  ///< Lines of printable text, as they are.

  struct Table {
    std::vector<std::string> headings;
    std::vector<bool> is_number;  ///< By column.
    std::vector<std::vector<std::string>> rows;
  };
  /// Nothing where it has no rows; `most` of them, then how many there are beyond.
  void table(const Table& table, std::size_t most);

  void open_details(std::string_view summary);
  void close_details();
  void findings(const std::vector<placement::ClusterFinding>& findings);  ///< Of a live cluster.
  void assumptions(const std::vector<Assumption>& assumptions);           ///< Folded.

  void write(std::ostream& out) const;

 private:
  std::string page_;
};

}  // namespace bayplan::report
