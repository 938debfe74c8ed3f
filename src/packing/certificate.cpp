#include "packing/certificate.hpp"

namespace bayplan::packing {

NanoUsd charged_price(const PackingProblem& problem, const Duals& duals, std::size_t type) {
  NanoUsd price = problem.types[type].price * kNanoUsdPerMicroUsd + duals.charge[type];
  for (std::size_t b = 0; b < problem.budgets.size(); ++b) {
    price += problem.budgets[b].weights[type] * duals.budget_charge[b];
  }
  return price;
}

Certificate no_certificate(const PackingProblem& problem) {
  return {{std::vector<NanoUsd>(problem.shapes.size()), std::vector<NanoUsd>(problem.types.size()),
           std::vector<NanoUsd>(problem.budgets.size())},
          0};
}

}  // namespace bayplan::packing
