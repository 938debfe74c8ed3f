#pragma once
#include <vector>

#include "capacity/fit.hpp"
#include "report/document/document.hpp"

namespace bayplan::report {

/// Which instance types hold each task, how often and at what price, and why the others do not.
Document fit_document(const capacity::FitReport& report, Medium medium);

/// The types of a task: those that hold it, those that ECS would use although its GPUs need others, and the rest.
struct FitRows {
  std::vector<const capacity::FitRow*> holding;
  std::vector<const capacity::FitRow*> unmet;
  std::vector<const capacity::FitRow*> rejected;
};
FitRows sorted_rows(const capacity::TaskFit& task);

Table holding_table(const std::vector<const capacity::FitRow*>& rows);
Table unmet_table(const std::vector<const capacity::FitRow*>& rows);
Table rejected_table(const std::vector<const capacity::FitRow*>& rows);

}  // namespace bayplan::report
