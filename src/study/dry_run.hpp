#pragma once
#include <optional>
#include <string>
#include <vector>

#include "awscli/request.hpp"
#include "lint/lint.hpp"
#include "placement/load_scenario.hpp"
#include "placement/outcome.hpp"
#include "study/call_failures.hpp"
#include "study/call_refusal.hpp"
#include "study/service_update.hpp"

namespace bayplan::study {

/// On what the call is tried.
struct DryRunSetting {
  placement::ScenarioRequest described;  ///< The cluster, and definitions that count as registered; no tasks.
  Limits limits;
};

/// What would come of an `aws ecs` call.
struct DryRun {
  awscli::Request request;
  lint::FileReport lint;                        ///< Its document is that of the request.
  std::optional<CallRefusal> refusal;           ///< Then nothing is placed.
  std::optional<placement::Scenario> scenario;  ///< Of calls that start tasks.
  std::optional<placement::Outcome> outcome;    ///< Without a refusal; of calls that start tasks.
  std::optional<ServiceUpdate> update;          ///< Of UpdateService.
  std::vector<CallFailure> failures;            ///< Of RunTask and StartTask.
  std::vector<std::string> compatibilities;     ///< Of a definition that would be registered.
  std::optional<std::int64_t> revision;         ///< That it would get, when others of its family are described.
  std::vector<Assumption> assumptions;          ///< Of the request and the call; the scenario has its own.

  bool succeeds() const {
    const bool is_stuck = update && update->is_stuck();
    return !refusal && failures.empty() && !is_stuck && (!outcome || outcome->failures.empty());
  }
};

struct DriedRun {
  std::optional<DryRun> run;  ///< Nothing when there are errors or mistakes.
  std::vector<Error> errors;
  std::vector<std::string> mistakes;  ///< Of the program: the placement does not stand up to its own check.
};

DriedRun dry_run(const awscli::CommandLine& line, awscli::Request request, const DryRunSetting& setting,
                 const Files& files, catalog::Catalog& catalog, const lint::Tools& tools);

}  // namespace bayplan::study
