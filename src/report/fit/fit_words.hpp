#pragma once
#include <string>
#include <vector>

#include "capacity/fit.hpp"
#include "report/document/style.hpp"

/// Sentences and cells of the reports of `fit`.
namespace bayplan::report {

/// "train (4 GPU, 16 vCPU): 5 of 10 types hold it; cheapest g4dn.12xlarge, 1 copy, $3.912/h"
std::string fit_headline(const capacity::TaskFit& task, const Style& style);

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

/// "prices: Linux on demand, us-east-1, 2026-07-20; none for 3 types"
std::string price_words(const capacity::PriceRange& prices);

}  // namespace bayplan::report
