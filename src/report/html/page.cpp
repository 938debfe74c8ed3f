#include "report/html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

#include "base/version.hpp"
#include "embedded/page_cluster.hpp"
#include "embedded/page_common.hpp"
#include "embedded/page_lint.hpp"
#include "embedded/page_style.hpp"
#include "embedded/page_tables.hpp"
#include "embedded/page_timeline.hpp"
#include "report/assumptions.hpp"
#include "report/html/html_text.hpp"

namespace bayplan::report {
namespace {

struct PageScript {
  std::string_view text;
  std::string_view digest;
};

/// In the order in which they run.
std::array<PageScript, 5> page_scripts() {
  using namespace embedded;  // NOLINT: all of it is named after what it embeds
  return {{{page_common(), page_common_sha256()},
           {page_tables(), page_tables_sha256()},
           {page_cluster(), page_cluster_sha256()},
           {page_timeline(), page_timeline_sha256()},
           {page_lint(), page_lint_sha256()}}};
}

std::string policy() {
  std::string text = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" +
                     policy_source(embedded::page_style_sha256()) + "'; script-src";
  for (const auto& script : page_scripts()) text += " '" + policy_source(script.digest) + "'";
  return text;
}

/// "12", "1,024 MiB", "$0.52/h", "+3 %", "3-4", "-"; not "10 g4dn.xlarge".
bool is_figure(std::string_view cell) {
  if (cell.empty() || cell == "-") return true;
  constexpr std::array<std::string_view, 8> kUnits = {"", "%", " %", "/h", " MiB", " GiB", " vCPU", " GPU"};
  const auto first = cell.find_first_not_of("+-$~");
  if (first == std::string_view::npos || std::isdigit(static_cast<unsigned char>(cell[first])) == 0) return false;
  const auto unit = cell.substr(std::min(cell.find_first_not_of("0123456789.,-", first), cell.size()));
  return std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

bool is_column_of_figures(const PageTable& table, std::size_t column) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return column >= row.size() || is_figure(row[column]); });
}

}  // namespace

Page::Page(std::ostream& out, const PageHead& head) : out_(out) {
  const auto subject = html_text(head.subject);
  const auto command = html_text(head.command);
  out_ << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
       << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
       << "<meta name=\"color-scheme\" content=\"light dark\">\n"
       << "<meta http-equiv=\"Content-Security-Policy\" content=\"" << policy() << "\">\n"
       << "<meta name=\"generator\" content=\"bayplan " << html_text(version()) << "\">\n"
       << "<title>bayplan " << command << (subject.empty() ? "" : ": ") << subject << "</title>\n<style>"
       << embedded::page_style() << "</style>\n</head>\n<body data-command=\"" << command
       << "\">\n<header>\n<p>bayplan " << command << (subject.empty() ? "" : " &middot; <bdi>") << subject
       << (subject.empty() ? "" : "</bdi>") << "</p>\n<h1 id=\"answer\" class=\"" << (head.is_good ? "good" : "bad")
       << "\">" << html_text(head.answer) << "</h1>\n</header>\n<main>\n";
}

void Page::close_section() {
  if (in_section_) out_ << "</section>\n";
  in_section_ = false;
}

void Page::close_main() {
  close_section();
  if (in_main_) out_ << "</main>\n";
  in_main_ = false;
}

void Page::section(std::string_view id, std::string_view heading) {
  close_section();
  out_ << "<section id=\"" << html_text(id) << "\" aria-labelledby=\"" << html_text(id) << "-heading\">\n<h2 id=\""
       << html_text(id) << "-heading\">" << html_text(heading) << "</h2>\n";
  in_section_ = true;
}

void Page::notes(const std::vector<std::string>& all) {
  for (const auto& note : all) out_ << "<p><strong>Note:</strong> " << html_text(note) << "</p>\n";
}

void Page::paragraph(std::string_view text) {
  out_ << "<p>" << html_text(text) << "</p>\n";
}

