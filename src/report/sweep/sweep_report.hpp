#pragma once
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assumption.hpp"
#include "base/result.hpp"
#include "capacity/fit.hpp"
#include "report/document/report_document.hpp"
#include "study/sweep/grid.hpp"
#include "study/sweep/sweep.hpp"
#include "study/sweep/sweep_summary.hpp"
#include "study/whatif/what_if.hpp"

/// One line of JSON a scenario: schema bayplan/sweep-report/1.
namespace bayplan::report {

/// All that the summary of a sweep shows.
struct SweepReport {
  const study::WrittenGrid& grid;
  const study::SweepSummary& summary;
  study::Shard shard;
  std::vector<placement::Policy> policies;  ///< Those of GridScenario.
  std::vector<Assumption> assumptions;
  capacity::PriceRange prices;  ///< Of the scenario before any change.
};

/// The answer of the sweep in one sentence.
std::string sweep_headline(const SweepReport& report);

/// "ECS offers none of these policies of the literature: best-fit, fgd"; empty without a policy.
std::string policies_words(const SweepReport& report);

/// The same figures as JSON: schemas/sweep-summary-report.schema.json.
void write_sweep_json(std::ostream& out, const SweepReport& report);

/// The best scenario first, then p50 and worst along each axis, and which axis matters most.
ReportDocument sweep_document(const SweepReport& report);

/// Name of a point of an axis.
study::PointName point_name(const study::WrittenAxis& axis, std::int64_t position);

/// Name of the point by name of the axis, in the order of the axes.
using SweepPoint = std::vector<std::pair<std::string_view, study::PointName>>;

/// Makes a line with its line feed. `grid` is the fingerprint.
std::string sweep_line(std::string_view grid, std::int64_t index, const SweepPoint& point,
                       const study::VariantResult& result);

/// What a line says that a sweep goes on from.
struct ReadSweepLine {
  std::string grid;
  std::int64_t index = 0;
  study::SweepFigures figures;
};

/// Reads a line without its line feed; an error without a place if it is not a line of a sweep.
Result<ReadSweepLine> read_sweep_line(std::string_view line);

study::SweepFigures compute_figures(const study::VariantResult& result);

}  // namespace bayplan::report
