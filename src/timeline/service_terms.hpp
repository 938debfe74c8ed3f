#pragma once
#include <cstdint>
#include <optional>

#include "placement/scenario.hpp"
#include "timeline/history.hpp"

namespace bayplan::timeline {

/// What is in force of a service.
struct ServiceTerms {
  std::int64_t desired = 0;  ///< Of a daemon service: 0, its instances say.
  std::int64_t minimum_healthy_percent = 0;
  std::int64_t maximum_percent = 0;

  std::int64_t lower() const { return (desired * minimum_healthy_percent + 99) / 100; }
  std::int64_t upper() const { return desired * maximum_percent / 100; }
};

/// After the updates up to `at`, those of that instant among them. `service`: index into Timetable::services.
ServiceTerms terms_of(const placement::Scenario& scenario, std::uint32_t service, Seconds at);

/// Of which service the task is, those that ran before the start by their group; nothing for a task of none.
std::optional<std::uint32_t> service_of(const placement::Scenario& scenario, const History& history, const Task& task);

}  // namespace bayplan::timeline
