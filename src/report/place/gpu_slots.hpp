#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/document/terminal.hpp"
#include "report/place/place_report.hpp"

namespace bayplan::report {

/// More GPUs on an instance than this are counted, not drawn.
inline constexpr std::size_t kMostDrawnGpus = 16;

/// One GPU of an instance as a box of one column.
struct GpuSlot {
  enum class Kind : std::uint8_t { kFree, kTask, kSeveral, kUnknown };
  Kind kind = Kind::kFree;
  std::size_t holder = 0;  ///< kTask: which name holds it, from 0.
  bool is_odd = false;     ///< kTask: the second, fourth ... task of that name on the instance.
};

/// The GPUs of some instances, each box with the letter of the service or family whose task holds it, in its color
/// (those of pages and pictures), in upper and lower case by turns from task to task, so that neighbors can be
/// distinguished without color.
class GpuSlots {
 public:
  /// Letters go to names in the order of workloads, as in pages and pictures. The report must outlive this.
  GpuSlots(const PlaceReport& report, const std::vector<std::uint32_t>& instances, const Style& style,
           const Glyphs& glyphs);

  bool any() const { return any_; }
  /// "AAAAaaaa", "BB□□", "12 of 64 free"; "-" without GPUs. `instance` is one of those given.
  std::string text(std::uint32_t instance) const;
  /// The same in color.
  std::string painted(std::uint32_t instance) const;
  /// What the letters and signs mean that occur; within 80 columns.
  std::string legend() const;

 private:
  /// Who holds a device: names and tasks, in the order of placement.
  struct Tenant {
    std::string_view name;
    std::int64_t ordinal = 0;  ///< Position among the tasks of that name with GPUs on the instance, counted from 0.
  };
  using Tenants = std::vector<std::vector<Tenant>>;  ///< One entry per device.

  void collect(const PlaceReport& report, const std::vector<std::uint32_t>& instances);
  std::vector<GpuSlot> make_gpu_slots(const std::vector<placement::GpuDevice>& devices, const Tenants& tenants);
  std::string sign(const GpuSlot& slot) const;
  std::string paint(const GpuSlot& slot) const;

  Style style_;
  Glyphs glyphs_;
  bool any_ = false;
  std::map<std::uint32_t, std::vector<GpuSlot>> slots_;  ///< Keyed by instance.
  std::map<std::string_view, std::size_t>
      number_;  ///< The number of a name; names that ran before follow all workloads.
  std::size_t next_number_ = 0;
  std::map<std::size_t, std::string_view> shown_;  ///< Names that hold a slot, by number.
};

/// "service:web" as "web", "family:train" as "train".
std::string_view name_of_group(std::string_view group);

}  // namespace bayplan::report
