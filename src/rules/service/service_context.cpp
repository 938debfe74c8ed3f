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

bool rolls(const model::Service& service) {
  const bool by_ecs = !service.deployment_controller.present() || service.deployment_controller.value == "ECS";
  const bool rolling = !service.deployment_strategy.present() || service.deployment_strategy.value == "ROLLING";
  return by_ecs && rolling;
}

bool NamedDefinition::has_reported_mode() const {
  return is_checked && task->targets(model::Compatibility::kFargate) && !task->network_mode.unknown() &&
         task->network_mode.value != "awsvpc";
}

}  // namespace bayplan::rules
