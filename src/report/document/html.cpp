#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include <fmt/core.h>

#include "base/base64.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "base/version.hpp"
#include "embedded/page_cluster.hpp"
#include "embedded/page_common.hpp"
#include "embedded/page_contents.hpp"
#include "embedded/page_lint.hpp"
#include "embedded/page_style.hpp"
#include "embedded/page_tables.hpp"
#include "embedded/page_timeline.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/escape.hpp"
#include "report/document/report_document.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kManyColumns = 10;  ///< Paper shows tables of more columns in small print.
constexpr std::size_t kLongFigure = 26;   ///< Is as wide as two others; as a name of a bar it needs a line on a phone.
constexpr std::size_t kWidestRow = 7;     ///< Figures next to each other.
constexpr std::size_t kSentence = 30;     ///< A figure that long is broken anywhere.

struct PageScript {
  std::string_view text;
  std::string_view digest;
};

/// Returns the scripts in the order in which they run.
std::array<PageScript, 6> page_scripts() {
  using namespace embedded;  // NOLINT: all of it is named after what it embeds
  return {{{page_common(), page_common_sha256()},
           {page_tables(), page_tables_sha256()},
           {page_cluster(), page_cluster_sha256()},
           {page_timeline(), page_timeline_sha256()},
           {page_lint(), page_lint_sha256()},
           {page_contents(), page_contents_sha256()}}};
}

std::string policy() {
  std::string text = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" +
                     policy_source(embedded::page_style_sha256()) + "'; script-src";
  for (const auto& script : page_scripts()) text += " '" + policy_source(script.digest) + "'";
  return text;
}

/// Class of a cell; empty for a plain one.
std::string_view tone_class(Tone tone) {
  switch (tone) {
    case Tone::kStrong:
      return "strong";
    case Tone::kGood:
      return "good";
    case Tone::kDoubtful:
      return "doubtful";
    case Tone::kBad:
      return "bad";
    case Tone::kFaint:
    case Tone::kPlain:
      break;
  }
  return {};
}

/// "12", "1,024 MiB", "$0.52/h", "+3 %", "3-4", "-"; not "10 g4dn.xlarge".
bool is_figure(std::string_view cell) {
  if (cell.empty() || cell == "-") return true;
  constexpr std::array<std::string_view, 8> kUnits = {"", "%", " %", "/h", " MiB", " GiB", " vCPU", " GPU"};
  const auto first = cell.find_first_not_of("+-$~<");
  if (first == std::string_view::npos || std::isdigit(static_cast<unsigned char>(cell[first])) == 0) return false;
  const auto unit = cell.substr(std::min(cell.find_first_not_of("0123456789.,-", first), cell.size()));
  return std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

/// A name that stays on one line, such as an instance type.
bool is_word(const RichText& text) {
  constexpr std::size_t kLongestWord = 24;
  return text.width() <= kLongestWord && text.plain().find(' ') == std::string::npos;
}

/// A word that no column is as wide as.
bool has_long_word(const RichText& text) {
  constexpr std::size_t kLongWord = 40;
  std::size_t length = 0;
  for (const char c : text.plain()) {
    length = c == ' ' || c == '/' || c == ']' ? 0 : length + 1;
    if (length > kLongWord) return true;
  }
  return false;
}

bool is_column_of_figures(const Table& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const Table::Row& row) {
    return column >= row.cells.size() || is_figure(row.cells[column].text.plain());
  });
}

std::string html_run(const TextRun& run) {
  const auto text = html_words(run.text);
  switch (run.emphasis) {
    case Emphasis::kStrong:
      return "<strong>" + text + "</strong>";
    case Emphasis::kCode:
      return "<code>" + text + "</code>";
    case Emphasis::kCommand:
      return "<code class=\"copied\">" + text + "</code>";
    case Emphasis::kItalic:
      return "<em>" + text + "</em>";
    case Emphasis::kNone:
      break;
  }
  return text;
}

/// A figure breaks behind commas and slashes only: "$48.96/h, about $35,741/month".
std::string unbroken(std::string_view value) {
  if (value.size() > kSentence) return html_text(value);
  std::string html;
  while (!value.empty()) {
    auto end = value.find(", ");
    const auto slash = value.find(" / ");
    end = std::min(end == std::string_view::npos ? value.size() : end + 1,
                   slash == std::string_view::npos ? value.size() : slash + 2);
    html += "<b>" + html_text(value.substr(0, end)) + "</b>";
    value.remove_prefix(end);
    if (!value.empty() && value.front() == ' ') {
      html += ' ';
      value.remove_prefix(1);
    }
  }
  return html;
}

