#include "report/place/instance_columns.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using placement::InstanceProfile;
using placement::InstanceState;

namespace {

constexpr std::size_t kMostSlots = 8;  ///< A sign per GPU up to here.
constexpr std::size_t kRangesOfCell = 12;
constexpr std::size_t kLongestRange = 60;  ///< Columns: spread tasks have numbers with gaps, thousands of them.

std::string gpus_in_use(const std::vector<placement::GpuDevice>& devices) {
  return devices.empty() ? "-" : fmt::format("{} of {}", idle_devices(devices), devices.size());
}

std::string gpu_signs(const std::vector<placement::GpuDevice>& devices, const Glyphs& glyphs) {
  if (devices.empty()) return "-";
  const std::int64_t free = idle_devices(devices);
  if (devices.size() > kMostSlots) return fmt::format("{} of {} free", free, devices.size());
  std::string text;
  for (const auto& device : devices) {
    if (device.state == placement::GpuState::kIdle) {
      text += glyphs.slot_free;
    } else {
      const bool has_room = device.state == placement::GpuState::kNvidiaMps || device.remaining_fraction_millionths > 0;
      text += has_room ? glyphs.slot_shared : glyphs.slot_taken;
    }
  }
  return text + fmt::format(" {} free", free);
}

/// Used and registered, "2/14"; "-" if the number of registered ones is unknown.
std::string count_cell(const InstanceResource& resource, const InstanceProfile& profile, const InstanceState& state) {
  const auto registered = resource.registered(profile);
  if (registered.value_or(0) <= 0) return "-";
  return fmt::format("{}/{}", *registered - resource.remaining(state), *registered);
}

std::int64_t in_use(const InstanceResource& resource, const InstanceProfile& profile, const InstanceState& state) {
  return resource.registered(profile).value_or(0) - resource.remaining(state);
}

/// The state of the instance, then its tasks, of which a comment lists the first.
std::string tasks_in_comment(const PlaceReport& report, std::uint32_t instance,
                             std::span<const std::uint32_t> placements) {
  std::vector<std::string> parts;
  if (const auto state = instance_state_words(profile_of(report, instance)); !state.empty()) parts.emplace_back(state);
  auto ranges = tasks_on(report, instance, placements);
  // What ran before is one entry in front of the ranges and does not count as one.
  const bool has_running = report.outcome.instances[instance].tasks > static_cast<std::int64_t>(placements.size());
  const std::size_t most = kRangesOfCell + (has_running ? 1 : 0);
  const std::size_t all = ranges.size();
  ranges.resize(std::min(all, most));
  for (const auto& range : ranges) parts.push_back(cut(printable(range), kLongestRange, Glyphs{}));
  if (all > most) parts.push_back(fmt::format("and {} more", all - most));
  return join(parts, " ");
}

}  // namespace

std::vector<InstanceResource> shown_resources(const placement::Scenario& scenario) {
  using Cells = InstanceResource::Cells;
  using Amount = std::optional<std::int64_t>;
  std::vector<InstanceResource> all = {
      {"CPU", "CPU", "CPU", Cells::kLoad, [](const InstanceProfile& profile) -> Amount { return profile.cpu; },
       [](const InstanceState& state) -> std::int64_t { return state.cpu; }},
      {"MEMORY", "MEM", "memory", Cells::kLoad, [](const InstanceProfile& profile) -> Amount { return profile.memory; },
       [](const InstanceState& state) -> std::int64_t { return state.memory; }},
      {"GPU", "", "", Cells::kNone, [](const InstanceProfile& profile) -> Amount { return profile.gpu_count; },
       [](const InstanceState& state) -> std::int64_t { return idle_gpus(state.gpus); }},
      {"NEURON_DEVICE", "", "", Cells::kNone,
       [](const InstanceProfile& profile) -> Amount { return profile.neuron_devices; },
       [](const InstanceState& state) -> std::int64_t { return idle_neuron_devices(state.gpus); }, true},
      {"ENI", "ENI", "", Cells::kCount,
       [](const InstanceProfile& profile) -> Amount {
         if (profile.network_interfaces == placement::kUnlimitedInterfaces) return std::nullopt;
         return profile.network_interfaces;
       },
       [](const InstanceState& state) -> std::int64_t { return state.network_interfaces; }},
  };
  if (attaches_volumes(scenario)) {
    all.push_back({"EBS", "EBS", "", Cells::kCount,
                   [](const InstanceProfile& profile) -> Amount {
                     if (profile.ebs_attachments == placement::kUnlimitedAttachments) return std::nullopt;
                     return profile.ebs_attachments;
                   },
                   [](const InstanceState& state) -> std::int64_t { return free_attachments(state); }});
  }
  return all;
}

