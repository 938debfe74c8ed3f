#pragma once
#include <ostream>

#include "report/glyphs.hpp"
#include "report/repack_words.hpp"
#include "report/style.hpp"

namespace bayplan::report {

struct RepackTextOptions {
  Style style{false};
  Glyphs glyphs;
  bool quiet = false;    ///< The answer only.
  bool verbose = false;  ///< Every step, service, instance and assumption.
};

/// The answer, the steps, what they do to the services, and what keeps the other instances.
void write_repack_text(std::ostream& out, const RepackReport& report, const RepackTextOptions& options);

/// The same as Markdown, for a ticket.
void write_repack_markdown(std::ostream& out, const RepackReport& report);

}  // namespace bayplan::report
