#pragma once
#include <ostream>
#include <vector>

#include "base/assumption.hpp"
#include "report/document/document.hpp"
#include "report/document/text_options.hpp"
#include "study/why.hpp"

namespace bayplan::report {

/// The answer, the funnel, why there or why nowhere instance by instance, and what would help.
void write_why_text(std::ostream& out, const study::Why& why, const TextOptions& options);

/// schemas/why-report.schema.json
void write_why_json(std::ostream& out, const study::Why& why);

/// A row an instance that cannot take the task, in file order.
void write_why_csv(std::ostream& out, const study::Why& why);

/// The same as the text, for a comment or a page.
Document why_document(const study::Why& why, Medium medium);

/// Of the scenario, then of the placing.
std::vector<Assumption> assumptions_of(const study::Why& why);

}  // namespace bayplan::report