std::optional<std::size_t> InstanceTable::find(Role role) const {
  const auto found = std::find(roles.begin(), roles.end(), role);
  if (found == roles.end()) return std::nullopt;
  return static_cast<std::size_t>(found - roles.begin());
}

void InstanceTable::erase(std::size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  table.columns.erase(table.columns.begin() + at);
  for (auto& row : table.rows) row.cells.erase(row.cells.begin() + at);
  roles.erase(roles.begin() + at);
}

InstanceTable make_instance_table(const PlaceReport& report, std::vector<std::uint32_t> instances,
                                  InstanceTableKind kind, const Glyphs& glyphs, const GpuSlots* slots) {
  using Role = InstanceTable::Role;
  using Cells = InstanceResource::Cells;
  const auto& scenario = report.scenario;
  const bool is_first_screen = kind == InstanceTableKind::kFirstScreen;
  const bool is_wide = kind == InstanceTableKind::kWide;
  const bool is_comment = kind == InstanceTableKind::kComment;
  InstanceTable made{Table({}), {}, {}, std::move(instances)};
  auto& table = made.table;
  table.rows.resize(made.instances.size());

  const auto profile = [&](std::uint32_t i) -> const InstanceProfile& { return profile_of(report, i); };
  const auto state = [&](std::uint32_t i) -> const InstanceState& { return report.outcome.instances[i]; };
  const auto any = [&](auto holds) { return std::any_of(made.instances.begin(), made.instances.end(), holds); };
  const auto add = [&](bool is_shown, Column column, auto cell, Role role = Role::kNone) {
    if (!is_shown) return;
    table.columns.push_back(std::move(column));
    made.roles.push_back(role);
    for (std::size_t row = 0; row < made.instances.size(); ++row)
      table.rows[row].cells.push_back(cell(made.instances[row]));
  };
  // A comment escapes the texts of its cells itself.
  const auto name = [&](const std::string& text) { return is_comment ? text : printable(text); };
  const auto nothing = [](std::uint32_t) -> Cell { return ""; };

  add(
      true, "instance", [&](auto i) -> Cell { return name(scenario.instances[i].id); }, Role::kId);
  add(is_comment, "type", [&](auto i) -> Cell { return profile(i).instance_type; });
  add(is_comment, "zone", [&](auto i) -> Cell { return profile(i).availability_zone; });
  const auto zones = short_zones(scenario);
  const auto short_zone = [&](auto i) -> Cell {
    const auto& zone = profile(i).availability_zone;
    return zone.empty() ? std::string("-") : printable(zones.at(zone));
  };
  add(!is_comment && !zones.empty(), "az", short_zone, Role::kZone);

  const auto devices = device_words(scenario);
  add(is_comment, number_column(fmt::format("free {}", devices.plural)),
      [&](auto i) -> Cell { return gpus_in_use(state(i).gpus); });
  const bool has_gpus = any([&](auto i) { return !state(i).gpus.empty(); });
  add(is_first_screen && has_gpus, std::string(devices.heading),
      [&](auto i) -> Cell { return gpu_signs(state(i).gpus, glyphs); });
  const auto boxes = [&](auto i) {
    Cell cell(slots->text(i));
    cell.colored = slots->painted(i);
    return cell;
  };
  add(is_wide && slots != nullptr && slots->any(), std::string(devices.heading), boxes);

  for (const auto& resource : shown_resources(scenario)) {
    const bool is_load = resource.cells == Cells::kLoad;
    add(is_load && is_comment, number_column(std::string(resource.in_comment)), [&](auto i) -> Cell {
      return percent(in_use(resource, profile(i), state(i)), resource.registered(profile(i)).value_or(0));
    });
    add(is_load && !is_comment, std::string(resource.heading), nothing, Role::kLoad);
    if (is_load && !is_comment) made.in_bars.push_back(resource);
    add(resource.cells == Cells::kCount && is_wide, number_column(std::string(resource.heading)),
        [&](auto i) -> Cell { return count_cell(resource, profile(i), state(i)); });
  }
  const auto price = [&](std::string (*text)(MicroUsd)) {
    return [&profile, text](std::uint32_t i) -> Cell {
      const auto& hourly = profile(i).hourly_price;
      return hourly ? text(*hourly) : std::string("-");
    };
  };
  add(is_wide, number_column("$/h"), price(usd));
  add(is_wide, month_column(), price(monthly_cell));

  add(is_wide, number_column("tasks"), [&](auto i) -> Cell { return std::to_string(state(i).tasks); });
  add(is_first_screen, "tasks", nothing, Role::kTasks);
  if (is_comment) {
    const placement::PlacementsByInstance placements(report.outcome);
    add(
        true, "tasks", [&](auto i) -> Cell { return tasks_in_comment(report, i, placements[i]); }, Role::kTasks);
  }
  const auto state_words = [&](auto i) { return std::string(instance_state_words(profile(i))); };
  add(
      is_wide && any([&](auto i) { return !state_words(i).empty(); }), "",
      [&](auto i) -> Cell { return state_words(i); }, Role::kState);

  if (is_comment) return made;
  set_load_bars(made, report, glyphs, kBarWidth);
  for (std::size_t row = 0; row < made.instances.size(); ++row) {
    if (state_words(made.instances[row]).empty()) continue;
    for (auto& cell : table.rows[row].cells) cell.tone = Tone::kDoubtful;
  }
  return made;
}

