#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "capacity/fit.hpp"
#include "report/document/report_document.hpp"

/// Sentences and cells of the reports of `fit`.
namespace bayplan::report {

/// schemas/fit-report.schema.json. `not_answered`: files left out because of lint errors.
void write_fit_json(std::ostream& out, const capacity::FitReport& report, const std::vector<std::string>& not_answered);

/// What one task takes, as an object.
void write_requirement_json(JsonWriter& json, const capacity::TaskRequirement& task);

/// A row a task definition and instance type. Columns and units are those of the JSON report.
void write_fit_csv(std::ostream& out, const capacity::FitReport& report);

/// Which instance types hold each task, how often and at what price, and why the others do not. `are_types_named`: by
/// the user, so that each gets its line.
ReportDocument fit_document(const capacity::FitReport& report, bool are_types_named);

/// "train (4 GPU, 16 vCPU): 5 of 10 types hold it; cheapest g4dn.12xlarge, 1 copy, $3.912/h"
RichText fit_headline(const capacity::TaskFit& task);

/// "3", "3-4" where the error band of the memory decides, "any" without a limit.
std::string copies_text(const capacity::FitRow& row);

std::string idle_text(const capacity::FitRow& row);
std::string price_text(const std::optional<MicroUsd>& price);

/// "yes", "unsure", "no, retired"
std::string fits_text(const capacity::FitRow& row);

/// "ATTRIBUTE (ecs.os-type=windows), RESOURCE:GPU (3 short)"
std::string reasons_text(const capacity::FitRow& row);

/// "compute capability 8.0 (has 7.5)": what the GPUs of the task need and those of the type do not have.
std::string unmet_text(const capacity::FitRow& row);

/// "538 types do not hold it: RESOURCE:GPU 534, RESOURCE:MEMORY 12"; a type counts under each of its reasons.
std::string rejected_words(const std::vector<const capacity::FitRow*>& rows);

/// The headline of one task definition; of several how many fit some type.
std::string fit_answer(const capacity::FitReport& report);

}  // namespace bayplan::report
