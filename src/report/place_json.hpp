#pragma once
#include <ostream>

#include "report/place_report.hpp"

namespace bayplan::report {

struct PlaceJsonOptions {
  bool placements = true;  ///< `--no-placements` leaves the list out.
};

/// schemas/place-report.schema.json, streamed.
void write_place_json(std::ostream& out, const PlaceReport& report, const PlaceJsonOptions& options);

}  // namespace bayplan::report
