#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "catalog/catalog.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::study {

/// Which task is asked about, and where it is to be placed.
struct QuestionRequest {
  scenario::ScenarioRequest cluster;   ///< The cluster without tasks.
  std::string task;                    ///< File, family, revision, or service; empty = what `service` runs.
  std::optional<std::string> service;  ///< The task is one more of this service of the scenario or live cluster.
  std::optional<std::int64_t>
      count;  ///< Tasks in addition to those of the scenario; nothing = the scenario's own, else 1.
};

struct LoadedQuestion {
  scenario::LoadedScenario loaded;
  std::vector<std::uint32_t> workloads;  ///< What is asked about; not empty when the scenario is there.
};

/// The scenario's own tasks where the question is about them, else a scenario with the task added behind all others.
LoadedQuestion load_question(const QuestionRequest& request, const Files& files, catalog::Catalog& catalog,
                             const Limits& limits);

}  // namespace bayplan::study
