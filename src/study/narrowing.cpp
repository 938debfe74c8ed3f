#include "study/narrowing.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "placement/strategies.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

using Value = std::optional<std::string_view>;

class Ranker {
 public:
  Ranker(const Inquiry& inquiry, std::uint32_t chosen)
      : inquiry_(inquiry), group_(inquiry.standing().group_of[inquiry.turn().workload]), chosen_(chosen) {}

  Ranking run() {
    Ranking ranking;
    ranking.best = inquiry_.funnel().candidates;
    for (const auto& strategy : effective_strategies(inquiry_.workload(), inquiry_.scenario().ties)) {
      if (ranking.best.size() < 2) break;
      Narrowing narrowing{strategy, static_cast<std::int64_t>(ranking.best.size()), 0, {}, {}};
      narrow(narrowing, ranking.best);
      narrowing.after = static_cast<std::int64_t>(ranking.best.size());
      ranking.narrowings.push_back(std::move(narrowing));
    }
    return ranking;
  }

 private:
  const InstanceState& state(std::uint32_t instance) const { return inquiry_.standing().states[instance]; }

  Value value_on(std::uint32_t instance, std::string_view attribute) const {
    const auto& attributes = inquiry_.profile_of(instance).attributes;
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? Value() : Value(found->second);
  }

  void narrow(Narrowing& narrowing, std::vector<std::uint32_t>& candidates) const {
    const auto& strategy = narrowing.strategy;
    if (strategy.type == StrategyType::kRandom) {
      const bool is_there = std::find(candidates.begin(), candidates.end(), chosen_) != candidates.end();
      candidates.assign(is_there ? 1 : 0, chosen_);
    } else if (!strategy.attribute().empty()) {
      spread_over_values(narrowing, candidates);
    } else if (strategy.type == StrategyType::kSpread) {
      keep(narrowing, candidates, [&](std::uint32_t i) { return state(i).tasks_of(group_); });
    } else {
      keep(narrowing, candidates,
           [&](std::uint32_t i) { return strategy.field == "cpu" ? state(i).cpu : state(i).memory; });
    }
  }

  void spread_over_values(Narrowing& narrowing, std::vector<std::uint32_t>& candidates) const {
    const auto attribute = narrowing.strategy.attribute();
    std::map<Value, std::int64_t> tasks;
    for (std::uint32_t i = 0; i < inquiry_.scenario().instances.size(); ++i)
      tasks[value_on(i, attribute)] += state(i).tasks_of(group_);
    keep(narrowing, candidates, [&](std::uint32_t i) { return tasks.at(value_on(i, attribute)); });
    std::set<std::string> values;
    for (const auto instance : candidates) values.emplace(value_on(instance, attribute).value_or(""));
    for (const auto& value : values) {
      if (narrowing.values.size() < kNarrowingValues) narrowing.values.push_back(value);
    }
  }

  template <class Key>
  static void keep(Narrowing& narrowing, std::vector<std::uint32_t>& candidates, Key key) {
    keep_smallest(candidates, key);
    narrowing.best = key(candidates.front());
  }

  const Inquiry& inquiry_;
  std::uint32_t group_;
  std::uint32_t chosen_;
};

}  // namespace

Ranking rank_candidates(const Inquiry& inquiry, std::uint32_t chosen) {
  return Ranker(inquiry, chosen).run();
}

}  // namespace bayplan::study
