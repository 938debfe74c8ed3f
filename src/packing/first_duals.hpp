#pragma once
#include <vector>

#include "packing/certificate.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Tasks are worth the price of each resource times their size, as if they could be cut to fill every bin. Shapes with
/// other bin types have other prices. The search starts here; nothing is proven until these are priced.
Duals volume_duals(const PackingProblem& problem);

/// Duals of which one resource decides: what fits a bin by this resource alone is the most that it can be worth.
struct ResourceDuals {
  std::size_t resource = 0;
  Duals duals;
};

/// Each resource alone, at the price a unit of the dearest type that is limited or the cheapest that is not: no bin
/// holds more than its capacity, whatever is allowed in it. One entry a resource of which tasks take something.
std::vector<ResourceDuals> resource_duals(const PackingProblem& problem);

/// Each resource alone, seen through the dual-feasible function that leaves the tasks worth most: tasks above half of a
/// bin count as whole bins where nothing fits beside them, and sizes go up to the next part of a bin that they waste.
/// Functions f_0 and u of Fekete and Schepers, "New classes of fast lower bounds for bin packing problems",
/// Mathematical Programming 91 (2001). One entry a resource of which tasks take something.
std::vector<ResourceDuals> dual_feasible_duals(const PackingProblem& problem);

/// Adds up what all tasks are worth; no certificate of these duals proves more.
NanoUsd worth_of_all(const PackingProblem& problem, const Duals& duals);

}  // namespace bayplan::packing
