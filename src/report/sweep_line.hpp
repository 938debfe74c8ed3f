#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "study/grid.hpp"
#include "study/sweep_summary.hpp"
#include "study/what_if.hpp"

/// One line of JSON a scenario: schema bayplan/sweep-report/1.
namespace bayplan::report {

/// Name of the point by name of the axis, in the order of the axes.
using SweepPoint = std::vector<std::pair<std::string_view, study::PointName>>;

/// With its line feed. `grid`: the fingerprint.
std::string sweep_line(std::string_view grid, std::int64_t index, const SweepPoint& point,
                       const study::VariantResult& result);

/// What a line says that a sweep goes on from.
struct ReadSweepLine {
  std::string grid;
  std::int64_t index = 0;
  study::SweepFigures figures;
};

/// Of a line without its line feed; an error without a place when it is none of a sweep.
Result<ReadSweepLine> read_sweep_line(std::string_view line);

study::SweepFigures figures_of(const study::VariantResult& result);

}  // namespace bayplan::report
