#include "packing/first_duals.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "packing/linear_program.hpp"

namespace bayplan::packing {
namespace {

__extension__ using Wide = __int128;

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

/// So much money for so much of one resource.
struct Rate {
  MicroUsd price = 0;
  std::int64_t amount = 1;

  bool is_below(const Rate& other) const { return Wide{price} * other.amount < Wide{other.price} * amount; }
  NanoUsd of(std::int64_t size) const {
    return static_cast<NanoUsd>(Wide{price} * kNanoUsdPerMicroUsd * size / amount);
  }
};

/// At a rate above that of a type without a limit, every bin of it would be worth too much. Where all types are
/// limited, the dearest: `best_certificate` finds the part of it that proves most.
std::optional<Rate> rate_of(const PackingProblem& problem, std::size_t resource) {
  std::optional<Rate> cheapest_unlimited;
  std::optional<Rate> dearest_limited;
  for (const BinType& type : problem.types) {
    if (type.capacity[resource] == 0) continue;
    const Rate rate{type.price, type.capacity[resource]};
    if (type.limit == kUnlimited) {
      if (!cheapest_unlimited || rate.is_below(*cheapest_unlimited)) cheapest_unlimited = rate;
    } else if (!dearest_limited || dearest_limited->is_below(rate)) {
      dearest_limited = rate;
    }
  }
  return cheapest_unlimited ? cheapest_unlimited : dearest_limited;
}

bool is_taken(const PackingProblem& problem, std::size_t resource) {
  return std::any_of(problem.shapes.begin(), problem.shapes.end(),
                     [&](const Shape& shape) { return shape.size[resource] > 0; });
}

Duals no_duals(const PackingProblem& problem) {
  return {std::vector<NanoUsd>(problem.shapes.size()),
          std::vector<NanoUsd>(problem.types.size()),
          std::vector<NanoUsd>(problem.budgets.size()),
          {}};
}

/// Larger counts of parts hardly ever prove more.
constexpr std::int64_t kMostParts = 12;

/// Each looks at every shape.
constexpr std::size_t kMostThresholds = 256;

/// A size as a bin of this capacity has to see it.
class DualFeasible {
 public:
  static DualFeasible from(std::int64_t capacity, std::int64_t least) { return DualFeasible(capacity, least, 0); }
  static DualFeasible parts(std::int64_t capacity, std::int64_t count) { return DualFeasible(capacity, 0, count); }

  std::int64_t operator()(std::int64_t size) const {
    if (parts_ > 0) {
      const Wide scaled = Wide{size} * (parts_ + 1);
      return scaled % capacity_ == 0 ? size : static_cast<std::int64_t>(scaled / capacity_ * capacity_ / parts_);
    }
    if (size > capacity_ - least_) return std::max(size, capacity_);
    return size < least_ ? 0 : size;
  }

 private:
  DualFeasible(std::int64_t capacity, std::int64_t least, std::int64_t parts)
      : capacity_(capacity), least_(least), parts_(parts) {}

  std::int64_t capacity_;
  std::int64_t least_;  ///< Smaller sizes count nothing, and what leaves less beside it takes the whole bin.
  std::int64_t parts_;
};

std::vector<DualFeasible> functions_of(const PackingProblem& problem, std::size_t resource, std::int64_t capacity) {
  std::set<std::int64_t> least;
  for (const Shape& shape : problem.shapes) {
    const std::int64_t size = shape.size[resource];
    if (size > 0 && size <= capacity / 2) least.insert(size);
    if (size < capacity && size > capacity / 2) least.insert(capacity - size + 1);
  }
  least.erase(least.upper_bound(capacity / 2), least.end());
  std::vector<DualFeasible> functions;
  const std::size_t step = least.size() / kMostThresholds + 1;
  std::size_t index = 0;
  for (const std::int64_t size : least) {
    if (index++ % step == 0) functions.push_back(DualFeasible::from(capacity, size));
  }
  for (std::int64_t count = 1; count <= kMostParts; ++count) functions.push_back(DualFeasible::parts(capacity, count));
  return functions;
}

Wide sum_of(const PackingProblem& problem, std::size_t resource, const DualFeasible& function) {
  Wide sum = 0;
  for (const Shape& shape : problem.shapes) sum += Wide{function(shape.size[resource])} * shape.count;
  return sum;
}

/// For each resource that tasks take: the worth of a size is the price of the amount that a function makes of it.
/// `function_of(resource, capacity)` gives that function.
template <class FunctionOf>
std::vector<ResourceDuals> duals_of_each(const PackingProblem& problem, FunctionOf function_of) {
  std::vector<ResourceDuals> all;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    const auto rate = rate_of(problem, d);
    if (!rate || !is_taken(problem, d)) continue;
    const auto function = function_of(d, rate->amount);
    Duals& duals = all.emplace_back(ResourceDuals{d, no_duals(problem)}).duals;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s)
      duals.worth[s] = rate->of(function(problem.shapes[s].size[d]));
  }
  return all;
}

}  // namespace

Duals volume_duals(const PackingProblem& problem) {
  std::map<std::vector<bool>, std::vector<std::size_t>> alike;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) alike[problem.shapes[s].allowed].push_back(s);
  Duals duals = no_duals(problem);
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

std::vector<ResourceDuals> resource_duals(const PackingProblem& problem) {
  return duals_of_each(problem, [](std::size_t, std::int64_t) { return [](std::int64_t size) { return size; }; });
}

std::vector<ResourceDuals> dual_feasible_duals(const PackingProblem& problem) {
  return duals_of_each(problem, [&](std::size_t resource, std::int64_t capacity) {
    const auto functions = functions_of(problem, resource, capacity);
    return *std::max_element(functions.begin(), functions.end(), [&](const auto& a, const auto& b) {
      return sum_of(problem, resource, a) < sum_of(problem, resource, b);
    });
  });
}

NanoUsd worth_of_all(const PackingProblem& problem, const Duals& duals) {
  NanoUsd sum = 0;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) sum += duals.worth[s] * problem.shapes[s].count;
  return sum;
}

}  // namespace bayplan::packing
