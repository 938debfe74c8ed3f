#include "report/svg/group_boxes.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/figures.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {
namespace {

constexpr std::int64_t kInset = 8;
constexpr std::int64_t kBarsX = kInset + 30;
constexpr std::int64_t kBarsWidth = kGroupBox.width - 2 * kInset - 30 - 70;
constexpr std::int64_t kChartTop = 98;
constexpr std::int64_t kChartHeight = 26;
constexpr std::int64_t kMostGpuBins = 16;
constexpr std::int64_t kDigitWidth = 6;

void add_use(std::vector<FramedUse>& uses, const FramedUse& more) {
  const auto at = std::lower_bound(uses.begin(), uses.end(), more.kind,
                                   [](const FramedUse& use, std::uint32_t kind) { return use.kind < kind; });
  auto& use = at != uses.end() && at->kind == more.kind ? *at : *uses.emplace(at);
  use.kind = more.kind;
  use.tasks += more.tasks;
  use.cpu += more.cpu;
  use.memory += more.memory;
  use.gpus += more.gpus;
}

void count_in(PicturedGroup& group, const placement::InstanceProfile& profile, const FramedInstance& one) {
  ++group.instances;
  group.with_tasks += tasks_on(one) > 0 ? 1 : 0;
  group.closed += one.state.empty() ? 0 : 1;
  for (const auto& use : one.uses) add_use(group.uses, use);
  group.cpu += profile.cpu;
  group.memory += profile.memory;
  const auto gpus = static_cast<std::int64_t>(one.gpus.size());
  group.gpus += gpus;
  group.is_neuron = profile.neuron_devices > 0;
  group.free_gpus += free_gpus_on(one);
  group.most_gpus = std::max(group.most_gpus, gpus);
  ++group.by_free_gpus[free_gpus_on(one)];
  const CpuUnits taken = std::min(cpu_taken(one), profile.cpu);
  ++group.by_cpu_tenth[profile.cpu <= 0 ? 0 : (taken * 10 + profile.cpu - 1) / profile.cpu];
}

/// What the bars of a histogram count.
struct Bins {
  std::vector<std::int64_t> counts;
  std::string name;   ///< What is counted.
  std::string first;  ///< Label of the first bin, as the next.
  std::string last;
};

Bins bins_of(const PicturedGroup& group) {
  if (group.gpus == 0) {
    Bins bins{std::vector<std::int64_t>(11), "instances by CPU reserved", "0%", "100%"};
    for (const auto& [tenth, count] : group.by_cpu_tenth) bins.counts[static_cast<std::size_t>(tenth)] += count;
    return bins;
  }
  const std::int64_t most = std::min(group.most_gpus, kMostGpuBins);
  Bins bins{std::vector<std::int64_t>(static_cast<std::size_t>(most) + 1),
            group.is_neuron ? "instances by free Neuron devices" : "instances by free GPUs", "0",
            std::to_string(most) + (group.most_gpus > most ? "+" : "")};
  for (const auto& [free, count] : group.by_free_gpus)
    bins.counts[static_cast<std::size_t>(std::min(free, most))] += count;
  return bins;
}

void draw_histogram(SvgWriter& svg, const Bins& bins) {
  const auto number = static_cast<std::int64_t>(bins.counts.size());
  const std::int64_t pitch = (kGroupBox.width - 2 * kInset) / number;
  const std::int64_t most = *std::max_element(bins.counts.begin(), bins.counts.end());
  const std::int64_t bottom = kChartTop + kChartHeight;
  for (std::int64_t i = 0; i < number; ++i) {
    const std::int64_t count = bins.counts[static_cast<std::size_t>(i)];
    const std::int64_t height = most == 0 ? 0 : (count * kChartHeight + most - 1) / most;
    const std::int64_t x = kInset + i * pitch;
    svg.box("track", x, bottom, pitch - 2, 1);
    if (count == 0) continue;
    svg.box("bin", x, bottom - height, pitch - 2, height);
    const auto digits = std::to_string(count);
    if (static_cast<std::int64_t>(digits.size()) * kDigitWidth <= pitch)
      svg.text("small", x, bottom - height - 2, digits);
  }
  const std::int64_t base = bottom + 13;
  svg.text("small dim", kInset, base, bins.first);
  svg.text("small dim", kInset + 40, base, bins.name);
  svg.text_to("small dim", kInset + number * pitch - 2, base, bins.last);
}

std::string counts_line(const PicturedGroup& group) {
  std::string text = count_of(group.instances, "instance") + fmt::format(", {} with tasks", group.with_tasks);
  return group.closed == 0 ? text : text + fmt::format(", {} closed", group.closed);
}

std::string tasks_line(const ClusterPicture& picture, const PicturedGroup& group) {
  std::vector<std::string> parts;
  for (const auto& use : group.uses) {
    parts.push_back(use.kind == kUnlisted ? fmt::format("{} running", use.tasks)
                                          : fmt::format("{} {}", use.tasks, picture.kinds[use.kind].name));
  }
  constexpr std::size_t kNamed = 20;
  const std::size_t all = parts.size();
  parts.resize(std::min(kNamed, all));
  return parts.empty() ? "no tasks"
                       : join(parts, ", ") + (all > kNamed ? fmt::format(" and {} more", all - kNamed) : "");
}

std::string make_title(const ClusterPicture& picture, const PicturedGroup& group, const Bins& bins) {
  std::string text = group.instance_type.empty() ? "instances" : group.instance_type;
  if (!group.zone.empty()) text += ", " + group.zone;
  text += ": " + counts_line(group) + "; " + tasks_line(picture, group) + "; " + bins.name + ":";
  for (std::size_t i = 0; i < bins.counts.size(); ++i) {
    if (bins.counts[i] > 0)
      text += fmt::format(" {}{}:{}", i * (group.gpus == 0 ? 10 : 1), group.gpus == 0 ? "%" : "", bins.counts[i]);
  }
  return text;
}

}  // namespace

