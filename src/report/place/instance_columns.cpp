#include "report/place/instance_columns.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_json_parts.hpp"
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
std::string count_cell(const InstanceResource& resource, const InstanceRow& row) {
  const auto registered = resource.registered(row.profile);
  if (registered.value_or(0) <= 0) return "-";
  return fmt::format("{}/{}", *registered - resource.remaining(row.state), *registered);
}

std::int64_t in_use(const InstanceResource& resource, const InstanceProfile& profile, const InstanceState& state) {
  return resource.registered(profile).value_or(0) - resource.remaining(state);
}

/// The state of the instance, then its tasks, of which a comment lists the first.
std::string tasks_in_comment(const InstanceRow& row) {
  std::vector<std::string> parts;
  if (const auto state = instance_state_words(row.profile); !state.empty()) parts.emplace_back(state);
  auto ranges = tasks_on(row.report, row.instance, row.placements);
  // What ran before is one entry in front of the ranges and does not count as one.
  const bool has_running = row.state.tasks > static_cast<std::int64_t>(row.placements.size());
  const std::size_t most = kRangesOfCell + (has_running ? 1 : 0);
  const std::size_t all = ranges.size();
  ranges.resize(std::min(all, most));
  for (const auto& range : ranges) parts.push_back(cut(printable(range), kLongestRange, Glyphs{}));
  if (all > most) parts.push_back(fmt::format("and {} more", all - most));
  return join(parts, " ");
}

/// What is registered and remaining of each resource; null where it is unlimited or not known.
void write_resources(JsonWriter& json, const std::vector<InstanceResource>& resources, const InstanceRow& row) {
  const auto write = [&](std::string_view key, bool is_remaining) {
    json.key(key).begin_object(JsonWriter::Layout::kLine);
    for (const auto& one : resources) {
      const auto registered = one.registered(row.profile);
      if (one.omits_none && registered == 0) continue;
      json.key(one.json);
      registered ? json.value(is_remaining ? one.remaining(row.state) : *registered) : json.null();
    }
  };
  write("registered", false);
  json.end_object();
  write("remaining", true);
  write_list(json, "TCP", row.state.tcp_ports);
  write_list(json, "UDP", row.state.udp_ports);
  json.end_object();
}

void write_gpus(JsonWriter& json, const InstanceRow& row) {
  const auto& scenario = row.report.scenario;
  const auto& devices = row.state.gpus;
  json.key("gpus").begin_array();
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const auto memory = gpu_memory(row.profile, devices[device]);
    json.begin_object(JsonWriter::Layout::kLine).member("id", gpu_id(scenario, row.instance, device));
    json.member("state", placement::name_of(devices[device].state));
    json.key("memory");
    memory.total > 0 ? json.value(memory.total) : json.null();
    json.key("remainingMemory");
    memory.total > 0 ? json.value(memory.remaining) : json.null();
    json.key("tasks").begin_array(JsonWriter::Layout::kLine);
    for (const auto& task : scenario.running_on(row.instance)) {
      if (std::find(task.gpus.begin(), task.gpus.end(), device) != task.gpus.end()) json.value(task.id);
    }
    for (const auto index : row.placements) {
      const auto& placed = row.report.outcome.placements[index];
      if (placement::uses_device(placed, device)) json.value(task_id(scenario, placed.attempt));
    }
    json.end_array().end_object();
  }
  json.end_array();
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

InstanceRow::InstanceRow(const PlaceReport& of, std::uint32_t index, const placement::PlacementsByInstance& by_instance)
    : report(of),
      instance(index),
      profile(profile_of(of, index)),
      state(of.outcome.instances[index]),
      placements(by_instance[index]) {}