/// Figures per row, chosen so that no row is much shorter than the others.
std::size_t figures_per_row(const block::Figures& figures) {
  std::size_t all = figures.list.size();
  for (const auto& [term, value] : figures.list) all += value.size() > kLongFigure ? 1 : 0;
  const std::size_t rows = std::max<std::size_t>(1, (all + kWidestRow - 1) / kWidestRow);
  return std::max<std::size_t>(2, (all + rows - 1) / rows);
}

/// "5,000" of a number without a unit in a column of numbers; other texts as they are.
std::string grouped(std::string text) {
  constexpr std::size_t kMostDigits = 18;
  const bool is_number = text.size() <= kMostDigits && !text.empty() &&
                         std::all_of(text.begin(), text.end(), [](char one) { return one >= '0' && one <= '9'; });
  return is_number ? with_separators(std::stoll(text)) : text;
}

std::string html_line(const RichText& text) {
  return text.shown(html_run);
}

/// Writes the blocks of a page as they come: head, sections, data, scripts.
class HtmlWriter {
 public:
  explicit HtmlWriter(std::ostream& out) : out_(out) {}

  void head(const ReportDocument& document) {
    const auto subject = html_text(document.subject);
    const auto answer = divide_headline(document.headline);
    auto verdict = document.verdict;
    if (verdict.word.empty()) verdict.word = answer.verdict;
    if (verdict.tone == Tone::kPlain) verdict.tone = document.is_good ? Tone::kGood : Tone::kBad;
    const auto tone = tone_class(verdict.tone);
    const auto command = html_text(document.command);
    out_ << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         << "<meta name=\"color-scheme\" content=\"light dark\">\n"
         << "<meta http-equiv=\"Content-Security-Policy\" content=\"" << policy() << "\">\n"
         << "<meta name=\"generator\" content=\"bayplan " << html_text(version()) << "\">\n"
         << "<title>bayplan " << command << (subject.empty() ? "" : ": ") << subject << "</title>\n<style>"
         << embedded::page_style() << "</style>\n</head>\n<body data-command=\"" << command
         << "\">\n<header>\n<p>bayplan " << command << (subject.empty() ? "" : " &middot; <bdi>") << subject
         << (subject.empty() ? "" : "</bdi>") << "</p>\n<h1 id=\"answer\" class=\"" << tone << "\">";
    if (!verdict.word.empty()) out_ << "<span class=\"badge " << tone << "\">" << html_text(verdict.word) << "</span> ";
    out_ << "<span class=\"line\">" << html_words(answer.line) << "</span></h1>\n";
    if (!answer.detail.empty()) out_ << "<p class=\"rest\">" << html_words(answer.detail) << "</p>\n";
    if (!document.command_line.empty())
      out_ << "<p class=\"command\"><code>" << html_text(document.command_line) << "</code></p>\n";
    out_ << "</header>\n<main>\n";
  }

  void write(const Blocks& blocks) {
    for (const auto& block : blocks) {
      if (block.media.contains(Medium::kPage)) std::visit(*this, static_cast<const Block::variant&>(block));
    }
  }

  void end(const ReportDocument& document) {
    close_section();
    out_ << "</main>\n<footer><p>bayplan " << html_text(version()) << (document.prices.empty() ? "" : " &middot; ")
         << html_text(document.prices) << "</p></footer>\n";
    if (document.data) script_data(document.data);
    for (const auto& script : page_scripts()) out_ << "<script>" << script.text << "</script>\n";
    out_ << "</body>\n</html>\n";
  }

  void operator()(const block::Section& section) {
    close_section();
    const auto id = html_text(section.id);
    out_ << "<section id=\"" << id << "\" aria-labelledby=\"" << id << "-heading\">\n<h2 id=\"" << id << "-heading\">"
         << html_text(section.heading) << "</h2>\n";
    in_section_ = true;
  }

