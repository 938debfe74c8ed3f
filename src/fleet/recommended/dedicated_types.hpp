#pragma once
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::fleet {

/// Packings that keep each workload on one instance type, or on one for all workloads that go together there: what a
/// planner does who pins services with much memory to one family and those with much CPU to another. Which goes where
/// is what a linear program says of tasks that could be cut to fill every instance; the types that take least are left
/// out one after the other, as each of them has an instance that is not full. The cheapest `most` of these packings,
/// cheapest first; none where the number of instances is limited, where zones decide, or where instances exist.
std::vector<packing::Packing> dedicated_type_packings(const Question& question, const Market& market, std::size_t most);

}  // namespace bayplan::fleet
