#include "report/place/gpu_slots.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/utf8.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kLetters = 26;
constexpr std::size_t kLongestLegendName = 30;
/// The palette of pictures and pages (svg/kind_marks.cpp) in the nearest of 256 colors: a family looks the same in all.
constexpr std::array<std::string_view, 7> kSlotColors = {"30;48;5;214", "30;48;5;74",  "30;48;5;36", "30;48;5;227",
                                                         "97;48;5;25",  "30;48;5;166", "30;48;5;175"};

std::string letter_of(const GpuSlot& slot) {
  if (slot.holder >= kLetters) return "*";
  return std::string(1, static_cast<char>((slot.is_odd ? 'a' : 'A') + static_cast<int>(slot.holder)));
}

}  // namespace

std::string_view name_of_group(std::string_view group) {
  for (const std::string_view prefix : {"service:", "family:"}) {
    if (group.starts_with(prefix)) return group.substr(prefix.size());
  }
  return group;
}

GpuSlots::GpuSlots(const PlaceReport& report, const std::vector<std::uint32_t>& instances, const Style& style,
                   const Glyphs& glyphs)
    : style_(style), glyphs_(glyphs) {
  const auto& workloads = report.scenario.workloads;
  for (std::size_t i = 0; i < workloads.size(); ++i) number_.try_emplace(workloads[i].name, i);
  next_number_ = workloads.size();
  collect(report, instances);
}

void GpuSlots::collect(const PlaceReport& report, const std::vector<std::uint32_t>& instances) {
  std::map<std::uint32_t, Tenants> tenants;
  for (const auto instance : instances) {
    const auto& devices = report.outcome.instances[instance].gpus;
    if (!devices.empty()) tenants[instance].resize(devices.size());
  }
  any_ = !tenants.empty();
  std::map<std::pair<std::uint32_t, std::string_view>, std::int64_t> counts;
  const auto move_in = [&](std::uint32_t instance, std::string_view name, const std::vector<std::uint32_t>& devices) {
    const auto own = tenants.find(instance);
    if (own == tenants.end() || devices.empty()) return;
    const auto ordinal = counts[{instance, name}]++;
    for (const auto device : devices) {
      if (device < own->second.size()) own->second[device].push_back({name, ordinal});
    }
  };
  for (const auto& task : report.scenario.running) move_in(task.instance, name_of_group(task.group), task.gpus);
  for (const auto& placement : report.outcome.placements) {
    if (placement.gpus.empty()) continue;
    const auto& workload = report.scenario.workloads[placement.attempt.workload];
    move_in(placement.instance, workload.name, list_devices(workload.requirement, placement.gpus));
  }
  for (const auto instance : instances) {
    const auto own = tenants.find(instance);
    if (own != tenants.end()) slots_[instance] = make_gpu_slots(report.outcome.instances[instance].gpus, own->second);
  }
}

std::vector<GpuSlot> GpuSlots::make_gpu_slots(const std::vector<GpuDevice>& devices, const Tenants& tenants) {
  std::vector<GpuSlot> slots(devices.size());
  const bool is_drawn = devices.size() <= kMostDrawnGpus;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].state == GpuState::kIdle) continue;
    const auto& own = tenants[i];
    slots[i].kind = own.empty()       ? GpuSlot::Kind::kUnknown
                    : own.size() == 1 ? GpuSlot::Kind::kTask
                                      : GpuSlot::Kind::kSeveral;
    if (slots[i].kind != GpuSlot::Kind::kTask || !is_drawn) continue;
    const auto [entry, is_new] = number_.try_emplace(own.front().name, next_number_);
    if (is_new) ++next_number_;
    shown_[entry->second] = own.front().name;
    slots[i].holder = entry->second;
    slots[i].is_odd = own.front().ordinal % 2 == 1;
  }
  return slots;
}

std::string GpuSlots::sign(const GpuSlot& slot) const {
  switch (slot.kind) {
    case GpuSlot::Kind::kFree:
      return std::string(glyphs_.slot_free);
    case GpuSlot::Kind::kSeveral:
      return std::string(glyphs_.slot_several);
    case GpuSlot::Kind::kUnknown:
      return std::string(glyphs_.slot_taken);
    case GpuSlot::Kind::kTask:
      break;
  }
  return letter_of(slot);
}

std::string GpuSlots::paint(const GpuSlot& slot) const {
  if (!style_.colored() || slot.kind != GpuSlot::Kind::kTask || slot.holder >= kLetters) return sign(slot);
  return fmt::format("\x1b[{}{}m{}\x1b[0m", slot.is_odd ? "4;" : "", kSlotColors[slot.holder % kSlotColors.size()],
                     sign(slot));
}

std::string GpuSlots::text(std::uint32_t instance) const {
  const auto found = slots_.find(instance);
  if (found == slots_.end()) return "-";
  const auto& slots = found->second;
  if (slots.size() > kMostDrawnGpus) {
    const auto free = std::count_if(slots.begin(), slots.end(),
                                    [](const GpuSlot& slot) { return slot.kind == GpuSlot::Kind::kFree; });
    return fmt::format("{} of {} free", free, slots.size());
  }
  std::string text;
  for (const auto& slot : slots) text += sign(slot);
  return text;
}

std::string GpuSlots::painted(std::uint32_t instance) const {
  const auto found = slots_.find(instance);
  if (found == slots_.end() || found->second.size() > kMostDrawnGpus) return text(instance);
  std::string text;
  for (const auto& slot : found->second) text += paint(slot);
  return text;
}

std::string GpuSlots::legend() const {
  bool has_free = false;
  bool has_several = false;
  bool has_unknown = false;
  bool has_odd = false;
  for (const auto& [instance, slots] : slots_) {
    if (slots.size() > kMostDrawnGpus) continue;
    for (const auto& slot : slots) {
      has_free |= slot.kind == GpuSlot::Kind::kFree;
      has_several |= slot.kind == GpuSlot::Kind::kSeveral;
      has_unknown |= slot.kind == GpuSlot::Kind::kUnknown;
      has_odd |= slot.is_odd;
    }
  }
  std::string lines;
  std::size_t column = 0;  // entries are not broken
  const auto add = [&](const GpuSlot& slot, const std::string& words) {
    const auto width = 2 + display_width(sign(slot)) + 1 + display_width(words);
    if (column > 0 && column + width > text_columns()) {
      lines += '\n';
      column = 0;
    }
    lines += "  " + paint(slot) + ' ' + words;
    column += width;
  };
  std::size_t others = 0;
  for (const auto& [number, name] : shown_) {
    if (number < kLetters) {
      add({GpuSlot::Kind::kTask, number, false}, cut_middle(printable(name), kLongestLegendName, glyphs_));
    } else {
      ++others;
    }
  }
  if (others > 0)
    add({GpuSlot::Kind::kTask, kLetters, false}, fmt::format("{} other name{}", others, others == 1 ? "" : "s"));
  if (has_free) add({GpuSlot::Kind::kFree, 0, false}, "free");
  if (has_several) add({GpuSlot::Kind::kSeveral, 0, false}, "shared by several tasks");
  if (has_unknown) add({GpuSlot::Kind::kUnknown, 0, false}, "in use, not said by whom");
  if (column > 0) lines += '\n';
  if (has_odd) lines += "  " + style_.dim("lowercase letters: the next task of the same name") + '\n';
  return lines;
}

}  // namespace bayplan::report
