#include "replay/tie_rules.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "replay/statistics.hpp"

namespace bayplan::replay {
namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
constexpr double kSignificant = 0.01;

struct RuleWords {
  std::string_view word;
  std::string_view words;
};

constexpr RuleWords kRuleWords[kTieRules] = {
    {"first-in-file", "first in file order"},
    {"last-in-file", "last in file order"},
    {"registered-first", "least recently registered"},
    {"registered-last", "most recently registered"},
    {"fewest-tasks", "fewest tasks of any kind"},
    {"most-tasks", "most tasks of any kind"},
    {"most-free-cpu", "most free CPU"},
    {"least-free-cpu", "least free CPU"},
    {"most-free-memory", "most free memory"},
    {"least-free-memory", "least free memory"},
    {"first-arn", "first ARN"},
    {"last-arn", "last ARN"},
    {"first-ec2-instance-id", "first EC2 instance ID"},
    {"last-ec2-instance-id", "last EC2 instance ID"},
    {"first-zone", "first zone by name"},
    {"least-recently-used", "longest without a new task"},
    {"most-recently-used", "most recent new task"},
};

/// Rank of each text; equal texts have one rank.
std::vector<std::int64_t> ranks_of(const std::vector<std::string_view>& texts) {
  std::map<std::string_view, std::int64_t> order;
  for (const auto text : texts) order[text] = 0;
  std::int64_t next = 0;
  for (auto& [text, rank] : order) rank = next++;
  std::vector<std::int64_t> ranks;
  for (const auto text : texts) ranks.push_back(text.empty() ? kUnknown : order.at(text));
  return ranks;
}

}  // namespace

std::string_view word_of(TieRule rule) {
  return kRuleWords[static_cast<std::size_t>(rule)].word;
}

std::string_view words_for(TieRule rule) {
  return kRuleWords[static_cast<std::size_t>(rule)].words;
}

void TieRules::update_ranks() {
  if (arn_rank_.size() == cluster_.size()) return;
  std::vector<std::string_view> arns, ids, zones;
  for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
    const auto& profile = cluster_.profile(i);
    arns.push_back(profile.arn);
    ids.push_back(profile.ec2_instance_id);
    zones.push_back(profile.availability_zone);
  }
  arn_rank_ = ranks_of(arns);
  ec2_rank_ = ranks_of(ids);
  zone_rank_ = ranks_of(zones);
  last_used_.resize(cluster_.size(), 0);
}

void TieRules::use(std::uint32_t instance, std::int64_t at) {
  update_ranks();
  last_used_[instance] = at;
}

std::int64_t TieRules::key(TieRule rule, std::uint32_t instance) const {
  const auto& state = cluster_.states()[instance];
  const auto negated = [](std::int64_t value) { return value == kUnknown ? kUnknown : -value; };
  const auto registered = cluster_.profile(instance).registered_at;
  switch (rule) {
    case TieRule::kFirstInFile:
      return instance;
    case TieRule::kLastInFile:
      return -std::int64_t{instance};
    case TieRule::kRegisteredFirst:
      return registered.value_or(kUnknown);
    case TieRule::kRegisteredLast:
      return negated(registered.value_or(kUnknown));
    case TieRule::kFewestTasks:
      return state.tasks;
    case TieRule::kMostTasks:
      return -state.tasks;
    case TieRule::kMostFreeCpu:
      return -state.cpu;
    case TieRule::kLeastFreeCpu:
      return state.cpu;
    case TieRule::kMostFreeMemory:
      return -state.memory;
    case TieRule::kLeastFreeMemory:
      return state.memory;
    case TieRule::kFirstArn:
      return arn_rank_[instance];
    case TieRule::kLastArn:
      return negated(arn_rank_[instance]);
    case TieRule::kFirstEc2Id:
      return ec2_rank_[instance];
    case TieRule::kLastEc2Id:
      return negated(ec2_rank_[instance]);
    case TieRule::kFirstZone:
      return zone_rank_[instance];
    case TieRule::kLeastRecentlyUsed:
      return last_used_[instance];
    case TieRule::kMostRecentlyUsed:
      return -last_used_[instance];
  }
  return kUnknown;
}

void TieRules::add(const std::vector<std::uint32_t>& best, std::uint32_t chosen) {
  update_ranks();
  ++decisions_;
  for (std::size_t i = 0; i < kTieRules; ++i) {
    const auto rule = static_cast<TieRule>(i);
    std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
    std::int64_t own = 0;
    std::size_t count = 0;
    for (const auto instance : best) {
      const std::int64_t value = key(rule, instance);
      if (value == kUnknown) {
        count = 0;
        break;
      }
      if (instance == chosen) own = value;
      if (value < smallest) count = 0;
      smallest = std::min(smallest, value);
      count += value == smallest ? 1 : 0;
    }
    if (count == 0 || count == best.size()) continue;  // the rule says nothing here
    sums_[i].hits += own == smallest ? 1 : 0;
    sums_[i].chances.push_back(static_cast<double>(count) / static_cast<double>(best.size()));
  }
}

std::vector<TieRuleFit> TieRules::fits() const {
  std::vector<TieRuleFit> fits;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < kTieRules; ++i) {
    const auto& sum = sums_[i];
    if (sum.chances.empty()) continue;
    TieRuleFit fit;
    fit.rule = static_cast<TieRule>(i);
    fit.decisions = static_cast<std::int64_t>(sum.chances.size());
    fit.hits = sum.hits;
    fit.baseline = std::accumulate(sum.chances.begin(), sum.chances.end(), 0.0) / static_cast<double>(fit.decisions);
    fit.skill = skill(static_cast<double>(fit.hits) / static_cast<double>(fit.decisions), fit.baseline);
    p_values.push_back(chance_of_at_least(sum.chances, sum.hits));
    fits.push_back(fit);
  }
  const auto adjusted = holm_adjusted(p_values);
  for (std::size_t i = 0; i < fits.size(); ++i) fits[i].p_value = adjusted[i];
  std::stable_sort(fits.begin(), fits.end(), [](const auto& a, const auto& b) { return a.skill > b.skill; });
  return fits;
}

const TieRuleFit* shown_rule(const std::vector<TieRuleFit>& fits) {
  const TieRuleFit* best = nullptr;
  for (const auto& fit : fits) {
    if (fit.p_value < kSignificant && (best == nullptr || fit.skill > best->skill)) best = &fit;
  }
  return best;
}

}  // namespace bayplan::replay
