#include "fleet/recommended/dedicated_types.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "packing/greedy.hpp"
#include "packing/linear_program.hpp"
#include "packing/undominated_types.hpp"

namespace bayplan::fleet {

using packing::LinearProgram;
using packing::Packing;
using packing::PackingProblem;
using packing::Shape;

namespace {

/// Beyond this many columns the linear program would take longer than the packing itself.
constexpr std::size_t kMaxColumns = 100'000;

double as_double(std::int64_t amount) {
  return static_cast<double>(amount);
}

/// Whether a dollar buys as much of everything in `a` as in `b`, for all that may go to `b`.
bool is_no_worse_a_dollar(const PackingProblem& problem, std::uint32_t a, std::uint32_t b) {
  const auto& [own, other] = std::pair(problem.types[a], problem.types[b]);
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (as_double(own.capacity[d]) * as_double(other.price) < as_double(other.capacity[d]) * as_double(own.price))
      return false;
  }
  return std::all_of(problem.shapes.begin(), problem.shapes.end(), [&](const Shape& shape) {
    return packing::most_copies(problem, shape, b) == 0 || packing::most_copies(problem, shape, a) > 0;
  });
}

/// Types of which a linear program may buy parts: of each family the best sizes.
std::vector<std::uint32_t> types_of_use(const PackingProblem& problem) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t type = 0; type < problem.types.size(); ++type) {
    const auto beats = [&](std::uint32_t by, std::uint32_t what) { return is_no_worse_a_dollar(problem, by, what); };
    if (!packing::is_of_use(problem, type)) continue;
    if (std::any_of(kept.begin(), kept.end(), [&](std::uint32_t other) { return beats(other, type); })) continue;
    std::erase_if(kept, [&](std::uint32_t other) { return beats(type, other); });
    kept.push_back(type);
  }
  return kept;
}

struct Parts {
  std::vector<std::uint32_t> type_of_shape;  ///< The one that takes most of it.
  std::vector<double> cost_of_type;          ///< One entry per given type, in micro-USD.
};

/// The cheapest for tasks that could be cut to fill every instance: a row a shape and one for each resource of a type;
/// a column for each shape on a type, and one for the type. Nothing where a shape has no place.
std::optional<Parts> cut_to_fill(const PackingProblem& problem, const std::vector<std::uint32_t>& types) {
  LinearProgram program;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) program.add_row(1, 1);
  for (std::size_t i = 0; i < types.size() * problem.dimensions; ++i) program.add_row(-LinearProgram::kInfinity, 0);
  const auto row_of = [&](std::size_t type, std::size_t d) {
    return static_cast<int>(problem.shapes.size() + type * problem.dimensions + d);
  };
  std::vector<std::pair<std::size_t, std::size_t>> columns;  // shape, index of the type
  for (std::size_t t = 0; t < types.size(); ++t) {
    const packing::BinType& type = problem.types[types[t]];
    for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
      const Shape& shape = problem.shapes[s];
      if (packing::most_copies(problem, shape, types[t]) == 0) continue;
      std::vector<LinearProgram::Entry> entries = {{static_cast<int>(s), 1}};
      for (std::size_t d = 0; d < problem.dimensions; ++d) {
        if (shape.size[d] > 0)
          entries.push_back(
              {row_of(t, d), as_double(shape.size[d]) * as_double(shape.count) / as_double(type.capacity[d])});
      }
      program.add_column(0, LinearProgram::kInfinity, entries);
      columns.emplace_back(s, t);
    }
  }
  for (std::size_t t = 0; t < types.size(); ++t) {
    std::vector<LinearProgram::Entry> entries;
    for (std::size_t d = 0; d < problem.dimensions; ++d) entries.push_back({row_of(t, d), -1});
    program.add_column(as_double(problem.types[types[t]].price), LinearProgram::kInfinity, entries);
  }
  if (!program.solve()) return std::nullopt;
  const std::vector<double> values = program.values();
  Parts parts{std::vector<std::uint32_t>(problem.shapes.size()), {}};
  std::vector<double> most(problem.shapes.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto [shape, type] = columns[i];
    if (values[i] <= most[shape]) continue;
    most[shape] = values[i];
    parts.type_of_shape[shape] = types[type];
  }
  for (std::size_t t = 0; t < types.size(); ++t)
    parts.cost_of_type.push_back(values[columns.size() + t] * as_double(problem.types[types[t]].price));
  return parts;
}

/// The pool of each bin type: its family, or the type itself when it has GPUs or Neuron devices.
std::vector<std::string> list_pools(const Question& question, const Market& market) {
  std::vector<std::string> pools;
  for (const BinOrigin& bin : question.bins) {
    const auto& profile = market.offers[bin.offer].profile;
    const std::string& type = profile.instance_type;
    pools.push_back(profile.gpu_count + profile.neuron_devices > 0 ? type : type.substr(0, type.find('.')));
  }
  return pools;
}

packing::RemainingDemand no_tasks(const PackingProblem& problem) {
  packing::RemainingDemand rest = packing::all_of(problem);
  std::fill(rest.counts.begin(), rest.counts.end(), 0);
  return rest;
}

