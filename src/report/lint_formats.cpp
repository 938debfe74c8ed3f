#include "report/html/lint_page.hpp"
#include "report/lint_csv.hpp"
#include "report/lint_github.hpp"
#include "report/lint_gitlab.hpp"
#include "report/lint_json.hpp"
#include "report/lint_junit.hpp"
#include "report/lint_markdown.hpp"
#include "report/lint_sarif.hpp"
#include "report/lint_text.hpp"

namespace bayplan::report {

std::vector<std::string_view> lint_formats() {
  return {"text", "oneline", "json", "sarif", "github", "gitlab", "junit", "html", "markdown", "csv"};
}

std::unique_ptr<LintWriter> lint_writer(std::string_view format, std::ostream& out, const Lazy<rules::RuleData>& data,
                                        const LintView& view) {
  if (format == "oneline") return lint_oneline(out, data, view);
  if (format == "json") return lint_json(out, data);
  if (format == "sarif") return lint_sarif(out, data);
  if (format == "github") return lint_github(out, data);
  if (format == "gitlab") return lint_gitlab(out, data);
  if (format == "junit") return lint_junit(out, data, view.fail_on);
  if (format == "html") return lint_page(out, data);
  if (format == "csv") return lint_csv(out, data);
  if (format == "markdown") return lint_markdown(out, data);
  return lint_text(out, data, view);
}

}  // namespace bayplan::report