  void operator()(const block::Heading& heading) { out_ << "<h3>" << html_line(heading.text) << "</h3>\n"; }
  void operator()(const block::Answer& answer) { (*this)(block::Paragraph{answer.text}); }
  void operator()(const block::Note& note) { (*this)(block::Paragraph{.text = note.text, .lead = "Note:"}); }
  void operator()(const block::Gap&) {}
  void operator()(const block::Drawing&) {}
  void operator()(const block::Later& later) { write(later.make({})); }
  void operator()(const block::Changes& changes) { (*this)(changes.table()); }

  void operator()(const block::Paragraph& paragraph) {
    out_ << "<p>";
    if (!paragraph.lead.empty()) out_ << html_run(in_bold(paragraph.lead)) << ' ';
    out_ << (paragraph.tone == Tone::kBad ? html_run(in_bold(paragraph.text.plain())) : html_line(paragraph.text))
         << "</p>\n";
  }

  void operator()(const block::Markup& markup) { out_ << markup.html; }

  void operator()(const block::List& list) {
    if (list.items.empty()) return;
    out_ << "<ul>\n";
    for (const auto& item : list.items) out_ << "<li>" << html_line(item) << "</li>\n";
    out_ << "</ul>\n";
  }

  void operator()(const block::Figures& figures) {
    out_ << "<dl class=\"figures per-" << figures_per_row(figures) << "\">\n";
    for (const auto& [term, value] : figures.list)
      out_ << (value.size() > kLongFigure ? "<div class=\"long\">" : "<div>") << "<dt>" << html_text(term)
           << "</dt><dd>" << unbroken(value) << "</dd></div>\n";
    out_ << "</dl>\n";
  }

