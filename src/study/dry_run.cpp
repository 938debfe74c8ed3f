#include "study/dry_run.hpp"

#include "study/definition_trial.hpp"
#include "study/task_trial.hpp"

namespace bayplan::study {

DriedRun dry_run(const awscli::CommandLine& line, awscli::Request request, const DryRunSetting& setting,
                 const Files& files, catalog::Catalog& catalog, const lint::Tools& tools) {
  const TrialTools all{line, setting, files, catalog, tools};
  if (request.operation->verb == awscli::Verb::kRegisterTaskDefinition) {
    return DefinitionTrial(std::move(request), all).run();
  }
  return TaskTrial(std::move(request), all).run();
}

}  // namespace bayplan::study
