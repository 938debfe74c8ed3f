#include "lint/files/template_file.hpp"

#include <algorithm>

#include "lint/files/kind_evidence.hpp"
#include "text/read.hpp"
#include "text/template_language.hpp"

namespace bayplan::lint {
namespace {

using rules::FileKind;
using text::FaultKind;

bool is_harmless(const text::Fault& fault) {
  return fault.kind == FaultKind::kDuplicateKey || fault.kind == FaultKind::kEncoding;
}

/// Statements may leave commas and comments behind; what else is no JSON or YAML may be the work of the template.
bool is_readable(const text::Document& document, bool is_jsonnet) {
  if (!document.root()) return false;
  const auto& faults = document.faults();
  return std::all_of(faults.begin(), faults.end(), [&](const text::Fault& fault) {
    const bool is_syntax = fault.kind == FaultKind::kJsonSyntax || fault.kind == FaultKind::kYamlSyntax;
    return is_jsonnet ? is_harmless(fault) : !is_syntax;
  });
}

}  // namespace

void note_template(ReadFile& file, Search search) {
  const text::Document& document = *file.document;
  if (document.is_unparsed() || text::is_blank(document)) return;
  const bool is_jsonnet = text::is_jsonnet(file.file, document.source());
  const bool is_read = is_readable(document, is_jsonnet);
  FileKind kind = FileKind::kTemplate;
  file.template_language = text::template_language(document.source(), document.format());
  if (is_jsonnet) {
    kind = FileKind::kJsonnet;
    file.template_language = "Jsonnet file";
  } else if (file.template_language.empty() && text::is_json5(file.file) && !is_read) {
    kind = FileKind::kJson5;
    file.template_language = "JSON5 file";
  }
  if (file.template_language.empty() || is_read) return;
  if (search == Search::kNamed || mentions_ecs(document.source())) file.kind = kind;
  file.document = text::Builder(document.shared_source(), document.format()).finish();
}

void note_code_template(ReadFile& file) {
  const text::Document& document = *file.document;
  const auto& faults = document.faults();
  const bool is_refused = std::any_of(faults.begin(), faults.end(),
                                      [](const text::Fault& fault) { return fault.kind == FaultKind::kHclSyntax; });
  if (!is_refused) return;
  const std::string_view language = text::template_language(document.source(), text::Format::kHcl);
  if (language.empty()) return;
  file.kind = FileKind::kTemplate;
  file.template_language = language;
  file.subjects.clear();
  file.module.reset();
  file.document = text::Builder(document.shared_source(), text::Format::kHcl).finish();
}

bool is_template_name(std::string_view name) {
  for (const std::string_view ending : {".tpl", ".tmpl", ".tftpl", ".j2", ".template"}) {
    if (name.ends_with(ending)) return true;
  }
  return false;
}

}  // namespace bayplan::lint
