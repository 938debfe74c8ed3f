// A document as text for a terminal.
#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/report_document.hpp"

namespace bayplan::report {
namespace {

/// The text broken as `wrapped` does, with its emphasized runs in bold, on whichever lines they are.
std::string styled_lines(const RichText& text, std::size_t indent, const Style& style) {
  const auto printable_run = [](const TextRun& run) { return printable(run.text); };
  const auto lines = wrapped(text.shown(printable_run), indent);
  if (!style.colored()) return lines;
  const auto is_blank = [&](std::size_t at) { return lines[at] == ' ' || lines[at] == '\n'; };
  std::size_t at = 0;  // only blanks were added or removed: the others count how far a run reaches
  const auto styled = text.shown([&](const TextRun& run) {
    const auto words = printable_run(run);
    auto left = std::count_if(words.begin(), words.end(), [](char c) { return c != ' '; });
    const auto begin = at;
    while (left > 0 && is_blank(at)) ++at;
    const auto first = at;
    for (; left > 0; ++at) left -= is_blank(at) ? 0 : 1;
    const auto shown = lines.substr(first, at - first);
    return lines.substr(begin, first - begin) + (run.emphasis == Emphasis::kStrong ? style.bold(shown) : shown);
  });
  return styled + lines.substr(at);
}

/// Blocks, one below the other; gaps are blank lines between blocks that are shown.
class TextWriter {
 public:
  /// `footer`: how many lines follow.
  TextWriter(std::ostringstream& out, const TextOptions& options, std::size_t footer)
      : out_(out),
        options_(options),
        style_(options.style),
        medium_(options.verbose ? Medium::kFullText : Medium::kText),
        footer_(footer) {}

  void write(const Blocks& blocks) {
    for (const auto& block : blocks) {
      if (!block.media.contains(medium_)) continue;
      if (!options_.quiet || std::holds_alternative<block::Answer>(block) || std::holds_alternative<block::Note>(block))
        std::visit(*this, static_cast<const Block::variant&>(block));
    }
  }

  void operator()(const block::Section&) { has_gap_ = true; }
  void operator()(const block::Gap&) { has_gap_ = true; }
  void operator()(const block::Figures&) {}
  void operator()(const block::BeforeAfter&) {}
  void operator()(const block::Bars&) {}
  void operator()(const block::Charts&) {}
  void operator()(const block::View&) {}
  void operator()(const block::Markup&) {}

  void operator()(const block::Later& later) {
    const auto taken = line_count(out_.str()) + footer_;
    write(later.make({options_, kTerminalLines - std::min(kTerminalLines, taken)}));
  }

  void operator()(const block::Drawing& drawing) {
    if (!drawing.lines.empty()) begin() << drawing.lines;
  }

  /// "YES" and "NO" have colors of their own; else the parts that are emphasized are bold, or all of it.
  void operator()(const block::Answer& answer) {
    const auto plain = answer.text.plain();
    const bool has_verdict = plain.starts_with("YES ") || plain.starts_with("NO  ");
    const auto text = printable(plain);
    auto lines = options_.quiet ? (answer.whole.empty() ? text : printable(answer.whole))
                 : has_verdict  ? text.substr(0, kBelowVerdict) + wrapped(text.substr(kBelowVerdict), kBelowVerdict)
                                : styled_lines(answer.text, answer.hanging, style_);
    if (has_verdict) {
      lines = style_.answer(lines);
    } else if (!answer.is_good) {
      lines = style_.red(lines);
    } else if (answer.text.is_plain()) {
      lines = style_.bold(lines);
    }
    begin() << lines << '\n';
  }

  void operator()(const block::Heading& heading) { (*this)(block::Paragraph{.text = heading.text, .hanging = 2}); }

  void operator()(const block::Paragraph& paragraph) {
    const auto lead = paragraph.lead.empty() ? std::string() : paragraph.lead + ' ';
    const auto lines = styled_lines(paragraph.text, paragraph.indent + display_width(lead) + paragraph.hanging, style_);
    const auto lead_tone = paragraph.tone == Tone::kPlain ? paragraph.lead_tone : Tone::kPlain;
    begin() << std::string(paragraph.indent, ' ')
            << in_tone(paragraph.tone, style_, in_tone(lead_tone, style_, lead) + lines) << '\n';
  }

  void operator()(const block::Note& note) {
    begin() << style_.bold(style_.yellow("NOTE")) << "  " << wrapped(printable(note.text), 6) << '\n';
  }

  void operator()(const block::List& list) {
    for (const auto& item : list.items) (*this)(block::Paragraph{.text = item, .indent = 2, .hanging = 2});
  }

