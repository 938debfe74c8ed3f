#include "cli/fleet_progress.hpp"

#include <algorithm>
#include <ostream>

#include "base/fill.hpp"
#include "report/document/figures.hpp"

namespace bayplan::cli {

using study::FleetStop;
using Phase = study::FleetProgress::Phase;

namespace {

std::string words_of(const study::FleetProgress& progress, std::int64_t effort) {
  const auto& packing = progress.packing;
  std::string found = "no fleet yet";
  if (packing.cost > 0) found = fill("${}/h", {report::usd(packing.cost)});
  if (packing.lower_bound > 0) found += fill(", no less than ${}/h", {report::usd(packing.lower_bound)});
  if (progress.phase == Phase::kFilling) return "filling it as ECS does: the ideal packing is " + found;
  if (progress.phase == Phase::kComparing) return "comparing with other fleets";
  return fill("packing: {}, {} % of the effort", {found, std::min<std::int64_t>(100, 100 * packing.effort / effort)});
}

}  // namespace

std::optional<FleetStop> FleetProgress::look(const study::FleetProgress& progress) {
  show(progress);
  if (io_.interrupted != nullptr && io_.interrupted()) return FleetStop::kInterrupt;
  if (time_limit_.count() > 0 && Clock::now() - began_ >= time_limit_) return FleetStop::kTime;
  return std::nullopt;
}

void FleetProgress::show(const study::FleetProgress& progress) {
  if (!io_.err_is_terminal) return;
  const auto now = Clock::now();
  if (now - began_ < std::chrono::seconds(1) || now - shown_ < std::chrono::milliseconds(200)) return;
  shown_ = now;
  is_shown_ = true;
  io_.err << "\r\x1b[K" << words_of(progress, effort_) << std::flush;
}

void FleetProgress::clear() {
  if (is_shown_) io_.err << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

}  // namespace bayplan::cli
