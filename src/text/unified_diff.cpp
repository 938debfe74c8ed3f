#include "text/unified_diff.hpp"

#include <algorithm>
#include <vector>

namespace bayplan::text {
namespace {

using Lines = std::vector<std::string_view>;

/// Each with its line end; the last may have none.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t length() const { return end - begin; }
};

/// Lines of the one that become lines of the other.
struct Change {
  Range before;
  Range after;
};

/// How many lines of the old text are passed on each diagonal (old lines less new lines, from -1 - d to d + 1).
using Reach = std::vector<int>;

int reach_on(const Reach& reach, int k) {
  return reach[static_cast<std::size_t>(k + static_cast<int>(reach.size()) / 2)];
}

/// Whether the furthest path to a diagonal with `d` differences ends with an insertion.
bool comes_from_above(const Reach& reach, int d, int k) {
  return k == -d || (k != d && reach_on(reach, k - 1) < reach_on(reach, k + 1));
}

/// The reach before each difference, in steps, until both texts are passed; nothing if there are more than `most`.
std::vector<Reach> reach_by_step(const Lines& before, const Lines& after, const Change& within, int most) {
  const int old_size = static_cast<int>(within.before.length());
  const int new_size = static_cast<int>(within.after.length());
  std::vector<Reach> steps;
  Reach reach{0, 0, 0};
  for (int d = 0; d <= most; ++d) {
    steps.push_back(reach);
    Reach next(reach.size() + 2, 0);
    for (int k = -d; k <= d; k += 2) {
      int x = comes_from_above(reach, d, k) ? reach_on(reach, k + 1) : reach_on(reach, k - 1) + 1;
      while (x < old_size && x - k < new_size &&
             before[within.before.begin + static_cast<std::size_t>(x)] ==
                 after[within.after.begin + static_cast<std::size_t>(x - k)])
        ++x;
      next[static_cast<std::size_t>(k + static_cast<int>(next.size()) / 2)] = x;
      if (x >= old_size && x - k >= new_size) return steps;
    }
    reach = std::move(next);
  }
  return {};
}

/// E. W. Myers, An O(ND) Difference Algorithm and Its Variations (1986), the greedy form: cheap where few lines differ.
/// If there are more than `kMaxDifferences`, everything that differs is one change.
std::vector<Change> changes_between(const Lines& before, const Lines& after) {
  constexpr int kMaxDifferences = 2000;
  Range old{0, before.size()};
  Range fresh{0, after.size()};
  while (old.length() > 0 && fresh.length() > 0 && before[old.begin] == after[fresh.begin]) {
    ++old.begin;
    ++fresh.begin;
  }
  while (old.length() > 0 && fresh.length() > 0 && before[old.end - 1] == after[fresh.end - 1]) {
    --old.end;
    --fresh.end;
  }
  const Change all{old, fresh};
  if (old.length() == 0 && fresh.length() == 0) return {};
  if (old.length() == 0 || fresh.length() == 0) return {all};
  const std::vector<Reach> steps = reach_by_step(before, after, all, kMaxDifferences);
  if (steps.empty()) return {all};

  // Back along the path that reached the end: one line a step, joined with the change after it where they touch.
  std::vector<Change> changes;  // the last first
  int x = static_cast<int>(old.length());
  int y = static_cast<int>(fresh.length());
  for (int d = static_cast<int>(steps.size()) - 1; d > 0; --d) {
    const Reach& reach = steps[static_cast<std::size_t>(d)];
    const bool is_insertion = comes_from_above(reach, d, x - y);
    const int diagonal = is_insertion ? x - y + 1 : x - y - 1;
    x = reach_on(reach, diagonal);
    y = x - diagonal;
    const std::size_t old_line = old.begin + static_cast<std::size_t>(x);
    const std::size_t new_line = fresh.begin + static_cast<std::size_t>(y);
    const Change one{{old_line, old_line + (is_insertion ? 0 : 1)}, {new_line, new_line + (is_insertion ? 1 : 0)}};
    if (!changes.empty() && changes.back().before.begin == one.before.end &&
        changes.back().after.begin == one.after.end) {
      changes.back().before.begin = one.before.begin;
      changes.back().after.begin = one.after.begin;
    } else {
      changes.push_back(one);
    }
  }
  std::reverse(changes.begin(), changes.end());
  return changes;
}

constexpr std::size_t kContext = 3;

/// "12,7": first line and count. Of no lines the one before is named.
std::string range_text(Range range) {
  const std::size_t first = range.length() == 0 ? range.begin : range.begin + 1;
  return std::to_string(first) + (range.length() == 1 ? "" : "," + std::to_string(range.length()));
}

void append_lines(std::string& out, char sign, const Lines& lines, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    (out += sign) += lines[i];
    if (!lines[i].ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

/// The changes [first, last), which are near each other, with what is around them.
void append_hunk(std::string& out, const Lines& before, const Lines& after, const Change* first, const Change* last) {
  const Change& end = *(last - 1);
  const std::size_t above = std::min(kContext, first->before.begin);
  const std::size_t below = std::min(kContext, before.size() - end.before.end);
  const Range old{first->before.begin - above, end.before.end + below};
  const Range fresh{first->after.begin - above, end.after.end + below};
  out += "@@ -" + range_text(old) + " +" + range_text(fresh) + " @@\n";
  std::size_t shown = old.begin;
  for (const Change* change = first; change != last; ++change) {
    append_lines(out, ' ', before, {shown, change->before.begin});
    append_lines(out, '-', before, change->before);
    append_lines(out, '+', after, change->after);
    shown = change->before.end;
  }
  append_lines(out, ' ', before, {shown, old.end});
}

/// Writes the path like git: quoted where a control character, a quote or a backslash is inside, and a tab behind a
/// blank.
std::string header_path(std::string_view prefix, std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  while (path.starts_with('/')) path.remove_prefix(1);
  std::string text(prefix);
  text += path;
  const auto needs_quotes = [](char c) { return (c >= 0 && c < ' ') || c == '"' || c == '\\' || c == 0x7F; };
  if (std::none_of(text.begin(), text.end(), needs_quotes)) {
    return text.find(' ') == std::string::npos ? text : text + '\t';
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (quoted += '\\') += c;
    } else if (needs_quotes(c)) {
      const int code = static_cast<unsigned char>(c);
      quoted += '\\';
      for (const int digit : {code >> 6, code >> 3 & 7, code & 7}) quoted += static_cast<char>('0' + digit);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  const Lines old = lines_of(before);
  const Lines fresh = lines_of(after);
  const auto changes = changes_between(old, fresh);
  if (changes.empty()) return {};
  std::string out = "--- " + header_path("a/", path) + "\n+++ " + header_path("b/", path) + "\n";
  const Change* first = changes.data();
  const Change* const end = first + changes.size();
  for (const Change* next = first; next != end;) {
    ++next;
    if (next != end && next->before.begin - (next - 1)->before.end <= 2 * kContext) continue;
    append_hunk(out, old, fresh, first, next);
    first = next;
  }
  return out;
}

}  // namespace bayplan::text
