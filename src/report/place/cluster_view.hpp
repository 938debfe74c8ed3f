#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "placement/model/scenario.hpp"
#include "query/query.hpp"

namespace bayplan::report {

struct PlaceReport;
struct ReportDocument;

/// What the rows of a cluster can be sorted by.
enum class SortKey : std::uint8_t {
  kName,
  kType,
  kZone,
  kGpu,
  kCpu,
  kMemory,
  kEni,
  kTasks,
  kPrice,
  kFreeGpu,
  kFreeCpu,
  kFreeMemory,
  kFreeEni,
};

struct SortKeyRow {
  SortKey key;
  std::string_view name;
  bool is_amount;  ///< Sorted from the most downward unless asked otherwise; names go upward.
};

/// Every key, in the order of the help.
std::span<const SortKeyRow> sort_keys();

struct Sorting {
  SortKey key = SortKey::kName;
  bool descending = false;
};

/// Which instances a text report shows, in which order, and how. What is counted and summed is always the whole
/// cluster.
struct ClusterView {
  bool wide = false;                               ///< Everything that is known of an instance in its row.
  std::vector<Sorting> sortings;                   ///< The first decides; what all leave equal stays in file order.
  std::shared_ptr<const query::Expression> where;  ///< Null: every instance.

  bool is_asked() const { return wide || chooses(); }
  bool chooses() const { return where != nullptr || !sortings.empty(); }
};

/// The wide form groups clusters of more instances than this by type and zone, without `-v`.
inline constexpr std::size_t kShownWide = 60;

const placement::InstanceProfile& profile_of(const PlaceReport& report, std::uint32_t instance);

/// The instances for which `where` holds, sorted. Amounts in use are compared as the bars show them: CPU and memory by
/// share, all else by number. Instances of which the key is not known come last either way.
std::vector<std::uint32_t> viewed_instances(const PlaceReport& report, const ClusterView& view);

/// "12 of 40 instances shown, where ..., sorted by gpu (most first)"; nothing for a view that does not choose.
void add_view_words(ReportDocument& document, const PlaceReport& report, const ClusterView& view, std::size_t shown);

}  // namespace bayplan::report
