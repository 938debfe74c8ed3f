#pragma once
#include <compare>
#include <cstdint>

#include "report/timeline_report.hpp"
#include "timeline/history.hpp"

/// Which events one sentence tells together.
namespace bayplan::report {

/// The events of one sentence are those with the same key.
struct EventKey {
  timeline::Seconds at = 0;
  timeline::EventKind kind = timeline::EventKind::kTaskArrived;
  timeline::StopCause stop = timeline::StopCause::kNone;
  std::uint32_t name = 0;    ///< Workload; of other subjects their number, of instances the cause.
  std::uint32_t detail = 0;  ///< What else tells tasks of one workload apart.
  auto operator<=>(const EventKey&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 reads the 0 that it makes
};
EventKey key_of(const TimelineReport& report, const timeline::Event& event);

/// Another event of the same instant says all of it.
bool goes_without_saying(const TimelineReport& report, const timeline::Event& event);

}  // namespace bayplan::report
