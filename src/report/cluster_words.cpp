#include "report/cluster_words.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/strings.hpp"
#include "report/figures.hpp"

namespace bayplan::report {

std::string cluster_totals(const placement::Summary& summary) {
  std::vector<std::string> parts{count_of(summary.instances, "instance")};
  const auto add = [&](std::string_view name, const placement::Share& part) {
    if (part.registered > 0) parts.push_back(fmt::format("{} {}%", name, part.reserved * 100 / part.registered));
  };
  add("CPU", summary.cpu);
  add("memory", summary.memory);
  if (summary.gpu.total > 0)
    parts.push_back(fmt::format("{} of {} GPUs in use", summary.gpu_devices.reserved, summary.gpu.total));
  if (summary.gpu.stranded > 0) parts.push_back(fmt::format("{} stranded", summary.gpu.stranded));
  if (summary.hourly_cost) parts.push_back(fmt::format("${}/h", usd(*summary.hourly_cost)));
  return join(parts, ", ");
}

}  // namespace bayplan::report