std::vector<InstanceColumn> instance_columns(const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                                             InstanceTableKind kind, const Glyphs& glyphs, const GpuSlots* slots) {
  using Role = InstanceTable::Role;
  using Cells = InstanceResource::Cells;
  using Row = const InstanceRow&;
  const auto& scenario = report.scenario;
  const bool is_first_screen = kind == InstanceTableKind::kFirstScreen;
  const bool is_wide = kind == InstanceTableKind::kWide;
  const bool is_comment = kind == InstanceTableKind::kComment;
  const bool is_terminal = is_first_screen || is_wide;
  const auto any = [&](auto holds) { return std::any_of(instances.begin(), instances.end(), holds); };
  const bool has_gpus = any([&](auto i) { return !report.outcome.instances[i].gpus.empty(); });
  const bool has_states = any([&](auto i) { return !instance_state_words(profile_of(report, i)).empty(); });
  const auto devices = device_words(scenario);
  const auto zones = short_zones(scenario);
  const auto resources = shown_resources(scenario);
  // A comment escapes the texts of its cells itself.
  const auto id = [is_comment](Row row) -> Cell {
    const auto& text = row.report.scenario.instances[row.instance].id;
    return is_comment ? text : printable(text);
  };
  const auto short_zone = [zones](Row row) -> Cell {
    const auto& zone = row.profile.availability_zone;
    return zone.empty() ? std::string("-") : printable(zones.at(zone));
  };
  const auto boxes = [slots](Row row) {
    Cell cell(slots->text(row.instance));
    cell.colored = slots->painted(row.instance);
    return cell;
  };
  const auto price = [](std::string (*text)(MicroUsd)) {
    return [text](Row row) -> Cell { return row.profile.hourly_price ? text(*row.profile.hourly_price) : "-"; };
  };

  std::vector<InstanceColumn> all;
  const auto add = [&](bool is_shown, Column column, auto cell, Role role = Role::kNone) -> InstanceColumn& {
    return all.emplace_back(InstanceColumn{{}, is_shown, std::move(column), std::move(cell), role});
  };
  const auto add_member = [&](std::function<void(JsonWriter&, Row)> json) {
    add(false, "", nullptr).json = std::move(json);
  };
  add(true, "instance", id, Role::kId).json = [](JsonWriter& json, Row row) {
    json.member("id", row.report.scenario.instances[row.instance].id);
  };
  add(is_comment, "type", [](Row row) -> Cell { return row.profile.instance_type; }).json =
      [](JsonWriter& json, Row row) { json.member("instanceType", row.profile.instance_type); };
  add(is_comment, "zone", [](Row row) -> Cell { return row.profile.availability_zone; }).json =
      [](JsonWriter& json, Row row) { write_zone(json, row.profile); };
  add(is_terminal && !zones.empty(), "az", short_zone, Role::kZone);
  add_member([](JsonWriter& json, Row row) { json.member("status", placement::name_of(row.profile.status)); });

  add(is_comment, number_column(fmt::format("free {}", devices.plural)),
      [](Row row) -> Cell { return gpus_in_use(row.state.gpus); });
  add(is_first_screen && has_gpus, std::string(devices.heading),
      [glyphs](Row row) -> Cell { return gpu_signs(row.state.gpus, glyphs); });
  add(is_wide && slots != nullptr && slots->any(), std::string(devices.heading), boxes);
  for (const auto& resource : resources) {
    const bool is_load = resource.cells == Cells::kLoad;
    add(is_load && is_comment, number_column(std::string(resource.in_comment)), [resource](Row row) -> Cell {
      return percent(in_use(resource, row.profile, row.state), resource.registered(row.profile).value_or(0));
    });
    add(is_load && is_terminal, std::string(resource.heading), nullptr, Role::kLoad);
    add(resource.cells == Cells::kCount && is_wide, number_column(std::string(resource.heading)),
        [resource](Row row) -> Cell { return count_cell(resource, row); });
  }
  add_member([resources](JsonWriter& json, Row row) { write_resources(json, resources, row); });

  add(is_wide, number_column("$/h"), price(usd));
  add(is_wide, month_column(), price(monthly_cell));
  add(is_wide, number_column("tasks"), [](Row row) -> Cell { return std::to_string(row.state.tasks); }).json =
      [](JsonWriter& json, Row row) { json.member("tasks", row.state.tasks); };
  add(is_first_screen, "tasks", nullptr, Role::kTasks);
  add(is_comment, "tasks", tasks_in_comment, Role::kTasks);
  add_member([](JsonWriter& json, Row row) {
    const auto* type = row.profile.type;
    const bool is_linked = row.profile.gpu_count > 1 && type != nullptr && type->gpu;
    json.member_or_null("interconnect", is_linked ? type->gpu->interconnect : std::string());
  });
  add_member(write_gpus);
  add(
      is_wide && has_states, "", [](Row row) -> Cell { return std::string(instance_state_words(row.profile)); },
      Role::kState);
  return all;
}

InstanceTable make_instance_table(const PlaceReport& report, std::vector<std::uint32_t> instances,
                                  InstanceTableKind kind, const Glyphs& glyphs, const GpuSlots* slots) {
  InstanceTable made{Table({}), {}, {}, std::move(instances)};
  auto& table = made.table;
  const auto columns = instance_columns(report, made.instances, kind, glyphs, slots);
  for (const auto& one : columns) {
    if (!one.is_shown) continue;
    table.columns.push_back(one.column);
    made.roles.push_back(one.role);
  }
  for (const auto& resource : shown_resources(report.scenario)) {
    if (resource.cells == InstanceResource::Cells::kLoad) made.in_bars.push_back(resource);
  }
  const placement::PlacementsByInstance placements(report.outcome);
  for (const auto instance : made.instances) {
    const InstanceRow row(report, instance, placements);
    auto& cells = table.rows.emplace_back().cells;
    for (const auto& one : columns) {
      if (one.is_shown) cells.push_back(one.cell ? one.cell(row) : Cell(""));
    }
    if (kind == InstanceTableKind::kComment || instance_state_words(row.profile).empty()) continue;
    for (auto& cell : cells) cell.tone = Tone::kDoubtful;
  }
  if (kind != InstanceTableKind::kComment) set_load_bars(made, report, glyphs, kBarWidth);
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
