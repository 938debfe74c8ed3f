#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "report/fleet_report.hpp"

/// What is proven about the ideal packing, and what the proof leaves out.
namespace bayplan::report {

/// "the ideal packing costs $27.024/h, the bound is $27.024/h: no fleet is cheaper; its certificate was checked by code
/// of its own"
std::string proof_words(const FleetReport& report);

/// "left out of the bound: memberOf (train, web and 3 more): ...", one for each relaxation, which names `most_subjects`
/// at most.
std::vector<std::string> relaxation_words(const FleetReport& report, std::size_t most_subjects);

}  // namespace bayplan::report
