#pragma once
#include <string>
#include <vector>

#include "fleet/market.hpp"
#include "fleet/question.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::study {

struct ResourcePrice {
  std::string resource;  ///< "CPU", "MEMORY", "GPU"
  double usd = 0;        ///< An hour, of one vCPU, one GiB, one GPU.
};

/// What of the worth of tasks is due to each resource: prices at which no task comes to more than it is worth, and
/// which explain as much of the worth as they can, that of a resource of which little is in use the least. `worth`: of
/// a task of each shape (Duals::worth). By resource of the question; those that the problem does not count are left
/// out.
std::vector<ResourcePrice> resource_prices(const fleet::Question& question, const fleet::Market& market,
                                           const packing::Packing& packing, const std::vector<std::int64_t>& worth);

}  // namespace bayplan::study
