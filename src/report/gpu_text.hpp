#pragma once
#include <ostream>

#include "report/place_text.hpp"

namespace bayplan::report {

/// Free GPUs in total and in blocks, then what each kind of GPU task still finds. Nothing where no GPU is free.
void write_free_gpus(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options);

/// Which GPUs each container was given, and what links them; left out where there are many.
void write_gpu_ids(std::ostream& out, const PlaceReport& report, const PlaceTextOptions& options);

}  // namespace bayplan::report
