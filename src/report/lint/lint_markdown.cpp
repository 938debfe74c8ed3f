#include "report/lint/lint_writer.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/escape.hpp"
#include "report/document/report_document.hpp"
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
    ReportDocument document("lint");
    document.add(block::Heading{"bayplan: " + summary_line(summary)});
    for (const auto& error : unreadable_)
      document.paragraph({{"Not read: "}, in_code(error.file), {": " + error.message}});
    add_findings(document, summary.at_or_above(Severity::kStyle));
    write_document(out_, document, Medium::kComment);
  }

 private:
  void add_findings(ReportDocument& document, std::size_t total) {
    Table table({"severity", "place", "finding", "what to write"});
    for (const auto severity : kBySeverity) {
      for (auto& row : rows_[static_cast<std::size_t>(severity)]) table.add(std::move(row));
    }
    table.keep_rows(kRows);
    const auto shown = table.rows.size();
    document.table(std::move(table));
    if (total > shown) document.paragraph(fmt::format("and {} more", total - shown));
  }

  std::vector<Cell> row_of(const lint::FileReport& report, const lint::LintFinding& finding,
                           const text::LineIndex& lines) {
    const auto at = lines.location(finding.span.begin);
    const auto& rule = data_.get().row(finding.code);
    return {name_of(finding.severity), RichText(in_code(fmt::format("{}:{}:{}", report.file, at.line, at.column))),
            RichText{in_bold(rule.code),
                     {rules::is_house_code(rule.code) ? ": " + finding.message
                                                      : fmt::format(" {}: {}", rule.id, finding.message)}},
            finding.help};
  }

  std::ostream& out_;
  const Lazy<rules::RuleData>& data_;
  std::array<std::vector<std::vector<Cell>>, 4> rows_;
  std::vector<Error> unreadable_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_markdown(std::ostream& out, const Lazy<rules::RuleData>& data,
                                          const LintView& /*view*/) {
  return std::make_unique<MarkdownLintWriter>(out, data);
}

}  // namespace bayplan::report
