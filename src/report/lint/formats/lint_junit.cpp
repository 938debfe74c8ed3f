#include "report/lint/lint_writer.hpp"

#include <algorithm>
#include <string>

#include "report/document/escape.hpp"
#include "text/location.hpp"

namespace bayplan::report {
namespace {

class JunitLintWriter : public LintWriter {
 public:
  JunitLintWriter(std::ostream& out, const Lazy<rules::RuleData>& data, Severity fail_on)
      : out_(out), data_(data), fail_on_(fail_on) {
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"bayplan\">\n";
  }

  void file(const lint::FileReport& report) override {
    if (!lint::is_linted(report)) return;
    const auto shown = std::count_if(report.findings.begin(), report.findings.end(),
                                     [](const auto& finding) { return !finding.suppression; });
    const auto failures = std::count_if(report.findings.begin(), report.findings.end(), [&](const auto& finding) {
      return !finding.suppression && finding.severity >= fail_on_;
    });
    const std::string name = xml(report.file);
    open_suite(name, shown == 0 ? 1 : shown, failures, 0);
    if (shown == 0) out_ << "    <testcase classname=\"" << name << "\" name=\"no findings\"/>\n";
    if (!report.findings.empty()) {
      const text::LineIndex lines(report.document->source());
      for (const auto& finding : report.findings) {
        if (!finding.suppression) write_case(name, finding, lines);
      }
    }
    out_ << "  </testsuite>\n";
  }

  void unreadable(const Error& error) override {
    const std::string name = xml(error.file.empty() ? "bayplan" : error.file);
    open_suite(name, 1, 0, 1);
    out_ << "    <testcase classname=\"" << name << "\" name=\"read\">\n      <error message=\"" << xml(error.message)
         << "\"/>\n    </testcase>\n  </testsuite>\n";
  }

  void finish(const lint::Summary& /*summary*/) override { out_ << "</testsuites>\n"; }

 private:
  void open_suite(const std::string& name, std::ptrdiff_t tests, std::ptrdiff_t failures, int errors) {
    out_ << "  <testsuite name=\"" << name << "\" tests=\"" << tests << "\" failures=\"" << failures << "\" errors=\""
         << errors << "\">\n";
  }

  void write_case(const std::string& file, const lint::LintFinding& finding, const text::LineIndex& lines) {
    const auto at = lines.location(finding.span.begin);
    const std::string place = std::to_string(at.line) + ":" + std::to_string(at.column);
    out_ << "    <testcase classname=\"" << file << "\" name=\"" << xml(data_.get().row(finding.code).name()) << " at "
         << place << "\">\n";
    const std::string body =
        file + ":" + place + ": " + xml(finding.message + (finding.help.empty() ? "" : "\n" + finding.help));
    if (finding.severity >= fail_on_) {
      out_ << "      <failure type=\"" << name_of(finding.severity) << "\" message=\"" << xml(finding.message) << "\">"
           << body << "</failure>\n";
    } else {
      out_ << "      <system-out>" << name_of(finding.severity) << " " << body << "</system-out>\n";
    }
    out_ << "    </testcase>\n";
  }

  std::ostream& out_;
  const Lazy<rules::RuleData>& data_;
  Severity fail_on_;
};

}  // namespace

std::unique_ptr<LintWriter> lint_junit(std::ostream& out, const Lazy<rules::RuleData>& data, const LintView& view) {
  return std::make_unique<JunitLintWriter>(out, data, view.fail_on);
}

}  // namespace bayplan::report
