#include "study/definition_trial.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::study {

using text::Value;

void DefinitionTrial::try_call() {
  if (is_refused_by_lint()) return;
  find_compatibilities();
  find_revision();
  note_options_without_effect();
  assume("attributes-worked-out", "requiresAttributes",
         "they follow from the definition's members; the Docker API versions that ECS adds are left out");
}

/// What the definition says, and what it would be fit for too: ECS tries them all.
void DefinitionTrial::find_compatibilities() {
  const auto task = model::bind_task_definition(root(), {});
  const std::vector<std::pair<std::string_view, model::Compatibility>> tried = {
      {"EC2", model::Compatibility::kEc2}, {"FARGATE", model::Compatibility::kFargate}};
  for (const auto& [name, compatibility] : tried) {
    lint::Options options = as_aws_cli();
    options.rules.launch_type = compatibility;
    const bool is_listed = task.requires_compatibilities.present() && task.targets(compatibility);
    if (is_listed || (!task.requires_compatibilities.present() && !has_errors(lint(options)))) {
      run_.compatibilities.emplace_back(name);
    }
  }
  for (const auto& name : task.requires_compatibilities) {
    if (name && (*name == "EXTERNAL" || *name == "MANAGED_INSTANCES")) run_.compatibilities.emplace_back(*name);
  }
  if (task.requires_compatibilities.present()) return;
  assume("compatibilities-worked-out", "compatibilities",
         "EC2 and FARGATE are listed where no rule speaks against them; ECS looks at the others too");
}

void DefinitionTrial::find_revision() {
  const auto& described = tools_.setting.described;
  if (!described.cluster && described.definitions.empty())
    assume("revision-unknown", "revision", "1 is that of a new family; one that is registered counts on");
  auto loaded = load_described();
  if (!loaded.scenario) {
    result_.errors = std::move(loaded.errors);
    return;
  }
  const Value family = root().find("family");
  for (const auto& definition : loaded.scenario->task_definitions) {
    const auto& given = described.definitions;
    const bool counts =
        definition.is_registered || std::find(given.begin(), given.end(), definition.origin.file) != given.end();
    if (!counts || !family || definition.family != family.text()) continue;
    run_.revision = std::max(run_.revision.value_or(0), definition.revision + 1);
  }
}

void DefinitionTrial::note_options_without_effect() {
  std::vector<std::string> without_effect;
  if (!tools_.setting.described.instances.empty()) without_effect.emplace_back("--instances");
  if (tools_.setting.described.seed) without_effect.emplace_back("--seed");
  if (without_effect.empty()) return;
  assume("option-without-effect", join(without_effect, ", "), "a definition that is registered is not placed");
}

}  // namespace bayplan::study
