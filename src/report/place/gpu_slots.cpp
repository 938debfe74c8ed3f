#include "report/place/gpu_slots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kLetters = 26;
constexpr std::size_t kLongestLegendName = 30;
/// Of two tasks in turn: on green, yellow, blue, magenta, cyan, and on the bright ones. Red is for what is wrong.
constexpr std::array<std::array<std::string_view, 2>, 5> kSlotColors = {
    {{"30;42", "30;102"}, {"30;43", "30;103"}, {"97;44", "30;104"}, {"30;45", "30;105"}, {"30;46", "30;106"}}};

std::string letter_of(const GpuSlot& slot) {
  if (slot.holder >= kLetters) return "*";
  return std::string(1, static_cast<char>((slot.is_odd ? 'a' : 'A') + static_cast<int>(slot.holder)));
}

/// Lines of entries, none of them broken; `width` of each is what it takes on the screen.
class LegendLines {
 public:
  explicit LegendLines(std::ostream& out) : out_(out) {}

  void add(const std::string& text, std::size_t width) {
    if (column_ > 0 && column_ + 2 + width > text_columns()) end();
    out_ << "  " << text;
    column_ += 2 + width;
  }
  void end() {
    if (column_ > 0) out_ << '\n';
    column_ = 0;
  }

 private:
  std::ostream& out_;
  std::size_t column_ = 0;
};

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
    move_in(placement.instance, workload.name, devices_of(workload.requirement, placement.gpus));
  }
  for (const auto instance : instances) {
    const auto own = tenants.find(instance);
    if (own != tenants.end()) slots_[instance] = slots_of(report.outcome.instances[instance].gpus, own->second);
  }
}

std::vector<GpuSlot> GpuSlots::slots_of(const std::vector<GpuDevice>& devices, const Tenants& tenants) {
  std::vector<GpuSlot> slots(devices.size());
  const bool is_drawn = devices.size() <= kMostDrawnGpus;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].state == GpuState::kIdle) continue;
    const auto& own = tenants[i];
    slots[i].kind = own.empty()       ? GpuSlot::Kind::kUnknown
                    : own.size() == 1 ? GpuSlot::Kind::kTask
                                      : GpuSlot::Kind::kSeveral;
    if (slots[i].kind != GpuSlot::Kind::kTask || !is_drawn) continue;
    const auto [entry, is_new] = number_.try_emplace(own.front().name, names_.size());
    if (is_new) names_.push_back(own.front().name);
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
  const auto color = kSlotColors[slot.holder % kSlotColors.size()][slot.is_odd ? 1 : 0];
  return fmt::format("\x1b[{}m{}\x1b[0m", color, sign(slot));
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

void GpuSlots::write_legend(std::ostream& out) const {
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
  LegendLines lines(out);
  const auto add = [&](const GpuSlot& slot, const std::string& words) {
    lines.add(paint(slot) + ' ' + words, display_width(sign(slot)) + 1 + display_width(words));
  };
  const std::size_t lettered = std::min(names_.size(), kLetters);
  for (std::size_t i = 0; i < lettered; ++i)
    add({GpuSlot::Kind::kTask, i, false}, cut_middle(printable(names_[i]), kLongestLegendName, glyphs_));
  if (names_.size() > kLetters)
    add({GpuSlot::Kind::kTask, kLetters, false}, fmt::format("{} other names", names_.size() - kLetters));
  if (has_free) add({GpuSlot::Kind::kFree, 0, false}, "free");
  if (has_several) add({GpuSlot::Kind::kSeveral, 0, false}, "shared by several tasks");
  if (has_unknown) add({GpuSlot::Kind::kUnknown, 0, false}, "in use, not said by whom");
  lines.end();
  if (has_odd) out << "  " << style_.dim("small letters: the next task of the same name") << '\n';
}

}  // namespace bayplan::report
