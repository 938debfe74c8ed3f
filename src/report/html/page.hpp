#pragma once
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assumption.hpp"
#include "base/json_writer.hpp"
#include "placement/scenario.hpp"

namespace bayplan::report {

/// What stands above everything else.
struct PageHead {
  std::string_view command;  ///< "place"
  std::string subject;       ///< What was asked about: the file.
  std::string answer;        ///< One sentence.
  bool is_good = true;
};

/// A table of texts; those columns whose every cell is a number are aligned as such.
struct PageTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
};

/// One bar of several that are held against each other.
struct PageBar {
  std::string name;
  double amount = 0;  ///< 0 or more.
  std::string text;   ///< The amount in words.
};

/// A report as one HTML file that needs nothing else: style, scripts and data are inside, and its content security
/// policy lets in no other. Everything that a report must say is there without scripts; they add the views. All texts
/// are escaped here. Written as it comes: head, sections, end.
class Page {
 public:
  Page(std::ostream& out, const PageHead& head);
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  /// Between the answer and the first section.
  void notes(const std::vector<std::string>& all);
  /// Goes on until the next one begins.
  void section(std::string_view id, std::string_view heading);
  void paragraph(std::string_view text);
  /// Terms beside their values: "cost", "$28.80/h".
  void figures(const std::vector<std::pair<std::string, std::string>>& all);
  void table(const PageTable& table);
  void folded_table(std::string_view summary, const PageTable& table);
  /// Against the longest of them.
  void bars(const std::vector<PageBar>& all);
  /// Where a script draws `name`; `without` is told where no script runs.
  void view(std::string_view name, std::string_view without);
  /// Folded away, every line as it is.
  void text(std::string_view summary, std::string_view lines);
  void open_text(std::string_view lines);
  /// Sections of their own, where there are any: what a live cluster's description lacks or contradicts, and what is
  /// assumed.
  void findings(const std::vector<placement::ClusterFinding>& all);
  void assumptions(const std::vector<Assumption>& all);
  /// Markup that is escaped already.
  void markup(std::string_view html) { out_ << html; }
  /// What the scripts draw from; nothing but the end comes after it.
  void data(const std::function<void(JsonWriter&)>& write);
  void end();

 private:
  void close_section();
  void close_main();

  std::ostream& out_;
  bool in_section_ = false;
  bool in_main_ = true;
};

}  // namespace bayplan::report
