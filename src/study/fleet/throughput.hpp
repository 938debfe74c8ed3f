#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_use.hpp"

/// What tasks get done, as a scenario's `throughput` says, and what that costs.
namespace bayplan::study {

/// What one task of this many GPUs gets done on one type.
struct Rate {
  std::string instance_type;
  std::int64_t gpus = 0;
  double rate = 0;
};

/// One entry of `throughput`.
struct Throughput {
  std::string family;
  std::string unit;  ///< "images/s"
  std::vector<Rate> rates;
};

struct LoadedThroughput {
  std::vector<Throughput> list;
  std::vector<Error> errors;  ///< Errors with their places in the file.
};

/// Reads the rates of the scenario's file; none where it states none.
LoadedThroughput load_throughput(const placement::Scenario& scenario, const catalog::Catalog& catalog);

/// Throughput of an instance that runs as many tasks as it has GPUs for.
struct RateOfInstance {
  std::string instance_type;
  std::int64_t gpus = 0;                 ///< GPUs of one task.
  std::int64_t tasks = 0;                ///< Tasks on one instance.
  double rate = 0;                       ///< Rate of all tasks together.
  std::optional<MicroUsd> hourly_price;  ///< Listed; nothing when not known.
  std::optional<double> rate_per_usd;    ///< `rate` for each USD an hour.
};

struct FamilyRate {
  Throughput throughput;
  std::vector<RateOfInstance> instances;  ///< Most per USD first; those without a price last.
  /// Rate of the placed tasks of the family; nothing where there is none, or the rate of one of them is not stated.
  std::optional<double> placed;
  std::int64_t placed_tasks = 0;
};

std::vector<FamilyRate> compute_rates(const std::vector<Throughput>& throughput, const placement::Scenario& scenario,
                                      const std::vector<PlacedTasks>& placed, const catalog::Catalog& catalog);

}  // namespace bayplan::study
