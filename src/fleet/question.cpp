#include "fleet/question.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/fill.hpp"
#include "base/strings.hpp"
#include "fleet/bin_zones.hpp"
#include "fleet/budgets.hpp"
#include "fleet/empty_bins.hpp"
#include "fleet/exclusives.hpp"
#include "fleet/lots.hpp"
#include "fleet/measures.hpp"
#include "fleet/start_order.hpp"
#include "fleet/unplaceable.hpp"
#include "fleet/unseen_needs.hpp"
#include "placement/filters.hpp"

namespace bayplan::fleet {

using capacity::GpuForm;
using placement::Scenario;
using placement::Workload;

namespace {

/// Lots that a bin cannot tell apart.
struct Alike {
  packing::Amounts size{};
  Exclusive exclusive;
  std::vector<bool> allowed;
  auto operator<=>(const Alike&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 reads the 0 that it makes
};

Exclusive exclusive_of(const Workload& workload) {
  return {workload.requirement.tcp_ports, workload.requirement.udp_ports,
          is_distinct(workload) ? workload.group : std::string()};
}

class Asking {
 public:
  Asking(const Scenario& scenario, const Market& market, const QuestionOptions& options)
      : scenario_(scenario),
        market_(market),
        zones_(zones_to_tell_apart(scenario, options.zones)),
        bins_(empty_bins(scenario, market, zones_)),
        needs_(bins_),
        lots_(lots_of(scenario, options.headroom_percent)) {}

  Question ask() && {
    allow_lots();
    take_out_unplaceable();
    const Measures measures(bins_, lots_, allowed_);
    question_.dimensions = measures.names();
    question_.problem.dimensions = measures.names().size();
    question_.relaxed = measures.relaxed();
    add_bins(measures);
    add_limits(market_, question_.bins, question_.problem);
    add_shapes(measures);
    add_notes();
    return std::move(question_);
  }

 private:
  const Workload& workload_of(std::size_t lot) const { return bins_.scenario.workloads[lots_[lot].workload]; }
  bool takes_all_gpus(std::size_t lot) const { return workload_of(lot).requirement.gpu_form == GpuForm::kAll; }

  void allow_lots() {
    placement::ProfileChecks checks(bins_.scenario);
    const auto usual = usual_architectures(scenario_);
    for (std::size_t lot = 0; lot < lots_.size(); ++lot) {
      const Workload& workload = workload_of(lot);
      const placement::Filter filter(bins_.scenario, bins_.groups, workload, bins_.groups.number(workload.group),
                                     checks);
      std::vector<bool> allowed(bins_.origins.size());
      for (std::uint32_t bin = 0; bin < allowed.size(); ++bin)
        allowed[bin] = filter.passes(bin, bins_.states[bin], lots_[lot].capacity_provider);
      needs_.restrict(lots_[lot].workload, usual, allowed);
      allowed_.push_back(std::move(allowed));
    }
  }

  void take_out_unplaceable() {
    std::vector<Lot> lots;
    Allowed allowed;
    for (std::size_t lot = 0; lot < lots_.size(); ++lot) {
      if (std::find(allowed_[lot].begin(), allowed_[lot].end(), true) == allowed_[lot].end()) {
        question_.unplaceable.push_back(unplaceable_lot(bins_, needs_, lots_[lot]));
      } else {
        lots.push_back(lots_[lot]);
        allowed.push_back(std::move(allowed_[lot]));
      }
    }
    lots_ = std::move(lots);
    allowed_ = std::move(allowed);
  }

  /// Whether some lot that wants GPUs, ALL of them or not, may go to the bin.
  bool has_gpu_lots(std::uint32_t bin, bool all) const {
    for (std::size_t lot = 0; lot < lots_.size(); ++lot) {
      if (allowed_[lot][bin] && workload_of(lot).requirement.wants_gpu() && takes_all_gpus(lot) == all) return true;
    }
    return false;
  }

  /// What of an instance that stands decides which tasks it holds.
  using Standing =
      std::tuple<std::uint32_t, std::string, packing::Amounts, std::vector<bool>, std::vector<std::int64_t>>;

  Standing standing_of(const Measures& measures, std::uint32_t bin) const {
    std::vector<bool> allowed;
    for (const auto& of_lot : allowed_) allowed.push_back(of_lot[bin]);
    std::vector<std::int64_t> devices;
    for (const auto& device : bins_.states[bin].gpus) {
      devices.insert(devices.end(), {static_cast<std::int64_t>(device.state), device.memory, device.remaining_memory,
                                     device.fraction_millionths, device.remaining_fraction_millionths});
    }
    const BinOrigin& origin = bins_.origins[bin];
    return {origin.offer, origin.availability_zone, measures.capacity_of(bin, false), std::move(allowed),
            std::move(devices)};
  }

  /// Bins without those that stand just as an earlier one does, which stands for them.
  std::vector<std::uint32_t> different_bins(const Measures& measures) {
    std::vector<std::uint32_t> different;
    std::map<Standing, std::uint32_t> known;
    for (std::uint32_t bin = 0; bin < bins_.origins.size(); ++bin) {
      const auto& standing = bins_.origins[bin].standing;
      const auto first = standing.empty() ? bin : known.emplace(standing_of(measures, bin), bin).first->second;
      if (first == bin) {
        different.push_back(bin);
      } else {
        bins_.origins[first].standing.push_back(standing.front());
      }
    }
    return different;
  }

