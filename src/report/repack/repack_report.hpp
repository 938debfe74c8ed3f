#pragma once
#include <ostream>

#include "report/document/document.hpp"
#include "report/document/text_options.hpp"
#include "report/repack/repack_words.hpp"

namespace bayplan::report {

/// The answer, the steps, what they do to the services, and what keeps the other instances.
void write_repack_text(std::ostream& out, const RepackReport& report, const TextOptions& options);

/// schemas/repack-report.schema.json
void write_repack_json(std::ostream& out, const RepackReport& report);

/// A row an instance that is given back, in the order of the steps.
void write_repack_csv(std::ostream& out, const RepackReport& report);

/// The same as the text, for a ticket or a page.
Document repack_document(const RepackReport& report, Medium medium);

}  // namespace bayplan::report
