#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "capacity/fit.hpp"
#include "report/document/document.hpp"
#include "report/document/text_options.hpp"

namespace bayplan::report {

struct FitTextOptions : TextOptions {
  bool named = false;  ///< The user named the types: each gets its line.
};

/// A headline that answers, the types that hold the task, and why the others do not.
void write_fit_text(std::ostream& out, const capacity::FitReport& report, const FitTextOptions& options);

/// schemas/fit-report.schema.json. `not_answered`: files left out because of lint errors.
void write_fit_json(std::ostream& out, const capacity::FitReport& report, const std::vector<std::string>& not_answered);

/// What one task takes, as an object.
void write_requirement_json(JsonWriter& json, const capacity::TaskRequirement& task);

/// A row a task definition and instance type. Columns and units are those of the JSON report.
void write_fit_csv(std::ostream& out, const capacity::FitReport& report);

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
