#include "report/lint/lint_writer.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/first_screen.hpp"
#include "report/lint/source_frame.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

using lint::FileReport;
using lint::LintFinding;

bool is_shown(const LintFinding& finding, const LintView& view) {
  return !finding.suppression && (!view.quiet || finding.severity >= view.fail_on);
}

std::string headline(const FileReport& report, const LintFinding& finding, text::Location at,
                     const Lazy<rules::RuleData>& data, const Style& style) {
  const std::string place = printable(report.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  std::string line = style.bold(place) + " " + style.of(finding.severity, name_of(finding.severity)) + " ";
  line += data.get().row(finding.code).name();
  return line += ": " + printable(finding.message);
}

/// Digits of the largest line number that the finding shows.
std::size_t gutter_of(const LintFinding& finding, const text::LineIndex& lines) {
  auto last = finding.span.begin;
  for (const auto& related : finding.related) last = std::max(last, related.span.begin);
  return std::max<std::size_t>(3, std::to_string(lines.location(last).line).size());
}

/// Further findings of a rule are one line each: their excerpts and fixes say nothing new.
constexpr std::size_t kFramedFindings = 10;

/// The most frequent rules follow long lists.
constexpr std::size_t kManyFindings = 20;
constexpr std::size_t kNamedRules = 3;

/// More places than these say nothing new.
constexpr std::size_t kMostRelated = 3;

void write_finding(std::ostream& out, const FileReport& report, const LintFinding& finding,
                   const text::LineIndex& lines, const Lazy<rules::RuleData>& data, const Style& style) {
  out << headline(report, finding, lines.location(finding.span.begin), data, style) << '\n';
  const std::size_t gutter = gutter_of(finding, lines);
  if (data.get().row(finding.code).hides_source) return write_note(out, finding.help, gutter, style);
  write_frame(out, lines, {finding.span, '^', finding.help, finding.severity}, gutter, style);
  std::size_t shown = 0;
  for (const auto& related : finding.related) {
    if (shown++ == kMostRelated) break;
    write_frame(out, lines, {related.span, '-', related.message, Severity::kInfo}, gutter, style);
  }
}

/// An expression of several lines on one, and no longer than a line.
std::string on_one_line(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string line;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
    if (!is_blank || (!line.empty() && line.back() != ' ')) line += is_blank ? ' ' : c;
  }
  const std::size_t word_end = line.find(' ', kLongest / 2);
  return line.size() > kLongest && word_end < kLongest ? line.substr(0, word_end) + " ..."
                                                       : shortened_to(line, kLongest);
}

void write_skipped(std::ostream& out, const FileReport& report, const Style& style) {
  for (const auto& skip : report.skipped) {
    out << style.dim(printable(report.file) + ": " + std::string(skip.code) + " skipped at " + skip.pointer + ": " +
                     printable(on_one_line(skip.because)) + " is not known yet")
        << '\n';
  }
}

void write_passed_over(std::ostream& out, const lint::SearchSummary& search, const Style& style) {
  for (const auto& one : search.passed_over) {
    out << style.dim(printable(one.path) + ": skipped: " + one.message) << '\n';
  }
}

