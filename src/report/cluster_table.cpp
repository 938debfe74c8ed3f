#include "report/cluster_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/cluster_words.hpp"
#include "report/figures.hpp"
#include "report/gpu_slots.hpp"
#include "report/place_table.hpp"
#include "report/table.hpp"
#include "report/wrap.hpp"
#include "report/zones.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kShortestName = 12;
constexpr std::int64_t kShortestBar = 3;
constexpr std::size_t kShortestZone = 10;

/// One column: how it is headed, and its cells.
struct WideColumn {
  std::string heading;
  Align align = Align::kLeft;
  std::vector<std::string> cells;

  std::size_t width() const {
    std::size_t width = display_width(heading);
    for (const auto& cell : cells) width = std::max(width, display_width(cell));
    return width;
  }
};

/// "2/14"; "-" where nobody states how many there are.
std::string interfaces_cell(const InstanceProfile& profile, const InstanceState& state) {
  const auto interfaces = stated_interfaces(profile);
  return interfaces ? fmt::format("{}/{}", *interfaces - state.network_interfaces, *interfaces) : "-";
}

/// Of those for tasks; "-" where the limit is not known.
std::string attachments_cell(const InstanceProfile& profile, const InstanceState& state) {
  if (profile.ebs_attachments == placement::kUnlimitedAttachments) return "-";
  return fmt::format("{}/{}", profile.ebs_attachments - free_attachments(state), profile.ebs_attachments);
}

class WideTable {
 public:
  WideTable(const PlaceReport& report, const std::vector<std::uint32_t>& instances, const PlaceTextOptions& options)
      : report_(report),
        instances_(instances),
        options_(options),
        slots_(report, instances, options.style, options.glyphs) {}

  void write(std::ostream& out) {
    auto columns = other_columns();
    fit(columns);
    Table table;
    for (const auto& column : columns) table.column(column.heading, column.align);
    for (std::size_t row = 0; row < instances_.size(); ++row) {
      std::vector<std::string> cells;
      for (const auto& column : columns) cells.push_back(column.cells[row]);
      table.row(std::move(cells), paints_of(row, columns.size()));
      table.note(lines_below(instances_[row]));
    }
    table.print(out, [&](std::string_view text) { return options_.style.dim(text); });
    slots_.write_legend(out);
  }

 private:
  const InstanceProfile& profile(std::uint32_t instance) const { return profile_of(report_, instance); }
  const InstanceState& state(std::uint32_t instance) const { return report_.outcome.instances[instance]; }

  template <class Cell>
  WideColumn column(std::string heading, Align align, Cell cell) const {
    WideColumn made{std::move(heading), align, {}};
    for (const auto instance : instances_) made.cells.push_back(cell(instance));
    return made;
  }

  /// All in the order of the table; the bars and the names as long as they want to be.
  std::vector<WideColumn> other_columns() {
    std::vector<WideColumn> columns;
    columns.push_back(
        column("instance", Align::kLeft, [&](std::uint32_t i) { return printable(report_.scenario.instances[i].id); }));
    add_zones(columns);
    if (slots_.any()) {
      gpu_column_ = columns.size();
      columns.push_back(column("GPU", Align::kLeft, [&](std::uint32_t i) { return slots_.text(i); }));
    }
    bar_column_ = columns.size();
    columns.push_back({"CPU", Align::kLeft, {}});
    columns.push_back({"MEM", Align::kLeft, {}});
    columns.push_back(
        column("ENI", Align::kRight, [&](std::uint32_t i) { return interfaces_cell(profile(i), state(i)); }));
    if (attaches_volumes(report_.scenario)) {
      columns.push_back(
          column("EBS", Align::kRight, [&](std::uint32_t i) { return attachments_cell(profile(i), state(i)); }));
    }
    columns.push_back(column("USD/h", Align::kRight, [&](std::uint32_t i) {
      return profile(i).hourly_price ? usd(*profile(i).hourly_price) : std::string("-");
    }));
    columns.push_back(column("tasks", Align::kRight, [&](std::uint32_t i) { return std::to_string(state(i).tasks); }));
    auto states =
        column("", Align::kLeft, [&](std::uint32_t i) { return std::string(instance_state_words(profile(i))); });
    has_states_ = states.width() > 0;
    if (has_states_) columns.push_back(std::move(states));
    return columns;
  }

