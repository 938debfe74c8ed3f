#include "report/place/place_tables.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"
#include "report/place/gpu_slots.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

constexpr std::size_t kShortestName = 12;
constexpr std::int64_t kShortestBar = 3;
constexpr std::size_t kShortestZone = 10;

/// One column: how it is headed, and its cells.
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

/// Everything that is known of each instance, in its row.
class WideTable {
 public:
  WideTable(const PlaceReport& report, const std::vector<std::uint32_t>& instances, const PlaceTextOptions& options)
      : report_(report),
        instances_(instances),
        options_(options),
        slots_(report, instances, options.style, options.glyphs) {}

  void write(std::ostream& out) {
    add_columns();
    fit();
    for (std::size_t row = 0; row < instances_.size(); ++row) {
      const auto instance = instances_[row];
      auto& cells = table_.rows[row].cells;
      if (!instance_state_words(profile(instance)).empty()) {
        for (auto& cell : cells) cell.tone = Tone::kDoubtful;
      }
      if (gpu_column_) cells[*gpu_column_].colored = slots_.painted(instance);
      table_.rows[row].note = lines_below(instance);
    }
    print_table(out, table_, options_.style);
    slots_.write_legend(out);
  }

 private:
  const InstanceProfile& profile(std::uint32_t instance) const { return profile_of(report_, instance); }
  const InstanceState& state(std::uint32_t instance) const { return report_.outcome.instances[instance]; }

  template <class Text>
  void add(Column column, Text text) {
    std::vector<std::string> cells;
    for (const auto instance : instances_) cells.push_back(text(instance));
    table_.add_column(std::move(column), std::move(cells));
  }

  /// The bars and the names are as long as they want to be.
  void add_columns() {
    add("instance", [&](std::uint32_t i) { return printable(report_.scenario.instances[i].id); });
    add_zones();
    if (slots_.any()) {
      gpu_column_ = table_.columns.size();
      add(std::string(device_words(report_.scenario).heading), [&](std::uint32_t i) { return slots_.text(i); });
    }
    bar_column_ = table_.columns.size();
    for (const char* heading : {"CPU", "MEM"}) add(heading, [](std::uint32_t) { return std::string(); });
    add(number_column("ENI"), [&](std::uint32_t i) { return interfaces_cell(profile(i), state(i)); });
    if (attaches_volumes(report_.scenario))
      add(number_column("EBS"), [&](std::uint32_t i) { return attachments_cell(profile(i), state(i)); });
    add_price(number_column("$/h"), usd);
    add_price(month_column(), monthly_cell);
    add(number_column("tasks"), [&](std::uint32_t i) { return std::to_string(state(i).tasks); });
    has_states_ = std::any_of(instances_.begin(), instances_.end(),
                              [&](std::uint32_t i) { return !instance_state_words(profile(i)).empty(); });
    if (has_states_) add("", [&](std::uint32_t i) { return std::string(instance_state_words(profile(i))); });
  }

  void add_price(Column column, std::string (*text)(MicroUsd)) {
    add(std::move(column),
        [&](std::uint32_t i) { return profile(i).hourly_price ? text(*profile(i).hourly_price) : std::string("-"); });
  }

  void add_zones() {
    const auto zones = short_zones(report_.scenario);
    if (zones.empty()) return;
    zone_column_ = table_.columns.size();
    add("az", [&](std::uint32_t i) {
      const auto& zone = profile(i).availability_zone;
      return zone.empty() ? std::string("-") : printable(zones.at(zone));
    });
  }

  void set_bars(std::int64_t width) {
    for (std::size_t row = 0; row < instances_.size(); ++row) {
      const auto& own = profile(instances_[row]);
      const auto& left = state(instances_[row]);
      auto& cells = table_.rows[row].cells;
      cells[bar_column_] = load_cell(own.cpu - left.cpu, own.cpu, options_.glyphs, width);
      cells[bar_column_ + 1] = load_cell(own.memory - left.memory, own.memory, options_.glyphs, width);
    }
  }

  bool fits() const { return overflow() == 0; }
  std::size_t overflow() const {
    std::size_t used = 0;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (table_.columns[i].need != Need::kExtra) used += 2 + table_.width_of(i);
    }
    return used > text_columns() ? used - text_columns() : 0;
  }

  /// As long as there is room for, down to the shortest.
  void fit_bars() {
    auto width = kBarWidth;
    set_bars(width);
    while (!fits() && width > kShortestBar) set_bars(--width);
  }

  void shorten(std::size_t column, std::size_t width) {
    for (auto& row : table_.rows)
      row.cells[column].text = cut_middle(row.cells[column].text.plain(), width, options_.glyphs);
  }

  /// Shorter bars first, then states in a line of their own, then shorter zones, then shorter names.
  void fit() {
    fit_bars();
    if (!fits() && has_states_) {
      table_.columns.pop_back();
      for (auto& row : table_.rows) row.cells.pop_back();
      states_below_ = true;
      fit_bars();
    }
    if (fits() || options_.verbose) return;
    if (zone_column_) shorten(*zone_column_, kShortestZone);
    const std::size_t wanted = table_.width_of(0);
    shorten(0, std::max(kShortestName, wanted - std::min(wanted, overflow())));
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
    if (!placements_) placements_.emplace(report_.outcome);
    return join(tasks_on(report_, instance, (*placements_)[instance]), " ");
  }

  const PlaceReport& report_;
  const std::vector<std::uint32_t>& instances_;
  const PlaceTextOptions& options_;
  GpuSlots slots_;
  Table table_{std::vector<Column>{}};
  std::optional<std::size_t> zone_column_;
  std::optional<std::size_t> gpu_column_;
  std::size_t bar_column_ = 0;
  bool has_states_ = false;  ///< The last column.
  bool states_below_ = false;
  std::optional<placement::PlacementsByInstance> placements_;  ///< Filled when first asked for.
};

}  // namespace

void write_wide_table(std::ostream& out, const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                      const PlaceTextOptions& options) {
  if (!instances.empty()) WideTable(report, instances, options).write(out);
}

}  // namespace bayplan::report
