#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "catalog/catalog.hpp"
#include "study/inquiry.hpp"
#include "study/narrowing.hpp"
#include "study/remedies.hpp"
#include "study/snapshot.hpp"

namespace bayplan::study {

/// Why one task went where it went, or nowhere.
struct Why {
  std::unique_ptr<Inquiry> inquiry;
  std::optional<std::uint32_t> instance;        ///< Where it went.
  Ranking ranking;                              ///< How that one was chosen.
  const placement::Failure* failure = nullptr;  ///< Of the outcome; null when it was placed.
  Snapshot snapshot;                            ///< What stood there at its turn.
  Remedies remedies;                            ///< Only with a failure.
  std::vector<Assumption> assumptions;          ///< Of the remedies.
  /// Where this account and the engine's do not agree: faults of the program, never of the input.
  std::vector<std::string> mistakes;
};

/// The turn of the workload that wants an explanation: its first failure, else its first task. Nothing when it has no
/// task.
std::optional<placement::Turn> turn_to_explain(const placement::Outcome& outcome, std::uint32_t workload);

/// `outcome` of `scenario`, both of which must outlive the answer. `catalog` may be null: remedies then name only types
/// that the cluster has.
Why ask_why(const placement::Scenario& scenario, const placement::Outcome& outcome, const placement::Turn& turn,
            const catalog::Catalog* catalog);

/// Tasks on the instance, at the turn, that take the host port; "" where it is the instance's own (its agent, the
/// system) or nobody knows whose.
std::string port_holder(const Why& why, std::uint32_t instance, std::uint16_t port, bool is_udp);

}  // namespace bayplan::study
