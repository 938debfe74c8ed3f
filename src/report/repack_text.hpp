#pragma once
#include <ostream>

#include "report/repack_words.hpp"
#include "report/text_options.hpp"

namespace bayplan::report {

/// The answer, the steps, what they do to the services, and what keeps the other instances.
void write_repack_text(std::ostream& out, const RepackReport& report, const TextOptions& options);

/// The same as Markdown, for a ticket.
void write_repack_markdown(std::ostream& out, const RepackReport& report);

}  // namespace bayplan::report
