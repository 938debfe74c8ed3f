#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/assumption.hpp"
#include "base/json_writer.hpp"
#include "placement/model/scenario.hpp"
#include "report/document/table.hpp"

namespace bayplan::report {

/// Who reads a document: a comment on a pull request, in Markdown, is short and has one heading; a page, in HTML, has
/// sections, charts and everything that a terminal shows.
enum class Medium : std::uint8_t { kComment, kPage };

inline constexpr std::size_t kEveryRow = std::numeric_limits<std::size_t>::max();

struct Block;
using Blocks = std::vector<Block>;

namespace block {

/// A section of a page. A comment has none.
struct Section {
  std::string id;
  std::string heading;
};

struct Heading {
  RichText text;
  int level = 3;
};

struct Paragraph {
  RichText text;
};

struct List {
  std::vector<RichText> items;
};

/// Terms beside their values: "cost", "$28.80/h".
struct Figures {
  std::vector<std::pair<std::string, std::string>> list;
};

struct ShownTable {
  Table table;
  std::size_t most = kEveryRow;  ///< More rows than these are counted, not shown.
};

/// What changes, row by row; an after that differs from its before is emphasized.
struct BeforeAfter {
  struct Row {
    std::string what;
    std::string before;
    std::string after;
  };
  std::vector<Row> list;
};

inline Emphasis emphasis_of(const BeforeAfter::Row& row) {
  return row.before == row.after ? Emphasis::kNone : Emphasis::kStrong;
}

/// What holds for the whole report, in small letters.
struct SmallPrint {
  std::string text;
};

/// Lines as they are, in a font of one width.
struct Code {
  std::string lines;
  bool is_fenced = false;  ///< Markdown: between fences; else indented, so that no line can end it.
};

/// One bar of several that are compared.
struct Bar {
  std::string name;
  double amount = 0;  ///< 0 or more.
  std::string text;   ///< The amount in words.
};

/// Each is drawn against the longest.
struct Bars {
  std::vector<Bar> list;
  bool is_bad = false;  ///< What is counted is better not there.
};

/// Where a script of the page draws `name`.
struct View {
  std::string name;
  std::string without;  ///< What is said where no script runs.
};

/// Folded until a reader opens it.
struct Details {
  std::string summary;
  Blocks blocks;
  bool is_open = false;
};

/// What a live cluster's description lacks or contradicts; nothing where there is nothing.
struct ClusterFindings {
  std::vector<placement::ClusterFinding> list;
};

/// Folded in a comment, a section of a page; nothing where there are none.
struct Assumptions {
  std::vector<Assumption> list;
};

/// HTML that is escaped already.
struct Markup {
  std::string html;
};

}  // namespace block

struct Block : std::variant<block::Section, block::Heading, block::Paragraph, block::List, block::Figures,
                            block::ShownTable, block::BeforeAfter, block::SmallPrint, block::Code, block::Bars,
                            block::View, block::Details, block::ClusterFindings, block::Assumptions, block::Markup> {
  using variant::variant;
};

/// A report as blocks, in the order in which they are read. A command builds it once; `write_document` makes Markdown
/// or HTML of it and escapes every text. The builder asks for the medium where one shows what the other has no room
/// for.
struct ReportDocument {
  ReportDocument(Medium reader, std::string name) : medium(reader), command(std::move(name)) {}

  bool is_page() const { return medium == Medium::kPage; }
  void add(Block block) { blocks.push_back(std::move(block)); }
  void section(std::string id, std::string heading) { add(block::Section{std::move(id), std::move(heading)}); }
  void paragraph(RichText text) { add(block::Paragraph{std::move(text)}); }
  void list(std::vector<RichText> items) { add(block::List{std::move(items)}); }
  /// Nothing where it has no rows.
  void table(Table table, std::size_t most = kEveryRow);
  void folded(std::string summary, Blocks inside) { add(block::Details{std::move(summary), std::move(inside)}); }
  void view(std::string name, std::string without) { add(block::View{std::move(name), std::move(without)}); }
  /// The answer: the heading of a page, and of a comment ("bayplan place: YES ...").
  void answer(std::string subject_file, std::string text, bool good);
  /// What must be read before anything else, each a paragraph.
  void notes(const std::vector<std::string>& list);
  /// Adds the report of the terminal as a folded section.
  void as_text(std::string summary, std::string lines);

  Medium medium;
  std::string command;       ///< "place"
  std::string subject;       ///< Page: what was asked about, a file.
  std::string command_line;  ///< Page: what made it, as one would paste it; may be empty.
  std::string prices;        ///< Page: where its prices come from, and of which day; may be empty.
  std::string headline;      ///< Page: the answer in one sentence.
  bool is_good = true;       ///< Page: whether the answer is what one hopes for.
  std::string_view marker;   ///< Comment: by which a bot finds it again; empty = none.
  Blocks blocks;
  std::function<void(JsonWriter&)> data;  ///< Page: what its scripts draw from; empty = nothing.
};

void write_document(std::ostream& out, const ReportDocument& document);

/// A page that is a comment on GitHub, or less: where it is longer than a comment may be (65,536 characters) it ends
/// with the last whole line before that, says how much is left out, and closes what is open.
std::string cut_to_comment(std::string page);

void write_markdown(std::ostream& out, const ReportDocument& document);

/// One HTML file that needs nothing else: style, scripts and data are inside, and its content security policy lets in
/// no other. Everything that a report must say is there without scripts; they add the views.
void write_html(std::ostream& out, const ReportDocument& document);

}  // namespace bayplan::report
