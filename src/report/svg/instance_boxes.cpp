#include "report/svg/instance_boxes.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/figures.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {
namespace {

__extension__ using WideTenths = __int128;

constexpr std::size_t kMostLargeBoxes = 60;
constexpr std::size_t kSlotsInRow = 8;
constexpr std::size_t kMostSlotsDrawn = 32;  ///< Above that, a number is easier to read.
constexpr std::int64_t kPadding = 7;
constexpr std::int64_t kNarrowestTask = 40;  ///< Tenths of a pixel: narrower ones are not shown apart.
constexpr std::size_t kNamedInTitle = 20;
constexpr std::size_t kLongestInTitle = 60;  ///< Columns: spread tasks have numbers with gaps, thousands of them.

std::size_t slot_rows(const std::vector<FramedInstance>& frame) {
  std::size_t most = 0;
  for (const auto& one : frame) most = std::max(most, one.gpus.size());
  return most > kMostSlotsDrawn ? 1 + kMostSlotsDrawn / kSlotsInRow : (most + kSlotsInRow - 1) / kSlotsInRow;
}

MiB memory_taken(const FramedInstance& one) {
  MiB sum = 0;
  for (const auto& use : one.uses) sum += use.memory;
  return sum;
}

/// The kind that a device is drawn as: `kUnlisted` also for one that several kinds share.
std::uint32_t holder(const std::vector<std::uint32_t>& kinds) {
  return kinds.size() == 1 ? kinds.front() : kUnlisted;
}

/// "web#1-3", or "2 of web:3" of those that ran before.
std::string words_of(const ClusterPicture& picture, const FramedUse& use) {
  if (use.kind == kUnlisted) return use.tasks == 0 ? "reserved before" : fmt::format("{} running", use.tasks);
  const auto& kind = picture.kinds[use.kind];
  return kind.ran_before ? fmt::format("{} of {}", use.tasks, kind.name) : kind.name + "#" + number_ranges(use.numbers);
}

}  // namespace

const InstanceBoxes::Layout InstanceBoxes::kLarge{.width = 210,
                                                  .name_columns = 27,
                                                  .type_columns = 32,
                                                  .name_y = 17,
                                                  .type_y = 31,
                                                  .bars_y = 40,
                                                  .bar_height = 9,
                                                  .bar_pitch = 14,
                                                  .bar_x = 30,
                                                  .bar_width = 128,
                                                  .slots_y = 68,
                                                  .slot = 13,
                                                  .slot_pitch = 15,
                                                  .has_labels = true,
                                                  .name_style = "name"};
const InstanceBoxes::Layout InstanceBoxes::kSmall{.width = 134,
                                                  .name_columns = 20,
                                                  .type_columns = 20,
                                                  .name_y = 13,
                                                  .type_y = 24,
                                                  .bars_y = 19,
                                                  .bar_height = 5,
                                                  .bar_pitch = 7,
                                                  .bar_x = 0,
                                                  .bar_width = 120,
                                                  .slots_y = 34,
                                                  .slot = 11,
                                                  .slot_pitch = 13,
                                                  .has_labels = false,
                                                  .name_style = "small"};

void draw_bar(SvgWriter& svg, const KindMarks& marks, const std::vector<BarPart>& parts, std::int64_t whole,
              std::int64_t x, std::int64_t y, BoxSize size) {
  svg.box("track", x, y, size.width, size.height);
  if (whole <= 0) return;
  const std::int64_t full = size.width * 10;
  std::int64_t sum = 0;
  std::int64_t begin = 0;
  std::string between;
  for (const auto& part : parts) {
    if (part.amount <= 0 || begin >= full) continue;
    sum += part.amount;
    // Whatever takes anything is seen.
    const auto exact = static_cast<std::int64_t>(static_cast<WideTenths>(std::min(sum, whole)) * full / whole);
    const std::int64_t end = std::min(full, std::max(begin + 10, exact));
    svg.bar(marks.of(part.kind).style, x * 10 + begin, y, end - begin, size.height);
    if (part.tasks > 1 && (end - begin) / part.tasks >= kNarrowestTask) {
      for (std::int64_t i = 1; i < part.tasks; ++i) {
        between +=
            fmt::format("M{} {}v{}", from_tenths(x * 10 + begin + (end - begin) * i / part.tasks), y, size.height);
      }
    }
    begin = end;
    if (begin < full) between += fmt::format("M{} {}v{}", from_tenths(x * 10 + begin), y, size.height);
  }
  if (!between.empty()) svg.path("between", between);
}

