#pragma once
#include <ostream>

#include "report/glyphs.hpp"
#include "report/place_report.hpp"
#include "report/style.hpp"

namespace bayplan::report {

struct PlaceTextOptions {
  Style style{false};
  Glyphs glyphs;
  bool quiet = false;    ///< The answer only.
  bool verbose = false;  ///< Every instance, every GPU id, every assumption.
};

/// The answer, the cluster with its tasks, why tasks were not placed, and what was taken for granted.
void write_place_text(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options);

}  // namespace bayplan::report
