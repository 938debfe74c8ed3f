// Any text: its first line as a regular expression and as a glob, all of it as patterns of .gitignore; the lines as
// what they are held against. No crash and no hang; places lie inside the text; what matches all of a text matches a
// part.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "fuzz.hpp"
#include "lint/files/file_patterns.hpp"
#include "parts.hpp"

using namespace bayplan;

namespace {

void check_pattern(const Pattern& pattern, const std::string& text) {
  const bool is_part = pattern.matches_part(text);
  require(!pattern.matches_whole(text) || is_part, "a whole match that is no match");
  const auto found = pattern.find(text);
  require(found.has_value() == is_part, "found and not matched, or matched and not found");
  if (!found) return;
  require(found->begin <= found->end && found->end <= text.size(), "a match outside of the text");
  const auto next = pattern.find(text, found->end);
  require(!next || (next->begin >= found->end && next->end <= text.size()), "a match before where it was looked for");
}

/// `*` and `?` alone, letter by letter: slow and plain.
bool matches_plainly(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob.front() == '*')
    return matches_plainly(glob.substr(1), text) || (!text.empty() && matches_plainly(glob, text.substr(1)));
  if (text.empty() || (glob.front() != '?' && glob.front() != text.front())) return false;
  return matches_plainly(glob.substr(1), text.substr(1));
}

void check_glob(const std::string& glob, const std::string& text) {
  const bool matches = glob_matches(glob, text);
  if (!is_glob(glob)) return require(matches == (glob == text), "a name that matches another");
  const auto stars = std::count(glob.begin(), glob.end(), '*');
  if (glob.find_first_of("[]\\") != std::string::npos || stars > 4 || text.size() > 24) return;
  require(matches == matches_plainly(glob, text), "the glob " + glob + " on " + text);
}

void check_ignores(const std::string& text, const std::string& path) {
  const auto patterns = lint::IgnorePatterns::parse(text);
  for (const bool is_folder : {false, true}) {
    const auto ignores = patterns.ignores(path, is_folder);
    require(!ignores || !patterns.empty(), "no pattern decides");
    const auto negated = lint::IgnorePatterns::parse(text + "\n**\n").ignores(path, is_folder);
    require(path.empty() || !negated || *negated, "the last pattern does not win");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto lines = lines_of(text);
  if (lines.empty() || lines.size() > 40) return 0;
  for (const auto dialect : {Pattern::Dialect::kRe2, Pattern::Dialect::kJava}) {
    const auto pattern = Pattern::compile(lines[0], dialect);
    require(pattern || !pattern.error().message.empty(), "a refusal without a word");
    for (const auto& line : lines)
      if (pattern) check_pattern(*pattern, line);
  }
  const auto files = lint::FilePatterns::of("/a", lines);
  for (const auto& line : lines) {
    check_glob(lines[0], line);
    check_ignores(text, line);
    const auto path = lint::path_seen_from("/a/b", "/" + line);
    require(!path.empty(), "a path without a name");
    files.hold("/a/" + line);
  }
  return 0;
}
