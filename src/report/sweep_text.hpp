#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "report/document/text_options.hpp"
#include "study/grid.hpp"
#include "study/sweep.hpp"

namespace bayplan::report {

/// All that the summary of a sweep shows.
struct SweepReport {
  const study::WrittenGrid& grid;
  const study::SweepSummary& summary;
  study::Shard shard;
  std::vector<Assumption> assumptions;
};

/// The best scenario first, then p50 and worst along each axis, then which axis matters most.
void write_sweep_text(std::ostream& out, const SweepReport& report, const TextOptions& options);

/// Name of a point of an axis.
study::PointName point_name(const study::WrittenAxis& axis, std::int64_t position);

}  // namespace bayplan::report