InstanceBoxes::InstanceBoxes(const ClusterPicture& picture, const std::vector<FramedInstance>& frame,
                             const KindMarks& marks)
    : picture_(picture), marks_(marks), layout_(frame.size() <= kMostLargeBoxes ? kLarge : kSmall) {
  // Ids that begin with the type say it already.
  has_second_line_ = layout_.has_labels || std::any_of(frame.begin(), frame.end(), [&](const FramedInstance& one) {
                       return !one.state.empty() ||
                              !picture.instances[one.instance].id.starts_with(profile_of(picture, one).instance_type);
                     });
  const std::int64_t lower = has_second_line_ && !layout_.has_labels ? layout_.type_y - layout_.name_y : 0;
  bars_y_ = layout_.bars_y + lower;
  slots_y_ = layout_.slots_y + lower;
  const auto rows = static_cast<std::int64_t>(slot_rows(frame));
  size_ = {layout_.width, slots_y_ + rows * layout_.slot_pitch + (rows > 0 ? 3 : 0)};
}

std::string InstanceBoxes::second_line(const FramedInstance& one) const {
  const auto& type = profile_of(picture_, one).instance_type;
  if (!layout_.has_labels) return type;
  const auto tasks = count_of(tasks_on(one), "task");
  return picture_.instances[one.instance].id.starts_with(type) ? tasks : type + ", " + tasks;
}

void InstanceBoxes::draw(SvgWriter& svg, const FramedInstance& one, std::int64_t x, std::int64_t y) const {
  const auto columns = static_cast<std::size_t>(layout_.type_columns);
  svg.open_group(x, y, title(one));
  svg.box(one.state.empty() ? "instance" : "instance closed", 0, 0, size_.width, size_.height, 4);
  svg.text(layout_.name_style, kPadding, layout_.name_y,
           cut_middle(printable(picture_.instances[one.instance].id), static_cast<std::size_t>(layout_.name_columns),
                      Glyphs{}));
  if (!one.state.empty()) {
    svg.text("small alert", kPadding, layout_.type_y, cut(one.state, columns, Glyphs{}));
  } else if (has_second_line_) {
    svg.text("small dim", kPadding, layout_.type_y, cut(printable(second_line(one)), columns, Glyphs{}));
  }
  draw_uses(svg, one);
  draw_slots(svg, one);
  svg.close_group();
}

void InstanceBoxes::draw_uses(SvgWriter& svg, const FramedInstance& one) const {
  const auto& profile = profile_of(picture_, one);
  std::vector<BarPart> cpu;
  std::vector<BarPart> memory;
  for (const auto& use : one.uses) {
    // Nobody knows which of the unlisted takes how much.
    const std::int64_t tasks = use.kind == kUnlisted ? 0 : use.tasks;
    cpu.push_back({use.kind, tasks, use.cpu});
    memory.push_back({use.kind, tasks, use.memory});
  }
  const auto row = [&](std::string_view label, const std::vector<BarPart>& parts, std::int64_t taken,
                       std::int64_t whole, std::int64_t y) {
    draw_bar(svg, marks_, parts, whole, kPadding + layout_.bar_x, y, {layout_.bar_width, layout_.bar_height});
    if (!layout_.has_labels) return;
    svg.text("small dim", kPadding, y + layout_.bar_height, label);
    svg.text_to("small", size_.width - kPadding, y + layout_.bar_height, percent(taken, whole));
  };
  row("CPU", cpu, cpu_taken(one), profile.cpu, bars_y_);
  row("MEM", memory, memory_taken(one), profile.memory, bars_y_ + layout_.bar_pitch);
}

