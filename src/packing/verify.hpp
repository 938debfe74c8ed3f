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

/// Whether no bin type can hold tasks worth more than its price and charge, and the bound is what follows. Goes through
/// all fillings of each type, of equal rooms the best; at most so many states a layer.
Verdict check(const PackingProblem& problem, const Certificate& certificate, std::size_t most_states = 200'000);

}  // namespace bayplan::packing
