#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Where a report has a row per instance: the first screen of `place`, `--wide`, and the list in a comment.
enum class InstanceTableKind : std::uint8_t { kFirstScreen, kWide, kComment };

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

/// All columns that this table has for the report; a new column is one entry in the body. In a terminal, the bars are
/// `kBarWidth` wide, names are whole, and the tasks of a first screen are left to the caller, who knows their room.
/// `slots`: the boxes of `--wide`, else null.
InstanceTable make_instance_table(const PlaceReport& report, std::vector<std::uint32_t> instances,
                                  InstanceTableKind kind, const Glyphs& glyphs, const GpuSlots* slots);

/// Makes the bars of a terminal `width` wide.
void set_load_bars(InstanceTable& table, const PlaceReport& report, const Glyphs& glyphs, std::int64_t width);

/// "2 running", "train#1-2", "web#4"; `placements`: those on the instance.
std::vector<std::string> tasks_on(const PlaceReport& report, std::uint32_t instance,
                                  std::span<const std::uint32_t> placements);

}  // namespace bayplan::report
