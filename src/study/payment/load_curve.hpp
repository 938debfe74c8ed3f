#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "placement/model/scenario.hpp"

/// How many tasks run hour by hour: `load` of a scenario.
namespace bayplan::study {

/// A leap year.
inline constexpr std::size_t kMostHours = 8'784;

/// Hours in which the same tasks run.
struct LoadLevel {
  std::vector<std::int64_t> counts;  ///< Tasks by workload of the scenario, without headroom; those of daemons are 0.
  std::int64_t hours = 0;

  std::int64_t tasks() const;
};

struct LoadCurve {
  std::vector<LoadLevel> levels;     ///< Distinct, in the order of their first hours.
  std::vector<std::uint32_t> hours;  ///< By hour: index into `levels`. At least one hour.

  /// By workload, the most tasks of all hours. They need not run in one hour.
  std::vector<std::int64_t> peak() const;
  /// The level with the peak of every workload; nothing where the peaks are at different hours.
  std::optional<std::uint32_t> peak_level() const;
};

struct LoadedCurve {
  std::optional<LoadCurve> curve;  ///< Nothing where none is stated, and when there are errors.
  std::vector<Error> errors;       ///< With their places.
};

/// The curve of `load` in the scenario's file, or of the CSV file `path` where that is not empty (--load). Counts and
/// factors refer to the workloads of `scenario`.
LoadedCurve load_curve(const placement::Scenario& scenario, const std::string& path, const Files& files,
                       const Limits& limits);

/// The curve of tasks with start times and durations: by hour the most tasks that run at a time, from time 0 to the end
/// of the last task that ends. Tasks without a duration, and those of services, run to the end. An error if that is
/// more than a year, or if no task ends.
LoadedCurve curve_over_time(const placement::Scenario& scenario);

/// The scenario as if all its tasks ran all the time.
placement::Scenario without_times(placement::Scenario scenario);

/// One hour with the tasks of the scenario: what runs all the time.
LoadCurve constant_load(const placement::Scenario& scenario);

/// The scenario with these tasks of each workload, for the planning of a fleet: its calls still have the old counts,
/// which `fleet::tasks_of` sets. Daemons are left alone.
placement::Scenario with_counts(placement::Scenario scenario, const std::vector<std::int64_t>& counts);

}  // namespace bayplan::study
