#include "report/explain.hpp"

#include <string>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "text/read.hpp"

namespace bayplan::report {
namespace {

using rules::RuleRow;
using text::Value;

constexpr std::size_t kWidth = 90;

std::string_view slice(Span span, const text::Document& document) {
  return std::string_view(document.source()).substr(span.begin, span.length());
}

/// JSON laid out for reading: what fits on a line stays on one.
void append_pretty(std::string& out, Value value, std::size_t indent) {
  const auto source = slice(value.span(), value.document());
  const bool is_nested = value.is_object() || value.is_array();
  if (!is_nested || value.size() == 0 || (indent > 0 && indent + source.size() < kWidth)) {
    out += source;
    return;
  }
  out += value.is_object() ? "{\n" : "[\n";
  for (const Value child : value.children()) {
    out.append(indent + 2, ' ');
    if (value.is_object()) (out += slice(child.key_span(), value.document())) += ": ";
    append_pretty(out, child, indent + 2);
    out += child.position_in_parent() + 1 < value.size() ? ",\n" : "\n";
  }
  out.append(indent, ' ');
  out += value.is_object() ? '}' : ']';
}

/// An example as lines; one that is broken on purpose is left as it is.
std::string laid_out(std::string_view example) {
  const auto document = text::read_document(std::string(example), {.format = text::Format::kJson});
  if (!document->faults().empty() || !document->root() || example.find('\n') != std::string_view::npos) {
    return std::string(example);
  }
  std::string pretty;
  append_pretty(pretty, document->root(), 0);
  return pretty;
}

/// Breaks at blanks; every line indented by `indent`.
std::string wrapped(std::string_view text, std::string_view indent) {
  std::string result;
  std::size_t column = 0;
  for (const auto word : split(text, ' ')) {
    if (column > 0 && column + 1 + word.size() > kWidth) {
      result += '\n';
      column = 0;
    }
    result += column == 0 ? indent : " ";
    result += word;
    column += word.size() + 1;
  }
  return result;
}

void write_example(std::ostream& out, std::string_view title, std::string_view example, const Style& style) {
  out << '\n' << style.bold(title) << '\n';
  const std::string lines = laid_out(example);
  for (const auto line : split(lines, '\n')) out << "  " << line << '\n';
}

void write_facts(std::ostream& out, const RuleRow& row, const Style& style) {
  const auto fact = [&](std::string_view name, const std::string& text) {
    out << "  " << style.dim(name) << std::string(12 - name.size(), ' ') << text << '\n';
  };
  fact("severity", style.of(row.severity, name_of(row.severity)) + ": " + std::string(evidence_in_words(row.evidence)));
  if (row.documented_refusal) fact("", style.of(Severity::kError, "error") + " with --strict");
  for (const auto& item : row.severity_when) {
    fact("", style.of(item.severity, name_of(item.severity)) + " when " + std::string(item.when));
  }
  fact("group", std::string(row.group) + (row.on_by_default ? "" : "; off unless selected"));
  fact("applies to", row.scope == "all" ? "every launch type" : std::string(row.scope));
  fact("source", std::string(row.source));
}

void write_one(std::ostream& out, const RuleRow& row, const Style& style) {
  out << style.bold(std::string(row.code) + " " + std::string(row.id)) << ": " << row.summary << "\n\n";
  out << wrapped(row.why, "  ") << '\n';
  write_example(out, "Bad", row.bad, style);
  write_example(out, "Good", row.good, style);
  out << '\n' << style.bold("What to do") << '\n' << wrapped(row.fix, "  ") << "\n\n";
  write_facts(out, row, style);
  if (!row.implemented) out << "\n  This version of bayplan does not check it yet.\n";
}

void write_row(JsonWriter& json, const RuleRow& row) {
  json.begin_object()
      .member("code", row.code)
      .member("rule", row.id)
      .member("group", row.group)
      .member("default", row.on_by_default)
      .member("severity", name_of(row.severity))
      .member("evidence", row.evidence)
      .member("evidenceText", evidence_in_words(row.evidence))
      .member("scope", row.scope)
      .member("summary", row.summary)
      .member("why", row.why)
      .member("bad", row.bad)
      .member("good", row.good)
      .member("help", row.fix)
      .member("source", row.source)
      .member("documentedRefusal", row.documented_refusal)
      .member("implemented", row.implemented);
  json.key("severityWhen").begin_array();
  for (const auto& item : row.severity_when) {
    json.begin_object(JsonWriter::Layout::kLine)
        .member("when", item.when)
        .member("severity", name_of(item.severity))
        .member("evidence", item.evidence)
        .end_object();
  }
  json.end_array().key("supersedes").begin_array(JsonWriter::Layout::kLine);
  for (const auto code : row.supersedes) json.value(code);
  json.end_array().end_object();
}

}  // namespace

std::string_view evidence_in_words(std::string_view evidence) {
  if (evidence == "live") return "a real deployment was refused for it";
  if (evidence == "issue") return "users reported it in public";
  if (evidence == "server-text") return "the service has a message of its own for it";
  if (evidence == "model") return "the API model leaves no other reading";
  if (evidence == "documented") return "AWS documents it; a refusal was not seen";
  return "the judgement of bayplan's authors";
}

void write_explain_text(std::ostream& out, const std::vector<const RuleRow*>& rows, const Style& style) {
  for (const auto* row : rows) {
    if (row != rows.front()) out << '\n';
    write_one(out, *row, style);
  }
}

void write_explain_json(std::ostream& out, const std::vector<const RuleRow*>& rows) {
  JsonWriter json(out);
  json.begin_object().member("schema", "bayplan/explain-report/1");
  json.key("assumptions").begin_array(JsonWriter::Layout::kLine).end_array();
  json.key("rules").begin_array();
  for (const auto* row : rows) write_row(json, *row);
  json.end_array().end_object().finish();
}

}  // namespace bayplan::report
