#include "report/whatif/whatif_words.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/redeploy.hpp"
#include "report/document/amounts.hpp"
#include "report/document/cpu_credits.hpp"
#include "report/document/figures.hpp"
#include "report/place/placement_assumptions.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::NameResult;
using study::VariantResult;

namespace {

constexpr std::size_t kShownLacking = 2;
constexpr std::size_t kShownIds = 3;

/// "MemberOf placement constraint unsatisfied." says more than a table has room for.
std::string short_reason(std::string_view reason) {
  if (reason == "none") return "no instance";
  if (reason.ends_with(" placement constraint unsatisfied.")) reason = reason.substr(0, reason.find(' '));
  return std::string(reason);
}

const capacity::TaskRequirement* requirement_of(const VariantResult& result, const NameResult& name) {
  if (!name.failure || !result.scenario) return nullptr;
  return &result.scenario->workloads[name.failure->attempt.workload].requirement;
}

/// No instance has the GPUs, whatever else the closest one lacks.
bool fails_for_gpus(const VariantResult& result, const NameResult& name) {
  const auto* task = requirement_of(result, name);
  if (task == nullptr || !task->wants_gpu()) return false;
  const auto& counts = name.failure->rejected.by_check;
  const auto most = *std::max_element(counts.begin(), counts.end());
  return most > 0 && name.failure->rejected.of(Check::kGpu) == most;
}

/// What tasks that fail for the reason do not have.
std::string missing_thing(std::string_view reason, const VariantResult& result, const NameResult& name) {
  const auto* task = requirement_of(result, name);
  if (reason == "RESOURCE:GPU" || fails_for_gpus(result, name)) {
    const bool is_block = task != nullptr && task->gpu_form == capacity::GpuForm::kCount && task->gpu_count > 1;
    return is_block ? fmt::format("no instance with {} free GPUs", task->gpu_count) : "no free GPU";
  }
  if (reason == "RESOURCE:CPU") return "not enough CPU";
  if (reason == "RESOURCE:MEMORY") return "not enough memory";
  if (reason == "RESOURCE:PORTS") return "host port in use";
  if (reason == "RESOURCE:ENI") return "no free network interface";
  if (reason == "RESOURCE:EBS") return "no free EBS attachment";
  return reason.empty() || reason == "none" ? "no instance" : "no instance qualifies: " + short_reason(reason);
}

std::string most_frequent(const NameResult& name) {
  const auto most = std::max_element(name.reasons.begin(), name.reasons.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == name.reasons.end() ? std::string() : most->first;
}

std::string tasks_of(std::int64_t part, std::int64_t all, const std::string& name) {
  return fmt::format("{} of {} {} task{}", part, all, name, all == 1 ? "" : "s");
}

/// "2 of 18 infer tasks cannot be placed (no free GPU)"
std::string lacking_of(const VariantResult& result, const NameResult& name, const VariantResult& baseline) {
  const auto who = tasks_of(name.unplaced(), name.desired, name.name);
  const auto before = baseline.unplaced(name);
  const bool ran_before = baseline.held(name) == before && name.held < name.unplaced();
  const auto earlier = before > 0 ? fmt::format(" ({}{} before)", before, ran_before ? " held" : "") : std::string();
  if (name.held == name.unplaced()) return fmt::format("{} cannot leave{}", who, earlier);
  const auto thing = missing_thing(most_frequent(name), result, name);
  return fmt::format("{} cannot be placed ({}){}", who, thing, earlier);
}

std::vector<std::string> list_ids(const Scenario& scenario, const std::vector<std::uint32_t>& instances) {
  std::vector<std::string> ids;
  for (const auto instance : instances) ids.push_back(scenario.instances[instance].id);
  return ids;
}

}  // namespace

std::string some_of(const std::vector<std::string>& names, std::size_t shown) {
  if (names.size() <= shown) return join(names, ", ");
  return join({names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown)}, ", ") +
         fmt::format(" and {} more", names.size() - shown);
}

std::string lacking_words(const Comparison& comparison, const ComparedVariant& variant) {
  std::vector<std::string> parts;
  for (const auto& name : variant.result.names) {
    if (comparison.baseline.more_lacking(name) > 0)
      parts.push_back(lacking_of(variant.result, name, comparison.baseline));
  }
  return some_of(parts, kShownLacking);
}

std::string reason_words(const NameResult& name) {
  if (name.reasons.size() == 1) return short_reason(name.reasons.front().first);
  std::vector<std::string> parts;
  for (const auto& [reason, count] : name.reasons) parts.push_back(fmt::format("{} {}", short_reason(reason), count));
  return join(parts, ", ");
}

std::string result_words(const NameResult& name, const VariantResult& baseline) {
  std::vector<std::string> parts;
  const auto held_before = baseline.held(name);
  const auto lost_before = baseline.unplaced(name) - held_before;
  if (const auto lost = name.not_running(); lost > 0) {
    parts.push_back(
        fmt::format("{} UNPLACED{}{}", lost, lost_before == lost ? " as before, " : " ", reason_words(name)));
  }
  if (name.held > 0) parts.push_back(fmt::format("{} HELD{}", name.held, held_before == name.held ? " as before" : ""));
  if (parts.empty()) parts.emplace_back("ok");
  if (name.moves > 0) parts.push_back(fmt::format("{} moved", name.moves));
  if (name.stays > 0) parts.push_back(fmt::format("{} {} in place", name.stays, name.stays == 1 ? "ends" : "end"));
  return join(parts, ", ");
}

