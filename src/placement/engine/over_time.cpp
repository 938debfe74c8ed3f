#include "placement/engine/over_time.hpp"

#include <fmt/core.h>

namespace bayplan::placement {

std::vector<Error> refuse_over_time(const Scenario& scenario, std::string_view command) {
  auto errors = scenario.over_time;
  for (auto& error : errors) {
    error.message = fmt::format("{} answers for time 0, and {} takes time", command, error.subject);
    error.help = "leave it out here; bayplan place simulates what takes time";
  }
  return errors;
}

}  // namespace bayplan::placement
