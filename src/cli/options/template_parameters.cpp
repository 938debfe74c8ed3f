#include "cli/options/template_parameters.hpp"

#include "base/strings.hpp"
#include "cli/application.hpp"

namespace bayplan::cli {

Result<importers::ParameterValues> parse_parameters(const std::vector<std::string>& texts) {
  importers::ParameterValues values;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return Error{.message = "--param must be KEY=VALUE, not '" + text + "'",
                   .help = "For example: --param InstanceType=p3.16xlarge"};
    }
    values.insert_or_assign(text.substr(0, equals), text.substr(equals + 1));
  }
  return values;
}

void describe_parameters(OptionSet& options, std::vector<std::string>& parameters) {
  options.repeated("--param", parameters, "KEY=VALUE", "Value of a CloudFormation parameter, instead of its default");
}

void TemplateParameters::take(const lint::FileReport& report) {
  const bool is_template = report.kind == rules::FileKind::kCloudFormation || report.kind == rules::FileKind::kCdk;
  if (given_.empty() || !is_template || report.subjects.empty()) return;
  ++templates_;
  auto check = importers::check_parameters(report.document->root(), given_);
  declared_.insert(check.declared.begin(), check.declared.end());
  for (const auto& one : check.refused) {
    refused_.push_back({.message = "--param " + one.name + "=" + one.value + ": value not allowed by the template",
                        .file = report.file,
                        .help = "AllowedValues: " + one_of(one.allowed, "and")});
  }
}

int TemplateParameters::finish(Streams& io) const {
  for (const auto& error : refused_) fail(io, error);
  for (const auto& [name, value] : given_) {
    if (templates_ == 0 || declared_.contains(name)) continue;
    fail(io, {.message = "--param " + name + ": no checked template has this parameter"});
  }
  return refused_.empty() ? kClean : kUnusable;
}

}  // namespace bayplan::cli
