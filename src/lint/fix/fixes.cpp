#include "lint/fix/fixes.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "rules/registry.hpp"
#include "text/edited_text.hpp"
#include "text/encoding.hpp"
#include "text/line_ends.hpp"
#include "text/location.hpp"

namespace bayplan::lint {
namespace {

/// Enough for fixes that overlap in a row: each pass applies every second of them.
constexpr int kMostPasses = 30;

using Chosen = std::vector<const LintFinding*>;

/// Whether there is a fix that may be applied.
struct Fixable {
  bool with_unsafe = false;

  bool operator()(const LintFinding& finding) const {
    return !finding.suppression && finding.fix && (finding.fix->safe || with_unsafe) && !finding.fix->edits.empty();
  }
};

/// Where the chosen fixes edit.
class Taken {
 public:
  /// Touching counts: two members that go, each with its comma, need one look at each other.
  bool touches(const Fix& fix) const {
    return std::any_of(fix.edits.begin(), fix.edits.end(), [&](const Edit& edit) {
      const auto behind = ends_.lower_bound(edit.span.begin);
      return behind != ends_.end() && behind->second <= edit.span.end;
    });
  }
  void add(const Fix& fix) {
    for (const Edit& edit : fix.edits) {
      const auto place = ends_.try_emplace(edit.span.end, edit.span.begin).first;
      place->second = std::min(place->second, edit.span.begin);
    }
  }

 private:
  std::map<std::uint32_t, std::uint32_t> ends_;  ///< Maps the end of each edit to its beginning; edits do not touch.
};

/// A fault of the text itself: it is mended when one fault less is left.
bool is_of_text(const LintFinding* finding) {
  return rules::rule_of(finding->code).scope == rules::Scope::kText;
}

bool counts_as_error(const LintFinding& finding) {
  return finding.severity == Severity::kError && !finding.suppression;
}

/// An error of those that `counts` that `before` has less often, even if it was only hidden there.
template <class Counts>
const LintFinding* new_error(const FileReport& before, const FileReport& after, const Counts& counts) {
  std::map<std::string_view, int> known;
  for (const auto& finding : before.findings) {
    if (counts_as_error(finding)) ++known[finding.code];
  }
  const auto found = std::find_if(after.findings.begin(), after.findings.end(), [&](const LintFinding& finding) {
    return counts_as_error(finding) && --known[finding.code] < 0 && counts(finding);
  });
  return found == after.findings.end() ? nullptr : &*found;
}

class Fixer {
 public:
  Fixer(std::string bytes, const Recheck& recheck, bool with_unsafe)
      : bytes_(std::move(bytes)), recheck_(recheck), is_fixable_{with_unsafe} {}

  FixedText run() && {
    report_ = recheck_(bytes_);
    if (choose().empty()) return result();
    auto decoded = text::decode(bytes_);
    text_ = std::move(decoded.text);
    encoding_ = decoded.encoding;
    if (text::encode(text_, encoding_) != bytes_) {
      left_.push_back({.message = "not fixed: the file contains bytes that are invalid in its encoding",
                       .file = report_.file,
                       .help = "save it as UTF-8 first"});
      return result();
    }
    const FileReport original = report_;
    const std::string original_bytes = bytes_;
    for (int pass = 0; pass < kMostPasses && !choose().empty(); ++pass) apply_some(choose());
    fixed_ = mended_of(original);
    if (const auto why = reason_to_go_back(original)) {
      return {original_bytes, 0, {{.message = fmt::format("not fixed: {}", *why), .file = report_.file}}};
    }
    note_left();
    return result();
  }

 private:
  std::optional<std::string> reason_to_go_back(const FileReport& original) const {
    if (!choose().empty()) return "the fixes do not converge";
    const auto* error = new_error(original, report_, [](const LintFinding&) { return true; });
    return error == nullptr ? std::nullopt : std::optional(words_of(*error));
  }

  /// The fixable findings of the original that are gone, by their own fix or with that of another one. What a fix
  /// brought to light and a later pass fixed is not counted: it was never reported.
  std::size_t mended_of(const FileReport& original) const {
    if (!is_changed_) return 0;
    std::map<std::string_view, std::ptrdiff_t> left;
    for (const auto& finding : report_.findings) left[finding.code] += is_fixable_(finding) ? 1 : 0;
    std::size_t mended = 0;
    for (const auto& finding : original.findings) mended += is_fixable_(finding) && --left[finding.code] < 0 ? 1 : 0;
    return std::max(mended, std::size_t{1});
  }

