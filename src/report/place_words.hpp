#pragma once
#include <string>
#include <vector>

#include "report/place_report.hpp"

/// Sentences of the text report of `place`.
namespace bayplan::report {

/// "train#1-3,5 web#2": numbers of one name drawn together. The order is that of the first task of each name.
std::vector<std::string> task_ranges(const placement::Scenario& scenario, const std::vector<placement::Turn>& turns);

/// "1-3,5"; ascending numbers.
std::string number_ranges(const std::vector<std::int64_t>& numbers);

/// "0 of 2 instances have 8 free GPUs (free 4 in total, largest block 4)", or the reasons where no single one
/// explains the failure.
std::string why_not(const placement::Scenario& scenario, const placement::Failure& explained);

/// "4 GPUs short", "TCP port 80 is taken"; empty where the reason says all.
std::string shortfall_text(const placement::Scenario& scenario, const placement::Failure& explained,
                           const placement::Rejection& rejection);

/// "RESOURCE:GPU 2 of 2, RESOURCE:MEMORY 1 of 2"
std::string reason_counts(const placement::Scenario& scenario, const placement::Failure& explained);

/// "train: 14 fit; the 15th fails: RESOURCE:GPU"
std::string limit_words(const PlaceReport& report, const FitLimit& limit);

/// "one more p3.16xlarge in us-east-2a (+$24.48/h)"
std::string remedy_words(const study::Remedy& remedy);

/// "YES 12 of 12 tasks placed on 4 of 6 instances", "NO  t8#2 not placed: ...", "NO  fits in 3 of 21 tie orders; ...".
/// YES only if every tie order that was tried fits.
std::string headline(const PlaceReport& report);

/// The headline of the worst of many runs.
std::string worst_run(const PlaceReport& report);

/// Which tie order is shown, what the others do, or that they were not tried; empty when none differs.
std::string tie_orders_words(const PlaceReport& report);

}  // namespace bayplan::report
