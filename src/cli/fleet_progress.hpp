#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

#include "cli/application.hpp"
#include "study/fleet_plan.hpp"

namespace bayplan::cli {

/// Watches over the search for a fleet: says on standard error how far it is, where that is a terminal, and ends it
/// when somebody wants it to end or its time is over.
class FleetProgress {
 public:
  /// `time_limit`: seconds; 0 = none.
  FleetProgress(Streams& io, std::int64_t effort, std::int64_t time_limit)
      : io_(io), effort_(effort), time_limit_(time_limit) {}

  std::optional<study::FleetStop> look(const study::FleetProgress& progress);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void show(const study::FleetProgress& progress);

  Streams& io_;
  std::int64_t effort_;
  std::chrono::seconds time_limit_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point shown_ = began_;
  bool is_shown_ = false;
};

}  // namespace bayplan::cli