  /// Two bin types where some tasks take ALL GPUs and others some of them.
  void add_bins(const Measures& measures) {
    for (const std::uint32_t bin : different_bins(measures)) {
      const bool all = has_gpu_lots(bin, true);
      if (!all || has_gpu_lots(bin, false)) add_bin(measures, bin, false);
      if (all) add_bin(measures, bin, true);
    }
  }

  void add_bin(const Measures& measures, std::uint32_t bin, bool whole_gpus) {
    const BinOrigin& origin = bins_.origins[bin];
    const MicroUsd price = origin.standing.empty() ? market_.offers[origin.offer].hourly_price : 0;
    question_.problem.types.push_back({measures.capacity_of(bin, whole_gpus), price});
    question_.bins.push_back({origin.offer, origin.availability_zone, whole_gpus, origin.standing});
    bin_of_type_.push_back(bin);
  }

  /// By bin type.
  std::vector<bool> allowed_types(std::size_t lot) const {
    const bool wants_gpu = workload_of(lot).requirement.wants_gpu();
    std::vector<bool> allowed;
    for (std::size_t type = 0; type < bin_of_type_.size(); ++type) {
      const bool suits = !wants_gpu || question_.bins[type].whole_gpus == takes_all_gpus(lot);
      allowed.push_back(suits && allowed_[lot][bin_of_type_[type]]);
    }
    return allowed;
  }

  void add_shapes(const Measures& measures) {
    std::map<Alike, std::uint32_t> known;
    std::vector<Exclusive> exclusives;
    for (std::size_t lot = 0; lot < lots_.size(); ++lot) {
      const Workload& workload = workload_of(lot);
      Alike alike{measures.size_of(workload.requirement), exclusive_of(workload), allowed_types(lot)};
      const auto next = static_cast<std::uint32_t>(question_.shapes.size());
      const auto [entry, is_new] = known.emplace(std::move(alike), next);
      if (is_new) {
        const Alike& shape = entry->first;
        question_.problem.shapes.push_back(
            {shape.size, 0, shape.allowed, shape.exclusive.any() ? 1 : packing::kUnlimited, 0});
        question_.shapes.emplace_back();
        exclusives.push_back(shape.exclusive);
      }
      count(lots_[lot], entry->second);
    }
    add_tokens(exclusives);
  }

  void count(const Lot& lot, std::uint32_t shape) {
    ShapeOrigin& origin = question_.shapes[shape];
    question_.problem.shapes[shape].count += lot.count;
    if (!origin.workloads.empty() && origin.workloads.back() == lot.workload) {
      origin.counts.back() += lot.count;
      return;
    }
    origin.workloads.push_back(lot.workload);
    origin.counts.push_back(lot.count);
  }

  void add_tokens(const std::vector<Exclusive>& exclusives) {
    const Tokens tokens = tokens_of(exclusives);
    for (std::size_t shape = 0; shape < exclusives.size(); ++shape)
      question_.problem.shapes[shape].tokens = tokens.of_shape[shape];
    if (tokens.relaxed.empty()) return;
    question_.relaxed.push_back(
        {"ports", {}, fill("not kept apart on one instance: {}", {join(tokens.relaxed, ", ")})});
  }

  void add_notes() {
    std::set<std::uint32_t> planned;
    for (const Lot& lot : lots_) planned.insert(lot.workload);
    for (const auto workload : planned) relax(scenario_.workloads[workload]);
    question_.zones = std::move(zones_);
    question_.left_out = std::move(bins_.left_out);
    question_.constraints = needs_.constraints();
    if (!needs_.unstated().empty()) question_.assumptions.push_back(unstated_architecture());
  }

  Assumption unstated_architecture() const {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string_view> names;
    for (const auto workload : needs_.unstated()) names.push_back(scenario_.workloads[workload].name);
    const std::string more = names.size() > kNamed ? fill("{} more", {names.size() - kNamed}) : std::string();
    if (names.size() > kNamed) names.resize(kNamed);
    if (!more.empty()) names.push_back(more);
    const auto usual = usual_architectures(scenario_);
    return {"architecture-not-stated",
            {},
            fill("{} without runtimePlatform.cpuArchitecture: planned on {} alone",
                 {one_of(names, "and"), one_of({usual.begin(), usual.end()}, "and")})};
  }

  void relax(const Workload& workload) {
    for (const auto& constraint : workload.constraints) {
      if (constraint.expression && constraint.expression->depends_on_tasks())
        question_.relaxed.push_back({"task-constraint", workload.name, constraint.source + " looks at tasks"});
    }
    const auto& strategies = workload.strategies;
    const bool spreads =
        strategies.empty() ? workload.kind == placement::WorkloadKind::kService
                           : std::any_of(strategies.begin(), strategies.end(), [](const placement::Strategy& strategy) {
                               return strategy.type == placement::StrategyType::kSpread;
                             });
    if (spreads) question_.relaxed.push_back({"spread", workload.name, "ECS spreads its tasks, a packing need not"});
  }

  const Scenario& scenario_;
  const Market& market_;
  std::vector<std::string> zones_;
  EmptyBins bins_;
  UnseenNeeds needs_;
  std::vector<Lot> lots_;
  Allowed allowed_;
  std::vector<std::uint32_t> bin_of_type_;
  Question question_;
};

}  // namespace

Question question_of(const Scenario& scenario, const Market& market, const QuestionOptions& options) {
  return Asking(scenario, market, options).ask();
}

}  // namespace bayplan::fleet
