#include "lint/fixes.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/fill.hpp"
#include "text/edited_text.hpp"
#include "text/encoding.hpp"
#include "text/location.hpp"

namespace bayplan::lint {
namespace {

/// Enough for fixes that overlap in a row: each pass applies every second of them.
constexpr int kMostPasses = 30;

using Chosen = std::vector<const LintFinding*>;

bool is_fixable(const LintFinding& finding) {
  return !finding.suppression && finding.fix && finding.fix->safe && !finding.fix->edits.empty();
}

/// Touching counts: two members that go, each with its comma, need one look at each other.
bool overlaps(const Fix& a, const Fix& b) {
  return std::any_of(a.edits.begin(), a.edits.end(), [&](const Edit& one) {
    return std::any_of(b.edits.begin(), b.edits.end(), [&](const Edit& other) {
      return one.span.begin <= other.span.end && other.span.begin <= one.span.end;
    });
  });
}

bool counts_as_error(const LintFinding& finding) {
  return finding.severity == Severity::kError && !finding.suppression;
}

bool is_any(const LintFinding& /*error*/) {
  return true;
}

/// The next pass will take away an error that has a safe fix of its own.
bool is_for_good(const LintFinding& error) {
  return !is_fixable(error);
}

/// An error of those that `counts` that `before` has less often, be it that nobody could see it there.
const LintFinding* new_error(const FileReport& before, const FileReport& after, bool (*counts)(const LintFinding&)) {
  std::map<std::string_view, int> known;
  for (const auto& finding : before.findings) {
    if (counts_as_error(finding)) ++known[finding.code];
  }
  const auto found = std::find_if(after.findings.begin(), after.findings.end(), [&](const LintFinding& finding) {
    return counts_as_error(finding) && --known[finding.code] < 0 && counts(finding);
  });
  return found == after.findings.end() ? nullptr : &*found;
}

/// Line ends of what is inserted follow those of the text.
std::string with_line_ends_of(std::string_view text, std::string inserted) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos || end == 0 || text[end - 1] != '\r') return inserted;
  for (std::size_t i = inserted.find('\n'); i != std::string::npos; i = inserted.find('\n', i + 2)) {
    if (i == 0 || inserted[i - 1] != '\r') inserted.insert(i, 1, '\r');
  }
  return inserted;
}

class Fixer {
 public:
  Fixer(std::string bytes, const Recheck& recheck) : bytes_(std::move(bytes)), recheck_(recheck) {}

  FixedText run() && {
    report_ = recheck_(bytes_);
    if (choose().empty()) return result();
    auto decoded = text::decode(bytes_);
    text_ = std::move(decoded.text);
    encoding_ = decoded.encoding;
    if (text::encode(text_, encoding_) != bytes_) {
      left_.push_back({.message = "not fixed: the text has bytes that are none of its encoding",
                       .file = report_.file,
                       .help = "save it as UTF-8 first"});
      return result();
    }
    const FileReport original = report_;
    const std::string original_bytes = bytes_;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const auto chosen = choose();
      if (chosen.empty()) break;
      apply_some(chosen);
    }
    note_left();
    if (const auto* error = new_error(original, report_, is_any)) {
      return {original_bytes, 0, {{.message = fill("not fixed: {}", {words_of(*error)}), .file = report_.file}}};
    }
    return result();
  }

 private:
  /// Fixes that do not overlap, in file order.
  Chosen choose() const {
    Chosen chosen;
    for (const auto& finding : report_.findings) {
      if (!is_fixable(finding) || refused_.contains(finding.fingerprint)) continue;
      const bool is_free = std::none_of(chosen.begin(), chosen.end(),
                                        [&](const auto* one) { return overlaps(*one->fix, *finding.fix); });
      if (is_free) chosen.push_back(&finding);
    }
    return chosen;
  }

  /// All of them, or those that do no harm each alone. What does harm is not tried again.
  void apply_some(Chosen chosen) {
    if (apply(chosen) == std::nullopt) return;
    std::erase_if(chosen, [&](const LintFinding* one) {
      const auto harm = harm_of({one});
      if (harm) refused_[one->fingerprint] = *harm;
      return harm.has_value();
    });
    if (chosen.empty()) return;
    if (const auto harm = apply(chosen)) {
      for (const auto* one : chosen) refused_[one->fingerprint] = *harm;
    }
  }

  /// Gives the reason when nothing was applied.
  std::optional<std::string> apply(const Chosen& chosen) {
    const std::size_t count = chosen.size();
    auto text = edited(chosen);
    auto bytes = text::encode(text, encoding_);
    auto report = recheck_(bytes);
    if (auto harm = harm_in(report)) return harm;
    text_ = std::move(text);
    bytes_ = std::move(bytes);
    report_ = std::move(report);
    fixed_ += count;
    return std::nullopt;
  }

  std::optional<std::string> harm_of(const Chosen& chosen) const {
    return harm_in(recheck_(text::encode(edited(chosen), encoding_)));
  }

  std::optional<std::string> harm_in(const FileReport& report) const {
    const bool is_lost = report.kind != report_.kind && report.kind == rules::FileKind::kUnrecognized;
    if (is_lost || !report.document->root()) return "the text could not be read any more";
    const auto* error = new_error(report_, report, is_for_good);
    return error == nullptr ? std::nullopt : std::optional(words_of(*error));
  }

  static std::string words_of(const LintFinding& error) {
    return fill("the file would have another error, {}: {}", {error.code, error.message});
  }

  std::string edited(const Chosen& chosen) const {
    std::vector<Edit> edits;
    for (const auto* finding : chosen) {
      for (const auto& edit : finding->fix->edits) edits.push_back({edit.span, with_line_ends_of(text_, edit.text)});
    }
    return text::apply(text_, std::move(edits)).text;
  }

  void note_left() {
    const text::LineIndex lines(report_.document->source());
    for (const auto& finding : report_.findings) {
      if (!is_fixable(finding)) continue;
      const auto refused = refused_.find(finding.fingerprint);
      const std::string why = refused == refused_.end() ? "its fix overlaps another" : refused->second;
      const auto at = lines.location(finding.span.begin);
      left_.push_back({.message = fill("{} not fixed: {}", {finding.code, why}),
                       .file = report_.file,
                       .line = at.line,
                       .column = at.column});
    }
  }

  FixedText result() { return {std::move(bytes_), fixed_, std::move(left_)}; }

  std::string bytes_;
  const Recheck& recheck_;
  FileReport report_;
  std::string text_;  ///< Of `bytes_`, as the spans of the report count it.
  text::Encoding encoding_;
  std::size_t fixed_ = 0;
  std::map<std::string, std::string> refused_;  ///< Why, by fingerprint.
  std::vector<Error> left_;
};

}  // namespace

FixedText fix_text(std::string bytes, const Recheck& recheck) {
  return Fixer(std::move(bytes), recheck).run();
}

}  // namespace bayplan::lint
