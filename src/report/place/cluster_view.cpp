#include "report/place/cluster_view.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/constraints.hpp"
#include "report/place/place_report.hpp"

namespace bayplan::report {

using placement::InstanceProfile;
using placement::InstanceState;

namespace {

constexpr SortKeyRow kSortKeys[] = {
    {SortKey::kName, "name", false},       {SortKey::kType, "type", false},
    {SortKey::kZone, "zone", false},       {SortKey::kGpu, "gpu", true},
    {SortKey::kCpu, "cpu", true},          {SortKey::kMemory, "memory", true},
    {SortKey::kEni, "eni", true},          {SortKey::kTasks, "tasks", true},
    {SortKey::kPrice, "price", true},      {SortKey::kFreeGpu, "free-gpu", true},
    {SortKey::kFreeCpu, "free-cpu", true}, {SortKey::kFreeMemory, "free-memory", true},
    {SortKey::kFreeEni, "free-eni", true},
};

const SortKeyRow& key_row(SortKey key) {
  return *std::find_if(std::begin(kSortKeys), std::end(kSortKeys), [&](const auto& row) { return row.key == key; });
}

/// The groups of the tasks on each instance: those that ran before, and those that were placed.
std::vector<std::vector<std::string_view>> groups_by_instance(const PlaceReport& report) {
  std::vector<std::vector<std::string_view>> groups(report.scenario.instances.size());
  for (const auto& task : report.scenario.running) {
    if (!task.stopping) groups[task.instance].push_back(task.group);
  }
  for (const auto& placement : report.outcome.placements) {
    auto& own = groups[placement.instance];
    const std::string_view group = report.scenario.workloads[placement.attempt.workload].group;
    if (own.empty() || own.back() != group) own.push_back(group);
  }
  return groups;
}

/// An instance after the placements of the report.
class ReportedView : public placement::ProfileView {
 public:
  ReportedView(const InstanceProfile& profile, const InstanceState& state, const std::vector<std::string_view>& groups)
      : ProfileView(profile, &state, nullptr), groups_(groups) {}

  std::vector<std::string_view> task_groups() const override { return groups_; }

