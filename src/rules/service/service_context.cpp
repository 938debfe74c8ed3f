#include "rules/service/service_context.hpp"

#include "text/location.hpp"

namespace bayplan::rules {

std::string NamedDefinition::place_of(text::Value value) const {
  const text::LineIndex lines(value.document().source());
  const auto line = std::to_string(lines.location(value.span().begin).line);
  return file.empty() ? "line " + line : std::string(file) + ":" + line;
}

void hedge(Report& report, const ServiceContext& ctx) {
  if (!ctx.definition.doubt.empty()) report.severity(Severity::kWarning);
}

}  // namespace bayplan::rules
