#include "rules/example.hpp"

#include <cassert>
#include <optional>

#include "base/strings.hpp"
#include "text/read.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

constexpr std::size_t kWidth = 76;  ///< A terminal's 80 columns less what the source frame of a finding needs.

std::string_view slice(Span span, const text::Document& document) {
  return std::string_view(document.source()).substr(span.begin, span.length());
}

/// JSON laid out for reading: what fits on a line stays on one.
void append_pretty(std::string& out, Value value, std::size_t indent, std::size_t used) {
  const auto source = slice(value.span(), value.document());
  const bool is_nested = value.is_object() || value.is_array();
  if (!is_nested || value.size() == 0 || (indent > 0 && used + source.size() < kWidth)) {
    out += source;
    return;
  }
  out += value.is_object() ? "{\n" : "[\n";
  for (const Value child : value.children()) {
    out.append(indent + 2, ' ');
    const auto key = slice(child.key_span(), value.document());
    if (value.is_object()) (out += key) += ": ";
    append_pretty(out, child, indent + 2, indent + 2 + (value.is_object() ? key.size() + 2 : 0));
    out += child.position_in_parent() + 1 < value.size() ? ",\n" : "\n";
  }
  out.append(indent, ' ');
  out += value.is_object() ? '}' : ']';
}

/// An example that is broken on purpose, or has lines of its own, stays as it is.
std::string laid_out(std::string example) {
  if (example.find('\n') != std::string::npos) return example;
  const auto document = text::read_document(example, {.format = text::Format::kJson});
  if (!document->faults().empty() || !document->root()) return example;
  std::string pretty;
  append_pretty(pretty, document->root(), 0, 0);
  return pretty += '\n';
}

struct Repeat {
  std::int64_t times;
  std::string_view separator;
  std::string_view body;
};

/// Reads the repeat between `<<` and `>>`; nothing if it is not a repeat, as in YAML's `<<: *base`.
std::optional<Repeat> repeat_in(std::string_view inside) {
  const auto mark = inside.find('x');
  if (mark == std::string_view::npos) return std::nullopt;
  const auto times = to_integer(inside.substr(0, mark));
  const auto blank = inside.find(' ', mark);
  if (!times || blank == std::string_view::npos) return std::nullopt;
  const bool has_comma = inside.substr(mark + 1, blank - mark - 1) == ",";
  return Repeat{*times, has_comma ? ", " : "", inside.substr(blank + 1)};
}

void append_repeated(std::string& out, const Repeat& repeat) {
  for (std::int64_t i = 1; i <= repeat.times; ++i) {
    if (i > 1) out += repeat.separator;
    for (const char c : repeat.body) c == '#' ? out += std::to_string(i) : out += c;
  }
}

std::string written_out(std::string_view notation) {
  std::string out;
  while (true) {
    const auto begin = notation.find("<<");
    const auto end = begin == std::string_view::npos ? begin : notation.find(">>", begin);
    if (end == std::string_view::npos) return out += notation;
    const auto repeat = repeat_in(notation.substr(begin + 2, end - begin - 2));
    out += notation.substr(0, repeat ? begin : begin + 2);
    if (repeat) append_repeated(out, *repeat);
    notation.remove_prefix(repeat ? end + 2 : begin + 2);
  }
}

/// Returns the file name that fits the text.
std::string_view default_name(std::string_view text) {
  const auto first = text.find_first_not_of(" \n\xEF\xBB\xBF");
  const bool is_json = first == std::string_view::npos || text[first] == '{' || text[first] == '[';
  return is_json ? "task-definition.json" : "task-definition.yaml";
}

}  // namespace

std::string ExampleFile::text() const {
  return laid_out(written_out(notation));
}

Example Example::read(Value value) {
  Example example;
  if (!value.is_object()) {
    example.files.push_back({default_name(value.text()), value.text()});
    return example;
  }
  for (const Value file : value.find("files").children()) example.files.push_back({file.key(), file.text()});
  if (const Value arguments = value.find("arguments")) {
    for (const Value argument : arguments.children()) example.arguments.push_back(argument.text());
  }
  return example;
}

}  // namespace bayplan::rules
