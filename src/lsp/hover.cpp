#include "lsp/hover.hpp"

#include <algorithm>

#include "lsp/catalog_words.hpp"
#include "lsp/page.hpp"

namespace bayplan::lsp {
namespace {

using text::Value;

bool holds(Span span, std::uint32_t offset) {
  return span.begin <= offset && offset < span.end;
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

/// Path of a value in its document.
Path path_to(Value value) {
  Path path;
  for (; value && value.parent(); value = value.parent()) {
    const bool is_element = value.parent().is_array();
    path.push_back({is_element ? std::string() : std::string(value.key()), is_element});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// A value of a file, and the schema of the document that it is in.
struct Described {
  Found found;
  ChosenSchema schema;
};

/// In a template, a plan or code the document is that of the definition, which has ECS's keys at the places of the
/// file's.
Described described_at(std::uint32_t offset, const text::Document& document, const Check& check,
                       const ChosenSchema& schema, SchemaChoice& schemas) {
  if (check.is_linted) {
    for (const auto& subject : check.report.subjects) {
      if (!subject.document->root() || !holds(subject.document->root().span(), offset)) continue;
      const Found found = value_at(*subject.document, offset);
      if (found.value && found.value.parent()) return {found, schemas.of_definition(subject.kind)};
    }
  }
  return {value_at(document, offset), schema};
}

/// The key as the file spells it: "network_mode".
std::string_view key_in_file(Value value, std::string_view source) {
  const Span span = value.key_span();
  std::string_view word = source.substr(span.begin, span.length());
  if (word.size() > 1 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front())
    word = word.substr(1, word.size() - 2);
  const bool is_word = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return is_word ? word : value.key();  // of a value from elsewhere the place is what refers to it
}

void tell_finding(Page& page, const lint::LintFinding& finding, const rules::RuleRow& row) {
  write_heading(page, row, finding.severity);
  page.quote(finding.help.empty() ? finding.message : finding.message + "\nhelp: " + finding.help);
  write_rule(page, row, finding.evidence);
}

}  // namespace

std::optional<Hover> hover_at(std::uint32_t offset, const text::Document& document, const Check& check,
                              const ChosenSchema& schema, SchemaChoice& schemas, const lint::Tools& tools,
                              bool markdown) {
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
  const Span word = type_word_at(document.source(), offset);
  if (const auto* type = tools.catalog.get().find(document.source().substr(word.begin, word.length()))) {
    page.heading(type->name, "");
    for (const auto& fact : collect_facts(*type)) page.paragraph(fact);
    about(word);
  } else if (const auto [found, of] = described_at(offset, document, check, schema, schemas);
             found.value && of.guide != nullptr) {
    const bool is_scalar = !found.value.is_object() && !found.value.is_array();
    const SchemaObjects said = of.said(path_to(found.value));
    if (!said.empty() && (found.is_key || is_scalar) && !found.value.key().empty()) {
      const auto key = key_in_file(found.value, document.source());
      page.heading(key, key == found.value.key() ? "" : "(in ECS: " + std::string(found.value.key()) + ")");
      page.paragraph(shape::description_of(said));
      page.paragraph(shape::limits_of(said, *of.guide));
      if (shape::is_deprecated(said)) page.paragraph("deprecated");
      about(found.is_key ? found.value.key_span() : found.value.span());
    }
  }
  if (!span) return std::nullopt;
  return Hover{*span, std::move(page).text()};
}

}  // namespace bayplan::lsp
