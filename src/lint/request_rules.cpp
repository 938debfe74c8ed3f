#include "lint/request_rules.hpp"

#include "rules/registry.hpp"
#include "rules/service/service_input.hpp"

namespace bayplan::lint {
namespace {

/// Of what ECS answered only this speaks: its 100/100 was taken once and still keeps a service from deploying. All
/// other rules of services tell of refusals.
constexpr std::string_view kSpeaksOfAnswers = "BAY1118";

}  // namespace

void RequestRules::check(const rules::Context& file) {
  if (!file.root || !file.root.is_object()) return;
  if (file.kind == rules::FileKind::kRunTask) {
    return check(model::bind_task_run(file.root, options_.placeholders), rules::ServiceInput::kRunTask, file.is_whole);
  }
  const auto input = rules::service_input_of(file.root);
  for (const text::Value service : rules::services_in(file.root)) {
    check(model::bind_service(service, options_.placeholders), input, file.is_whole);
  }
}

void RequestRules::check(const model::Service& service, rules::ServiceInput input, bool is_whole) {
  check(rules::ServiceContext{.input = input,
                              .request = service,
                              .service = &service,
                              .definition = definition_named(service),
                              .is_whole = is_whole});
}

void RequestRules::check(const model::TaskRun& run, rules::ServiceInput input, bool is_whole) {
  check(rules::ServiceContext{
      .input = input, .request = run, .run = &run, .definition = definition_named(run), .is_whole = is_whole});
}

rules::NamedDefinition RequestRules::definition_named(const model::PlacementRequest& request) const {
  return find_ && request.task_definition ? find_(*request.task_definition) : rules::NamedDefinition{};
}

void RequestRules::check(const rules::ServiceContext& context) {
  for (const auto& rule : rules::registry()) {
    if (rule.check_service == nullptr) continue;
    if (context.input == rules::ServiceInput::kAnswer && rule.code != kSpeaksOfAnswers) continue;
    rules::Emitter emitter(rule.code, found_, tools_.rule_data, options_.placeholders);
    rule.check_service(context, emitter);
  }
}

}  // namespace bayplan::lint
