#pragma once
#include <ostream>

#include "report/cluster_view.hpp"
#include "report/place_report.hpp"
#include "report/document/text_options.hpp"

namespace bayplan::report {

struct PlaceTextOptions : TextOptions {
  ClusterView view;  ///< Which instances, in which order, how.
};

/// The answer, the cluster with its tasks, why tasks were not placed, and what was taken for granted.
void write_place_text(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options);

/// Parts of it: the instances, by type where they are many, and the line of totals, which comes first in the wide
/// form; that line alone.
void write_cluster(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options);
void write_totals(std::ostream& out, const PlaceReport& report, const Style& style);

}  // namespace bayplan::report
