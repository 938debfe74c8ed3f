#include "report/lint/source_excerpt.hpp"

#include <algorithm>

#include "report/document/escape.hpp"
#include "text/edited_text.hpp"

namespace bayplan::report {
namespace {

constexpr std::uint32_t kLinesOfExcerpt = 6;
constexpr std::uint32_t kShownFixLines = 24;
constexpr std::size_t kAround = 140;  ///< Bytes of a line before and behind the mark.
constexpr std::size_t kLongestMark = 400;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// The end of the text, of `most` bytes at most, cut between characters.
std::string_view tail_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t begin = text.size() - most;
  while (begin < text.size() && is_continuation(text[begin])) ++begin;
  return text.substr(begin);
}

std::string_view head_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && is_continuation(text[most])) --most;
  return text.substr(0, most);
}

std::string cut_before(std::string_view text) {
  const auto kept = tail_of(text, kAround);
  return (kept.size() < text.size() ? "…" : "") + html_text(kept);
}

std::string cut_behind(std::string_view text, std::size_t most) {
  const auto kept = head_of(text, most);
  return html_text(kept) + (kept.size() < text.size() ? "…" : "");
}

std::string numbered(std::uint32_t line, std::string_view html) {
  return "<code class=\"at\">" + std::to_string(line) + " | " + std::string(html) + "</code>";
}

/// Each line as its own element.
std::string lines_as(std::string_view element, std::string_view sign, std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string name(element);
    html += "<code><" + name + '>' + std::string(sign) + ' ' + cut_behind(line, 2 * kAround) + "</" + name + "></code>";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return html;
}

}  // namespace

void SourceExcerpt::hide(Span span) {
  const auto last = lines_.location(std::max(span.begin, span.end)).line;
  for (auto line = lines_.location(span.begin).line; line <= last; ++line) hidden_.insert(line);
}

bool SourceExcerpt::is_hidden(Span span) const {
  const auto hidden = hidden_.lower_bound(lines_.location(span.begin).line);
  return hidden != hidden_.end() && *hidden <= lines_.location(std::max(span.begin, span.end)).line;
}

std::string SourceExcerpt::marked(Span span) const {
  if (is_hidden(span)) return numbered(lines_.location(span.begin).line, "(not shown: it may hold a secret)");
  const auto first = lines_.location(span.begin).line;
  const auto last = lines_.location(std::max(span.begin, span.end)).line;
  std::string html;
  for (auto number = first; number <= std::min(last, first + kLinesOfExcerpt - 1); ++number) {
    const auto start = lines_.line_start(number);
    const auto line = lines_.line(number);
    const auto end = start + static_cast<std::uint32_t>(line.size());
    const auto from = std::clamp(span.begin, start, end) - start;
    const auto to = std::max(from, std::clamp(span.end, start, end) - start);
    html += numbered(number, cut_before(line.substr(0, from)) + "<mark>" +
                                 cut_behind(line.substr(from, to - from), kLongestMark) + "</mark>" +
                                 cut_behind(line.substr(to), kAround));
  }
  if (last >= first + kLinesOfExcerpt) html += "<code>… to line " + std::to_string(last) + "</code>";
  return html;
}

Span SourceExcerpt::whole_lines(Span span) const {
  const auto last = lines_.location(std::max(span.begin, span.end)).line;
  const auto end = lines_.line_start(last) + static_cast<std::uint32_t>(lines_.line(last).size());
  return {lines_.line_start(lines_.location(span.begin).line), end};
}

std::string SourceExcerpt::fixed(const Fix& fix) const {
  if (fix.edits.empty()) return {};
  const Span all = whole_lines({fix.edits.front().span.begin, fix.edits.back().span.end});
  const auto lines = lines_.location(all.end).line - lines_.location(all.begin).line + 1;
  if (lines > kShownFixLines || is_hidden(all)) return {};
  const std::string_view before = source_.substr(all.begin, all.end - all.begin);
  std::vector<Edit> edits = fix.edits;
  for (auto& edit : edits) edit.span = {edit.span.begin - all.begin, edit.span.end - all.begin};
  const std::string after = text::apply(before, std::move(edits)).text;
  return lines_as("del", "-", before) + lines_as("ins", "+", after);
}

}  // namespace bayplan::report
