#include "report/place/place_tables.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/figures.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kShownGroups = 40;
constexpr std::size_t kLongestGroupType = 20;
constexpr std::size_t kLongestGroupZone = 10;
constexpr std::size_t kTenths = 10;
/// Drawn one by one up to here; more free GPUs than this are one step of the histogram.
constexpr std::size_t kMostFree = 16;
constexpr std::int64_t kLongestBar = 40;

/// Instances by the tenth of their CPU that is in use; the last holds those that are full.
using CpuSteps = std::array<std::int64_t, kTenths>;
/// Instances by how many GPUs are free; kMostFree and more in the last.
using FreeSteps = std::array<std::int64_t, kMostFree + 1>;

struct GroupTotals {
  std::int64_t instances = 0;
  std::int64_t used = 0;
  Share cpu;
  Share memory;
  std::int64_t gpus = 0;
  std::int64_t gpus_free = 0;
  std::size_t most_gpus = 0;  ///< Largest number of GPUs on one instance.
  CpuSteps by_cpu{};
  FreeSteps by_free{};

  void add(const InstanceProfile& profile, const InstanceState& state) {
    ++instances;
    used += state.tasks > 0 ? 1 : 0;
    cpu = {cpu.reserved + profile.cpu - state.cpu, cpu.registered + profile.cpu};
    memory = {memory.reserved + profile.memory - state.memory, memory.registered + profile.memory};
    if (profile.cpu > 0) {
      const auto tenth = (profile.cpu - state.cpu) * static_cast<std::int64_t>(kTenths) / profile.cpu;
      ++by_cpu[static_cast<std::size_t>(std::clamp<std::int64_t>(tenth, 0, kTenths - 1))];
    }
    if (state.gpus.empty()) return;
    const auto free = static_cast<std::size_t>(idle_devices(state.gpus));
    gpus += static_cast<std::int64_t>(state.gpus.size());
    gpus_free += static_cast<std::int64_t>(free);
    most_gpus = std::max(most_gpus, state.gpus.size());
    ++by_free[std::min(free, kMostFree)];
  }
};

/// A sign a step, the highest for the most instances. Anything above nothing shows.
template <class Steps>
std::string steps_line(const Steps& steps, std::size_t count, const Glyphs& glyphs) {
  const auto most = *std::max_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count));
  const auto top = static_cast<std::int64_t>(glyphs.heights.size() - 1);
  std::string line;
  for (std::size_t i = 0; i < count; ++i) {
    const auto height = most == 0 ? 0 : (steps[i] * top + most - 1) / most;
    line += glyphs.heights[static_cast<std::size_t>(height)];
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

/// One row of a histogram.
struct Step {
  std::string label;
  std::int64_t instances = 0;
};

Table make_histogram(std::string heading, const std::vector<Step>& steps, const Glyphs& glyphs) {
  std::int64_t most = 1;
  for (const auto& step : steps) most = std::max(most, step.instances);
  Table table({number_column(std::move(heading)), number_column("instances"), ""});
  for (const auto& step : steps) {
    const auto length = (step.instances * kLongestBar + most - 1) / most;
    table.add({step.label, std::to_string(step.instances), repeated(glyphs.full, length)});
  }
  return table;
}

std::vector<Step> cpu_steps(const CpuSteps& steps) {
  std::vector<Step> rows;
  for (std::size_t i = 0; i < kTenths; ++i) {
    const std::size_t last = i + 1 == kTenths ? 100 : i * 10 + 9;
    rows.push_back({fmt::format("{}-{}%", i * 10, last), steps[i]});
  }
  return rows;
}

/// Up to the most GPUs of one instance.
std::vector<Step> free_steps(const FreeSteps& steps, std::size_t most_gpus) {
  std::vector<Step> rows;
  for (std::size_t i = 0; i <= std::min(most_gpus, kMostFree); ++i) {
    const bool is_open = i == kMostFree && most_gpus > kMostFree;
    rows.push_back({fmt::format("{}{}", i, is_open ? "+" : ""), steps[i]});
  }
  return rows;
}

struct NaturalPair {
  using Names = std::pair<std::string, std::string>;
  bool operator()(const Names& a, const Names& b) const {
    return a.first == b.first ? natural_less(a.second, b.second) : natural_less(a.first, b.first);
  }
};

/// Keyed by type and zone.
using TotalsByGroup = std::map<NaturalPair::Names, GroupTotals, NaturalPair>;

Table make_groups_table(const PlaceReport& report, const TotalsByGroup& groups, std::size_t most_gpus,
                        const Glyphs& glyphs) {
  const auto zones = short_zones(report.scenario);
  const auto drawn_gpus = std::min(most_gpus, kMostFree);
  Table table({"type"});
  if (!zones.empty()) table.columns.emplace_back("az");
  for (const char* heading : {"all", "used", "MEM", "CPU"}) table.columns.push_back(number_column(heading));
  table.columns.emplace_back("0 to 100%");
  if (most_gpus > 0) {
    table.columns.push_back(number_column(fmt::format("free {}", device_words(report.scenario).plural)));
    table.columns.emplace_back(fmt::format("0 to {}", drawn_gpus));
  }
  for (const auto& [names, totals] : groups) {
    std::vector<Cell> cells{cut_middle(printable(names.first), kLongestGroupType, glyphs)};
    if (!zones.empty()) {
      const auto zone = zones.find(names.second);
      cells.emplace_back(zone == zones.end() ? std::string("-")
                                             : cut_middle(printable(zone->second), kLongestGroupZone, glyphs));
    }
    cells.emplace_back(std::to_string(totals.instances));
    cells.emplace_back(std::to_string(totals.used));
    cells.emplace_back(percent(totals.memory.reserved, totals.memory.registered));
    cells.emplace_back(percent(totals.cpu.reserved, totals.cpu.registered));
    cells.emplace_back(steps_line(totals.by_cpu, kTenths, glyphs));
    if (most_gpus > 0) {
      cells.emplace_back(totals.gpus == 0 ? std::string("-") : fmt::format("{}/{}", totals.gpus_free, totals.gpus));
      cells.emplace_back(totals.gpus == 0 ? std::string() : steps_line(totals.by_free, drawn_gpus + 1, glyphs));
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace

void add_cluster_groups(ReportDocument& document, const PlaceReport& report,
                        const std::vector<std::uint32_t>& instances, const Glyphs& glyphs) {
  TotalsByGroup groups;
  GroupTotals all;
  for (const auto instance : instances) {
    const auto& profile = profile_of(report, instance);
    const auto& state = report.outcome.instances[instance];
    groups[{profile.instance_type, profile.availability_zone}].add(profile, state);
    all.add(profile, state);
  }
  document.table(make_groups_table(report, groups, all.most_gpus, glyphs),
                 {.text = kShownGroups, .noun = "types and zones", .how = "--where"});
  document.gap();
  document.table(make_histogram("CPU in use", cpu_steps(all.by_cpu), glyphs));
  if (all.most_gpus == 0) return;
  document.gap();
  document.table(make_histogram(fmt::format("free {}", device_words(report.scenario).plural),
                                free_steps(all.by_free, all.most_gpus), glyphs));
}

}  // namespace bayplan::report