/// Whole instances of the resource that is short; nothing where a task does not fit.
std::optional<double> least_cost(const PackingProblem& problem, std::uint32_t type,
                                 const packing::RemainingDemand& tasks) {
  const packing::BinType& bin = problem.types[type];
  double bins = 0;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    double wanted = 0;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s)
      wanted += as_double(problem.shapes[s].size[d]) * as_double(tasks.counts[s]);
    if (wanted > 0) bins = std::max(bins, std::ceil(wanted / as_double(bin.capacity[d]) - 1e-9));
  }
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    if (tasks.counts[s] > 0 && packing::most_copies(problem, problem.shapes[s], type) == 0) return std::nullopt;
  }
  return bins * as_double(bin.price);
}

Packing on_one_size(const PackingProblem& problem, const std::vector<std::string>& pool_of, const std::string& pool,
                    const packing::RemainingDemand& tasks) {
  std::vector<std::pair<double, std::uint32_t>> sizes;  // what they cost at least, cheapest first
  for (std::uint32_t type = 0; type < problem.types.size(); ++type) {
    if (pool_of[type] != pool) continue;
    if (const auto least = least_cost(problem, type, tasks)) sizes.emplace_back(*least, type);
  }
  std::sort(sizes.begin(), sizes.end());
  Packing best;
  for (const auto& [least, type] : sizes) {
    if (!best.empty() && least >= as_double(packing::compute_cost(problem, best))) break;
    const packing::SubProblem sub = packing::sub_problem(problem, {type});
    const PackingProblem& own = sub.problem;
    packing::RemainingDemand rest = packing::all_of(own);
    rest.counts = tasks.counts;
    packing::Effort effort;
    Packing packing = sub.in_whole({packing::best_greedy(own, rest, std::span(packing::kAllFillRules).first(2),
                                                         packing::plain_worth(own), effort)});
    if (!packing.empty() &&
        (best.empty() || packing::compute_cost(problem, packing) < packing::compute_cost(problem, best)))
      best = std::move(packing);
  }
  return best;
}

/// Each pool on the one size that is cheapest for it.
std::optional<Packing> packed(const PackingProblem& problem, const std::vector<std::string>& pool_of,
                              const Parts& parts) {
  std::map<std::string, packing::RemainingDemand> pools;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    packing::RemainingDemand& pool =
        pools.try_emplace(pool_of[parts.type_of_shape[s]], no_tasks(problem)).first->second;
    pool.counts[s] = problem.shapes[s].count;
  }
  Packing all;
  for (const auto& [name, tasks] : pools) {
    const Packing own = on_one_size(problem, pool_of, name, tasks);
    if (own.empty()) return std::nullopt;
    all.insert(all.end(), own.begin(), own.end());
  }
  packing::tidy(all);
  return all;
}

/// The pool that costs least, without which every shape still has a place. False when there is none.
bool leave_out_least(const PackingProblem& problem, const std::vector<std::string>& pool_of, const Parts& parts,
                     std::vector<std::uint32_t>& types) {
  std::map<std::string, double> cost_of_pool;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (parts.cost_of_type[t] > 0) cost_of_pool[pool_of[types[t]]] += parts.cost_of_type[t];
  }
  std::vector<std::pair<double, std::string>> cheapest_first;
  for (const auto& [pool, cost] : cost_of_pool) cheapest_first.emplace_back(cost, pool);
  std::sort(cheapest_first.begin(), cheapest_first.end());
  for (const auto& [cost, pool] : cheapest_first) {
    std::vector<std::uint32_t> fewer;
    for (const std::uint32_t type : types) {
      if (pool_of[type] != pool) fewer.push_back(type);
    }
    const bool all_have_a_place = std::all_of(problem.shapes.begin(), problem.shapes.end(), [&](const Shape& shape) {
      return std::any_of(fewer.begin(), fewer.end(),
                         [&](std::uint32_t type) { return packing::most_copies(problem, shape, type) > 0; });
    });
    if (!all_have_a_place) continue;
    types = std::move(fewer);
    return true;
  }
  return false;
}

std::map<MicroUsd, Packing> pool_packings(const PackingProblem& problem, const std::vector<std::string>& pool_of) {
  std::map<MicroUsd, Packing> packings;
  std::vector<std::uint32_t> types = types_of_use(problem);
  if (types.size() * problem.shapes.size() > kMaxColumns) return packings;
  while (const auto parts = cut_to_fill(problem, types)) {
    if (auto packing = packed(problem, pool_of, *parts))
      packings.emplace(packing::compute_cost(problem, *packing), std::move(*packing));
    if (!leave_out_least(problem, pool_of, *parts, types)) break;
  }
  return packings;
}

}  // namespace

std::vector<Packing> dedicated_type_packings(const Question& question, const Market& market, std::size_t most) {
  const bool is_plain =
      question.zones.empty() && !packing::is_limited(question.problem) &&
      std::all_of(question.bins.begin(), question.bins.end(), [](const auto& bin) { return bin.standing.empty(); });
  std::vector<Packing> packings;
  if (!is_plain) return packings;
  for (auto& [cost, packing] : pool_packings(question.problem, list_pools(question, market))) {
    if (packings.size() < most) packings.push_back(std::move(packing));
  }
  return packings;
}

}  // namespace bayplan::fleet
