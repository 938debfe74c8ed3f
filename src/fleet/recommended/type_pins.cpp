#include "fleet/recommended/type_pins.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/strings.hpp"
#include "packing/solve.hpp"
#include "query/query.hpp"

namespace bayplan::fleet {
namespace {

constexpr std::int64_t kPackingEffort = 10'000'000;
constexpr std::string_view kType = "attribute:ecs.instance-type ";

std::string family_of(const std::string& type) {
  return type.substr(0, type.find('.'));
}

std::set<std::string> families_of(const std::vector<std::string>& types) {
  std::set<std::string> families;
  for (const auto& type : types) families.insert(family_of(type));
  return families;
}

bool any_begins_with(const std::vector<std::string>& types, const std::string& family) {
  return std::any_of(types.begin(), types.end(), [&](const auto& type) { return type.starts_with(family); });
}

std::string words_for(const std::vector<std::string>& allowed, const std::vector<std::string>& others) {
  if (allowed.size() == 1) return "== " + allowed.front();
  if (others.size() == 1) return "!= " + others.front();
  const auto own = families_of(allowed);
  const auto other = families_of(others);
  if (other.size() == 1 && !any_begins_with(allowed, *other.begin())) return "!~ " + *other.begin() + ".*";
  if (own.size() == 1 && !any_begins_with(others, *own.begin())) return "=~ " + *own.begin() + ".*";
  const bool names_own = allowed.size() <= others.size();
  return (names_own ? "in [" : "not_in [") + join(names_own ? allowed : others, ", ") + "]";
}

}  // namespace

placement::Constraint pin_to(const std::vector<std::string>& allowed, const std::vector<std::string>& fleet) {
  std::vector<std::string> others;
  std::set_difference(fleet.begin(), fleet.end(), allowed.begin(), allowed.end(), std::back_inserter(others));
  placement::Constraint constraint{placement::ConstraintType::kMemberOf,
                                   std::string(kType) + words_for(allowed, others), nullptr};
  auto parsed = query::parse(constraint.source);
  if (parsed) constraint.expression = std::make_shared<const query::Expression>(std::move(*parsed.expression));
  return constraint;
}

std::optional<packing::Packing> apart_from_gpus(const Question& question, const Market& market) {
  packing::PackingProblem problem = question.problem;
  const auto gpu = std::find(question.dimensions.begin(), question.dimensions.end(), "GPU");
  const auto dimension = static_cast<std::size_t>(gpu - question.dimensions.begin());
  if (gpu == question.dimensions.end()) return std::nullopt;
  std::size_t without = 0;
  for (packing::Shape& shape : problem.shapes) {
    if (shape.size[dimension] > 0) continue;
    ++without;
    const packing::Shape origin = shape;
    shape.allowed.resize(problem.types.size());
    for (std::size_t bin = 0; bin < problem.types.size(); ++bin) {
      const bool has_gpus = market.offers[question.bins[bin].offer].profile.gpu_count > 0;
      shape.allowed[bin] = !has_gpus && packing::is_allowed(origin, bin);
    }
  }
  if (without == 0 || without == problem.shapes.size()) return std::nullopt;
  packing::SolveLimits limits;
  limits.effort = kPackingEffort;
  auto solution = packing::solve(problem, limits);
  if (!solution.is_complete()) return std::nullopt;
  return std::move(solution.packing);
}

Pins needed_pins(const Pins& pins, const std::function<bool(const Pins&)>& fills) {
  Pins needed = pins;
  const std::function<void(std::ptrdiff_t, std::ptrdiff_t)> leave_out = [&](std::ptrdiff_t first, std::ptrdiff_t end) {
    Pins fewer(needed.begin(), needed.begin() + first);
    fewer.insert(fewer.end(), needed.begin() + end, needed.end());
    if (fills(fewer)) {
      needed = std::move(fewer);
    } else if (end - first > 1) {
      const std::ptrdiff_t middle = first + (end - first) / 2;
      leave_out(middle, end);
      leave_out(first, middle);
    }
  };
  leave_out(0, std::ssize(pins));
  return needed;
}

Pins find_type_pins(const Market& market, const Question& question, const packing::Packing& packing) {
  std::map<std::uint32_t, std::set<std::string>> types;
  std::set<std::string> fleet;
  for (const packing::FilledBins& filled : packing) {
    const auto& type = market.offers[question.bins[filled.pattern.type].offer].profile.instance_type;
    fleet.insert(type);
    for (const packing::Copies& copies : filled.pattern.copies) {
      for (const std::uint32_t workload : question.shapes[copies.shape].workloads) types[workload].insert(type);
    }
  }
  Pins pins;
  for (const auto& [workload, own] : types) {
    if (own.size() < fleet.size())
      pins.emplace_back(workload, pin_to({own.begin(), own.end()}, {fleet.begin(), fleet.end()}));
  }
  return pins;
}

}  // namespace bayplan::fleet