 private:
  const std::vector<std::string_view>& groups_;
};

std::vector<std::uint32_t> chosen_instances(const PlaceReport& report, const query::Expression* where) {
  std::vector<std::uint32_t> chosen(report.scenario.instances.size());
  std::iota(chosen.begin(), chosen.end(), 0);
  if (where == nullptr) return chosen;
  const auto groups = groups_by_instance(report);
  const auto fails = [&](std::uint32_t i) {
    return !where->holds(ReportedView(profile_of(report, i), report.outcome.instances[i], groups[i]));
  };
  chosen.erase(std::remove_if(chosen.begin(), chosen.end(), fails), chosen.end());
  return chosen;
}

/// `part` out of `whole`; a plain number is out of 1.
struct SortAmount {
  std::int64_t part = 0;
  std::int64_t whole = 1;
};

std::optional<SortAmount> share_in_use(std::int64_t registered, std::int64_t remaining) {
  if (registered <= 0) return std::nullopt;
  return SortAmount{registered - remaining, registered};
}

std::optional<SortAmount> amount_of(const PlaceReport& report, std::uint32_t instance, SortKey key) {
  const auto& profile = profile_of(report, instance);
  const auto& state = report.outcome.instances[instance];
  const bool has_gpus = !state.gpus.empty();
  const bool limits_interfaces = profile.network_interfaces < placement::kUnlimitedInterfaces;
  const auto where_known = [](bool known, std::int64_t number) {
    return known ? std::optional(SortAmount{number}) : std::nullopt;
  };
  switch (key) {
    case SortKey::kGpu:
      return where_known(has_gpus, static_cast<std::int64_t>(state.gpus.size()) - placement::idle_devices(state.gpus));
    case SortKey::kFreeGpu:
      return where_known(has_gpus, placement::idle_devices(state.gpus));
    case SortKey::kCpu:
      return share_in_use(profile.cpu, state.cpu);
    case SortKey::kMemory:
      return share_in_use(profile.memory, state.memory);
    case SortKey::kFreeCpu:
      return SortAmount{state.cpu};
    case SortKey::kFreeMemory:
      return SortAmount{state.memory};
    case SortKey::kEni:
      return where_known(limits_interfaces, profile.network_interfaces - state.network_interfaces);
    case SortKey::kFreeEni:
      return where_known(limits_interfaces, state.network_interfaces);
    case SortKey::kTasks:
      return SortAmount{state.tasks};
    case SortKey::kPrice:
      return where_known(profile.hourly_price.has_value(), profile.hourly_price.value_or(0));
    default:
      return std::nullopt;
  }
}

std::string_view key_text(const PlaceReport& report, std::uint32_t instance, SortKey key) {
  if (key == SortKey::kName) return report.scenario.instances[instance].id;
  const auto& profile = profile_of(report, instance);
  return key == SortKey::kType ? profile.instance_type : profile.availability_zone;
}

/// Below 0 when `a` comes before `b` in rising order; `missing`: one of the two is not known, whatever the order.
struct Ranked {
  int sign = 0;
  bool missing = false;
};

Ranked compare_known(bool a, bool b) {
  return {a == b ? 0 : (a ? -1 : 1), a != b};
}

Ranked compare_by(const PlaceReport& report, std::uint32_t a, std::uint32_t b, SortKey key) {
  if (!key_row(key).is_amount) {
    const auto left = key_text(report, a, key);
    const auto right = key_text(report, b, key);
    if (left.empty() || right.empty()) return compare_known(!left.empty(), !right.empty());
    return {natural_less(left, right) ? -1 : (natural_less(right, left) ? 1 : 0)};
  }
  const auto left = amount_of(report, a, key);
  const auto right = amount_of(report, b, key);
  if (!left || !right) return compare_known(left.has_value(), right.has_value());
  const std::int64_t difference = left->part * right->whole - right->part * left->whole;
  return {difference < 0 ? -1 : (difference > 0 ? 1 : 0)};
}

std::string sorting_words(const Sorting& sorting) {
  const auto& row = key_row(sorting.key);
  const std::string_view direction = row.is_amount ? (sorting.descending ? " (most first)" : " (least first)")
                                                   : (sorting.descending ? " (from the last)" : "");
  return std::string(row.name) + std::string(direction);
}

}  // namespace

std::span<const SortKeyRow> sort_keys() {
  return kSortKeys;
}

const InstanceProfile& profile_of(const PlaceReport& report, std::uint32_t instance) {
  return report.scenario.profiles[report.scenario.instances[instance].profile];
}

std::vector<std::uint32_t> viewed_instances(const PlaceReport& report, const ClusterView& view) {
  auto shown = chosen_instances(report, view.where.get());
  std::stable_sort(shown.begin(), shown.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const auto& sorting : view.sortings) {
      const auto ranked = compare_by(report, a, b, sorting.key);
      if (ranked.sign != 0) return (ranked.sign < 0) != (sorting.descending && !ranked.missing);
    }
    return false;
  });
  return shown;
}

void add_view_words(ReportDocument& document, const PlaceReport& report, const ClusterView& view, std::size_t shown) {
  if (!view.chooses()) return;
  const auto all = static_cast<std::int64_t>(report.scenario.instances.size());
  std::string words = view.where == nullptr ? count_of(all, "instance")
                                            : fmt::format("{} of {} shown, where {}", shown, count_of(all, "instance"),
                                                          view.where->print());
  std::vector<std::string> sortings;
  for (const auto& sorting : view.sortings) sortings.push_back(sorting_words(sorting));
  if (!sortings.empty()) words += ", sorted by " + join(sortings, ", then ");
  document.paragraph({.text = words, .tone = Tone::kFaint, .hanging = 2}, kTerminal);
  if (view.where == nullptr) return;
  for (const auto& doubt : view.where->doubts())
    document.paragraph({.text = "--where: " + doubt.message, .lead = "note", .lead_tone = Tone::kDoubtful}, kTerminal);
}

}  // namespace bayplan::report
