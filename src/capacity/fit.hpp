#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "capacity/copies.hpp"
#include "capacity/gpu_needs.hpp"
#include "capacity/offer.hpp"
#include "capacity/requirement.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::capacity {

enum class Fits : std::uint8_t {
  kYes,
  kUnsure,  ///< Whether one copy fits changes inside the error band of the registered memory.
  kNo,
};

std::string_view name_of(Fits fits);  ///< "yes", "unsure", "no".

/// What is left when all copies run.
struct IdleResources {
  CpuUnits cpu = 0;
  MiB memory = 0;
  std::int64_t gpu_millionths = 0;
  std::optional<std::int64_t> network_interfaces;
  std::optional<std::int64_t> ebs_attachments;
};

/// One task definition on one instance type.
struct FitRow {
  const catalog::InstanceType* type = nullptr;
  InstanceOffer offer;  ///< The offer before daemons take their share.
  Fits fits = Fits::kNo;
  std::optional<std::int64_t> copies =
      0;  ///< Copies at the estimated memory; nothing = no limit (the task requires nothing).
  std::optional<std::int64_t> copies_min = 0;  ///< Copies at the low end of the band of the registered memory.
  std::optional<std::int64_t> copies_max = 0;  ///< Copies at the high end of the band.
  std::optional<Resource> binding;             ///< What ends it.
  std::optional<IdleResources> idle;           ///< Set only where copies fit.
  MiB memory_margin = 0;                       ///< Free memory with one copy; below zero when it lacks that much.
  std::vector<std::string_view> reasons;       ///< Every reason why not one fits: "RESOURCE:GPU", "ATTRIBUTE".
  std::vector<Shortfall> shortfalls;
  std::vector<std::string> missing_attributes;  ///< "ecs.cpu-architecture=arm64"
  std::vector<UnmetNeed> unmet_needs;           ///< ECS looks at none of them: the task fits all the same.
  std::optional<catalog::Price> price;
  std::optional<MicroUsd> price_per_copy;  ///< Rounded to a micro-USD.
};

struct TaskFit {
  std::string file;
  std::string family;
  TaskRequirement requirement;
  bool has_needs = false;    ///< Something is said of its GPUs, or it maps Neuron devices.
  std::vector<FitRow> rows;  ///< Types that hold it, those of them that are not what it needs, then those that do not
                             ///< hold it; in each part retired ones last.

  std::int64_t holding() const;  ///< Rows that are yes or unsure.
  /// The cheapest row that surely fits, is what the GPUs are said to need, is on sale and has a price; null without.
  const FitRow* cheapest() const;
};

/// Prices used, of one region.
struct PriceRange {
  std::string region;
  std::string oldest;  ///< ISO 8601 day; empty without any price.
  std::string newest;
  std::int64_t priced = 0;             ///< Types with a price.
  std::int64_t old = 0;                ///< Those of which it is over 60 days older than the newest of the data.
  std::vector<std::string> unpriced;   ///< Types without a price there, in the order given.
  std::vector<std::string> estimated;  ///< Types whose price is derived from others, in the order given.
};

PriceRange price_range(const std::vector<const catalog::InstanceType*>& types, const std::string& region);

enum class FitSort : std::uint8_t { kPrice, kCopies, kName };

struct FitOptions {
  std::string region = "us-east-1";
  MiB reserved_memory = 0;
  bool trunking = false;
  std::vector<TaskRequirement> daemons;  ///< One copy of each runs on every instance.
  FitSort sort = FitSort::kPrice;
};

struct FitReport {
  PriceRange prices;
  std::vector<TaskFit> tasks;
  std::vector<Assumption> assumptions;
  MiB reserved_memory = 0;
  bool trunking = false;

  bool any_without_type() const;  ///< Some definition fits no type.
};

struct FitTask {
  std::string file;
  TaskRequirement requirement;
  std::vector<GpuNeeds> needs;  ///< One entry per container; those that say nothing may be left out at the end.
};

/// Which of `types` hold each task, how often, and at what price.
FitReport fit(const std::vector<FitTask>& tasks, const std::vector<const catalog::InstanceType*>& types,
              const FitOptions& options);

/// What `report` takes for granted; called by `fit`.
std::vector<Assumption> collect_assumptions(const FitReport& report);

/// How far the registered memory of `types` is an estimate.
std::vector<Assumption> memory_assumptions(const std::vector<const catalog::InstanceType*>& types);

}  // namespace bayplan::capacity
