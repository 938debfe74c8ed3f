#include "fleet/offers/purchase.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace bayplan::fleet {

using placement::Scenario;

namespace {

/// Each pair of offer and zone once, in order.
Purchases merged(Purchases purchases) {
  std::sort(purchases.begin(), purchases.end());
  Purchases result;
  for (const Purchase& one : purchases) {
    if (one.count <= 0) continue;
    const bool is_same =
        !result.empty() && result.back().offer == one.offer && result.back().availability_zone == one.availability_zone;
    if (is_same) {
      result.back().count += one.count;
    } else {
      result.push_back(one);
    }
  }
  return result;
}

/// A pattern of another problem would be read as other tasks, in silence.
void require_of_question(const Question& question, const packing::Pattern& pattern) {
  const auto& shapes = question.problem.shapes;
  const bool is_of_it =
      pattern.type < question.bins.size() &&
      std::all_of(pattern.copies.begin(), pattern.copies.end(), [&](const packing::Copies& copies) {
        return copies.shape < shapes.size() && packing::is_allowed(shapes[copies.shape], pattern.type);
      });
  if (!is_of_it) throw std::logic_error("a packing is not one of the question");
}

}  // namespace

placement::InstanceProfile profile_of(const Offer& offer, const std::string& availability_zone) {
  placement::InstanceProfile profile = offer.profile;
  profile.hourly_price = offer.hourly_price;
  if (!availability_zone.empty()) {
    profile.availability_zone = availability_zone;
    profile.attributes["ecs.availability-zone"] = availability_zone;
  }
  return profile;
}

MicroUsd hourly_cost(const Market& market, const Purchases& purchases) {
  MicroUsd cost = 0;
  for (const Purchase& one : purchases) cost += market.offers[one.offer].hourly_price * one.count;
  return cost;
}

std::int64_t instances_of(const Purchases& purchases) {
  std::int64_t count = 0;
  for (const Purchase& one : purchases) count += one.count;
  return count;
}

std::string zone_of(const Question& question, const packing::Pattern& pattern) {
  const BinOrigin& own = question.bins[pattern.type];
  if (question.zones.size() < 2) return own.availability_zone;
  const auto& types = question.problem.types;
  std::size_t zones = 0;
  for (std::uint32_t type = 0; type < question.bins.size(); ++type) {
    const BinOrigin& other = question.bins[type];
    if (other.offer != own.offer || other.whole_gpus != own.whole_gpus) continue;
    // Daemons may differ from zone to zone.
    const bool holds = types[type].capacity == types[pattern.type].capacity &&
                       std::all_of(pattern.copies.begin(), pattern.copies.end(), [&](const packing::Copies& copies) {
                         return packing::is_allowed(question.problem.shapes[copies.shape], type);
                       });
    zones += holds ? 1 : 0;
  }
  return zones == question.zones.size() ? std::string() : own.availability_zone;
}

Purchases compute_purchases(const Question& question, const Market& market, const packing::Packing& packing) {
  Purchases purchases;
  for (const packing::FilledBins& filled : packing) {
    require_of_question(question, filled.pattern);
    const BinOrigin& bin = question.bins[filled.pattern.type];
    if (market.offers[bin.offer].standing.empty())
      purchases.push_back({bin.offer, zone_of(question, filled.pattern), filled.bins});
  }
  return merged(std::move(purchases));
}

Purchases in_whole_market(Purchases purchases, const std::vector<std::uint32_t>& offers) {
  for (Purchase& one : purchases) one.offer = offers[one.offer];
  return merged(std::move(purchases));
}

Purchases dealt(const Purchases& purchases, const std::vector<std::string>& zones) {
  if (zones.empty()) return purchases;
  Purchases result;
  std::int64_t next = 0;
  for (const Purchase& one : purchases) {
    if (!one.availability_zone.empty()) {
      result.push_back(one);
      continue;
    }
    const auto all = static_cast<std::int64_t>(zones.size());
    for (std::int64_t i = 0; i < std::min(all, one.count); ++i) {
      const auto zone = static_cast<std::size_t>((next + i) % all);
      result.push_back({one.offer, zones[zone], (one.count - i + all - 1) / all});
    }
    next += one.count;
  }
  return merged(std::move(result));
}

Scenario with_purchases(const Scenario& scenario, const Market& market, const Purchases& purchases,
                        bool keeps_cluster) {
  Scenario result = scenario;
  if (!keeps_cluster) {
    result.profiles.clear();
    result.instances.clear();
    result.in_use.clear();
    result.running.clear();
    result.services.clear();
  }
  std::map<std::string, std::int64_t> numbers;  // of instances so far, by type
  for (const auto& instance : result.instances) ++numbers[result.profiles[instance.profile].instance_type];
  for (const Purchase& one : purchases) {
    const auto profile = static_cast<std::uint32_t>(result.profiles.size());
    result.profiles.push_back(profile_of(market.offers[one.offer], one.availability_zone));
    const std::string& type = result.profiles.back().instance_type;
    for (std::int64_t i = 0; i < one.count; ++i)
      result.instances.push_back({type + "#" + std::to_string(++numbers[type]), profile});
  }
  return result;
}

}  // namespace bayplan::fleet
