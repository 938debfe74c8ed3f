#include "lsp/open_document.hpp"

namespace bayplan::lsp {

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
