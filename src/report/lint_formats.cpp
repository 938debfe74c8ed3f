#include "report/lint_json.hpp"
#include "report/lint_text.hpp"

namespace bayplan::report {

std::vector<std::string_view> lint_formats() {
  return {"text", "oneline", "json"};
}

std::unique_ptr<LintWriter> lint_writer(std::string_view format, std::ostream& out, const Lazy<rules::RuleData>& data,
                                        const LintView& view) {
  if (format == "json") return lint_json(out, data);
  if (format == "oneline") return lint_oneline(out, data, view);
  return lint_text(out, data, view);
}

}  // namespace bayplan::report
