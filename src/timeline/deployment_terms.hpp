#pragma once
#include <cstdint>
#include <optional>

#include "placement/model/scenario.hpp"
#include "timeline/history.hpp"
#include "timeline/service_controller.hpp"

namespace bayplan::timeline {

/// Returns the terms after the updates up to and including `at`. `service`: index into Timetable::services.
ServiceTerms service_terms_at(const placement::Scenario& scenario, std::uint32_t service, Seconds at);

/// Returns the settings after the updates up to and including `at`. They view nothing of the history.
const model::DeploymentSettings& settings_at(const placement::Scenario& scenario, std::uint32_t service, Seconds at);

/// The service of the task, for tasks that ran before the start by their group; nothing for a task without a service.
std::optional<std::uint32_t> service_of(const placement::Scenario& scenario, const History& history, const Task& task);

}  // namespace bayplan::timeline
