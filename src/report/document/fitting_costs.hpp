#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace bayplan::report {

/// Costs ("+$3.912/h, +$2,856/month") before texts that begin in one column, behind `indent`: without the months where
/// a narrow terminal would leave too little for the texts.
std::vector<std::string> fitting_costs(std::vector<std::string> costs, std::size_t indent);

}  // namespace bayplan::report