  /// Fixes that do not overlap, in file order.
  Chosen choose() const {
    Chosen chosen;
    Taken taken;
    for (const auto& finding : report_.findings) {
      if (!is_fixable_(finding) || refused_.contains(finding.fingerprint)) continue;
      if (taken.touches(*finding.fix)) continue;
      taken.add(*finding.fix);
      chosen.push_back(&finding);
    }
    return chosen;
  }

  /// All of them, or those that do no harm each alone. What does harm waits until another fix was applied.
  void apply_some(const Chosen& chosen) {
    if (apply(chosen) == std::nullopt) return;
    Chosen harmless;
    sort_out(chosen, harmless);
    if (harmless.empty()) return;
    if (const auto harm = apply(harmless)) {
      for (const auto* one : harmless) refused_[one->fingerprint] = *harm;
    }
  }

  /// Bisects the fixes, so that a harmful one among many is found with few checks.
  void sort_out(const Chosen& some, Chosen& harmless) {
    const auto harm = harm_of(some);
    if (!harm) {
      harmless.insert(harmless.end(), some.begin(), some.end());
    } else if (some.size() == 1) {
      refused_[some.front()->fingerprint] = *harm;
    } else {
      const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
      sort_out({some.begin(), middle}, harmless);
      sort_out({middle, some.end()}, harmless);
    }
  }

  /// Gives the reason when nothing was applied.
  std::optional<std::string> apply(const Chosen& chosen) {
    auto text = edited(chosen);
    auto bytes = text::encode(text, encoding_);
    auto report = recheck_(bytes);
    if (auto harm = harm_in(report, chosen)) return harm;
    text_ = std::move(text);
    bytes_ = std::move(bytes);
    report_ = std::move(report);
    is_changed_ = true;
    refused_.clear();
    return std::nullopt;
  }

  std::optional<std::string> harm_of(const Chosen& chosen) const {
    return harm_in(recheck_(text::encode(edited(chosen), encoding_)), chosen);
  }

  std::optional<std::string> harm_in(const FileReport& report, const Chosen& chosen) const {
    const bool is_lost = report.kind != report_.kind && report.kind == rules::FileKind::kUnrecognized;
    if (is_lost || !report.document->root()) return "the result could not be parsed";
    const auto mended = std::count_if(chosen.begin(), chosen.end(), is_of_text);
    if (report.document->faults().size() + static_cast<std::size_t>(mended) > report_.document->faults().size()) {
      return "the result would have as many errors";
    }
    // The next pass will take away an error that has a fix of its own.
    const auto* error = new_error(report_, report, std::not_fn(is_fixable_));
    return error == nullptr ? std::nullopt : std::optional(words_of(*error));
  }

  static std::string words_of(const LintFinding& error) {
    return fmt::format("the result would have a new error, {}: {}", error.code, error.message);
  }

  std::string edited(const Chosen& chosen) const {
    std::vector<Edit> edits;
    for (const auto* finding : chosen) {
      for (const auto& edit : finding->fix->edits)
        edits.push_back({edit.span, text::with_matching_line_ends(text_, edit.text)});
    }
    return text::apply(text_, std::move(edits)).text;
  }

  void note_left() {
    const text::LineIndex lines(report_.document->source());
    for (const auto& finding : report_.findings) {
      if (!is_fixable_(finding)) continue;
      const auto refused = refused_.find(finding.fingerprint);
      if (refused == refused_.end()) continue;
      const auto at = lines.location(finding.span.begin);
      left_.push_back({.message = fmt::format("{} not fixed: {}", finding.code, refused->second),
                       .file = report_.file,
                       .line = at.line,
                       .column = at.column});
    }
  }

  FixedText result() { return {std::move(bytes_), fixed_, std::move(left_)}; }

  std::string bytes_;
  const Recheck& recheck_;
  Fixable is_fixable_;
  FileReport report_;
  std::string text_;  ///< The text of `bytes_` in which the spans of the report count.
  text::Encoding encoding_;
  bool is_changed_ = false;
  std::size_t fixed_ = 0;
  std::map<std::string, std::string> refused_;  ///< Why, by fingerprint.
  std::vector<Error> left_;
};

}  // namespace

FixedText fix_text(std::string bytes, const Recheck& recheck, bool with_unsafe) {
  return Fixer(std::move(bytes), recheck, with_unsafe).run();
}

}  // namespace bayplan::lint
