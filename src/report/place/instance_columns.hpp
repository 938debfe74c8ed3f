#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/table.hpp"
#include "report/place/gpu_slots.hpp"
#include "report/place/place_report.hpp"

namespace bayplan::report {

/// A resource of a container instance that tasks reserve. Each is one row of `shown_resources`, from which JSON and
/// every table with a row per instance take it.
struct InstanceResource {
  enum class Cells : std::uint8_t {
    kNone,   ///< No column: GPUs have one of their own.
    kLoad,   ///< The share in use: a bar in a terminal, a percentage in a comment.
    kCount,  ///< `--wide`: "2/14", used of registered.
  };

  std::string_view json;        ///< Its member of "registered" and "remaining": the ECS API's name where it has one.
  std::string_view heading;     ///< Of its column in a terminal.
  std::string_view in_comment;  ///< The same in a comment.
  Cells cells;
  /// CPU units, MiB or a count; nothing where it is unlimited or not known.
  std::optional<std::int64_t> (*registered)(const placement::InstanceProfile&);
  std::int64_t (*remaining)(const placement::InstanceState&);
  bool omits_none = false;  ///< JSON: no member for an instance that has none.
};

/// Resources that reports on this scenario include, in the order of JSON members and table columns.
std::vector<InstanceResource> shown_resources(const placement::Scenario& scenario);

/// Where a report has instances: the first screen of `place`, `--wide`, the list in a comment, and JSON, which has no
/// table.
enum class InstanceTableKind : std::uint8_t { kFirstScreen, kWide, kComment, kJson };

/// An instance, and the placements on it.
struct InstanceRow {
  InstanceRow(const PlaceReport& report, std::uint32_t instance, const placement::PlacementsByInstance& placements);

  const PlaceReport& report;
  std::uint32_t instance;
  const placement::InstanceProfile& profile;
  const placement::InstanceState& state;
  std::span<const std::uint32_t> placements;  ///< Indices into those of the outcome.
};

/// A table with a row per instance.
struct InstanceTable {
  /// Columns that a narrow terminal changes.
  enum class Role : std::uint8_t { kNone, kId, kZone, kLoad, kTasks, kState };

  Table table;
  std::vector<Role> roles;                ///< One entry per column.
  std::vector<InstanceResource> in_bars;  ///< One entry per column with the role `kLoad`, in their order.
  std::vector<std::uint32_t> instances;   ///< One entry per row.

  std::optional<std::size_t> find(Role role) const;
  void erase(std::size_t column);
};

/// What reports say of an instance: a member of it in JSON, a column of tables, or both.
struct InstanceColumn {
  std::function<void(JsonWriter&, const InstanceRow&)> json;  ///< Writes the member; empty: none.
  bool is_shown = false;                                      ///< Is in the table that is made.
  Column column;
  std::function<Cell(const InstanceRow&)> cell;  ///< Empty: set by who knows the room.
  InstanceTable::Role role = InstanceTable::Role::kNone;
};

/// Everything that reports say of instances, in the order of JSON members and of columns: a new column is one entry in
/// the body. `slots`: the boxes of `--wide`, else null.
std::vector<InstanceColumn> instance_columns(const PlaceReport& report, const std::vector<std::uint32_t>& instances,
                                             InstanceTableKind kind, const Glyphs& glyphs, const GpuSlots* slots);

/// The columns that this table has. In a terminal, the bars are `kBarWidth` wide, names are whole, and the tasks of a
/// first screen are left to the caller, who knows their room.
InstanceTable make_instance_table(const PlaceReport& report, std::vector<std::uint32_t> instances,
                                  InstanceTableKind kind, const Glyphs& glyphs, const GpuSlots* slots);

/// Makes the bars of a terminal `width` wide.
void set_load_bars(InstanceTable& table, const PlaceReport& report, const Glyphs& glyphs, std::int64_t width);

/// "2 running", "train#1-2", "web#4"; `placements`: those on the instance.
std::vector<std::string> tasks_on(const PlaceReport& report, std::uint32_t instance,
                                  std::span<const std::uint32_t> placements);

}  // namespace bayplan::report
