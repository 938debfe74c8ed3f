#pragma once
#include <optional>
#include <string>

#include "packing/certificate.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// What is wrong with a packing as an answer to the problem: a bin too full, a task left over, a limit broken. Nothing
/// when it is right. Shares no code with the search.
std::optional<std::string> fault_of(const PackingProblem& problem, const Packing& packing);

/// What a check of a certificate came to.
enum class Verdict : std::uint8_t {
  kHolds,
  kFails,
  kTooHard,  ///< Not decided within the states allowed.
};

/// Whether no bin type can hold tasks worth more than its price and charges, and the bound is what follows. Prices of
/// resources settle most types at once; the rest goes through all fillings that they leave open, of equal rooms the
/// best, at most this many per layer. Shares no code with the search.
Verdict check(const PackingProblem& problem, const Certificate& certificate, std::size_t most_states = 200'000);

/// What a certificate that holds proves of the cost: its bound rounded up to what the prices of all bins that are
/// needed have in common.
MicroUsd least_cost(const PackingProblem& problem, const Certificate& certificate);

}  // namespace bayplan::packing
