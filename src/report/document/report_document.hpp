#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/assumption.hpp"
#include "base/json_writer.hpp"
#include "placement/model/scenario.hpp"
#include "report/document/media.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

inline constexpr std::size_t kEveryRow = std::numeric_limits<std::size_t>::max();

/// Width of "YES " and "NO  ": further lines of an answer that begins with them align below its sentence.
inline constexpr std::size_t kBelowVerdict = 4;

/// The terminal for which a part is made late.
struct Screen {
  TextOptions options = {};            ///< Its signs and colors.
  std::size_t lines_left = kEveryRow;  ///< Of a first screen, between what precedes the part and the footer.
};

struct Block;
using Blocks = std::vector<Block>;

namespace block {

/// A section of a page. A comment has none, and a terminal a blank line.
struct Section {
  std::string id;
  std::string heading;
};

struct Heading {
  RichText text;
  int level = 3;
};

/// An answer of the report: in a terminal a line, the only one under `--quiet`; the heading of a comment.
struct Answer {
  RichText text;
  bool is_good = true;
  /// Terminal: how far its further lines are indented if it does not begin with YES or NO. Under `--quiet` it is one
  /// line, for scripts.
  std::size_t hanging = 0;
  std::string whole = {};  ///< Under `--quiet`, where other blocks say the rest of the answer; empty = the text.
};

struct Paragraph {
  RichText text;
  Tone tone = Tone::kPlain;
  std::string lead = {};    ///< Stands in bold before the text: "Closest match:".
  std::size_t indent = 0;   ///< Terminal: columns before the first line.
  std::size_t hanging = 0;  ///< Terminal: additional columns before the further ones, which align below the lead.
  Tone lead_tone = Tone::kStrong;  ///< Terminal, where the paragraph has no tone.
};

/// What must be read before anything else.
struct Note {
  std::string text;
};

/// A blank line in a terminal; other media separate blocks by themselves.
struct Gap {};

struct List {
  std::vector<RichText> items;
};

/// Terms and their values: "cost", "$28.80/h".
struct Figures {
  std::vector<std::pair<std::string, std::string>> list;
};

/// How many rows each medium shows; it counts the others. A page, and a terminal with `-v`, show all.
struct Rows {
  std::size_t text = kEveryRow;
  std::size_t comment = kEveryRow;
  std::string_view noun = {};   ///< Terminal: "and 3 more fields".
  std::string_view how = "-v";  ///< Terminal: which option shows them.

  std::size_t most(Medium medium) const;
};

struct ShownTable {
  Table table;
  Rows rows = {};
  bool keeps_columns = false;  ///< A terminal omits no column with `-v`.
  bool is_list = false;        ///< A terminal shows no headings.
  std::string summary = {};    ///< Comment and page: what it is folded under; empty if it is not.
  bool is_open = false;        ///< Page: unfolded at first.
};

/// Columns and rows that are for the medium, without the rows beyond its limit; refers to the table where it shows it
/// whole.
struct TablePart {
  TablePart(const ShownTable& shown, Medium medium);
  const Table& table() const { return own ? *own : *whole; }

  const Table* whole;
  std::optional<Table> own;
  std::size_t left_out = 0;
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

/// Values that changed, each with its place. A terminal shows them as lines, and cuts long values unless `-v`.
struct Changes {
  struct Row {
    std::string place;  ///< "web.json:4:15"
    std::string name;
    std::optional<std::string> before;
    std::optional<std::string> after;
  };
  std::vector<Row> list;
  Rows rows = {};
  std::string summary = {};  ///< Comment and page: what the table is folded under.
  bool is_open = false;      ///< Page: not folded.

