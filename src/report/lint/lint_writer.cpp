#include <algorithm>
#include <array>

#include "report/lint/lint_writer.hpp"

namespace bayplan::report {
namespace {

struct LintFormat {
  std::string_view name;
  LintWriterMaker* make;
};

constexpr std::array<LintFormat, 10> kLintFormats{{{"text", lint_text},
                                                   {"oneline", lint_oneline},
                                                   {"json", lint_json},
                                                   {"sarif", lint_sarif},
                                                   {"github", lint_github},
                                                   {"gitlab", lint_gitlab},
                                                   {"junit", lint_junit},
                                                   {"html", lint_page},
                                                   {"markdown", lint_markdown},
                                                   {"csv", lint_csv}}};

}  // namespace

std::vector<std::string_view> lint_formats() {
  std::vector<std::string_view> names;
  for (const auto& format : kLintFormats) names.push_back(format.name);
  return names;
}

std::unique_ptr<LintWriter> lint_writer(std::string_view format, std::ostream& out, const Lazy<rules::RuleData>& data,
                                        const LintView& view) {
  const auto found =
      std::find_if(kLintFormats.begin(), kLintFormats.end(), [&](const LintFormat& one) { return one.name == format; });
  return found->make(out, data, view);
}

}  // namespace bayplan::report
