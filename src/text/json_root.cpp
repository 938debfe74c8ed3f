#include "text/json_root.hpp"

#include "base/ascii.hpp"
#include "text/json_lexis.hpp"
#include "text/json_lookahead.hpp"
#include "text/placeholder_syntax.hpp"
#include "text/template_language.hpp"

namespace bayplan::text {
namespace {

std::size_t after_blanks(std::string_view text, std::size_t offset) {
  while (offset < text.size() && is_space(text[offset])) ++offset;
  return offset;
}

/// `{` and what may follow it; for `[` the look behind it tells a list from `[user@host]$`.
bool looks_like_root(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return false;
  if (text[offset] == '{') return text.substr(offset, 2) != "{{" || placeholder_length(text, offset) == 0;
  if (text[offset] != '[') return false;
  const std::size_t next = after_blanks(text, offset + 1);
  if (next >= text.size() || quote_at(text, next) != Quote::kNone) return true;
  for (const std::string_view word : {"true", "false", "null", "True", "False", "None"}) {
    if (text.substr(next, word.size()) == word) return true;
  }
  constexpr std::string_view kFirst = "{[]0123456789-.,/#$<";
  return kFirst.find(text[next]) != kNowhere || template_statement_length(text, next) > 0;
}

/// A literal, a number or a placeholder as the whole text.
bool is_scalar_text(std::string_view text, std::size_t offset) {
  std::size_t end = text.size();
  while (end > offset && is_space(text[end - 1])) --end;
  const std::string_view word = text.substr(offset, end - offset);
  return word == "true" || word == "false" || word == "null" || is_json_number(word) || is_placeholder(word);
}

/// `containerDefinitions: [`, `image = "x"`.
bool looks_like_member(std::string_view text, std::size_t offset) {
  std::size_t i = offset;
  while (i < text.size() && ((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z'))) ++i;
  if (i == offset) return false;
  i = after_blanks(text, i);
  if (i >= text.size() || text[i] != ':') return false;
  i = after_blanks(text, i + 1);
  return i < text.size() && (text[i] == '{' || text[i] == '[' || quote_at(text, i) != Quote::kNone);
}

}  // namespace

std::size_t root_begin(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return kNowhere;
  if (looks_like_root(text, offset) || quote_at(text, offset) != Quote::kNone) return offset;
  if (is_scalar_text(text, offset) || looks_like_member(text, offset)) return offset;
  // At the begin of a line first: a prompt or a sentence may hold brackets of its own.
  for (std::size_t line = offset; line < text.size();) {
    const std::size_t first = after_blanks(text, line);
    if (looks_like_root(text, first)) return first;
    const std::size_t end = text.find('\n', first);
    if (end == kNowhere) break;
    line = end + 1;
  }
  for (std::size_t i = text.find('{', offset); i != kNowhere; i = text.find('{', i + 1)) {
    if (looks_like_root(text, i)) return i;
  }
  return text[offset] == '[' ? offset : kNowhere;
}

void note_no_root(std::string_view text, std::size_t offset, RepairNotes& notes) {
  const Span rest = trimmed(text, offset, text.size());
  if (rest.length() == 0) {
    notes.fault(FaultKind::kJsonSyntax, span_of(0, 0), "the text is empty", "write a JSON object: { ... }");
  } else {
    notes.fault(FaultKind::kJsonSyntax, first_line(text, rest), "this is no JSON", "JSON begins with { or [");
  }
}

void note_after_root(std::string_view text, std::size_t offset, RepairNotes& notes) {
  const Span rest = trimmed(text, offset, text.size());
  if (rest.length() == 1 && text[offset] == ',') {
    notes.mend(FaultKind::kTrailingComma, rest, "a comma after the end of the JSON", "delete it", Edit{rest, ""}, true);
    return;
  }
  const bool is_bracket = text[offset] == '}' || text[offset] == ']';
  notes.mend(FaultKind::kJsonSyntax, first_line(text, rest),
             is_bracket ? "a bracket without an opening one" : "text after the end of the JSON",
             is_bracket ? "delete it, or look for a bracket above that closes too early"
                        : "delete it, or put each document into a file of its own",
             Edit{rest, ""}, false);
  notes.leaves_out();
}

}  // namespace bayplan::text
