#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/escape.hpp"
#include "report/document/report_document.hpp"

namespace bayplan::report {
namespace {

/// Bytes, which are never fewer than characters; room is left for what the cut adds.
constexpr std::size_t kCommentBytes = 65'536;
constexpr std::size_t kRoomForEnd = 512;
constexpr std::size_t kShownAssumptions = 50;

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t times_at_line_start(std::string_view text, std::string_view mark) {
  std::size_t times = text.starts_with(mark) ? 1 : 0;
  const std::string inside = "\n" + std::string(mark);
  for (auto at = text.find(inside); at != std::string_view::npos; at = text.find(inside, at + 1)) ++times;
  return times;
}

std::string markdown_run(const TextRun& run) {
  switch (run.emphasis) {
    case Emphasis::kStrong:
      return "**" + markdown_text(run.text) + "**";
    case Emphasis::kCode:
    case Emphasis::kCommand:
      return markdown_code(run.text);
    case Emphasis::kItalic:
      return "*" + markdown_text(run.text) + "*";
    case Emphasis::kNone:
      break;
  }
  return markdown_text(run.text);
}

std::string markdown_line(const RichText& text) {
  return text.shown(markdown_run);
}

/// Blocks, a blank line between any two.
class MarkdownWriter {
 public:
  MarkdownWriter(std::string& page, const std::string& command) : page_(page), command_(command) {}

  void write(const Blocks& blocks) {
    for (const auto& block : blocks) {
      if (block.media.contains(Medium::kComment)) std::visit(*this, static_cast<const Block::variant&>(block));
    }
  }

  void operator()(const block::Section&) {}
  void operator()(const block::Gap&) {}
  void operator()(const block::Figures&) {}
  void operator()(const block::Bars&) {}
  void operator()(const block::Charts&) {}
  void operator()(const block::View&) {}
  void operator()(const block::Drawing&) {}
  void operator()(const block::Markup&) {}

  void operator()(const block::Heading& heading) {
    begin_block();
    page_ += std::string(static_cast<std::size_t>(heading.level), '#') + ' ' + markdown_line(heading.text) + '\n';
  }

  void operator()(const block::Answer& answer) {
    (*this)(block::Heading{"bayplan " + command_ + ": " + answer.text.plain()});
  }

  void operator()(const block::Paragraph& paragraph) {
    begin_block();
    if (!paragraph.lead.empty()) page_ += markdown_run(in_bold(paragraph.lead)) + ' ';
    page_ +=
        (paragraph.tone == Tone::kBad ? markdown_run(in_bold(paragraph.text.plain())) : markdown_line(paragraph.text)) +
        '\n';
  }

  void operator()(const block::Note& note) { (*this)(block::Paragraph{.text = note.text, .lead = "Note:"}); }
  void operator()(const block::Later& later) { write(later.make({})); }
  void operator()(const block::Changes& changes) { (*this)(changes.table()); }

  void operator()(const block::List& list) {
    if (list.items.empty()) return;
    begin_block();
    for (const auto& item : list.items) page_ += "- " + markdown_line(item) + '\n';
  }

  void operator()(const block::ShownTable& block) {
    const block::TablePart part(block, Medium::kComment);
    const auto& table = part.table();
    if (table.rows.empty()) return;
    if (!block.summary.empty()) {
      auto open = block;
      open.summary.clear();
      return (*this)(block::Details{block.summary, {std::move(open)}});
    }
    begin_block();
    page_ += '|';
    for (const auto& column : table.columns) page_ += ' ' + markdown_text(column.heading) + " |";
    page_ += "\n|";
    for (const auto& column : table.columns) page_ += column.align == Align::kRight ? " ---: |" : " --- |";
    page_ += '\n';
    for (const auto& row : table.rows) {
      page_ += '|';
      for (const auto& cell : row.cells) page_ += ' ' + markdown_line(cell.text) + " |";
      page_ += '\n';
    }
    if (part.left_out > 0) (*this)(block::Paragraph{fmt::format("and {} more", part.left_out)});
  }

  void operator()(const block::BeforeAfter& rows) {
    begin_block();
    page_ += "| | before | after |\n| --- | --- | --- |\n";
    for (const auto& row : rows.list)
      page_ += "| " + markdown_text(row.what) + " | " + markdown_text(row.before) + " | " +
               markdown_run({row.after, emphasis_of(row)}) + " |\n";
  }

  void operator()(const block::SmallPrint& print) {
    begin_block();
    page_ += "<sub>" + markdown_text(print.text) + "</sub>\n";
  }

  void operator()(const block::Code& code) {
    begin_block();
    if (code.is_fenced) {
      page_ += "```\n" + code.lines + "```\n";
      return;
    }
    std::string_view lines = code.lines;
    if (lines.ends_with('\n')) lines.remove_suffix(1);
    for (const auto line : split(lines, '\n')) page_ += line.empty() ? "\n" : "    " + std::string(line) + "\n";
  }

  /// The blank line makes Markdown of what follows.
  void operator()(const block::Details& details) {
    begin_block();
    page_ += std::string("<details") + (details.is_open ? " open" : "") + "><summary>" +
             markdown_text(details.summary) + "</summary>\n";
    write(details.blocks);
    page_ += "\n</details>\n";
  }

  void operator()(const block::ClusterFindings& findings) {
    block::List list;
    for (const auto& one : findings.list)
      list.items.push_back({in_code(one.id), {" " + one.subject + ": " + one.text}});
    (*this)(list);
  }

  void operator()(const block::Assumptions& assumptions) {
    if (assumptions.list.empty()) return;
    const auto groups = grouped_by_id(assumptions.list);
    const std::size_t shown = std::min(kShownAssumptions, groups.size());
    block::List list;
    for (std::size_t i = 0; i < shown; ++i) {
      const auto subjects = groups[i].subject_words(false);
      const auto about = subjects.empty() ? "" : "(" + subjects + ") ";
      list.items.push_back({in_code(groups[i].id), {" " + about + groups[i].words()}});
    }
    block::Details details{count_of(static_cast<std::int64_t>(assumptions.list.size()), "assumption"),
                           {std::move(list)}};
    if (shown < groups.size())
      details.blocks.push_back(block::Paragraph{fmt::format("and {} more", groups.size() - shown)});
    (*this)(details);
  }

 private:
  void begin_block() {
    if (!page_.empty() && !page_.ends_with("-->\n")) page_ += '\n';
  }

  std::string& page_;
  const std::string& command_;
};

}  // namespace

std::string cut_to_comment(std::string page) {
  if (page.size() <= kCommentBytes) return page;
  const auto end = page.rfind('\n', kCommentBytes - kRoomForEnd);
  const auto all = lines_in(page);
  page.resize(end == std::string::npos ? 0 : end + 1);
  const auto left_out = all - lines_in(page);
  if (times_at_line_start(page, "```") % 2 == 1) page += "```\n";
  if (times_at_line_start(page, "<details>") > times_at_line_start(page, "</details>")) page += "\n</details>\n";
  return page += fmt::format("\n**Truncated**: {} of {} lines are omitted because comments have a size limit.\n",
                             left_out, all);
}

void write_markdown(std::ostream& out, const ReportDocument& document) {
  std::string page;
  if (!document.marker.empty()) page = "<!-- " + std::string(document.marker) + " -->\n";
  MarkdownWriter writer(page, document.command);
  writer.write(document.blocks);
  writer.write(document.footer);
  out << cut_to_comment(std::move(page));
}

}  // namespace bayplan::report