  ShownTable table() const;
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
  std::size_t indent = 0;  ///< Terminal.
};

/// One bar of several that are compared.
struct Bar {
  std::string name;
  double amount = 0;     ///< 0 or more.
  std::string text;      ///< The amount in words.
  bool is_best = false;  ///< Emphasized.
};

/// Each is drawn against the longest.
struct Bars {
  std::vector<Bar> list;
  bool is_bad = false;  ///< What is counted is better not there.
};

/// Several of them next to each other, each below its words. Only pages have them.
struct Charts {
  std::vector<std::pair<std::string, Bars>> list;
};

/// Where a script of the page draws `name`.
struct View {
  std::string name;
  std::string without;  ///< What is said where no script runs.
};

/// Folded until a reader opens it. A terminal shows the summary as a heading.
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

/// Blocks that are made only for a medium that shows them, because they are large, or because they depend on the
/// screen: bars, signs, and what fills the rest of it.
struct Later {
  std::function<Blocks(const Screen&)> make;
};

/// Lines of a terminal that are printable already, with their own colors and widths: a chart.
struct Drawing {
  std::string lines;
};

/// HTML that is escaped already.
struct Markup {
  std::string html;
};

}  // namespace block

struct Block : std::variant<block::Section, block::Heading, block::Answer, block::Paragraph, block::Note, block::Gap,
                            block::List, block::Figures, block::ShownTable, block::BeforeAfter, block::Changes,
                            block::SmallPrint, block::Code, block::Bars, block::Charts, block::View, block::Details,
                            block::ClusterFindings, block::Assumptions, block::Later, block::Drawing, block::Markup> {
  using variant::variant;
  Media media = kEveryMedium;  ///< Other media omit it.
};

/// The answer in a word that one sees from afar: "NO", "FITS". No word, no badge.
struct Verdict {
  std::string word = {};
  Tone tone = Tone::kPlain;
};

/// What a page says first: a badge, a line that is read at a glance, and the rest of the answer.
struct PageAnswer {
  std::string verdict;
  std::string line;    ///< At most `kLongestLine` characters.
  std::string detail;  ///< Empty if the line says all.
};

inline constexpr std::size_t kLongestLine = 90;

/// Divides a headline where a sentence or a clause ends. Long names are shortened in the line; the detail then repeats
/// the headline with all of them.
PageAnswer divide_headline(std::string_view headline);

/// A report as blocks, in the order in which they are read. A command builds it once; `write_document` makes text for
/// a terminal, Markdown or HTML of it: it escapes and breaks every text, and omits what a medium has no room for.
struct ReportDocument {
  explicit ReportDocument(std::string name) : command(std::move(name)) {}
  void add(Block block, Media media = kEveryMedium);
  void section(std::string id, std::string heading, Media media = kEveryMedium) {
    add(block::Section{std::move(id), std::move(heading)}, media);
  }
  void gap(Media media = kTerminal) { add(block::Gap{}, media); }
  void add_to_footer(Block block, Media media = kEveryMedium);
  /// Nothing where it has no words.
  void paragraph(block::Paragraph paragraph, Media media = kEveryMedium);
  void paragraph(RichText text, Media media = kEveryMedium) { paragraph(block::Paragraph{std::move(text)}, media); }
  /// A line of a terminal that is broken to fit; what follows is indented by two more.
  void line(std::size_t indent, RichText text, Media media = kTerminal) {
    paragraph({.text = std::move(text), .indent = indent, .hanging = 2}, media);
  }
  /// "and 3 more (-v)", below what a first screen has no room for; nothing where nothing is left out.
  void left_out(std::size_t count, std::size_t indent = 2);
  void list(std::vector<RichText> items, Media media = kEveryMedium) { add(block::List{std::move(items)}, media); }
  /// Parts that are made only for a medium that shows them.
  void later(Media media, std::function<void(ReportDocument&, const Screen&)> build);
  void later(Media media, std::function<void(ReportDocument&)> build) {
    later(media, [build = std::move(build)](ReportDocument& part, const Screen&) { build(part); });
  }
  /// Nothing where it has no rows.
  void table(Table table, block::Rows rows = {}, Media media = kEveryMedium);
  void folded(std::string summary, Blocks inside) { add(block::Details{std::move(summary), std::move(inside)}); }
  void view(std::string name, std::string without) { add(block::View{std::move(name), std::move(without)}); }
  /// The answer: the heading of a page, and of a comment ("bayplan place: YES ..."); the first line of a text.
  void answer(std::string subject_file, RichText text, bool good, Media media = kTerminal | Medium::kComment,
              std::size_t hanging = 0, std::string whole = {});
  /// What must be read before anything else, each a paragraph.
  void notes(const std::vector<std::string>& list);

  std::string command;       ///< "place"
  std::string subject;       ///< Page: what was asked about, a file.
  std::string command_line;  ///< Page: what made it, as one would paste it; may be empty.
  std::string prices;        ///< Page: where its prices come from, and of which day; may be empty.
  std::string headline;      ///< Page: the answer in one sentence.
  bool is_good = true;       ///< Page: whether the answer is what one hopes for.
  Verdict verdict;           ///< Page: the badge; that of a headline which begins with YES or NO is this word.
  std::string_view marker;   ///< Comment: by which a bot finds it again; empty = none.
  Blocks blocks;
  Blocks footer;                          ///< What holds for the whole report; a first screen never omits it.
  std::string quiet;                      ///< Terminal: what `--quiet` prints if it is not the answer.
  bool has_all_lines = false;             ///< Terminal: a first screen is as long as the report.
  bool has_text = false;                  ///< Page: ends with what a terminal shows with `-v`.
  std::function<void(JsonWriter&)> data;  ///< Page: what its scripts draw from; empty, or writes nothing = nothing.
};

/// `options`: those of a text, whose `verbose` chooses the medium.
void write_document(std::ostream& out, const ReportDocument& document, Medium medium, const TextOptions& options = {});

/// Text for a terminal, as wide as `text_columns`: sections are separated by blank lines, and a first screen ends where
/// it is full, before the footer.
void write_text(std::ostream& out, const ReportDocument& document, const TextOptions& options);

/// A page that is a comment on GitHub, or less: where it is longer than a comment may be (65,536 characters) it ends
/// with the last whole line before that, says how much is left out, and closes what is open.
std::string cut_to_comment(std::string page);

void write_markdown(std::ostream& out, const ReportDocument& document);

/// One HTML file that needs nothing else: style, scripts and data are inside, and its content security policy lets in
/// no other. Everything that a report must say is there without scripts; they add the views.
void write_html(std::ostream& out, const ReportDocument& document);

}  // namespace bayplan::report
