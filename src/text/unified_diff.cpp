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

/// E. W. Myers, An O(ND) Difference Algorithm and Its Variations (1986), the greedy form: cheap where few lines differ.
/// If there are more than `kMaxDifferences`, everything that differs is one change.
class LineDiff {
 public:
  LineDiff(const Lines& before, const Lines& after) : before_(before), after_(after) {}

  std::vector<Change> changes() && {
    rest_ = {{0, before_.size()}, {0, after_.size()}};
    drop_equal_ends();
    if (rest_.before.length() == 0 && rest_.after.length() == 0) return {};
    const bool is_one_sided = rest_.before.length() == 0 || rest_.after.length() == 0;
    if (is_one_sided || !search()) return {rest_};
    walk_back();
    return std::move(changes_);
  }

 private:
  static constexpr int kMaxDifferences = 2000;

  void drop_equal_ends() {
    auto& [old, fresh] = rest_;
    while (old.length() > 0 && fresh.length() > 0 && before_[old.begin] == after_[fresh.begin]) {
      ++old.begin;
      ++fresh.begin;
    }
    while (old.length() > 0 && fresh.length() > 0 && before_[old.end - 1] == after_[fresh.end - 1]) {
      --old.end;
      --fresh.end;
    }
  }

  /// How many lines of the old text are behind us on each diagonal (old lines less new lines, from -1 - d to d + 1).
  using Reach = std::vector<int>;

  static bool comes_from_above(const Reach& reach, int d, int k) {
    return k == -d || (k != d && at(reach, k - 1) < at(reach, k + 1));
  }
  static int at(const Reach& reach, int k) {
    return reach[static_cast<std::size_t>(k + static_cast<int>(reach.size()) / 2)];
  }
  bool equal(int old, int fresh) const {
    return before_[rest_.before.begin + static_cast<std::size_t>(old)] ==
           after_[rest_.after.begin + static_cast<std::size_t>(fresh)];
  }

  /// Keeps the reach before each step; false when the texts differ too much.
  bool search() {
    const int old_size = static_cast<int>(rest_.before.length()), new_size = static_cast<int>(rest_.after.length());
    Reach reach{0, 0, 0};
    for (int d = 0; d <= kMaxDifferences; ++d) {
      steps_.push_back(reach);
      Reach next(reach.size() + 2, 0);
      for (int k = -d; k <= d; k += 2) {
        int x = comes_from_above(reach, d, k) ? at(reach, k + 1) : at(reach, k - 1) + 1;
        while (x < old_size && x - k < new_size && equal(x, x - k)) ++x;
        next[static_cast<std::size_t>(k + static_cast<int>(next.size()) / 2)] = x;
        if (x >= old_size && x - k >= new_size) return true;
      }
      reach = std::move(next);
    }
    return false;
  }

  void walk_back() {
    int x = static_cast<int>(rest_.before.length()), y = static_cast<int>(rest_.after.length());
    for (int d = static_cast<int>(steps_.size()) - 1; d > 0; --d) {
      const Reach& reach = steps_[static_cast<std::size_t>(d)];
      const int k = x - y;
      const bool is_insertion = comes_from_above(reach, d, k);
      const int from_x = at(reach, is_insertion ? k + 1 : k - 1);
      const int from_y = from_x - (is_insertion ? k + 1 : k - 1);
      add(from_x, from_y, is_insertion);
      x = from_x;
      y = from_y;
    }
    std::reverse(changes_.begin(), changes_.end());
  }

  /// One line; joins the change behind it where they touch.
  void add(int x, int y, bool is_insertion) {
    const std::size_t old = rest_.before.begin + static_cast<std::size_t>(x);
    const std::size_t fresh = rest_.after.begin + static_cast<std::size_t>(y);
    const Change one{{old, old + (is_insertion ? 0 : 1)}, {fresh, fresh + (is_insertion ? 1 : 0)}};
    if (!changes_.empty() && changes_.back().before.begin == one.before.end &&
        changes_.back().after.begin == one.after.end) {
      changes_.back().before.begin = one.before.begin;
      changes_.back().after.begin = one.after.begin;
    } else {
      changes_.push_back(one);
    }
  }

  const Lines& before_;
  const Lines& after_;
  Change rest_;
  std::vector<Reach> steps_;
  std::vector<Change> changes_;  ///< While walking back: the last first.
};

constexpr std::size_t kContext = 3;

/// "12,7": first line and count. Of no lines the one before is named.
std::string range_text(Range range) {
  const std::size_t first = range.length() == 0 ? range.begin : range.begin + 1;
  return std::to_string(first) + (range.length() == 1 ? "" : "," + std::to_string(range.length()));
}

void append_line(std::string& out, char sign, std::string_view line) {
  (out += sign) += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

void append_lines(std::string& out, char sign, const Lines& lines, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) append_line(out, sign, lines[i]);
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
  const auto changes = LineDiff(old, fresh).changes();
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
