#pragma once
#include <functional>
#include <vector>

#include "fleet/purchase.hpp"
#include "fleet/question.hpp"

namespace bayplan::fleet {

struct CostRange {
  MicroUsd least = 0;
  MicroUsd most = 0;
};

/// Every fleet that costs so much and that `is_worth_it` lets pass, best first. Nothing where there are more than
/// `most`, or too many to go through.
std::vector<Purchases> all_fleets(const Market& market, const Question& question, CostRange range, std::size_t most,
                                  const std::function<bool(const Purchases&)>& is_worth_it);

}  // namespace bayplan::fleet
