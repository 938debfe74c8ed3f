#include "report/markdown_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "report/assumptions.hpp"
#include "report/markdown.hpp"

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

}  // namespace

std::string cut_to_comment(std::string page) {
  if (page.size() <= kCommentBytes) return page;
  const auto end = page.rfind('\n', kCommentBytes - kRoomForEnd);
  const auto all = lines_in(page);
  page.resize(end == std::string::npos ? 0 : end + 1);
  const auto left_out = all - lines_in(page);
  if (times_at_line_start(page, "```") % 2 == 1) page += "```\n";
  if (times_at_line_start(page, "<details>") > times_at_line_start(page, "</details>")) page += "\n</details>\n";
  return page +=
         fmt::format("\n**Cut here**: {} of {} lines are left out, for a comment has no more room.\n", left_out, all);
}

void MarkdownPage::heading(std::string_view text) {
  page_ += "### " + markdown_text(text) + "\n\n";
}

void MarkdownPage::line(std::string_view text) {
  page_ += markdown_text(text) + "\n\n";
}

void MarkdownPage::line(std::string_view strong, std::string_view text) {
  page_ += "**" + markdown_text(strong) + "** " + markdown_text(text) + "\n\n";
}

void MarkdownPage::item(std::string_view code, std::string_view text) {
  page_ += "- ";
  if (!code.empty()) page_ += markdown_code(code) + " ";
  page_ += markdown_text(text) + "\n";
}

/// Indented: no line of it can end it, as one that begins with a fence would.
void MarkdownPage::code(std::string_view lines) {
  if (lines.ends_with('\n')) lines.remove_suffix(1);
  for (const auto line : split(lines, '\n')) page_ += line.empty() ? "\n" : "    " + std::string(line) + "\n";
  page_ += '\n';
}

void MarkdownPage::table(const Table& table, std::size_t most) {
  if (table.rows.empty()) return;
  page_ += '|';
  for (const auto& heading : table.headings) page_ += ' ' + markdown_text(heading) + " |";
  page_ += "\n|";
  for (const bool is_number : table.is_number) page_ += is_number ? " ---: |" : " --- |";
  page_ += '\n';
  const std::size_t shown = std::min(most, table.rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    page_ += '|';
    for (const auto& cell : table.rows[i]) page_ += ' ' + markdown_text(cell) + " |";
    page_ += '\n';
  }
  page_ += '\n';
  if (shown < table.rows.size()) page_ += fmt::format("and {} more\n\n", table.rows.size() - shown);
}

/// The blank line makes Markdown of what follows.
void MarkdownPage::open_details(std::string_view summary) {
  page_ += "<details><summary>" + markdown_text(summary) + "</summary>\n\n";
}

void MarkdownPage::close_details() {
  page_ += "</details>\n\n";
}

void MarkdownPage::findings(const std::vector<placement::ClusterFinding>& findings) {
  for (const auto& finding : findings) item(finding.id, finding.subject + ": " + finding.text);
  if (!findings.empty()) end_items();
}

void MarkdownPage::assumptions(const std::vector<Assumption>& assumptions) {
  if (assumptions.empty()) return;
  open_details(count_of(static_cast<std::int64_t>(assumptions.size()), "assumption"));
  const auto groups = grouped_by_id(assumptions);
  const std::size_t shown = std::min(kShownAssumptions, groups.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto subjects = groups[i].subject_words(false);
    item(groups[i].id, (subjects.empty() ? "" : "(" + subjects + ") ") + groups[i].words());
  }
  end_items();
  if (shown < groups.size()) page_ += fmt::format("and {} more\n\n", groups.size() - shown);
  close_details();
}

void MarkdownPage::write(std::ostream& out) const {
  auto page = page_;
  if (page.ends_with("\n\n")) page.pop_back();
  out << cut_to_comment(std::move(page));
}

}  // namespace bayplan::report
