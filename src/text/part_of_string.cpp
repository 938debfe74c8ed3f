#include "text/part_of_string.hpp"

namespace bayplan::text {

Span part_of_string(Value string, Span part) {
  const std::uint32_t quotes = string.style() != Style::kPlain ? 1 : 0;
  const bool verbatim = string.style() != Style::kBlock && string.span().length() == string.text().size() + 2 * quotes;
  if (!verbatim) return string.span();
  const std::uint32_t begin = string.span().begin + quotes;
  return {begin + part.begin, begin + part.end};
}

}  // namespace bayplan::text
