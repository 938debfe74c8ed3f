#include "fleet/exclusives.hpp"

#include <algorithm>
#include <map>

#include "base/fill.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::fleet {

namespace {

using Shapes = std::vector<std::uint32_t>;  // ascending

std::map<std::string, Shapes> contenders(const std::vector<Exclusive>& shapes) {
  std::map<std::string, Shapes> found;
  for (std::uint32_t shape = 0; shape < shapes.size(); ++shape) {
    for (const auto port : shapes[shape].tcp_ports) found[fill("tcp {}", {port})].push_back(shape);
    for (const auto port : shapes[shape].udp_ports) found[fill("udp {}", {port})].push_back(shape);
    const auto& group = shapes[shape].distinct_group;
    if (!group.empty()) found[fill("group {}", {group})].push_back(shape);
  }
  return found;
}

bool is_within(const Shapes& set, const Shapes& larger) {
  return std::includes(larger.begin(), larger.end(), set.begin(), set.end());
}

}  // namespace

Tokens tokens_of(const std::vector<Exclusive>& shapes) {
  std::map<Shapes, std::vector<std::string>> names;
  for (const auto& [name, set] : contenders(shapes)) {
    if (set.size() > 1) names[set].push_back(name);
  }
  std::vector<Shapes> sets;
  for (const auto& [set, of_set] : names) sets.push_back(set);
  std::stable_sort(sets.begin(), sets.end(), [](const Shapes& a, const Shapes& b) { return a.size() > b.size(); });

  Tokens tokens{std::vector<std::uint64_t>(shapes.size()), {}};
  std::vector<const Shapes*> given;
  for (const Shapes& set : sets) {
    if (std::any_of(given.begin(), given.end(), [&](const Shapes* larger) { return is_within(set, *larger); }))
      continue;
    if (given.size() == packing::kMaxTokens) {
      const auto& left = names.at(set);
      tokens.relaxed.insert(tokens.relaxed.end(), left.begin(), left.end());
      continue;
    }
    for (const auto shape : set) tokens.of_shape[shape] |= std::uint64_t{1} << given.size();
    given.push_back(&set);
  }
  return tokens;
}

}  // namespace bayplan::fleet
