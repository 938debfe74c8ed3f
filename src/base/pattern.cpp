#include "base/pattern.hpp"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/excerpt.hpp"
#include "base/strings.hpp"

namespace bayplan {

struct Pattern::Program {
  explicit Program(std::string_view text, const re2::RE2::Options& options)
      : expression(re2::StringPiece(text.data(), text.size()), options) {}
  re2::RE2 expression;
};

namespace {

/// `{2}`, `{2,}`, `{2,3}`: Java refuses any other `{`, RE2 reads it as itself.
bool is_repetition(std::string_view rest) {
  constexpr std::string_view kDecimals = "0123456789";
  auto end = rest.find_first_not_of(kDecimals, 1);
  if (end == 1 || end == std::string_view::npos) return false;
  if (rest[end] == ',') end = rest.find_first_not_of(kDecimals, end + 1);
  return end != std::string_view::npos && rest[end] == '}';
}

/// The letters behind `(?`, which are flags when `)` or `:` follows.
std::string_view flags_of(std::string_view rest) {
  const auto end = rest.find_first_not_of("imsUxudI-", 2);
  const bool are_flags = end != std::string_view::npos && (rest[end] == ')' || rest[end] == ':');
  return are_flags ? rest.substr(2, end - 2) : std::string_view();
}

/// A long expression by its beginning: the place of a fault is given separately.
std::string quoted_beginning(std::string_view expression) {
  constexpr std::size_t kShown = 80;
  return "'" + shortened_to(expression, kShown) + "'";
}

/// Java constructs that RE2 20220601 reads differently or not at all; the name of the first, or nothing.
std::optional<std::string> foreign_construct(std::string_view text) {
  int class_depth = 0;
  bool class_start = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const char c = text[i];
    const auto starts = [&](std::string_view prefix) { return rest.substr(0, prefix.size()) == prefix; };
    if (c == '\\' && i + 1 < text.size()) {
      const char next = text[i + 1];
      if (next == 'C') return "\\C";
      if (next == 'h' || next == 'H' || next == 'R' || next == 'X' || next == 'G' || next == 'Z' || next == 'k' ||
          next == 'v' || next == 'V' || next == 'N' || next == '0' || next == 'e' || next == 'c' || next == 'u') {
        return std::string("\\") + next;
      }
      if (next >= '1' && next <= '9') return "a back-reference";
      if (next == 'p' || next == 'P') {
        if (starts("\\p{L}") || starts("\\p{Lu}") || starts("\\p{Ll}") || starts("\\p{N}") || starts("\\p{Nd}")) {
          ++i;
          continue;
        }
        return std::string("\\") + next + "{...}";
      }
      if (next == 'Q') return "\\Q...\\E";
      class_start = false;
      ++i;
      continue;
    }
    if (class_depth > 0) {
      if (starts("[:")) return "[[:...:]]";
      if (c == '[') return "a class inside a class";
      if (starts("&&")) return "&& in a class";
      if (c == ']' && !class_start) --class_depth;
      class_start = class_start && c == '^';
      continue;
    }
    if (c == '[') {
      ++class_depth;
      class_start = true;
      continue;
    }
    if (c == '{' && !is_repetition(rest)) return "a { that repeats nothing";
    if (starts("(?P")) return "(?P...)";
    if (starts("(?<=") || starts("(?<!")) return "look-behind";
    if (starts("(?<")) return "a named group";
    if (starts("(?=") || starts("(?!")) return "look-ahead";
    if (starts("(?>")) return "an atomic group";
    if (starts("(?") && flags_of(rest).find('U') != std::string_view::npos) return "the flag U";
    if (i + 1 < text.size() && text[i + 1] == '+' && (c == '+' || c == '*' || c == '?' || c == '}'))
      return "a possessive quantifier";
  }
  return std::nullopt;
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view expression, Dialect dialect) {
  if (dialect == Dialect::kJava) {
    if (auto construct = foreign_construct(expression)) {
      return Error{"regular expression " + quoted_beginning(expression) + " uses " + *construct +
                   ", which bayplan cannot evaluate as Java does"};
    }
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(8 << 20);
  auto program = std::make_shared<const Program>(expression, options);
  if (!program->expression.ok()) {
    return Error{"regular expression " + quoted_beginning(expression) + ": " + program->expression.error()};
  }
  return Pattern(std::move(program));
}

bool Pattern::matches_whole(std::string_view text) const {
  return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), program_->expression);
}

