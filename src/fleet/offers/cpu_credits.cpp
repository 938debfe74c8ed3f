#include "fleet/offers/cpu_credits.hpp"

#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"

namespace bayplan::fleet {

using placement::InstanceProfile;
using placement::Outcome;
using placement::Scenario;

CreditTerms credit_terms(const std::vector<InstanceProfile>& profiles, std::string_view region, Percent used) {
  CreditTerms terms{used, {}};
  for (const auto& profile : profiles) {
    const auto* type = profile.type;
    if (type == nullptr || terms.rates.contains(type->name)) continue;
    const auto baseline = catalog::find_baseline(*type);
    const auto price = catalog::credit_price(*type, region);
    if (baseline && price) terms.rates.emplace(type->name, BurstRate{*baseline, type->cpu, *price});
  }
  return terms;
}

const BurstRate* find_rate(const CreditTerms& terms, const InstanceProfile& profile) {
  if (terms.rates.empty()) return nullptr;
  const auto found = terms.rates.find(profile.instance_type);
  return found == terms.rates.end() ? nullptr : &found->second;
}

MicroUsd surplus_credits(const CreditTerms& terms, const InstanceProfile& profile, CpuUnits reserved) {
  const auto* rate = find_rate(terms, profile);
  if (rate == nullptr) return 0;
  // In ten-thousandths of a CPU unit: baselines are in thousandths of a vCPU, the use in hundredths of a percent.
  const std::int64_t above = reserved * terms.used.hundredths - rate->cpu * rate->baseline.permille * 10;
  if (above <= 0) return 0;
  constexpr std::int64_t kPerVcpu = 10'000 * kUnitsPerVcpu;
  constexpr std::int64_t kMicroUsd = kPerVcpu * kNanoUsdPerMicroUsd;
  return (above * rate->price.price + kMicroUsd - 1) / kMicroUsd;
}

MicroUsd added_credits(const CreditTerms& terms, const Scenario& scenario, const Outcome& outcome,
                       std::uint32_t instance) {
  const InstanceProfile& profile = scenario.profiles[scenario.instances[instance].profile];
  if (find_rate(terms, profile) == nullptr) return 0;
  placement::Groups groups;
  const auto before = placement::starting_state(scenario, instance, groups).cpu;
  return surplus_credits(terms, profile, profile.cpu - outcome.instances[instance].cpu) -
         surplus_credits(terms, profile, profile.cpu - before);
}

MicroUsd added_credits(const CreditTerms& terms, const Scenario& scenario, const Outcome& outcome) {
  if (terms.rates.empty()) return 0;
  MicroUsd sum = 0;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) sum += added_credits(terms, scenario, outcome, i);
  return sum;
}

}  // namespace bayplan::fleet