class TextLintWriter : public LintWriter {
 public:
  TextLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view)
      : out_(out), data_(data), view_(view) {}

  void file(const FileReport& report) override {
    if (!report.findings.empty()) {
      const text::LineIndex& lines = lines_of(*report.document);
      for (const auto& finding : report.findings) {
        if (is_shown(finding, view_)) write(report, finding, lines);
      }
    }
    if (view_.verbose && !view_.quiet) write_skipped(out_, report, view_.style);
  }

  void finish(const lint::Summary& summary) override {
    write_left_out();
    if (view_.quiet) return;
    if (view_.verbose) write_passed_over(out_, summary.search, view_.style);
    if (is_search_told(summary.search)) out_ << search_line(summary.search, view_.verbose) << '\n';
    write_frequent_rules();
    if (summary.files == 0 && summary.omits_empty) return;
    out_ << view_.style.bold(summary_line(summary)) << '\n';
  }

 private:
  void write(const FileReport& report, const LintFinding& finding, const text::LineIndex& lines) {
    ++shown_;
    const bool is_framed = ++shown_by_rule_[std::string(finding.code)] <= kFramedFindings || view_.verbose;
    if (!view_.first_screen || view_.verbose) return write_to(out_, report, finding, lines, is_framed);
    if (left_out_.total() > 0) return left_out_.add(finding.severity);
    std::ostringstream text;
    write_to(text, report, finding, lines, is_framed);
    lines_written_ += line_count(text.str());
    if (lines_written_ + kLinesOfEnd > kFirstScreenLines) return left_out_.add(finding.severity);
    out_ << text.str();
  }

  void write_to(std::ostream& out, const FileReport& report, const LintFinding& finding, const text::LineIndex& lines,
                bool is_framed) {
    if (is_framed) return write_finding(out, report, finding, lines, data_, view_.style);
    ++shortened_;
    out << headline(report, finding, lines.location(finding.span.begin), data_, view_.style) << '\n';
  }

  /// "and 12 more findings: 3 errors, 9 warnings (-v)"
  void write_left_out() {
    if (left_out_.total() == 0) return;
    out_ << view_.style.dim(fmt::format("and {}: {} (-v)", count_of(left_out_.total(), "more finding"),
                                        join(left_out_.words(), ", ")))
         << '\n';
  }

  /// "Most frequent: 120 BAY401 gpu-value-type, 12 BAY113 ...; 110 findings shown without source (-v)"
  void write_frequent_rules() {
    if (shown_ <= kManyFindings) return;
    std::vector<std::pair<std::string, std::size_t>> rules(shown_by_rule_.begin(), shown_by_rule_.end());
    std::stable_sort(rules.begin(), rules.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(rules.size(), kNamedRules); ++i)
      parts.push_back(fmt::format("{} {}", rules[i].second, data_.get().row(rules[i].first).name()));
    if (rules.size() > kNamedRules) parts.push_back("of " + std::to_string(rules.size()) + " rules");
    std::string line = "Most frequent: " + join(parts, ", ");
    if (shortened_ > 0) {
      line += "; " + count_of(static_cast<std::int64_t>(shortened_), "finding") + " shown without source (-v)";
    }
    out_ << line << '\n';
  }

  /// Thousands of definitions may be in one text: its lines are counted once.
  const text::LineIndex& lines_of(const text::Document& document) {
    if (!lines_ || source_ != document.shared_source()) {
      source_ = document.shared_source();
      lines_.emplace(*source_);
    }
    return *lines_;
  }

  /// Findings by severity.
  class Counts {
   public:
    void add(Severity severity) { ++counts_[severity]; }
    std::int64_t total() const {
      std::int64_t total = 0;
      for (const auto& [severity, count] : counts_) total += count;
      return total;
    }
    std::vector<std::string> words() const {
      std::vector<std::string> words;
      for (auto one = counts_.rbegin(); one != counts_.rend(); ++one)
        words.push_back(severity_count(one->second, one->first));
      return words;
    }

   private:
    std::map<Severity, std::int64_t> counts_;
  };

  /// What may follow the findings: the line of those left out, of the search, of frequent rules, and the summary.
  static constexpr std::size_t kLinesOfEnd = 5;

  Counts left_out_;
  std::size_t lines_written_ = 0;
  std::map<std::string, std::size_t> shown_by_rule_;
  std::size_t shown_ = 0;
  std::size_t shortened_ = 0;
  std::shared_ptr<const std::string> source_;
  std::optional<text::LineIndex> lines_;
  std::ostream& out_;
  const Lazy<rules::RuleData>& data_;
  LintView view_;
};

class OnelineLintWriter : public LintWriter {
 public:
  OnelineLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view)
      : out_(out), data_(data), view_(view) {}

  void file(const FileReport& report) override {
    if (report.findings.empty()) return;
    const text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) {
      if (!is_shown(finding, view_)) continue;
      out_ << headline(report, finding, lines.location(finding.span.begin), data_, view_.style) << '\n';
    }
  }

  void finish(const lint::Summary& /*summary*/) override {}

 private:
  std::ostream& out_;
  const Lazy<rules::RuleData>& data_;
  LintView view_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_text(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view) {
  return std::make_unique<TextLintWriter>(out, data, view);
}

std::unique_ptr<LintWriter> lint_oneline(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view) {
  return std::make_unique<OnelineLintWriter>(out, data, view);
}

}  // namespace bayplan::report
