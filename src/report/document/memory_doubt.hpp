#pragma once
#include <string>

#include "base/json_writer.hpp"
#include "study/memory_uncertainty.hpp"

/// What reports say of tasks that fit only if instances register as much memory as is estimated.
namespace bayplan::report {

/// " MEMORY UNCERTAIN: 2 tasks cannot be placed if instances register the minimum of the estimate."; empty if none.
std::string memory_sentence(const study::MemoryUncertainty& doubt);

/// The member "memoryDoubt"; null where no memory is estimated.
void write_memory_doubt_json(JsonWriter& json, const study::MemoryUncertainty& doubt);

}  // namespace bayplan::report
