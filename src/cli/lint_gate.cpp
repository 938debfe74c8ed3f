#include "cli/lint_gate.hpp"

#include <algorithm>

#include "report/lint_text.hpp"

namespace bayplan::cli {
namespace {

/// BAY000 to BAY899: what speaks of the definition; BAY9xx and BAY1xxx speak of clusters and services.
bool is_of_definition(std::string_view code) {
  return code.size() == 6 && code.substr(0, 3) == "BAY" && code[3] < '9';
}

}  // namespace

std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const GlobalOptions& global, Streams& io) {
  const lint::Tools tools;
  const lint::Options options;
  lint::Run refused;
  std::vector<std::string> files;
  for (const auto& file : loaded.files) {
    auto report = lint::lint_document(file.document->source(), file.path, options, tools);
    std::erase_if(report.findings, [](const auto& finding) {
      return finding.severity != Severity::kError || !is_of_definition(finding.code);
    });
    if (report.findings.empty()) continue;
    files.push_back(file.path);
    refused.files.push_back(std::move(report));
  }
  std::erase_if(loaded.definitions, [&](const auto& definition) {
    return std::find(files.begin(), files.end(), definition.file) != files.end();
  });
  if (files.empty()) return files;
  const bool colored = report::wants_color(global.color, io.err_is_terminal, io.environment);
  report::write_lint_text(io.err, refused, tools.rule_data, {report::Style(colored), true});
  return files;
}

}  // namespace bayplan::cli