  void operator()(const block::ShownTable& shown) {
    block::TablePart part(shown, medium_);
    if (part.table().rows.empty()) return;
    const auto& columns = shown.table.columns;
    const bool cuts = std::any_of(columns.begin(), columns.end(), [](const auto& one) { return one.cut_from > 0; });
    if (cuts && !options_.verbose) {
      if (!part.own) part.own = *part.whole;
      cut_cells(*part.own);
    }
    const TableLook look{.has_headings = !shown.is_list, .keeps_columns = options_.verbose && shown.keeps_columns};
    print_table(begin(), part.table(), style_, look);
    left_out(part.left_out, shown.rows);
  }

  /// A change on one line; else below its name; else each value on a line.
  void operator()(const block::Changes& changes) {
    constexpr std::size_t kLongest = 160, kTail = 40, kIndent = 6;
    const auto shown = std::min(changes.rows.most(medium_), changes.list.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& row = changes.list[i];
      const auto value = [&](const std::optional<std::string>& text) {
        if (!text) return std::string();
        return printable(options_.verbose ? *text : without_middle(*text, kLongest, kTail, " ... "));
      };
      const std::string sign = !row.before ? "+ " : !row.after ? "- " : "";
      const std::string line = printable(row.place + ": " + sign + row.name);
      const std::string before = value(row.before), after = value(row.after);
      const std::string both = row.before && row.after ? before + " -> " + after : before + after;
      if (display_width(line) + 3 > text_columns()) {
        begin() << "  " << wrapped(line + ": " + both, 4) << '\n';
        continue;
      }
      begin() << "  " << line << ":";
      if (display_width(line) + display_width(both) + 4 <= text_columns()) {
        out_ << ' ' << both << '\n';
      } else if (!row.before || !row.after || display_width(both) + kIndent <= text_columns()) {
        out_ << "\n      " << wrapped(both, kIndent) << '\n';
      } else {
        out_ << "\n      " << wrapped(before, kIndent) << "\n   -> " << wrapped(after, kIndent) << '\n';
      }
    }
    left_out(changes.list.size() - shown, changes.rows);
  }

  void operator()(const block::Code& code) {
    std::string_view lines = code.lines;
    if (lines.ends_with('\n')) lines.remove_suffix(1);
    for (const auto line : split(lines, '\n')) begin() << std::string(code.indent, ' ') << printable(line) << '\n';
  }

  void operator()(const block::SmallPrint& print) { begin() << style_.dim(wrapped(printable(print.text), 2)) << '\n'; }

  void operator()(const block::Details& details) {
    has_gap_ = true;
    begin() << wrapped(printable(details.summary), 0) << '\n';
    write(details.blocks);
  }

  void operator()(const block::ClusterFindings& findings) {
    if (!findings.list.empty()) write_cluster_findings_text(begin(), findings.list, options_.verbose, style_);
  }

  void operator()(const block::Assumptions& assumptions) {
    if (!assumptions.list.empty()) write_assumptions_text(begin(), assumptions.list, options_.verbose, style_);
  }

 private:
  /// Where the next block begins.
  std::ostream& begin() {
    if (has_gap_) out_ << '\n';
    has_gap_ = false;
    return out_;
  }

  /// Cells of the columns that may be cut leave room for the others.
  void cut_cells(Table& table) const {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& column = table.columns[i];
      if (column.cut_from == 0) continue;
      const auto room = std::min(table.room_for(i, column.cut_from), column.cut_to);
      for (auto& row : table.rows) {
        if (i < row.cells.size()) row.cells[i].text = cut(row.cells[i].text.plain(), room, options_.glyphs);
      }
    }
  }

  void left_out(std::size_t count, const block::Rows& rows) {
    if (count == 0) return;
    const auto noun = rows.noun.empty() ? std::string() : " " + std::string(rows.noun);
    out_ << "  " << style_.dim(fmt::format("and {} more{} ({})", count, noun, rows.how)) << '\n';
  }

  std::ostringstream& out_;
  const TextOptions& options_;
  const Style& style_;
  Medium medium_;
  std::size_t footer_;
  bool has_gap_ = false;
};

}  // namespace

void write_text(std::ostream& out, const ReportDocument& document, const TextOptions& options) {
  if (options.quiet && !document.quiet.empty()) {
    out << document.quiet;
    return;
  }
  std::ostringstream body, footer;
  TextWriter(footer, options, 0).write(document.footer);
  const auto end = footer.str();
  TextWriter(body, options, line_count(end)).write(document.blocks);
  const auto text = body.str();
  // Gaps are between blocks: none before the first one.
  const auto without_gap = [](std::string_view lines) { return lines.substr(lines.starts_with('\n') ? 1 : 0); };
  write_first_screen(out, without_gap(text), text.empty() ? without_gap(end) : end,
                     options.verbose || options.quiet || document.has_all_lines);
}

}  // namespace bayplan::report
