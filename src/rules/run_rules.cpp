#include "rules/run_rules.hpp"

namespace bayplan::rules {
namespace {

bool applies(const Rule& rule, const RuleInput& input) {
  const bool runs_on_state = !input.is_skeleton || rule.scope == Scope::kText || rule.traits.on_skeletons;
  return input.scopes.contains(rule.scope) && runs_on_state;
}

}  // namespace

Scopes scopes_of(const Context& file) {
  Scopes scopes{Scope::kText, Scope::kShape};
  const bool is_object = file.root && file.root.is_object();
  switch (file.kind) {
    case FileKind::kTaskDefinition:
    case FileKind::kDescribe:
      if (is_object) scopes.add(Scope::kTaskDefinition);
      break;
    case FileKind::kContainerDefinitions:
      if (file.root) scopes.add(Scope::kTaskDefinition);
      break;
    case FileKind::kService:
    case FileKind::kRunTask:
    case FileKind::kTaskSet:
      if (is_object) scopes.add(Scope::kService);
      break;
    case FileKind::kCapacityProvider:
      scopes.add(Scope::kProvider);
      break;
    case FileKind::kCluster:
    case FileKind::kClusterProviders:
      scopes.add(Scope::kCluster);
      break;
    default:
      break;
  }
  return scopes;
}

Findings run_rules(const RuleInput& input, const Lazy<RuleData>& data, const model::Placeholders& placeholders) {
  Findings found;
  for (const auto& rule : registry()) {
    if (!applies(rule, input)) continue;
    Emitter emit(rule.code, found, data, placeholders);
    if (rule.scope != Scope::kService) {
      rule.check(*input.file, emit);
      continue;
    }
    for (const auto& service : input.services) {
      if (service.input != ServiceInput::kAnswer || rule.traits.on_answers) rule.check_service(service, emit);
    }
  }
  return found;
}

}  // namespace bayplan::rules