void set_load_bars(InstanceTable& table, const PlaceReport& report, const Glyphs& glyphs, std::int64_t width) {
  for (std::size_t row = 0; row < table.instances.size(); ++row) {
    const auto& profile = profile_of(report, table.instances[row]);
    const auto& state = report.outcome.instances[table.instances[row]];
    const bool takes_tasks = instance_state_words(profile).empty();
    auto resource = table.in_bars.begin();
    for (std::size_t column = 0; column < table.roles.size(); ++column) {
      if (table.roles[column] != InstanceTable::Role::kLoad) continue;
      auto& cell = table.table.rows[row].cells[column];
      cell = load_cell(in_use(*resource, profile, state), resource->registered(profile).value_or(0), glyphs, width);
      if (!takes_tasks) cell.tone = Tone::kDoubtful;
      ++resource;
    }
  }
}

std::vector<std::string> tasks_on(const PlaceReport& report, std::uint32_t instance,
                                  std::span<const std::uint32_t> placements) {
  std::vector<std::string> tasks;
  const std::int64_t running = report.outcome.instances[instance].tasks - static_cast<std::int64_t>(placements.size());
  if (running > 0) tasks.push_back(fmt::format("{} running", running));
  std::vector<placement::PlacementAttempt> attempts;
  for (const auto placement : placements) attempts.push_back(report.outcome.placements[placement].attempt);
  for (auto& range : task_ranges(report.scenario, attempts)) tasks.push_back(std::move(range));
  return tasks;
}

}  // namespace bayplan::report