void InstanceBoxes::draw_slots(SvgWriter& svg, const FramedInstance& one) const {
  if (one.gpus.empty()) return;
  const std::int64_t x = kPadding + layout_.bar_x;
  const std::int64_t free = free_gpus_on(one);
  if (layout_.has_labels)
    svg.text("small dim", kPadding, slots_y_ + layout_.slot - 3,
             profile_of(picture_, one).neuron_devices > 0 ? "NRN" : "GPU");
  if (one.gpus.size() > kMostSlotsDrawn) {
    svg.text("small", x, slots_y_ + layout_.slot - 3, fmt::format("{} of {} free", free, one.gpus.size()));
    return;
  }
  if (layout_.has_labels) {
    svg.text_to("small", size_.width - kPadding, slots_y_ + layout_.slot - 3, fmt::format("{} free", free));
  }
  draw_devices(svg, one);
  draw_letters(svg, one);
}

std::int64_t InstanceBoxes::slot_x(std::size_t device) const {
  return kPadding + layout_.bar_x + static_cast<std::int64_t>(device % kSlotsInRow) * layout_.slot_pitch;
}

std::int64_t InstanceBoxes::slot_y(std::size_t device) const {
  return slots_y_ + static_cast<std::int64_t>(device / kSlotsInRow) * layout_.slot_pitch;
}

/// One path for all devices that look alike.
void InstanceBoxes::draw_devices(SvgWriter& svg, const FramedInstance& one) const {
  std::map<std::string, std::string> outlines;
  for (std::size_t i = 0; i < one.gpus.size(); ++i) {
    const auto& kinds = one.gpus[i];
    outlines[kinds.empty() ? "free" : marks_.of(holder(kinds)).style] +=
        fmt::format("M{} {}h{}v{}h-{}z", slot_x(i), slot_y(i), layout_.slot, layout_.slot, layout_.slot);
  }
  for (const auto& [style, outline] : outlines) svg.path(style, outline);
}

void InstanceBoxes::draw_letters(SvgWriter& svg, const FramedInstance& one) const {
  for (std::size_t row = 0; row < one.gpus.size(); row += kSlotsInRow) {
    for (const bool pale : {false, true}) {
      std::string letters;
      std::vector<std::int64_t> xs;
      for (std::size_t i = row; i < std::min(one.gpus.size(), row + kSlotsInRow); ++i) {
        const auto& kinds = one.gpus[i];
        if (kinds.empty() || kinds == std::vector<std::uint32_t>{kUnlisted}) continue;
        const auto& mark = marks_.of(holder(kinds));
        if (mark.pale != pale) continue;
        letters += kinds.size() > 1 ? '*' : mark.letter;
        xs.push_back(slot_x(i) + layout_.slot / 2);
      }
      if (!letters.empty()) svg.letters(pale ? "mark pale" : "mark", xs, slot_y(row) + layout_.slot - 3, letters);
    }
  }
}

std::string InstanceBoxes::title(const FramedInstance& one) const {
  const auto& profile = profile_of(picture_, one);
  std::string text = picture_.instances[one.instance].id;
  if (!profile.instance_type.empty()) text += ", " + profile.instance_type;
  if (!profile.availability_zone.empty()) text += ", " + profile.availability_zone;
  if (!one.state.empty()) text += ", " + std::string(one.state);
  text += fmt::format(": CPU {}, memory {}", percent(cpu_taken(one), profile.cpu),
                      percent(memory_taken(one), profile.memory));
  if (!one.gpus.empty())
    text += fmt::format(", {} of {} {} free", free_gpus_on(one), one.gpus.size(),
                        profile.neuron_devices > 0 ? "Neuron devices" : "GPUs");
  std::vector<std::string> tasks;
  for (const auto& use : one.uses) {
    if (tasks.size() == kNamedInTitle) break;
    tasks.push_back(cut(printable(words_of(picture_, use)), kLongestInTitle, Glyphs{}));
  }
  const std::size_t all = one.uses.size();
  text += "; " + (tasks.empty() ? std::string("no tasks") : join(tasks, ", "));
  if (all > tasks.size()) text += fmt::format(" and {} more", all - tasks.size());
  return text;
}

}  // namespace bayplan::report