  void add_zones(std::vector<WideColumn>& columns) {
    const auto zones = short_zones(report_.scenario);
    if (zones.empty()) return;
    zone_column_ = columns.size();
    columns.push_back(column("az", Align::kLeft, [&](std::uint32_t i) {
      const auto& zone = profile(i).availability_zone;
      return zone.empty() ? std::string("-") : printable(zones.at(zone));
    }));
  }

  void set_bars(std::vector<WideColumn>& columns, std::int64_t width) const {
    const auto cpu = [&](std::uint32_t i) {
      return bar(profile(i).cpu - state(i).cpu, profile(i).cpu, options_.glyphs, width);
    };
    const auto memory = [&](std::uint32_t i) {
      return bar(profile(i).memory - state(i).memory, profile(i).memory, options_.glyphs, width);
    };
    columns[bar_column_].cells = column("", Align::kLeft, cpu).cells;
    columns[bar_column_ + 1].cells = column("", Align::kLeft, memory).cells;
  }

  static bool fits(const std::vector<WideColumn>& columns) { return overflow(columns) == 0; }
  static std::size_t overflow(const std::vector<WideColumn>& columns) {
    std::size_t used = 0;
    for (const auto& column : columns) used += 2 + column.width();
    return used > kTextColumns ? used - kTextColumns : 0;
  }

  /// As long as there is room for, down to the shortest.
  void fit_bars(std::vector<WideColumn>& columns) const {
    auto width = kBarWidth;
    set_bars(columns, width);
    while (!fits(columns) && width > kShortestBar) set_bars(columns, --width);
  }

  /// Shorter bars first, then states in a line of their own, then shorter zones, then shorter names.
  void fit(std::vector<WideColumn>& columns) {
    fit_bars(columns);
    if (!fits(columns) && has_states_) {
      columns.pop_back();
      states_below_ = true;
      fit_bars(columns);
    }
    if (fits(columns) || options_.verbose) return;
    if (zone_column_) {
      for (auto& cell : columns[*zone_column_].cells) cell = cut_middle(cell, kShortestZone, options_.glyphs);
    }
    const std::size_t wanted = columns.front().width();
    const std::size_t room = std::max(kShortestName, wanted - std::min(wanted, overflow(columns)));
    for (auto& cell : columns.front().cells) cell = cut_middle(cell, room, options_.glyphs);
  }

  std::vector<Table::Paint> paints_of(std::size_t row, std::size_t columns) const {
    std::vector<Table::Paint> paints(columns);
    const auto& style = options_.style;
    if (!instance_state_words(profile(instances_[row])).empty())
      paints.assign(columns, [&style](std::string_view text) { return style.yellow(text); });
    if (gpu_column_) {
      const auto instance = instances_[row];
      paints[*gpu_column_] = [this, instance](std::string_view) { return slots_.painted(instance); };
    }
    return paints;
  }

  /// What stands below the row: a state that has no room in it; with `verbose` the tasks.
  std::string lines_below(std::uint32_t instance) {
    std::vector<std::string> words;
    if (states_below_) words.emplace_back(instance_state_words(profile(instance)));
    if (options_.verbose) words.push_back(tasks_words(instance));
    words.erase(std::remove(words.begin(), words.end(), std::string()), words.end());
    return words.empty() ? std::string() : "      " + wrapped(printable(join(words, ": ")), 6);
  }

  std::string tasks_words(std::uint32_t instance) {
    if (placements_.empty()) placements_ = placements_by_instance(report_);
    return join(tasks_on(report_, instance, placements_[instance]), " ");
  }

  const PlaceReport& report_;
  const std::vector<std::uint32_t>& instances_;
  const PlaceTextOptions& options_;
  GpuSlots slots_;
  std::optional<std::size_t> zone_column_;
  std::optional<std::size_t> gpu_column_;
  std::size_t bar_column_ = 0;
  bool has_states_ = false;  ///< The last column.
  bool states_below_ = false;
  std::vector<std::vector<std::uint32_t>> placements_;  ///< By instance; filled when first asked for.
};

}  // namespace

void write_wide_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                      const PlaceTextOptions& options) {
  if (!instances.empty()) WideTable(report, instances, options).write(out);
}

}  // namespace bayplan::report
