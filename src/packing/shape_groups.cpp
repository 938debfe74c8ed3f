#include "packing/shape_groups.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <tuple>

namespace bayplan::packing {
namespace {

using Members = std::vector<std::uint32_t>;

enum class Towards : std::uint8_t { kDown, kUp };

Amounts size_of(const PackingProblem& problem, const Members& members, Towards towards) {
  Amounts size = problem.shapes[members.front()].size;
  for (std::uint32_t s : members) {
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      const std::int64_t other = problem.shapes[s].size[d];
      size[d] = towards == Towards::kDown ? std::min(size[d], other) : std::max(size[d], other);
    }
  }
  return size;
}

/// A group in the two parts that it is best split into.
struct SplitGroup {
  double gain = 0;
  Members first;
  Members second;
  bool operator<(const SplitGroup& other) const { return gain != other.gain ? gain < other.gain : first > other.first; }
};

/// Finds the best split: where the sizes of one resource, less the least of each part, add up to the least. `demand`:
/// of all shapes, by resource.
SplitGroup best_split(const PackingProblem& problem, const std::array<double, kMaxDimensions>& demand,
                      Members members) {
  const auto count = [&](std::uint32_t shape) { return static_cast<double>(problem.shapes[shape].count); };
  SplitGroup best{0, members, {}};
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    const auto size = [&](std::uint32_t shape) { return static_cast<double>(problem.shapes[shape].size[d]); };
    const double price = demand[d] > 0 ? 1 / demand[d] : 0;
    std::stable_sort(members.begin(), members.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return size(a) < size(b); });
    double above = 0;
    for (std::uint32_t s : members) above += count(s);
    std::size_t cut = 0;
    double most = 0;
    for (std::size_t i = 1; i < members.size(); ++i) {
      above -= count(members[i - 1]);
      const double gain = above * (size(members[i]) - size(members.front())) * price;
      if (gain <= most) continue;
      most = gain;
      cut = i;
    }
    if (most <= best.gain) continue;
    const auto middle = members.begin() + static_cast<std::ptrdiff_t>(cut);
    best = {most, {members.begin(), middle}, {middle, members.end()}};
  }
  return best;
}

PackingProblem rounded(const PackingProblem& problem, const ShapeGroups& groups, Towards towards) {
  PackingProblem grouped{problem.dimensions, problem.types, {}, problem.budgets};
  for (const Members& members : groups.members) {
    Shape shape = problem.shapes[members.front()];
    shape.size = size_of(problem, members, towards);
    shape.count = 0;
    std::int64_t most = 0;
    for (std::uint32_t s : members) {
      shape.count += problem.shapes[s].count;
      most += std::min(problem.shapes[s].count, problem.shapes[s].most_per_bin);
    }
    if (towards == Towards::kDown && shape.most_per_bin != kUnlimited) shape.most_per_bin = most;
    grouped.shapes.push_back(std::move(shape));
  }
  return grouped;
}

/// Hands out the tasks of one group.
class Supply {
 public:
  Supply(const PackingProblem& problem, Members members) : members_(std::move(members)) {
    std::stable_sort(members_.begin(), members_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return problem.shapes[a].size > problem.shapes[b].size; });
    for (std::uint32_t s : members_) left_.push_back(problem.shapes[s].count);
  }

  void take(std::int64_t count, std::map<std::uint32_t, std::int64_t>& to) {
    while (count > 0) {
      const std::int64_t taken = std::min(count, left_[next_]);
      if (taken > 0) to[members_[next_]] += taken;
      count -= taken;
      left_[next_] -= taken;
      if (left_[next_] == 0 && next_ + 1 < members_.size()) ++next_;
    }
  }

 private:
  Members members_;
  std::vector<std::int64_t> left_;
  std::size_t next_ = 0;
};

}  // namespace

ShapeGroups group_shapes(const PackingProblem& problem, std::size_t most) {
  std::array<double, kMaxDimensions> demand{};
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    for (const Shape& shape : problem.shapes)
      demand[d] += static_cast<double>(shape.size[d]) * static_cast<double>(shape.count);
  }
  // Only shapes that may be in the same bins are alike. The group that loses the most is split until there are enough.
  using Key = std::tuple<std::vector<bool>, std::uint64_t, std::int64_t>;
  std::map<Key, Members> alike;
  for (std::uint32_t s = 0; s < problem.shapes.size(); ++s) {
    const Shape& shape = problem.shapes[s];
    alike[{shape.allowed, shape.tokens, shape.most_per_bin}].push_back(s);
  }
  std::priority_queue<SplitGroup> split;
  for (auto& [key, members] : alike) split.push(best_split(problem, demand, std::move(members)));
  while (split.size() < most && split.top().gain > 0) {
    const SplitGroup group = split.top();
    split.pop();
    split.push(best_split(problem, demand, group.first));
    split.push(best_split(problem, demand, group.second));
  }
  ShapeGroups groups;
  for (; !split.empty(); split.pop()) {
    Members members = split.top().first;
    members.insert(members.end(), split.top().second.begin(), split.top().second.end());
    std::sort(members.begin(), members.end());
    groups.members.push_back(std::move(members));
  }
  std::sort(groups.members.begin(), groups.members.end());
  return groups;
}

PackingProblem rounded_down(const PackingProblem& problem, const ShapeGroups& groups) {
  return rounded(problem, groups, Towards::kDown);
}

PackingProblem rounded_up(const PackingProblem& problem, const ShapeGroups& groups) {
  return rounded(problem, groups, Towards::kUp);
}

Certificate expanded(const PackingProblem& problem, const ShapeGroups& groups, const Certificate& certificate) {
  Certificate whole = certificate;
  whole.duals.worth.assign(problem.shapes.size(), 0);
  for (std::size_t g = 0; g < groups.members.size(); ++g) {
    for (std::uint32_t s : groups.members[g]) whole.duals.worth[s] = certificate.duals.worth[g];
  }
  return whole;
}

Packing expanded(const PackingProblem& problem, const ShapeGroups& groups, const Packing& packing) {
  std::vector<Supply> supplies;
  for (const Members& members : groups.members) supplies.emplace_back(problem, members);
  Packing whole;
  for (const FilledBins& filled : packing) {
    for (std::int64_t bin = 0; bin < filled.bins; ++bin) {
      std::map<std::uint32_t, std::int64_t> held;
      for (const Copies& copies : filled.pattern.copies) supplies[copies.shape].take(copies.count, held);
      FilledBins one{{filled.pattern.type, {}}, 1};
      for (const auto& [shape, count] : held) one.pattern.copies.push_back({shape, count});
      whole.push_back(std::move(one));
    }
  }
  tidy(whole);
  return whole;
}

}  // namespace bayplan::packing
