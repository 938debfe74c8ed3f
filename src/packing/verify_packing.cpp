#include "packing/verify_packing.hpp"

namespace bayplan::packing {
namespace {

std::string named(const char* what, std::size_t index) {
  return std::string(what) + " " + std::to_string(index);
}

std::optional<std::string> fault_of(const PackingProblem& problem, const Pattern& pattern) {
  const BinType& type = problem.types[pattern.type];
  Amounts used{};
  std::uint64_t tokens = 0;
  std::size_t next = 0;
  for (const Copies& copies : pattern.copies) {
    const Shape& shape = problem.shapes[copies.shape];
    if (copies.shape < next) return named("repeated in one bin, or out of order, shape", copies.shape);
    next = std::size_t{copies.shape} + 1;
    if (copies.count < 1) return named("an empty entry of shape", copies.shape);
    if (!shape.allowed.empty() && !shape.allowed[pattern.type])
      return named("a bin type rejected by shape", copies.shape);
    if (copies.count > shape.most_per_bin) return named("too many in one bin of shape", copies.shape);
    if (shape.tokens != 0 && (copies.count > 1 || (tokens & shape.tokens) != 0)) {
      return named("a token used twice by shape", copies.shape);
    }
    tokens |= shape.tokens;
    for (std::size_t d = 0; d < problem.dimensions; ++d) used[d] += copies.count * shape.size[d];
  }
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (used[d] > type.capacity[d]) return named("a bin too full of resource", d);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of(const PackingProblem& problem, const Packing& packing) {
  std::vector<std::int64_t> packed(problem.shapes.size());
  std::vector<std::int64_t> bins(problem.types.size());
  for (const FilledBins& filled : packing) {
    if (filled.bins < 1) return named("a pattern in no bin of type", filled.pattern.type);
    if (auto fault = fault_of(problem, filled.pattern)) return fault;
    bins[filled.pattern.type] += filled.bins;
    for (const Copies& copies : filled.pattern.copies) packed[copies.shape] += filled.bins * copies.count;
  }
  for (std::size_t s = 0; s < packed.size(); ++s) {
    if (packed[s] != problem.shapes[s].count) return named("not each task once of shape", s);
  }
  for (std::size_t t = 0; t < bins.size(); ++t) {
    if (bins[t] > problem.types[t].limit) return named("too many bins of type", t);
  }
  for (std::size_t b = 0; b < problem.budgets.size(); ++b) {
    std::int64_t spent = 0;
    for (std::size_t t = 0; t < bins.size(); ++t) spent += bins[t] * problem.budgets[b].weights[t];
    if (spent > problem.budgets[b].limit) return named("too much spent of budget", b);
  }
  return std::nullopt;
}

}  // namespace bayplan::packing
