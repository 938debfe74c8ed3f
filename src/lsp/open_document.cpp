#include "lsp/open_document.hpp"

#include "importers/terraform.hpp"
#include "text/read.hpp"

namespace bayplan::lsp {

text::Format OpenDocument::format() const {
  if (importers::is_terraform_code(name)) return text::Format::kHcl;
  return text::format_of_name(name).value_or(text::Format::kYaml);
}

std::shared_ptr<const text::Document> OpenDocument::read() const {
  if (format() != text::Format::kHcl) return text::read_document(text, {.format = text::format_of_name(name)});
  return text::Builder(text, text::Format::kHcl).finish();
}

void OpenDocument::apply(const std::vector<TextChange>& changes, Encoding encoding) {
  for (const auto& change : changes) {
    if (!change.range) {
      text = change.text;
      continue;
    }
    Span span = Positions(text, encoding).span(*change.range);
    if (span.end < span.begin) std::swap(span.begin, span.end);
    text.replace(span.begin, span.length(), change.text);
  }
}

}  // namespace bayplan::lsp
