#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/percent.hpp"
#include "base/units.hpp"
#include "catalog/cpu_credits.hpp"
#include "catalog/extra_prices.hpp"
#include "placement/model/instance_profile.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

/// What burstable instances (T2, T3, T3a, T4g) cost above their price, for CPU above their baseline.
namespace bayplan::fleet {

/// CPU that the price of a burstable type covers, and what more of it costs.
struct BurstRate {
  catalog::Baseline baseline;
  CpuUnits cpu = 0;           ///< All of the type.
  catalog::ExtraPrice price;  ///< Of a vCPU-hour above the baseline.
};

/// How surplus CPU credits are counted.
struct CreditTerms {
  Percent used = kHundredPercent;  ///< --burst-baseline: CPU that the tasks use, of what they reserve.
  /// By instance type; none where credits are not counted.
  std::map<std::string, BurstRate, std::less<>> rates = {};
};

/// The rates of the types of these profiles in the region.
CreditTerms credit_terms(const std::vector<placement::InstanceProfile>& profiles, std::string_view region,
                         Percent used);

/// Those of the type; null for one without credits.
const BurstRate* find_rate(const CreditTerms& terms, const placement::InstanceProfile& profile);

/// What surplus credits of one instance cost in an hour when its tasks reserve so much, rounded up to a micro-USD: EC2
/// charges for what the mean of 24 hours is above the baseline, the same for On-Demand, Spot and Reserved Instances,
/// and no discount lowers it.
MicroUsd surplus_credits(const CreditTerms& terms, const placement::InstanceProfile& profile, CpuUnits reserved);

/// When tasks reserve all of its CPU.
inline MicroUsd most_credits(const CreditTerms& terms, const placement::InstanceProfile& profile) {
  return surplus_credits(terms, profile, profile.cpu);
}

/// What the tasks that were placed on one instance add to its credits.
MicroUsd added_credits(const CreditTerms& terms, const placement::Scenario& scenario, const placement::Outcome& outcome,
                       std::uint32_t instance);

/// The same of all instances.
MicroUsd added_credits(const CreditTerms& terms, const placement::Scenario& scenario,
                       const placement::Outcome& outcome);

}  // namespace bayplan::fleet