bool Pattern::matches_part(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), program_->expression);
}

std::optional<PatternMatch> Pattern::find(std::string_view text, std::size_t from) const {
  const auto& expression = program_->expression;
  std::vector<re2::StringPiece> parts(static_cast<std::size_t>(expression.NumberOfCapturingGroups()) + 1);
  const re2::StringPiece whole(text.data(), text.size());
  if (!expression.Match(whole, from, whole.size(), re2::RE2::UNANCHORED, parts.data(),
                        static_cast<int>(parts.size()))) {
    return std::nullopt;
  }
  const auto begin = static_cast<std::size_t>(parts[0].data() - text.data());
  PatternMatch match{begin, begin + parts[0].size(), {}};
  for (const auto& [number, name] : expression.CapturingGroupNames()) {
    const auto& part = parts[static_cast<std::size_t>(number)];
    if (part.data() != nullptr) match.groups[name] = std::string(part.data(), part.size());
  }
  return match;
}

struct PatternSet::Programs {
  explicit Programs(const re2::RE2::Options& options) : set(options, re2::RE2::UNANCHORED) {}
  re2::RE2::Set set;
};

PatternSet::PatternSet(std::vector<Pattern> patterns) : patterns_(std::move(patterns)) {
  constexpr std::size_t kFew = 4;
  constexpr std::int64_t kBytes = 64 << 20;
  if (patterns_.size() <= kFew) return;
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kBytes);
  auto together = std::make_shared<Programs>(options);
  for (const Pattern& pattern : patterns_) {
    std::string error;
    if (together->set.Add(pattern.program_->expression.pattern(), &error) < 0) return;
  }
  if (together->set.Compile()) together_ = std::move(together);
}

bool PatternSet::any_matches_part(std::string_view text) const {
  if (together_) {
    re2::RE2::Set::ErrorInfo error{};
    const bool matches = together_->set.Match(re2::StringPiece(text.data(), text.size()), nullptr, &error);
    if (error.kind == re2::RE2::Set::kNoError) return matches;  // else it took too much memory
  }
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const Pattern& pattern) { return pattern.matches_part(text); });
}

bool glob_matches(std::string_view glob, std::string_view text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::optional<std::size_t> star;  // position after the last '*', with the text position it has eaten up to
  std::size_t eaten = 0;
  // Matches one glob item at g against c; moves g past the item.
  const auto item_matches = [&](char c) {
    if (glob[g] == '?') return ++g, true;
    if (glob[g] != '[' || glob.find(']', g + 2) == std::string_view::npos) return glob[g++] == c;
    const std::size_t close = glob.find(']', g + 2);
    std::string_view set = glob.substr(g + 1, close - g - 1);
    const bool negated = set.front() == '!' || set.front() == '^';
    if (negated) set.remove_prefix(1);
    bool inside = false;
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (i + 2 < set.size() && set[i + 1] == '-') {
        inside = inside || (set[i] <= c && c <= set[i + 2]);
        i += 2;
      } else {
        inside = inside || set[i] == c;
      }
    }
    g = close + 1;
    return inside != negated;
  };
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = ++g;
      eaten = t;
      continue;
    }
    if (g < glob.size() && item_matches(text[t])) {
      ++t;
      continue;
    }
    if (!star) return false;
    g = *star;
    t = ++eaten;
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace bayplan
