#include "fleet/ideal/credit_steps.hpp"

#include <algorithm>

namespace bayplan::fleet {

namespace {

/// The problem's CPU; nothing when no task reserves any.
std::optional<std::size_t> cpu_dimension(const Question& question) {
  const auto found = std::find(question.dimensions.begin(), question.dimensions.end(), "CPU");
  if (found == question.dimensions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - question.dimensions.begin());
}

CpuUnits cpu_of(const Question& question, const packing::Pattern& pattern) {
  const auto cpu = cpu_dimension(question);
  CpuUnits used = 0;
  for (const auto& copies : pattern.copies)
    used += cpu ? copies.count * question.problem.shapes[copies.shape].size[*cpu] : 0;
  return used;
}

bool are_steps_of_one(const BinOrigin& a, const BinOrigin& b) {
  return a.offer == b.offer && a.availability_zone == b.availability_zone && a.whole_gpus == b.whole_gpus &&
         a.standing == b.standing;
}

}  // namespace

std::vector<CreditStep> credit_steps(CpuUnits room, CpuUnits most, CpuUnits unit,
                                     const std::function<MicroUsd(CpuUnits)>& credits) {
  const auto multiples = unit > 0 ? std::min(room, most) / unit : 0;
  std::int64_t free = 0;  // multiples that cost no more than none
  while (free < multiples && credits((free + 1) * unit) == credits(0)) ++free;
  if (free == multiples) return {{room, credits(0)}};
  std::vector<CreditStep> steps{{free * unit, credits(0)}};
  const auto stride = (multiples - free + kMostCreditSteps - 1) / kMostCreditSteps;
  for (auto below = free; below < multiples; below += stride)
    steps.push_back({std::min(below + stride, multiples) * unit, credits((below + 1) * unit)});
  steps.back().cpu = room;
  return steps;
}

MicroUsd credits_of(const Market& market, const Question& question, const packing::Packing& packing) {
  MicroUsd sum = 0;
  for (const auto& filled : packing) {
    const auto& origin = question.bins[filled.pattern.type];
    const auto& profile = market.offers[origin.offer].profile;
    const auto reserved = origin.cpu_reserved + cpu_of(question, filled.pattern);
    // Existing instances already pay for the CPU that their running tasks reserve.
    const auto before = origin.standing.empty() ? 0 : surplus_credits(market.credits, profile, origin.cpu_reserved);
    sum += (surplus_credits(market.credits, profile, reserved) - before) * filled.bins;
  }
  return sum;
}

MicroUsd cost_of(const Market& market, const Question& question, const packing::Packing& packing) {
  MicroUsd prices = 0;
  for (const auto& filled : packing) {
    const auto& origin = question.bins[filled.pattern.type];
    if (origin.standing.empty()) prices += filled.bins * market.offers[origin.offer].hourly_price;
  }
  return prices + credits_of(market, question, packing);
}

packing::Packing in_cheapest_steps(const Question& question, packing::Packing packing) {
  const auto cpu = cpu_dimension(question);
  if (!question.has_credit_steps || !cpu) return packing;
  const auto& types = question.problem.types;
  for (auto& filled : packing) {
    const auto own = filled.pattern.type;
    const auto used = cpu_of(question, filled.pattern);
    std::optional<std::uint32_t> best;
    for (std::uint32_t type = 0; type < types.size(); ++type) {
      if (!are_steps_of_one(question.bins[type], question.bins[own]) || types[type].capacity[*cpu] < used) continue;
      if (!best || types[type].price < types[*best].price) best = type;
    }
    filled.pattern.type = best.value_or(own);
  }
  packing::tidy(packing);
  return packing;
}

}  // namespace bayplan::fleet
