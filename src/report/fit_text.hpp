#pragma once
#include <ostream>

#include "capacity/fit.hpp"
#include "report/document/text_options.hpp"

namespace bayplan::report {

struct FitTextOptions : TextOptions {
  bool named = false;  ///< The user named the types: each gets its line.
};

/// A headline that answers, the types that hold the task, and why the others do not.
void write_fit_text(std::ostream& out, const capacity::FitReport& report, const FitTextOptions& options);

}  // namespace bayplan::report