std::vector<const ComparedVariant*> shown_variants(const Comparison& comparison, bool all) {
  std::vector<const ComparedVariant*> variants;
  std::size_t failures = 0;
  for (const auto& variant : comparison.variants) {
    if (variant.asked.each != EachOf::kNoFailure && ++failures > study::kToldFailures && !all) continue;
    variants.push_back(&variant);
  }
  return variants;
}

const ComparedVariant* only_variant(const Comparison& comparison) {
  const auto& all = comparison.variants;
  return all.size() == 1 && all.front().asked.each == EachOf::kNoFailure ? &all.front() : nullptr;
}

std::string make_label(const ComparedVariant& variant) {
  return variant.asked.each == EachOf::kNoFailure ? variant.name() : variant.asked.lost;
}

std::vector<std::string> move_words(const VariantResult& result, bool all) {
  std::vector<std::string> lines;
  for (const auto& name : result.names) {
    if (name.moves == 0) continue;
    const auto ids = list_ids(*result.scenario, name.moved_to);
    lines.push_back(fmt::format("{} {} -> {}", name.moves, name.name, some_of(ids, all ? ids.size() : kShownIds)));
  }
  return lines;
}

namespace {

/// Why tasks of the service may neither move nor stop.
std::string percents_of(const VariantResult& result, const NameResult& name) {
  const auto& workloads = result.scenario->workloads;
  const auto service = std::find_if(workloads.begin(), workloads.end(), [&](const Workload& workload) {
    return workload.kind == WorkloadKind::kService && workload.name == name.name;
  });
  if (service == workloads.end()) return {};
  return fmt::format(" (minimumHealthyPercent {}, maximumPercent {})", service->minimum_healthy_percent,
                     service->maximum_percent);
}

}  // namespace

std::vector<std::string> held_words(const VariantResult& result) {
  std::vector<std::string> lines;
  for (const auto& name : result.names) {
    if (name.held == 0) continue;
    lines.push_back(fmt::format("{} {} task{} on: no room elsewhere, and none may stop first{}", name.held, name.name,
                                name.held == 1 ? " runs" : "s run", percents_of(result, name)));
  }
  if (!result.held_drains.empty())
    lines.push_back(fmt::format("{}: {}", result.held_drains.size() == 1 ? "never drains" : "never drain",
                                some_of(result.held_drains, kShownIds)));
  return lines;
}

std::vector<RemedyWords> remedy_words(const study::Remedies& remedies) {
  std::vector<RemedyWords> words;
  for (const auto& remedy : remedies.list) {
    const auto& change = std::get<study::AppendFlags>(remedy.change);
    std::string cost = change.asks_for_less ? "" : added_cost(remedy.hourly_cost);
    const auto at = change.flags.find('@');
    const bool has_zone = at != std::string::npos;
    auto* last = words.empty() ? nullptr : &words.back();
    if (has_zone && last != nullptr && last->flag.starts_with(change.flags.substr(0, at + 1))) {
      last->more += (last->more.empty() ? "or in " : ", ") + change.flags.substr(at + 1);
      continue;
    }
    const auto less = change.in_place_of.empty() ? "run fewer" : "instead of " + change.in_place_of;
    words.push_back({std::move(cost), change.flags, change.asks_for_less ? less : ""});
  }
  return words;
}

std::string gone_words(const VariantResult& result, bool all) {
  const auto ids = list_ids(*result.scenario, result.gone);
  return ids.empty() ? "" : "Removed: " + some_of(ids, all ? ids.size() : kShownIds);
}

std::string cost_difference(const VariantResult& before, const VariantResult& after) {
  if (!before.summary.hourly_cost || !after.summary.hourly_cost) return {};
  const auto difference = *after.summary.hourly_cost - *before.summary.hourly_cost;
  return difference == 0 ? std::string() : signed_cost(difference);
}

std::vector<Assumption> collect_assumptions(const Scenario& scenario, const Comparison& comparison) {
  std::vector<Assumption> all;
  std::set<std::pair<std::string, std::string>> seen;
  const auto add = [&](const std::vector<Assumption>& some) {
    for (const auto& one : some) {
      if (seen.emplace(one.id, one.subject).second) all.push_back(one);
    }
  };
  add(scenario.assumptions);
  add(placement_assumptions(comparison.baseline.facts));
  if (const auto credits = uncounted_credits(scenario)) add({*credits});
  for (const auto& variant : comparison.variants) {
    add(variant.asked.assumptions);
    add(placement_assumptions(variant.result.facts));
    add(variant.result.assumptions);
    if (!variant.deployed) continue;
    add(placement::health_check_assumptions(*variant.deployed->scenario));
    add(placement::deployment_assumptions(*variant.deployed->scenario));
  }
  return all;
}

}  // namespace bayplan::report
