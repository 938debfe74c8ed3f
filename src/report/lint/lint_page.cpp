#include "report/lint/lint_writer.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "report/document/escape.hpp"
#include "report/document/report_document.hpp"
#include "report/lint/source_excerpt.hpp"

namespace bayplan::report {
namespace {

using lint::FileReport;
using lint::LintFinding;

constexpr std::size_t kFindingsOfPage = 10'000;  ///< With the lines around them; those after these are rows of a table.
constexpr std::size_t kShownRelatedPlaces = 3;

class LintPageWriter : public LintWriter {
 public:
  LintPageWriter(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view)
      : out_(out), data_(data), command_line_(view.command_line), folder_(view.folder) {}

  void file(const FileReport& report) override {
    const auto is_reported = [](const LintFinding& finding) { return !finding.suppression; };
    if (std::none_of(report.findings.begin(), report.findings.end(), is_reported)) return;
    SourceExcerpt source(report.document->source());
    for (const auto& finding : report.findings) {
      if (hides_source(finding)) source.hide(finding.span);
    }
    std::string articles;
    for (const auto& finding : report.findings) {
      if (!is_reported(finding)) continue;
      codes_.emplace(finding.code);
      if (shown_ < kFindingsOfPage) {
        articles += article(report, finding, source);
      } else {
        add_further(report, finding, source);
      }
      ++shown_;
    }
    if (articles.empty()) return;
    files_ += "<div class=\"file\"><h3><bdi>" + html_text(path_to_pass_on(report.file, folder_)) + "</bdi></h3>\n" +
              articles + "</div>\n";
  }

  void unreadable(const Error& error) override {
    unreadable_.add({path_to_pass_on(error.file, folder_), error.message});
  }

  void finish(const lint::Summary& summary) override {
    const bool is_good = unreadable_.rows.empty() && summary.at_or_above(Severity::kError) == 0;
    ReportDocument page("lint");
    page.answer("", summary_line(summary), is_good);
    const bool has_warnings = summary.at_or_above(Severity::kWarning) > 0;
    page.verdict = !is_good       ? Verdict{"FAIL", Tone::kBad}
                   : has_warnings ? Verdict{"WARN", Tone::kDoubtful}
                                  : Verdict{"PASS", Tone::kGood};
    page.command_line = command_line_;
    if (!unreadable_.rows.empty()) {
      page.section("unreadable", "Not read");
      page.table(std::move(unreadable_));
    }
    if (shown_ > 0) {
      page.section("findings", "Findings");
      page.view("findings", "The filter requires scripts; all findings are below.");
      page.add(block::Markup{std::move(files_)});
    }
    if (!further_.rows.empty()) {
      page.section("further-findings", "Further findings");
      page.table(std::move(further_));
    }
    if (!codes_.empty()) {
      page.section("rules", "Rules");
      for (const auto& code : codes_) page.add(block::Markup{rule_text(data_.get().row(code))});
    }
    write_document(out_, page, Medium::kPage);
  }

 private:
  bool hides_source(const LintFinding& finding) const { return data_.get().row(finding.code).hides_source; }

  void add_further(const FileReport& report, const LintFinding& finding, const SourceExcerpt& source) {
    const auto at = source.location(finding.span.begin);
    further_.add(
        {std::string(name_of(finding.severity)), finding.code,
         path_to_pass_on(report.file, folder_) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column),
         finding.message, finding.help});
  }

  std::string article(const FileReport& report, const LintFinding& finding, const SourceExcerpt& source) const {
    const auto& rule = data_.get().row(finding.code);
    const auto at = source.location(finding.span.begin);
    const std::string severity(name_of(finding.severity));
    std::string html = "<article class=\"finding " + severity + "\" data-severity=\"" + severity + "\"><h4>" +
                       severity + " <a href=\"#" + anchor_of(rule) + "\">" + html_text(rule.name()) +
                       "</a>: " + html_text(finding.message) + "</h4>\n<p class=\"place\"><bdi>" +
                       html_text(path_to_pass_on(report.file, folder_)) + "</bdi>:" + std::to_string(at.line) + ':' +
                       std::to_string(at.column) + "</p>\n<div class=\"beside\"><pre class=\"source\">" +
                       source.marked(finding.span);
    std::size_t shown = 0;
    for (const auto& related : finding.related) {
      if (shown++ < kShownRelatedPlaces && !hides_source(finding))
        html += "<code>" + html_text(related.message) + "</code>" + source.marked(related.span);
    }
    html += "</pre>\n<div>";
    if (!finding.help.empty()) html += "<p>" + html_words(finding.help) + "</p>";
    html += fix_of(finding, source);
    return html + "</div></div></article>\n";
  }

  static std::string anchor_of(const rules::RuleRow& rule) { return "rule-" + std::string(rule.code); }

  /// What `bayplan explain` says, in short: a page works without a network, so its links lead to it.
  static std::string rule_text(const rules::RuleRow& rule) {
    std::string html = "<details class=\"rule\"><summary>" + html_text(rule.name()) + ": " + html_words(rule.summary) +
                       "</summary>\n<div id=\"" + anchor_of(rule) + "\"><p>" + html_words(rule.why) +
                       "</p>\n<p>Fix: " + html_words(rule.fix) + "</p>\n<p>Source: " + html_with_links(rule.source) +
                       "</p>\n<p>Examples: ";
    if (const auto address = rule.web_url()) {
      html += "<a href=\"" + html_text(*address) + "\">" + html_text(*address) + "</a>";
    } else {
      html += "<code>bayplan explain " + html_text(rule.code) + "</code>";
    }
    return html + "</p></div></details>\n";
  }

  std::string fix_of(const LintFinding& finding, const SourceExcerpt& source) const {
    if (!finding.fix || hides_source(finding)) return {};
    const auto lines = source.fixed(*finding.fix);
    const std::string how = finding.fix->safe ? "fix (bayplan lint --fix)" : "suggestion";
    if (lines.empty()) return "<p>" + how + ": bayplan lint --diff shows it</p>";
    return "<p>" + how + "</p><pre class=\"source\">" + lines + "</pre>";
  }

  std::ostream& out_;
  const Lazy<rules::RuleData>& data_;
  std::string command_line_;
  std::string folder_;
  std::string files_;
  std::set<std::string, std::less<>> codes_;  ///< Of all findings.
  std::size_t shown_ = 0;
  Table unreadable_{{"file", "why"}};
  Table further_{{"severity", "rule", "place", "finding", "help"}};
};

}  // namespace

std::unique_ptr<LintWriter> lint_page(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view) {
  return std::make_unique<LintPageWriter>(out, data, view);
}

}  // namespace bayplan::report
