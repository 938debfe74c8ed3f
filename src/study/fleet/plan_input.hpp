#pragma once
#include <cstdint>
#include <optional>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "packing/solve.hpp"
#include "placement/model/scenario.hpp"
#include "study/fleet/fleet_plan.hpp"

/// What every step of a plan takes.
namespace bayplan::study {

struct PlanInput {
  const placement::Scenario& scenario;
  const fleet::Market& market;
  const FleetRequest& request;
  const fleet::Question& question;
};

inline FleetRequest with_effort(FleetRequest request, std::int64_t effort) {
  request.effort = effort;
  return request;
}

/// Asks the caller between steps whether to go on, and remembers what ended the search.
class Watch {
 public:
  explicit Watch(const FleetRequest& request) : request_(request) {}

  bool go_on(FleetProgress::Phase phase) {
    progress_.phase = phase;
    if (!stopped_) stopped_ = request_.stop(progress_);
    return !stopped_;
  }
  bool go_on(const packing::Progress& packing) {
    progress_.packing = packing;
    return go_on(FleetProgress::Phase::kPacking);
  }
  const std::optional<FleetStop>& stopped() const { return stopped_; }

 private:
  const FleetRequest& request_;
  FleetProgress progress_;
  std::optional<FleetStop> stopped_;
};

}  // namespace bayplan::study
