#include "timeline/service_controller.hpp"

#include <algorithm>

namespace bayplan::timeline {

std::int64_t tasks_to_scale_in(const ServiceCounts& counts, std::int64_t target) {
  return std::max<std::int64_t>(0, counts.current() - target);
}

std::int64_t tasks_to_start(const ServiceTerms& terms, const ServiceCounts& counts, std::int64_t target) {
  const std::int64_t most = std::max(terms.upper(), target);
  return std::min(target - counts.current(), most - counts.current() - counts.outdated());
}

bool may_stop_healthy(const ServiceTerms& terms, std::int64_t healthy) {
  return healthy - 1 >= terms.lower();
}

OutdatedStop next_outdated_to_stop(const ServiceTerms& terms, const ServiceCounts& counts) {
  if (counts.outdated_unplaced > 0) return OutdatedStop::kUnplaced;
  const std::int64_t stoppable = counts.outdated_placed - counts.outdated_protected;
  if (counts.outdated_healthy - counts.outdated_protected_healthy < stoppable) return OutdatedStop::kUnhealthy;
  const bool may_stop = stoppable > 0 && may_stop_healthy(terms, counts.healthy());
  return may_stop ? OutdatedStop::kHealthy : OutdatedStop::kWait;
}

bool has_replaced_tasks(const ServiceTerms& terms, const ServiceCounts& counts) {
  return counts.outdated() > 0 && counts.outdated() + counts.current_healthy > terms.desired;
}

std::int64_t tasks_to_make_room_for(const ServiceTerms& terms, const ServiceCounts& counts) {
  const bool is_bounded = counts.current() + counts.outdated() >= terms.upper();
  const std::int64_t not_started = is_bounded ? std::max<std::int64_t>(0, terms.desired - counts.current()) : 0;
  return counts.current_unplaced + not_started - counts.stopping;
}

}  // namespace bayplan::timeline
