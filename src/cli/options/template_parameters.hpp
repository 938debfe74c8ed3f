#pragma once
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/options/command.hpp"
#include "importers/cloudformation_template.hpp"
#include "lint/lint.hpp"

namespace bayplan::cli {

/// Reads "KEY=VALUE" of --param, which may hold further equal signs.
Result<importers::ParameterValues> parse_parameters(const std::vector<std::string>& texts);

/// --param, of commands that read CloudFormation templates.
void describe_parameters(OptionSet& options, std::vector<std::string>& parameters);

/// Watches what the templates of a run make of --param.
class TemplateParameters {
 public:
  explicit TemplateParameters(const importers::ParameterValues& given) : given_(given) {}

  void take(const lint::FileReport& report);
  /// Tells values that a template does not allow, which is kUnusable, and names that no template declares, which is
  /// not: of the templates of a hook the one that declares them may be missing.
  int finish(Streams& io) const;

 private:
  const importers::ParameterValues& given_;
  std::set<std::string, std::less<>> declared_;
  std::size_t templates_ = 0;
  std::vector<Error> refused_;
};

}  // namespace bayplan::cli
