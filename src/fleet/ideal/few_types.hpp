#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "packing/solve.hpp"

namespace bayplan::fleet {

/// What a certificate says of some bin types alone.
struct BoundPart {
  std::vector<std::uint32_t> bins;  ///< Bin types of the question; the certificate is of the problem with these alone.
  packing::Certificate certificate;
  MicroUsd lower_bound = 0;
  packing::BoundMethod method = packing::BoundMethod::kCertificate;
};

struct BoundedPacking {
  packing::Solution solution;       ///< Solution of the question's problem, with the bound.
  std::vector<std::uint32_t> bins;  ///< Bin types that may be used: those of the types chosen, and existing ones.
  /// What the bound rests on: it is the least of theirs. One, of all bins, where it does not heed the number of types.
  std::vector<BoundPart> parts;
  bool is_relaxed = false;  ///< The bound does not heed the number of types, and proves too little for that.
  std::int64_t sets = 0;    ///< Number of type sets over which the bound is the minimum; 0 if types are not limited.
  std::vector<std::uint32_t> contradiction;  ///< Shapes that no such set of types holds together.
};

/// The cheapest packing found on at most this many instance types, those that are owned included: each set of types by
/// itself, as long as its bound is below the best packing. Where there are too many sets type after type is taken that
/// makes the packing cheapest, then each is exchanged for a better one, and the bound is that of all types.
BoundedPacking solve_few_types(const Market& market, const Question& question, std::int64_t most,
                               const packing::SolveLimits& limits);

}  // namespace bayplan::fleet
