#include "lsp/diagnostics.hpp"

#include "lsp/source_positions.hpp"
#include "text/location.hpp"

namespace bayplan::lsp {
namespace {

using Layout = JsonWriter::Layout;

constexpr int kErrorLevel = 1, kWarningLevel = 2, kInformationLevel = 3, kHintLevel = 4;

int level_of(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return kErrorLevel;
    case Severity::kWarning:
      return kWarningLevel;
    case Severity::kInfo:
      return kInformationLevel;
    case Severity::kStyle:
      return kHintLevel;
  }
  return kErrorLevel;
}

std::string with_help(const std::string& message, const std::string& help) {
  return help.empty() ? message : message + "\nhelp: " + help;
}

void write_related(JsonWriter& json, const OpenDocument& document, const lint::LintFinding& finding,
                   const SourcePositions& positions) {
  json.key("relatedInformation").begin_array();
  for (const auto& related : finding.related) {
    json.begin_object().key("location").begin_object().member("uri", document.uri);
    write_range(json, "range", positions.range(related.span));
    json.end_object().member("message", related.message).end_object();
  }
  json.end_array();
}

/// Extends a position to the end of the word, because errors only know where they begin.
Span word_at(std::string_view text, std::uint32_t begin) {
  const std::size_t end = text.find_first_of(" \t\r\n,:]}#", begin + 1);
  return {begin, static_cast<std::uint32_t>(end == std::string_view::npos ? text.size() : end)};
}

std::uint32_t offset_of(std::string_view text, const Error& error) {
  const text::LineIndex lines(text);
  if (error.line == 0 || error.line > lines.line_count()) return 0;
  std::uint32_t offset = lines.line_start(error.line);
  const std::size_t end = offset + lines.line(error.line).size();
  for (std::uint32_t column = 1; column < error.column && offset < end; ++column) {
    do ++offset;
    while (offset < end && (static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80U);
  }
  return offset;
}

void write_error_as(JsonWriter& json, const Error& error, std::string_view text, Encoding encoding, int level) {
  const std::uint32_t begin = offset_of(text, error);
  json.begin_object();
  write_range(json, "range", Positions(text, encoding).range(word_at(text, begin)));
  json.member("severity", level).member("source", "bayplan");
  json.member("message", with_help(error.message, error.help)).end_object();
}

/// `bayplan lint` would not begin with such a config.
void write_unchecked(JsonWriter& json, const Check& check) {
  const Error& error = check.config_errors.front();
  const std::string place = error.file + (error.line > 0 ? ":" + std::to_string(error.line) : "");
  json.begin_object();
  write_range(json, "range", {});
  json.member("severity", kErrorLevel).member("source", "bayplan");
  json.member("message", "nothing is checked until the config is fixed: " + place + ": " + error.message).end_object();
}

}  // namespace

void write_diagnostic(JsonWriter& json, const OpenDocument& document, const lint::LintFinding& finding,
                      const SourcePositions& positions, const rules::RuleData& data, const Client& client) {
  json.begin_object(Layout::kLine);
  write_range(json, "range", positions.range(finding.span));
  json.member("severity", level_of(finding.severity)).member("code", finding.code);
  if (const auto link = data.row(finding.code).web_url(); link && client.takes_code_links) {
    json.key("codeDescription").begin_object().member("href", *link).end_object();
  }
  json.member("source", "bayplan").member("message", with_help(finding.message, finding.help));
  if (client.takes_related && !finding.related.empty()) write_related(json, document, finding, positions);
  json.end_object();
}

void write_findings(JsonWriter& json, const OpenDocument& document, const Check& check, const rules::RuleData& data,
                    const Client& client) {
  const bool is_config = lint::is_config_name(document.name);
  if (!check.settings && !check.config_errors.empty() && !is_config) write_unchecked(json, check);
  for (const auto& error : check.own_errors) write_error_as(json, error, document.text, client.encoding, kErrorLevel);
  if (!check.is_linted) return;
  const SourcePositions positions(document, *check.report.document, client.encoding);
  for (const auto& finding : check.report.findings) {
    if (!finding.suppression) write_diagnostic(json, document, finding, positions, data, client);
  }
  for (const auto& note : check.report.notes) {
    write_error_as(json, note, check.report.document->source(), client.encoding, kInformationLevel);
  }
}

void write_error(JsonWriter& json, const Error& error, std::string_view text, Encoding encoding) {
  write_error_as(json, error, text, encoding, kErrorLevel);
}

}  // namespace bayplan::lsp
