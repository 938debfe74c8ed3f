#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"
#include "study/memory_uncertainty.hpp"
#include "study/why/placement_trace.hpp"
#include "study/why/remedies.hpp"
#include "study/why/snapshot.hpp"

namespace bayplan::study {

/// What one strategy left of the candidates.
struct Narrowing {
  placement::Strategy strategy;
  std::int64_t before = 0;
  std::int64_t after = 0;
  /// binpack: what remains on the best; spread: tasks of the group on its value; nothing for random.
  std::optional<std::int64_t> best;
  /// spread by attribute: the values that have so few, at most kNarrowingValues; an absent value is "".
  std::vector<std::string> values;
};

inline constexpr std::size_t kNarrowingValues = 5;

struct Ranking {
  std::vector<Narrowing> narrowings;  ///< One for every strategy that had a choice.
  std::vector<std::uint32_t> best;    ///< Left after the last; the first of them is taken.
};

/// How the strategies of the task rank its candidates. `chosen`: where the task went, which settles what is drawn at
/// random.
Ranking rank_candidates(const PlacementTrace& trace, std::uint32_t chosen);

/// Why one task went where it went, or nowhere.
struct Why {
  std::unique_ptr<PlacementTrace> trace;
  std::optional<std::uint32_t> instance;        ///< Where it went.
  Ranking ranking;                              ///< How that one was chosen.
  const placement::Failure* failure = nullptr;  ///< The failure in the outcome; null when the task was placed.
  Snapshot snapshot;                            ///< What stood there at its attempt.
  MemoryUncertainty memory_uncertainty;         ///< Of the workload of a placed task; else empty.
  Remedies remedies;                            ///< Set only with a failure.
  std::vector<Assumption> assumptions;          ///< Assumptions of the remedies.
  /// Where this account and the engine's do not agree: faults of the program, never of the input.
  std::vector<std::string> mistakes;
  std::vector<std::string> withdrawn;  ///< Faults of the program in the remedies, which are therefore left out.
};

/// The attempt of the workload that wants an explanation: its first failure, else its first task. Nothing when it has
/// no task.
std::optional<placement::PlacementAttempt> attempt_to_explain(const placement::Outcome& outcome,
                                                              std::uint32_t workload);

/// `outcome` of `scenario`, both of which must outlive the answer. `catalog` may be null: remedies then name only types
/// that the cluster has.
Why ask_why(const placement::Scenario& scenario, const placement::Outcome& outcome,
            const placement::PlacementAttempt& attempt, const catalog::Catalog* catalog);

/// Tasks on the instance, at the attempt, that take the host port; "" where it is the instance's own (its agent, the
/// system) or of unknown origin.
std::string port_holder(const Why& why, std::uint32_t instance, std::uint16_t port, bool is_udp);

}  // namespace bayplan::study
