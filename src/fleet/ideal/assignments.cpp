#include "fleet/ideal/assignments.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/start_rank.hpp"

namespace bayplan::fleet {

using packing::FilledBins;
using packing::Packing;
using placement::Scenario;

namespace {

/// Deals the tasks of a shape to bins, workload after workload.
class ShapeDeal {
 public:
  explicit ShapeDeal(const ShapeOrigin& origin) : origin_(origin), left_(origin.counts) {}

  void take(std::int64_t count, std::map<std::uint32_t, std::int64_t>& tasks) {
    while (count > 0 && next_ < left_.size()) {
      const std::int64_t taken = std::min(count, left_[next_]);
      if (taken > 0) tasks[origin_.workloads[next_]] += taken;
      count -= taken;
      left_[next_] -= taken;
      if (left_[next_] == 0) ++next_;
    }
  }

 private:
  const ShapeOrigin& origin_;
  std::vector<std::int64_t> left_;
  std::size_t next_ = 0;
};

/// Ids of instances for the bins of each type.
class Names {
 public:
  Names(const Scenario& scenario, const Market& market, const Question& question, const Packing& packing,
        bool keeps_cluster)
      : question_(question) {
    const Purchases purchases = compute_purchases(question, market, packing);
    const Scenario bought = with_purchases(scenario, market, purchases, keeps_cluster);
    std::size_t next = keeps_cluster ? scenario.instances.size() : 0;
    for (const Purchase& one : purchases) {
      auto& ids = bought_[{one.offer, one.availability_zone}];
      for (std::int64_t i = 0; i < one.count; ++i) ids.push_back(bought.instances[next++].id);
    }
    for (const auto& bin : question.bins) {
      for (const auto instance : bin.standing) standing_[instance] = scenario.instances[instance].id;
    }
  }

  std::string next(const packing::Pattern& pattern) {
    const BinOrigin& bin = question_.bins[pattern.type];
    if (!bin.standing.empty()) return standing_.at(bin.standing[used_[bin.standing.front()]++]);
    const Key key{bin.offer, zone_of(question_, pattern)};
    return bought_.at(key)[taken_[key]++];
  }

 private:
  using Key = std::pair<std::uint32_t, std::string>;
  const Question& question_;
  std::map<Key, std::vector<std::string>> bought_;
  std::map<Key, std::size_t> taken_;
  std::map<std::uint32_t, std::string> standing_;
  std::map<std::uint32_t, std::size_t> used_;  ///< Keyed by the first instance of equal existing ones.
};

/// Sorts existing instances first, then the others like purchases.
std::vector<const FilledBins*> in_order(const Question& question, const Packing& packing) {
  std::vector<const FilledBins*> order;
  for (const FilledBins& filled : packing) order.push_back(&filled);
  const auto key_of = [&](const FilledBins* filled) {
    const BinOrigin& bin = question.bins[filled->pattern.type];
    return std::tuple(bin.standing.empty(), bin.offer, zone_of(question, filled->pattern));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const FilledBins* a, const FilledBins* b) { return key_of(a) < key_of(b); });
  return order;
}

}  // namespace

std::vector<Assignment> assignments(const Scenario& scenario, const Market& market, const Question& question,
                                    const Packing& packing, bool keeps_cluster) {
  Names names(scenario, market, question, packing, keeps_cluster);
  std::vector<ShapeDeal> deals(question.shapes.begin(), question.shapes.end());
  std::vector<Assignment> result;
  for (const FilledBins* filled : in_order(question, packing)) {
    for (std::int64_t bin = 0; bin < filled->bins; ++bin) {
      std::map<std::uint32_t, std::int64_t> tasks;
      for (const auto& copies : filled->pattern.copies) deals[copies.shape].take(copies.count, tasks);
      Assignment own{names.next(filled->pattern), filled->pattern.type, {}};
      for (const auto& [workload, count] : tasks) own.tasks.push_back({workload, count});
      std::stable_sort(own.tasks.begin(), own.tasks.end(), [&](const TasksOf& a, const TasksOf& b) {
        return start_rank(scenario.workloads[a.workload]) < start_rank(scenario.workloads[b.workload]);
      });
      result.push_back(std::move(own));
    }
  }
  return result;
}

std::vector<TasksOf> tasks_left_over(const Question& question, const std::vector<std::int64_t>& left_over) {
  std::map<std::uint32_t, std::int64_t> tasks;
  for (std::size_t shape = 0; shape < left_over.size(); ++shape) {
    std::map<std::uint32_t, std::int64_t> assigned;
    ShapeDeal deal(question.shapes[shape]);
    deal.take(question.problem.shapes[shape].count - left_over[shape], assigned);
    deal.take(left_over[shape], tasks);
  }
  std::vector<TasksOf> result;
  for (const auto& [workload, count] : tasks) result.push_back({workload, count});
  return result;
}

packing::Packing dealt_to_zones(const Question& question, const packing::Packing& packing) {
  if (question.zones.empty()) return packing;
  const auto& problem = question.problem;
  const auto may_move = [&](const packing::Pattern& pattern, std::uint32_t to) {
    const auto& from_type = problem.types[pattern.type];
    const auto& to_type = problem.types[to];
    return question.bins[to].offer == question.bins[pattern.type].offer && from_type.limit == packing::kUnlimited &&
           to_type.limit == packing::kUnlimited && from_type.price == to_type.price &&
           from_type.capacity == to_type.capacity &&
           question.bins[to].whole_gpus == question.bins[pattern.type].whole_gpus &&
           std::all_of(pattern.copies.begin(), pattern.copies.end(), [&](const packing::Copies& copies) {
             return packing::is_allowed(problem.shapes[copies.shape], to);
           });
  };
  std::vector<std::pair<std::vector<std::uint32_t>, const packing::FilledBins*>> choices;
  for (const auto& filled : packing) {
    std::vector<std::uint32_t> types;
    for (std::uint32_t type = 0; type < question.bins.size(); ++type) {
      if (type == filled.pattern.type || may_move(filled.pattern, type)) types.push_back(type);
    }
    choices.emplace_back(std::move(types), &filled);
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
  std::vector<std::int64_t> taken(question.bins.size());
  packing::Packing dealt;
  for (const auto& [types, filled] : choices) {
    std::map<std::uint32_t, std::int64_t> bins;
    for (std::int64_t i = 0; i < filled->bins; ++i) {
      const auto fewest =
          *std::min_element(types.begin(), types.end(), [&](auto a, auto b) { return taken[a] < taken[b]; });
      ++taken[fewest];
      ++bins[fewest];
    }
    for (const auto& [type, count] : bins) dealt.push_back({{type, filled->pattern.copies}, count});
  }
  packing::tidy(dealt);
  return dealt;
}

}  // namespace bayplan::fleet