std::vector<PicturedGroup> list_groups(const ClusterPicture& picture, const std::vector<FramedInstance>& frame) {
  const auto less = [](const std::pair<std::string, std::string>& a, const std::pair<std::string, std::string>& b) {
    return a.first != b.first ? zone_less(a.first, b.first) : natural_less(a.second, b.second);
  };
  std::map<std::pair<std::string, std::string>, PicturedGroup, decltype(less)> groups(less);
  for (const auto& one : frame) {
    const auto& profile = profile_of(picture, one);
    auto& group = groups[{profile.availability_zone, profile.instance_type}];
    group.zone = profile.availability_zone;
    group.instance_type = profile.instance_type;
    count_in(group, profile, one);
  }
  std::vector<PicturedGroup> list;
  for (auto& [name, group] : groups) list.push_back(std::move(group));
  return list;
}

void draw_group(SvgWriter& svg, const ClusterPicture& picture, const KindMarks& marks, const PicturedGroup& group,
                std::int64_t x, std::int64_t y) {
  const auto bins = bins_of(group);
  svg.open_group(x, y, make_title(picture, group, bins));
  svg.box("instance", 0, 0, kGroupBox.width, kGroupBox.height, 4);
  svg.text("name", kInset, 17,
           cut(printable(group.instance_type.empty() ? "no type" : group.instance_type), 37, Glyphs{}));
  svg.text("small dim", kInset, 31, counts_line(group));
  std::vector<BarPart> cpu;
  std::vector<BarPart> memory;
  std::vector<BarPart> gpus;
  BarPart sum;
  std::int64_t memory_sum = 0;
  for (const auto& use : group.uses) {
    cpu.push_back({use.kind, 0, use.cpu});
    memory.push_back({use.kind, 0, use.memory});
    gpus.push_back({use.kind, 0, use.gpus});
    sum.amount += use.cpu;
    memory_sum += use.memory;
  }
  const auto row = [&](std::string_view label, const std::vector<BarPart>& parts, std::int64_t whole,
                       const std::string& words, std::int64_t top) {
    svg.text("small dim", kInset, top + 9, label);
    draw_bar(svg, marks, parts, whole, kBarsX, top, {kBarsWidth, 9});
    svg.text_to("small", kGroupBox.width - kInset, top + 9, words);
  };
  row("CPU", cpu, group.cpu, percent(sum.amount, group.cpu), 40);
  row("MEM", memory, group.memory, percent(memory_sum, group.memory), 54);
  if (group.gpus > 0)
    row(group.is_neuron ? "Neuron" : "GPU", gpus, group.gpus, fmt::format("{} free", group.free_gpus), 68);
  draw_histogram(svg, bins);
  svg.close_group();
}

}  // namespace bayplan::report
