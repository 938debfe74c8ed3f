#include "lsp/hover.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "lsp/catalog_words.hpp"
#include "report/document/escape.hpp"
#include "report/explain/explain_report.hpp"

namespace bayplan::lsp {
namespace {

using text::Value;

bool holds(Span span, std::uint32_t offset) {
  return span.begin <= offset && offset < span.end;
}

/// Paragraphs in one of the two formats that clients show.
class Page {
 public:
  explicit Page(bool markdown) : markdown_(markdown) {}

  void heading(std::string_view code, std::string_view rest) {
    begin(text_.empty() ? "" : markdown_ ? "\n\n---\n\n" : "\n\n");
    text_ += markdown_ ? "**" + report::markdown_code(code) + "**" : std::string(code);
    if (!rest.empty()) (text_ += ' ') += rest;
  }
  /// Text that is not ours: names and values of the file stand in it.
  void quote(const std::string& text) {
    begin("\n\n");
    if (!markdown_) {
      text_ += text;
      return;
    }
    std::string fence = "```";
    while (text.find(fence) != std::string::npos) fence += '`';
    text_ += fence + "text\n" + printable_lines(text) + "\n" + fence;
  }
  void paragraph(std::string_view text) {
    if (text.empty()) return;
    begin("\n\n");
    text_ += written(text);
  }
  void named(std::string_view name, std::string_view text) {
    if (text.empty()) return;
    begin("\n\n");
    text_ += (markdown_ ? "*" + std::string(name) + ":* " : std::string(name) + ": ") + written(text);
  }
  void link(std::string_view name, const std::string& address) {
    begin("\n\n");
    text_ += (markdown_ ? "*" + std::string(name) + ":* <" + address + ">" : std::string(name) + ": " + address);
  }
  std::string text() && { return std::move(text_); }

 private:
  /// Our own text has no markup, but may name an `<ACCOUNT>`.
  std::string written(std::string_view text) const {
    std::string out;
    for (const char c : text) {
      if (markdown_ && (c == '<' || c == '*')) out += '\\';
      out += c;
    }
    return out;
  }
  static std::string printable_lines(const std::string& text) {
    std::string out;
    for (const auto line : split(text, '\n')) (out += out.empty() ? "" : "\n") += printable(line);
    return out;
  }
  void begin(std::string_view between) {
    if (!text_.empty()) text_ += between;
  }

  bool markdown_;
  std::string text_;
};

void tell_finding(Page& page, const lint::LintFinding& finding, const rules::RuleRow& row) {
  page.heading(finding.code, std::string(row.id) + " (" + std::string(name_of(finding.severity)) + ")");
  page.quote(finding.help.empty() ? finding.message : finding.message + "\nhelp: " + finding.help);
  page.named("Why", row.why);
  page.named("Fix", row.fix);
  page.named("Evidence", report::evidence_in_words(finding.evidence));
  if (const auto address = row.source_url()) {
    page.link("Source", *address);
  } else {
    page.named("Source", row.source);
  }
}

void tell_key(Page& page, std::string_view key, const Said& said, const SchemaGuide& guide) {
  page.heading(key, "");
  page.paragraph(description_of(said));
  page.paragraph(limits_of(said, guide));
  if (is_deprecated(said)) page.paragraph("deprecated");
}

void tell_type(Page& page, const catalog::InstanceType& type) {
  page.heading(type.name, "");
  for (const auto& fact : facts_of(type)) page.paragraph(fact);
}

/// The innermost value there, and whether it is its key that is meant.
struct Found {
  Value value;
  bool is_key = false;
};

Found value_at(const text::Document& document, std::uint32_t offset) {
  Found found;
  for (std::uint32_t i = 0; i < document.node_count(); ++i) {
    const Value value = document.node(i);
    if (holds(value.key_span(), offset)) return {value, true};
    if (holds(value.span(), offset)) found = {value, false};
  }
  return found;
}

}  // namespace

Path path_to(Value value) {
  Path path;
  for (; value && value.parent(); value = value.parent()) {
    const bool is_element = value.parent().is_array();
    path.push_back({is_element ? std::string() : std::string(value.key()), is_element});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::optional<Hover> hover_at(std::uint32_t offset, const text::Document& document, const Check& check,
                              const ChosenSchema& schema, const lint::Tools& tools, bool markdown) {
  Page page(markdown);
  std::optional<Span> span;
  const auto about = [&](Span place) {
    if (!span || place.length() < span->length()) span = place;
  };
  if (check.is_linted) {
    for (const auto& finding : check.report.findings) {
      if (finding.suppression || !holds(finding.span, offset)) continue;
      tell_finding(page, finding, tools.rule_data.get().row(finding.code));
      about(finding.span);
    }
  }
  const Found found = value_at(document, offset);
  const Span word = type_word_at(document.source(), offset);
  if (const auto* type = tools.catalog.get().find(document.source().substr(word.begin, word.length()))) {
    tell_type(page, *type);
    about(word);
  } else if (found.value && schema.guide != nullptr) {
    const bool is_scalar = !found.value.is_object() && !found.value.is_array();
    const Said said = schema.said(path_to(found.value));
    if (!said.empty() && (found.is_key || is_scalar) && !found.value.key().empty()) {
      tell_key(page, found.value.key(), said, *schema.guide);
      about(found.is_key ? found.value.key_span() : found.value.span());
    }
  }
  if (!span) return std::nullopt;
  return Hover{*span, std::move(page).text()};
}

}  // namespace bayplan::lsp
