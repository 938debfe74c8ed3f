#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/recorded_cluster.hpp"

namespace bayplan::replay {

/// Ways to choose among the instances that the strategies leave equal.
enum class TieRule : std::uint8_t {
  kFirstInFile,
  kLastInFile,
  kRegisteredFirst,
  kRegisteredLast,
  kFewestTasks,
  kMostTasks,
  kMostFreeCpu,
  kLeastFreeCpu,
  kMostFreeMemory,
  kLeastFreeMemory,
  kFirstArn,
  kLastArn,
  kFirstEc2Id,
  kLastEc2Id,
  kFirstZone,
  kLeastRecentlyUsed,
  kMostRecentlyUsed,
};
inline constexpr std::size_t kTieRules = 17;
std::string_view word_of(TieRule rule);    ///< "registered-last": as reports in JSON say it.
std::string_view words_for(TieRule rule);  ///< "most recently registered"

/// How well one rule explains the choices among equals.
struct TieRuleFit {
  TieRule rule = TieRule::kFirstInFile;
  std::int64_t decisions = 0;  ///< Ties in which the rule excludes some instance.
  std::int64_t hits = 0;
  double baseline = 0;  ///< Expected share of hits if ties are broken at random.
  double skill = 0;
  double p_value = 1;  ///< Of this many hits by chance, adjusted for the number of rules (Holm).
};

/// Compares the recorded choices among equal instances with each rule.
class TieRules {
 public:
  explicit TieRules(const RecordedCluster& cluster) : cluster_(cluster) {}

  /// `best`: the instances that the strategies leave, more than one; `chosen` is one of them.
  void add(const std::vector<std::uint32_t>& best, std::uint32_t chosen);
  /// A task was placed there.
  void use(std::uint32_t instance, std::int64_t at);

  std::int64_t decisions() const { return decisions_; }
  /// All rules that applied, best first.
  std::vector<TieRuleFit> fits() const;

 private:
  struct Sum {
    std::int64_t hits = 0;
    std::vector<double> chances;
  };

  std::int64_t key(TieRule rule, std::uint32_t instance) const;
  void update_ranks();

  const RecordedCluster& cluster_;
  std::int64_t decisions_ = 0;
  std::vector<Sum> sums_ = std::vector<Sum>(kTieRules);
  std::vector<std::int64_t> arn_rank_, ec2_rank_, zone_rank_;  ///< One entry per instance.
  std::vector<std::int64_t> last_used_;
};

/// The rule that the choices show: significant (p below 0.01) and with the highest skill; nothing if chance explains
/// them.
const TieRuleFit* shown_rule(const std::vector<TieRuleFit>& fits);

}  // namespace bayplan::replay
