#include "packing/baselines.hpp"

#include <algorithm>
#include <map>

namespace bayplan::bench {
namespace {

using packing::Amounts;
using packing::PackingProblem;
using packing::Shape;

struct OpenBin {
  Amounts used{};
  std::vector<std::uint32_t> types;  ///< Those that hold what is in it.
};

class FirstFit {
 public:
  explicit FirstFit(const PackingProblem& problem) : problem_(problem) {}

  std::optional<MicroUsd> run() {
    for (std::size_t s : by_falling_size()) {
      if (!place_all(problem_.shapes[s])) return std::nullopt;
    }
    MicroUsd cost = 0;
    for (const OpenBin& bin : bins_) cost += problem_.types[cheapest(bin.types)].price;
    return cost;
  }

 private:
  /// The sum of the shares of what the largest type has of each resource.
  double size_of(const Shape& shape) const {
    double size = 0;
    for (std::size_t d = 0; d < problem_.dimensions; ++d) {
      std::int64_t most = 1;
      for (const packing::BinType& type : problem_.types) most = std::max(most, type.capacity[d]);
      size += static_cast<double>(shape.size[d]) / static_cast<double>(most);
    }
    return size;
  }

  std::vector<std::size_t> by_falling_size() const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t s = 0; s < problem_.shapes.size(); ++s) order.emplace_back(-size_of(problem_.shapes[s]), s);
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> shapes;
    for (const auto& [size, s] : order) shapes.push_back(s);
    return shapes;
  }

  bool place_all(const Shape& shape) {
    std::int64_t left = shape.count;
    for (OpenBin& bin : bins_) {  // a bin that takes no more of a shape never will again
      while (left > 0 && put(shape, bin)) --left;
    }
    for (; left > 0; --left) {
      while (left > 0 && !bins_.empty() && put(shape, bins_.back())) --left;
      if (left == 0) break;
      OpenBin bin;
      for (std::uint32_t t = 0; t < problem_.types.size(); ++t) bin.types.push_back(t);
      if (!put(shape, bin)) return false;
      bins_.push_back(std::move(bin));
    }
    return true;
  }

  bool put(const Shape& shape, OpenBin& bin) const {
    Amounts used = bin.used;
    for (std::size_t d = 0; d < problem_.dimensions; ++d) used[d] += shape.size[d];
    std::vector<std::uint32_t> types;
    for (std::uint32_t t : bin.types) {
      if (packing::is_allowed(shape, t) && holds(problem_.types[t], used)) types.push_back(t);
    }
    if (types.empty()) return false;
    bin = {used, std::move(types)};
    return true;
  }

  bool holds(const packing::BinType& type, const Amounts& used) const {
    for (std::size_t d = 0; d < problem_.dimensions; ++d) {
      if (used[d] > type.capacity[d]) return false;
    }
    return true;
  }

  std::uint32_t cheapest(const std::vector<std::uint32_t>& types) const {
    return *std::min_element(types.begin(), types.end(), [&](std::uint32_t a, std::uint32_t b) {
      return problem_.types[a].price < problem_.types[b].price;
    });
  }

  const PackingProblem& problem_;
  std::vector<OpenBin> bins_;
};

std::optional<MicroUsd> best_single_type(const PackingProblem& problem, const std::vector<Shape>& shapes) {
  std::optional<MicroUsd> best;
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    PackingProblem single{problem.dimensions, {problem.types[t]}, shapes, {}};
    for (Shape& shape : single.shapes) shape.allowed = {packing::is_allowed(shape, t)};
    const auto cost = FirstFit(single).run();
    if (cost && (!best || *cost < *best)) best = cost;
  }
  return best;
}

}  // namespace

std::optional<MicroUsd> first_fit_decreasing(const PackingProblem& problem) {
  return FirstFit(problem).run();
}

std::optional<MicroUsd> best_single_type(const PackingProblem& problem) {
  std::map<std::vector<bool>, std::vector<Shape>> kinds;
  for (const Shape& shape : problem.shapes) kinds[shape.allowed].push_back(shape);
  MicroUsd cost = 0;
  for (const auto& [allowed, shapes] : kinds) {
    const auto of_kind = best_single_type(problem, shapes);
    if (!of_kind) return std::nullopt;
    cost += *of_kind;
  }
  return cost;
}

}  // namespace bayplan::bench
