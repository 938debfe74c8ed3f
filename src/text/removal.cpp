#include "text/removal.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace bayplan::text {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// A run of neighbors that go together.
struct Run {
  std::uint32_t begin;
  std::uint32_t end;
  bool is_first;
  bool is_last;
};

std::vector<Run> find_runs(Value parent, const std::vector<Value>& siblings) {
  std::vector<Run> runs;
  bool open = false;
  bool first = true;
  for (const Value child : parent.children()) {
    const bool goes = std::find(siblings.begin(), siblings.end(), child) != siblings.end();
    const auto begin = child.key_span().length() > 0 ? child.key_span().begin : child.span().begin;
    if (goes && !open) runs.push_back({begin, child.span().end, first, false});
    if (goes) runs.back().end = child.span().end;
    open = goes;
    first = false;
  }
  if (open) runs.back().is_last = true;
  return runs;
}

/// Start of the line, when only blanks are before `at`.
std::optional<std::uint32_t> line_start(const std::string& source, std::uint32_t at) {
  while (at > 0 && is_blank(source[at - 1])) --at;
  if (at > 0 && !is_line_end(source[at - 1])) return std::nullopt;
  return at;
}

/// Offset after the line end, when only blanks are after `at`.
std::optional<std::uint32_t> line_end(const std::string& source, std::uint32_t at) {
  while (at < source.size() && is_blank(source[at])) ++at;
  if (at < source.size() && source[at] == '\r') ++at;
  if (at < source.size() && source[at] != '\n') return std::nullopt;
  return at < source.size() ? at + 1 : at;
}

std::uint32_t skip_space(const std::string& source, std::uint32_t at) {
  while (at < source.size() && is_space(source[at])) ++at;
  return at;
}

/// Whole lines where the run has its own, else what is between its neighbors.
Edit through(const std::string& source, std::uint32_t begin, std::uint32_t end) {
  const auto line = line_start(source, begin);
  const auto next = line_end(source, end);
  if (line && next) return {{*line, *next}, ""};
  while (end < source.size() && is_blank(source[end])) ++end;
  return {{begin, end}, ""};
}

std::optional<Edit> bracketed(const std::string& source, const Run& run) {
  const std::uint32_t after = skip_space(source, run.end);
  if (!run.is_last) {
    if (after >= source.size() || source[after] != ',') return std::nullopt;
    return through(source, run.begin, after + 1);
  }
  if (after >= source.size() || (source[after] != '}' && source[after] != ']')) return std::nullopt;
  std::uint32_t before = run.begin;
  while (before > 0 && is_space(source[before - 1])) --before;
  const char previous = before > 0 ? source[before - 1] : '\0';
  if (run.is_first) return previous == '{' || previous == '[' ? std::optional(Edit{{before, after}, ""}) : std::nullopt;
  if (previous != ',') return std::nullopt;
  return Edit{{before - 1, run.end}, ""};
}

std::optional<Edit> block(const std::string& source, const Run& run) {
  if (run.is_first && run.is_last) return std::nullopt;
  const auto begin = line_start(source, run.begin);
  const bool ends_with_line = run.end > 0 && source[run.end - 1] == '\n';
  const auto end = ends_with_line ? std::optional(run.end) : line_end(source, run.end);
  if (!begin || !end) return std::nullopt;
  return Edit{{*begin, *end}, ""};
}

}  // namespace

std::string_view find_source(Value value) {
  return std::string_view(value.document().source()).substr(value.span().begin, value.span().length());
}

std::optional<std::vector<Edit>> removal(const std::vector<Value>& siblings) {
  if (siblings.empty() || !siblings.front() || !siblings.front().parent()) return std::nullopt;
  const Value parent = siblings.front().parent();
  const auto& source = parent.document().source();
  const char opening = source[parent.span().begin];
  const bool has_brackets = opening == '{' || opening == '[';
  std::vector<Edit> edits;
  for (const Run& run : find_runs(parent, siblings)) {
    // What a YAML alias brought in is elsewhere.
    if (run.begin < parent.span().begin || run.end > parent.span().end) return std::nullopt;
    auto edit = has_brackets ? bracketed(source, run) : block(source, run);
    if (!edit) return std::nullopt;
    edits.push_back(std::move(*edit));
  }
  return edits;
}

}  // namespace bayplan::text
