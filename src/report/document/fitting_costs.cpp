#include "report/document/fitting_costs.hpp"

#include <algorithm>

#include "report/document/terminal.hpp"

namespace bayplan::report {

std::vector<std::string> fitting_costs(std::vector<std::string> costs, std::size_t indent) {
  constexpr std::size_t kFewestForText = 36;
  std::size_t width = 0;
  for (const auto& cost : costs) width = std::max(width, cost.size());
  if (indent + width + 2 + kFewestForText <= text_columns()) return costs;
  for (auto& cost : costs) cost = cost.substr(0, cost.find(", "));
  return costs;
}

}  // namespace bayplan::report
