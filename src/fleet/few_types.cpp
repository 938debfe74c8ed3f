#include "fleet/few_types.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "fleet/exchanges.hpp"
#include "fleet/fleet_rank.hpp"

namespace bayplan::fleet {
namespace {

/// Shapes that have no place, then the price.
using Worth = std::pair<std::int64_t, MicroUsd>;

class TypeChoice {
 public:
  TypeChoice(const Market& market, const Question& question, const Purchases& ideal, const TopUp& packer)
      : market_(market), question_(question), packer_(packer) {
    std::set<std::string> pool;
    for (const auto& [offer, zone] : places_to_buy(market, question, ideal))
      pool.insert(market.offers[offer].profile.instance_type);
    pool_.assign(pool.begin(), pool.end());
  }

  std::optional<Purchases> best_of(std::size_t most) {
    std::set<std::string> types;
    while (types.size() < most && improve(types, {})) {
    }
    for (const std::string& out : std::set<std::string>(types)) improve(types, out);
    return fleets_[types];
  }

 private:
  /// Takes up the type that makes the fleet cheapest, in place of `out` where that is one. False when none does.
  bool improve(std::set<std::string>& types, const std::string& out) {
    std::set<std::string> best = types;
    for (const std::string& in : pool_) {
      std::set<std::string> next = types;
      next.erase(out);
      next.insert(in);
      if (worth(next) < worth(best)) best = std::move(next);
    }
    const bool is_better = best != types;
    types = std::move(best);
    return is_better;
  }

  Worth worth(const std::set<std::string>& types) {
    const auto known = worths_.find(types);
    if (known != worths_.end()) return known->second;
    std::vector<bool> is_offered;
    for (const Offer& offer : market_.offers) is_offered.push_back(types.contains(offer.profile.instance_type));
    Worth worth{without_place(is_offered), std::numeric_limits<MicroUsd>::max()};
    if (worth.first == 0) fleets_[types] = packer_.for_all(is_offered);
    if (fleets_[types]) worth.second = hourly_cost(market_, *fleets_[types]);
    return worths_[types] = worth;
  }

  std::int64_t without_place(const std::vector<bool>& is_offered) const {
    const auto& problem = question_.problem;
    return std::count_if(problem.shapes.begin(), problem.shapes.end(), [&](const packing::Shape& shape) {
      for (std::uint32_t bin = 0; bin < question_.bins.size(); ++bin) {
        if (is_offered[question_.bins[bin].offer] && packing::most_copies(problem, shape, bin) > 0) return false;
      }
      return true;
    });
  }

  const Market& market_;
  const Question& question_;
  const TopUp& packer_;
  std::vector<std::string> pool_;
  std::map<std::set<std::string>, Worth> worths_;
  std::map<std::set<std::string>, std::optional<Purchases>> fleets_;
};

}  // namespace

std::optional<Purchases> fleet_of_few_types(const Market& market, const Question& question, const Purchases& ideal,
                                            const TopUp& packer, std::int64_t most) {
  return TypeChoice(market, question, ideal, packer).best_of(static_cast<std::size_t>(most));
}

}  // namespace bayplan::fleet
