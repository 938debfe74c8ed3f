#include "packing/volume_duals.hpp"

#include <algorithm>
#include <map>

#include "packing/linear_program.hpp"

namespace bayplan::packing {
namespace {

/// NanoUsd a unit of each resource, for these shapes on the types that they allow.
std::vector<double> resource_costs(const PackingProblem& problem, const std::vector<std::size_t>& shapes) {
  LinearProgram program;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    double demand = 0;
    for (std::size_t s : shapes) {
      demand += static_cast<double>(problem.shapes[s].size[d]) * static_cast<double>(problem.shapes[s].count);
    }
    program.add_row(demand, LinearProgram::kInfinity);
  }
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    if (!is_allowed(problem.shapes[shapes.front()], t)) continue;
    std::vector<LinearProgram::Entry> entries;
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      entries.push_back({static_cast<int>(d), static_cast<double>(problem.types[t].capacity[d])});
    }
    const std::int64_t limit = problem.types[t].limit;
    program.add_column(static_cast<double>(problem.types[t].price),
                       limit == kUnlimited ? LinearProgram::kInfinity : static_cast<double>(limit), entries);
  }
  if (!program.solve()) return std::vector<double>(problem.dimensions);
  std::vector<double> costs = program.duals();
  for (double& cost : costs) cost = std::max(0.0, cost * static_cast<double>(kNanoUsdPerMicroUsd));
  return costs;
}

}  // namespace

Duals volume_duals(const PackingProblem& problem) {
  std::map<std::vector<bool>, std::vector<std::size_t>> alike;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) alike[problem.shapes[s].allowed].push_back(s);
  Duals duals{std::vector<NanoUsd>(problem.shapes.size()), std::vector<NanoUsd>(problem.types.size()),
              std::vector<NanoUsd>(problem.budgets.size())};
  for (const auto& [allowed, shapes] : alike) {
    const std::vector<double> costs = resource_costs(problem, shapes);
    for (std::size_t s : shapes) {
      double worth = 0;
      for (std::size_t d = 0; d < problem.dimensions; ++d) {
        worth += costs[d] * static_cast<double>(problem.shapes[s].size[d]);
      }
      duals.worth[s] = static_cast<NanoUsd>(worth);
    }
  }
  return duals;
}

}  // namespace bayplan::packing
