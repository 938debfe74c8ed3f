#include "lsp/page.hpp"

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/escape.hpp"
#include "report/explain/explain_report.hpp"

namespace bayplan::lsp {
namespace {

std::string printable_lines(const std::string& text) {
  std::string out;
  for (const auto line : split(text, '\n')) (out += out.empty() ? "" : "\n") += printable(line);
  return out;
}

}  // namespace

void Page::heading(std::string_view code, std::string_view rest) {
  begin(markdown_ ? "\n\n---\n\n" : "\n\n");
  text_ += markdown_ ? "**" + report::markdown_code(code) + "**" : std::string(code);
  if (!rest.empty()) (text_ += ' ') += rest;
}

void Page::quote(const std::string& text) {
  begin("\n\n");
  if (!markdown_) {
    text_ += text;
    return;
  }
  std::string fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  text_ += fence + "text\n" + printable_lines(text) + "\n" + fence;
}

void Page::paragraph(std::string_view text) {
  if (text.empty()) return;
  begin("\n\n");
  text_ += written(text);
}

void Page::named(std::string_view name, std::string_view text) {
  if (text.empty()) return;
  begin("\n\n");
  text_ += (markdown_ ? "*" + std::string(name) + ":* " : std::string(name) + ": ") + written(text);
}

void Page::link(std::string_view name, const std::string& address) {
  begin("\n\n");
  text_ += (markdown_ ? "*" + std::string(name) + ":* <" + address + ">" : std::string(name) + ": " + address);
}

/// Our own text has no markup, but may name an `<ACCOUNT>`.
std::string Page::written(std::string_view text) const {
  std::string out;
  for (const char c : text) {
    if (markdown_ && (c == '<' || c == '*')) out += '\\';
    out += c;
  }
  return out;
}

void Page::begin(std::string_view between) {
  if (!text_.empty()) text_ += between;
}

void write_heading(Page& page, const rules::RuleRow& row, Severity severity) {
  const std::string id = rules::is_house_code(row.code) ? std::string() : std::string(row.id) + " ";
  page.heading(row.code, id + "(" + std::string(name_of(severity)) + ")");
}

void write_rule(Page& page, const rules::RuleRow& row, std::string_view evidence) {
  page.named("Why", row.why);
  page.named("Fix", row.fix);
  page.named("Evidence", report::evidence_in_words(evidence));
  page.named("Source", row.source);
  if (const auto address = row.web_url()) {
    page.link("Rule", *address);
  } else {
    page.named("Rule", row.url());
  }
}

}  // namespace bayplan::lsp