void Page::figures(const std::vector<std::pair<std::string, std::string>>& all) {
  out_ << "<dl class=\"figures\">\n";
  for (const auto& one : all)
    out_ << "<div><dt>" << html_text(one.first) << "</dt><dd>" << html_text(one.second) << "</dd></div>\n";
  out_ << "</dl>\n";
}

void Page::table(const PageTable& table) {
  std::vector<bool> figures;
  for (std::size_t i = 0; i < table.headings.size(); ++i) figures.push_back(is_column_of_figures(table, i));
  out_ << "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    out_ << "<th scope=\"col\"" << (figures[i] ? " class=\"figure\"" : "") << '>' << html_text(table.headings[i])
         << "</th>";
  out_ << "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out_ << "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_number = i < figures.size() && figures[i];
      out_ << (is_number ? "<td class=\"figure\">" : "<td><bdi>") << html_text(row[i])
           << (is_number ? "</td>" : "</bdi></td>");
    }
    out_ << "</tr>\n";
  }
  out_ << "</tbody>\n</table></div>\n";
}

void Page::bars(const std::vector<PageBar>& all) {
  double most = 0;
  for (const auto& one : all) most = std::max(most, one.amount);
  if (most <= 0) return;
  out_ << "<div class=\"histogram\">\n";
  for (const auto& one : all) {
    const auto name = html_text(one.name);
    out_ << "<span><bdi>" << name << "</bdi></span><meter min=\"0\" max=\"1\" value=\""
         << fmt::format("{:.4f}", one.amount / most) << "\" aria-label=\"" << name << "\">" << html_text(one.text)
         << "</meter><span class=\"figure\">" << html_text(one.text) << "</span>\n";
  }
  out_ << "</div>\n";
}

void Page::view(std::string_view name, std::string_view without) {
  out_ << "<div class=\"view\" data-view=\"" << html_text(name) << "\"><noscript><p>" << html_text(without)
       << "</p></noscript></div>\n";
}

void Page::folded_table(std::string_view summary, const PageTable& all) {
  out_ << "<details><summary>" << html_text(summary) << "</summary>\n";
  table(all);
  out_ << "</details>\n";
}

void Page::open_text(std::string_view lines) {
  out_ << "<pre tabindex=\"0\">";
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    out_ << html_text(lines.substr(0, end)) << '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  out_ << "</pre>\n";
}

void Page::text(std::string_view summary, std::string_view lines) {
  out_ << "<details><summary>" << html_text(summary) << "</summary>\n";
  open_text(lines);
  out_ << "</details>\n";
}

void Page::findings(const std::vector<placement::ClusterFinding>& all) {
  if (all.empty()) return;
  section("findings", "Notes on the cluster");
  PageTable rows{{"ID", "applies to", "detail"}, {}};
  for (const auto& one : all) rows.rows.push_back({one.id, one.subject, one.text});
  table(rows);
}

void Page::assumptions(const std::vector<Assumption>& all) {
  if (all.empty()) return;
  section("assumptions", "Taken for granted");
  PageTable rows{{"what", "of", "that"}, {}};
  for (const auto& group : grouped_by_id(all))
    rows.rows.push_back({std::string(group.id), group.subject_words(true), group.words()});
  table(rows);
}

void Page::data(const std::function<void(JsonWriter&)>& write) {
  close_main();
  std::ostringstream buffer;
  JsonWriter json(buffer);
  write(json);
  const std::string text = std::move(buffer).str();
  out_ << "<script type=\"application/json\" id=\"data\">";
  // In JSON a `<` stands inside strings only, and must not end the element that holds them.
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('<', begin), text.size());
    out_ << std::string_view(text).substr(begin, end - begin) << (end < text.size() ? "\\u003c" : "");
    begin = end + 1;
  }
  out_ << "</script>\n";
}

void Page::end() {
  close_main();
  for (const auto& script : page_scripts()) out_ << "<script>" << script.text << "</script>\n";
  out_ << "</body>\n</html>\n";
}

}  // namespace bayplan::report
