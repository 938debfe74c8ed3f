#include "report/lint_writer.hpp"

#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "report/lint_sentences.hpp"
#include "report/markdown.hpp"
#include "report/markdown_page.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kRows = 50;
constexpr std::array kBySeverity{Severity::kError, Severity::kWarning, Severity::kInfo, Severity::kStyle};

class MarkdownLintWriter : public LintWriter {
 public:
  MarkdownLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data) : out_(out), data_(data) {}

  void file(const lint::FileReport& report) override {
    if (report.findings.empty()) return;
    const text::LineIndex lines(report.document->source());
    for (const auto& finding : report.findings) {
      auto& rows = rows_[static_cast<std::size_t>(finding.severity)];
      if (!finding.suppression && rows.size() < kRows) rows.push_back(row_of(report, finding, lines));
    }
  }

  void unreadable(const Error& error) override { unreadable_.push_back(error); }

  void finish(const lint::Summary& summary) override {
    std::ostringstream page;
    page << "### bayplan: " << summary_line(summary) << "\n";
    for (const auto& error : unreadable_) {
      page << "\nNot read: " << markdown_code(error.file) << ": " << markdown_text(error.message) << "\n";
    }
    if (summary.at_or_above(Severity::kStyle) > 0) write_rows(page, summary.at_or_above(Severity::kStyle));
    out_ << cut_to_comment(page.str());
  }

 private:
  void write_rows(std::ostream& out, std::size_t total) const {
    out << "\n| severity | place | finding | what to write |\n| --- | --- | --- | --- |\n";
    std::size_t shown = 0;
    for (const auto severity : kBySeverity) {
      for (const auto& row : rows_[static_cast<std::size_t>(severity)]) {
        if (shown == kRows) break;
        ++shown;
        out << row;
      }
    }
    if (total > shown) out << "\nand " << total - shown << " more\n";
  }

  std::string row_of(const lint::FileReport& report, const lint::LintFinding& finding, const text::LineIndex& lines) {
    const auto at = lines.location(finding.span.begin);
    const std::string place = report.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
    const auto& rule = data_.get().row(finding.code);
    std::string row = "| " + std::string(name_of(finding.severity)) + " | " + markdown_code(place) + " | ";
    row += "**" + std::string(rule.code) + "** " + std::string(rule.id) + ": " + markdown_text(finding.message);
    return row += " | " + markdown_text(finding.help) + " |\n";
  }

  std::ostream& out_;
  const Lazy<rules::RuleData>& data_;
  std::array<std::vector<std::string>, 4> rows_;
  std::vector<Error> unreadable_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_markdown(std::ostream& out, const Lazy<rules::RuleData>& data,
                                          const LintView& /*view*/) {
  return std::make_unique<MarkdownLintWriter>(out, data);
}

}  // namespace bayplan::report