  void operator()(const block::ShownTable& block) {
    if (!block.summary.empty()) {
      auto open = block;
      open.summary.clear();
      return (*this)(block::Details{block.summary, {std::move(open)}, block.is_open});
    }
    const block::TablePart part(block, Medium::kPage);
    const auto& table = part.table();
    if (table.rows.empty()) return;
    std::vector<bool> figures;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      figures.push_back(table.columns[i].align == Align::kRight || is_column_of_figures(table, i));
    const bool has_many = table.columns.size() > kManyColumns;
    out_ << "<div class=\"wide" << (has_many ? " many" : "") << (table.holds_sentences ? " sentences" : "")
         << "\" tabindex=\"0\"><table>\n<thead><tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      // A heading without words is none.
      const auto element = table.columns[i].heading.empty() ? "td" : "th";
      out_ << '<' << element << (table.columns[i].heading.empty() ? "" : " scope=\"col\"")
           << (figures[i] ? " class=\"figure\"" : "") << '>' << html_text(table.columns[i].heading) << "</" << element
           << '>';
    }
    out_ << "</tr></thead>\n<tbody>\n";
    for (const auto& one : table.rows) row(table, one, figures);
    out_ << "</tbody>\n</table></div>\n";
  }

  void operator()(const block::BeforeAfter& rows) {
    Table table({"", "before", "after"});
    for (const auto& row : rows.list) table.add({row.what, row.before, RichText(TextRun{row.after, emphasis_of(row)})});
    (*this)(block::ShownTable{std::move(table)});
  }

  void operator()(const block::SmallPrint& print) { out_ << "<p><small>" << html_text(print.text) << "</small></p>\n"; }

  void operator()(const block::Code& code) {
    out_ << "<pre tabindex=\"0\">";
    std::string_view lines = code.lines;
    while (!lines.empty()) {
      const auto end = std::min(lines.find('\n'), lines.size());
      out_ << html_text(lines.substr(0, end)) << '\n';
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    out_ << "</pre>\n";
  }

  void operator()(const block::Bars& bars) {
    double most = 0;
    for (const auto& one : bars.list) most = std::max(most, one.amount);
    if (most <= 0) return;
    const bool has_long_names =
        std::any_of(bars.list.begin(), bars.list.end(), [](const auto& one) { return one.name.size() > kLongFigure; });
    out_ << "<div class=\"histogram" << (bars.is_bad ? " bad" : "") << (has_long_names ? " long-names" : "") << "\">\n";
    for (const auto& one : bars.list) {
      const auto name = html_text(one.name);
      out_ << (one.is_best ? "<span class=\"best\">" : "<span>") << "<bdi>" << html_words(one.name)
           << "</bdi></span><meter min=\"0\" max=\"1\" value=\"" << fmt::format("{:.4f}", one.amount / most)
           << "\" aria-label=\"" << name << "\">" << html_text(one.text) << "</meter><span class=\"figure\">"
           << html_text(one.text) << "</span>\n";
    }
    out_ << "</div>\n";
  }

  void operator()(const block::Charts& charts) {
    if (charts.list.empty()) return;
    out_ << "<div class=\"charts\">\n";
    for (const auto& [caption, bars] : charts.list) {
      out_ << "<figure><figcaption>" << html_text(caption) << "</figcaption>\n";
      (*this)(bars);
      out_ << "</figure>\n";
    }
    out_ << "</div>\n";
  }

  void operator()(const block::View& view) {
    out_ << "<div class=\"view\" data-view=\"" << html_text(view.name) << "\"><noscript><p>" << html_text(view.without)
         << "</p></noscript></div>\n";
  }

  void operator()(const block::Details& details) {
    out_ << "<details" << (details.is_open ? " open" : "") << "><summary>" << html_text(details.summary)
         << "</summary>\n";
    write(details.blocks);
    out_ << "</details>\n";
  }

  void operator()(const block::ClusterFindings& findings) {
    if (findings.list.empty()) return;
    Table table({"ID", "applies to", "detail"});
    table.holds_sentences = true;
    for (const auto& one : findings.list) table.add({one.id, one.subject, one.text});
    (*this)(block::Section{"findings", "Notes on the cluster"});
    (*this)(block::ShownTable{std::move(table)});
  }

  void operator()(const block::Assumptions& assumptions) {
    if (assumptions.list.empty()) return;
    Table table({"ID", "applies to", "detail"});
    table.holds_sentences = true;
    for (const auto& group : grouped_by_id(assumptions.list))
      table.add({group.id, group.subject_words(true), group.words()});
    (*this)(block::Section{"assumptions", "Assumptions"});
    (*this)(block::ShownTable{std::move(table)});
  }

 private:
  void close_section() {
    if (in_section_) out_ << "</section>\n";
    in_section_ = false;
  }

  void row(const Table& table, const Table::Row& shown, const std::vector<bool>& figures) {
    const auto& cells = shown.cells;
    out_ << (shown.is_best ? "<tr class=\"best\">" : "<tr>");
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool is_number = i < figures.size() && figures[i];
      std::vector<std::string> classes;
      if (is_number) classes.emplace_back("figure");
      const bool is_one_word = !is_number && is_word(cells[i].text);
      if (is_one_word) classes.emplace_back("word");
      if (!is_number && has_long_word(cells[i].text)) classes.emplace_back("long");
      if (const auto tone = tone_class(cells[i].tone); !tone.empty()) classes.emplace_back(tone);
      out_ << "<td" << (classes.empty() ? "" : " class=\"" + join(classes, " ") + "\"") << '>'
           << (is_number ? "" : "<bdi>")
           << (is_number && table.columns[i].align == Align::kRight ? grouped(html_line(cells[i].text))
               : is_one_word && cells[i].text.is_plain()            ? html_text(cells[i].text.plain())
                                                                    : html_line(cells[i].text))
           << (is_number ? "" : "</bdi>") << "</td>";
    }
    out_ << "</tr>\n";
  }

  void script_data(const std::function<void(JsonWriter&)>& data) {
    std::ostringstream buffer;
    JsonWriter json(buffer);
    data(json);
    const std::string text = std::move(buffer).str();
    if (text.empty()) return;
    out_ << "<script type=\"application/json\" id=\"data\">";
    // In JSON a `<` occurs inside strings only, and must not end the element that holds them.
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = std::min(text.find('<', begin), text.size());
      out_ << std::string_view(text).substr(begin, end - begin) << (end < text.size() ? "\\u003c" : "");
      begin = end + 1;
    }
    out_ << "</script>\n";
  }

  std::ostream& out_;
  bool in_section_ = false;
};

}  // namespace

void write_html(std::ostream& out, const ReportDocument& document) {
  HtmlWriter writer(out);
  writer.head(document);
  writer.write(document.blocks);
  writer.write(document.footer);
  if (document.has_text) {
    std::ostringstream lines;
    write_text(lines, document, {.verbose = true});
    ReportDocument text(document.command);
    text.section("text", "As text");
    text.folded("the report as a terminal shows it with -v", {block::Code{std::move(lines).str()}});
    writer.write(text.blocks);
  }
  writer.end(document);
}

}  // namespace bayplan::report
