#include "fleet/start_fleets.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "fleet/assignments.hpp"
#include "fleet/closing.hpp"
#include "fleet/fleet_rank.hpp"
#include "fleet/top_up.hpp"

namespace bayplan::fleet {
namespace {

constexpr std::size_t kSingleTypes = 3;
/// Sizes of one family cost the same for what they offer, and differ in what their rest is good for: fleets of one type
/// to start with are of types that differ by so much in CPU.
constexpr CpuUnits kSizeRatio = 4;

/// What the tasks cost at least on one bin type alone: the resource that is short decides. Nothing when a shape does
/// not fit.
std::optional<double> least_cost_on(const packing::PackingProblem& problem, std::size_t type) {
  const packing::BinType& bin = problem.types[type];
  packing::Amounts wanted{};
  for (const packing::Shape& shape : problem.shapes) {
    if (packing::most_copies(problem, shape, type) == 0) return std::nullopt;
    for (std::size_t d = 0; d < problem.dimensions; ++d) wanted[d] += shape.size[d] * shape.count;
  }
  double bins = 0;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (bin.capacity[d] > 0)
      bins = std::max(bins, static_cast<double>(wanted[d]) / static_cast<double>(bin.capacity[d]));
  }
  return bins * static_cast<double>(bin.price);
}

bool is_of_like_size(CpuUnits one, CpuUnits other) {
  return std::max(one, other) < kSizeRatio * std::min(one, other);
}

/// Up to kSingleTypes offers whose instances hold every task: of each size that on which the tasks cost least.
std::vector<std::uint32_t> single_offers(const Market& market, const Question& question) {
  std::map<std::uint32_t, double> cost;
  for (std::uint32_t i = 0; i < question.bins.size(); ++i) {
    const std::uint32_t offer = question.bins[i].offer;
    const auto own = least_cost_on(question.problem, i);
    if (!own || !market.offers[offer].standing.empty() || market.offers[offer].limit != packing::kUnlimited) continue;
    const auto known = cost.try_emplace(offer, *own).first;
    known->second = std::min(known->second, *own);
  }
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (const auto& [offer, own] : cost) sorted.emplace_back(own, offer);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> offers;
  for (const auto& [own, offer] : sorted) {
    const CpuUnits cpu = market.offers[offer].profile.cpu;
    const auto is_like = [&](std::uint32_t chosen) { return is_of_like_size(cpu, market.offers[chosen].profile.cpu); };
    if (std::none_of(offers.begin(), offers.end(), is_like)) offers.push_back(offer);
    if (offers.size() == kSingleTypes) break;
  }
  return offers;
}

}  // namespace

std::vector<Purchases> start_fleets(const Market& market, const Question& question, const packing::Solution& ideal,
                                    const FillRequest& request) {
  const Policy any;
  const TopUp packer(market, question, request, any);
  std::vector<Purchases> starts = {purchases_of(question, market, ideal.packing)};
  if (const auto apart = apart_from_gpus(question, market))
    starts.push_back(purchases_of(question, market, dealt_to_zones(question, *apart)));
  for (const std::uint32_t offer : single_offers(market, question)) {
    std::vector<bool> is_offered(market.offers.size());
    is_offered[offer] = true;
    if (auto fleet = packer.for_all(is_offered)) starts.push_back(std::move(*fleet));
  }
  std::erase_if(starts, [&](const Purchases& fleet) { return !is_allowed(market, fleet, request.most_types); });
  return starts;
}

}  // namespace bayplan::fleet
