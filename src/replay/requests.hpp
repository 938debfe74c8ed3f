#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "replay/recorded_cluster.hpp"
#include "replay/terms.hpp"

namespace bayplan::replay {

/// What the tasks of the records ask for, as far as it was said up to the time at hand: terms of services and calls,
/// and the placement classes of tasks that are alike.
class Requests {
 public:
  Requests(History& history, RecordedCluster& cluster) : history_(history), cluster_(cluster) {}

  const PlacementTerms& terms(std::uint32_t index) const { return terms_[index]; }
  const HeldResources& held(std::uint32_t index) const { return held_[index]; }

  /// Terms of services and tasks that no record has.
  void state(std::vector<Strategy> strategies);
  /// The service as a snapshot describes it.
  void describe(const RunningService& service);
  /// What CreateService or UpdateService said.
  void apply(const RecordedService& recorded);

  std::optional<std::uint32_t> terms_of(const RecordedTask& task);
  std::uint32_t terms_of_call(std::uint32_t call);
  std::optional<std::uint32_t> terms_of_service(std::string_view name) const;
  /// Terms of running tasks whose call is unknown: none.
  std::uint32_t unknown_terms();

  /// What the task takes: its definition, with the sizes that its records state, which hold overrides.
  std::uint32_t held_of(const RecordedTask& task);
  /// The placement class of a task of the definition with these terms.
  std::uint32_t class_of(const RecordedTask& task, std::uint32_t definition, std::uint32_t terms);
  /// The class of a task that was not placed; nothing if its definition or its terms are unknown.
  std::optional<std::uint32_t> class_of_failure(std::uint32_t terms, const std::string& definition,
                                                const std::string& group);

 private:
  std::uint32_t add_terms(PlacementTerms terms);
  std::optional<std::vector<std::string>> zones_of(const std::vector<std::string>& subnets) const;

  History& history_;
  RecordedCluster& cluster_;
  std::deque<PlacementTerms> terms_;
  std::map<std::string, std::uint32_t, std::less<>> service_terms_;
  std::map<NameId, std::uint32_t> call_terms_;  ///< By request.
  std::optional<std::uint32_t> stated_terms_;
  std::optional<std::uint32_t> unknown_terms_;
  std::deque<HeldResources> held_;
  std::map<std::tuple<NameId, CpuUnits, MiB, NameId>, std::uint32_t> held_numbers_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::uint32_t> class_numbers_;
};

}  // namespace bayplan::replay
