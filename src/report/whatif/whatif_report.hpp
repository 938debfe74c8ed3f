#pragma once
#include <ostream>
#include <string>

#include "report/document/report_document.hpp"
#include "study/whatif/comparison.hpp"
#include "study/whatif/played_variant.hpp"

namespace bayplan::report {

/// What the reports of `whatif` are about; refers to what it is made of.
struct WhatIfReport {
  const placement::Scenario& scenario;
  const study::Comparison& comparison;
  const study::PlayedVariant* played = nullptr;  ///< Page: the first variant, step by step; null: no steps are shown.
};

/// schemas/whatif-report.schema.json, or whatif-timeline-report.schema.json of a scenario over time; streamed.
void write_whatif_json(std::ostream& out, const WhatIfReport& report);

/// A row a variant, the baseline first. Columns and units are those of the JSON report; times are in seconds.
void write_whatif_csv(std::ostream& out, const WhatIfReport& report);

/// The answer, then baseline and variants side by side. One variant is shown in detail; of many, each has a row, single
/// failures the worst first, and those that leave more without a place say why and what would help. Of a scenario over
/// time a row a run, then those that leave more undone, and deployments.
ReportDocument whatif_document(const WhatIfReport& report);

/// Its parts in a terminal: what follows the answer, and the fixes, which no first screen omits.
void add_lines(ReportDocument& document, const WhatIfReport& report);
void add_fixes_to_footer(ReportDocument& footer, const WhatIfReport& report);

}  // namespace bayplan::report
