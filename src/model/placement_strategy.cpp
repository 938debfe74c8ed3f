#include "model/placement_strategy.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::model {
namespace {

constexpr std::string_view kAttributePrefix = "attribute:";

std::optional<StrategyFault> binpack_fault(std::optional<std::string_view> field) {
  if (!field || field->empty()) return StrategyFault{"binpack needs a field", "write cpu or memory"};
  if (equal_ignoring_case(*field, "cpu") || equal_ignoring_case(*field, "memory")) return std::nullopt;
  return StrategyFault{fmt::format("binpack has no field \"{}\": ECS documents only cpu and memory", *field),
                       equal_ignoring_case(*field, "gpu")
                           ? "GPU tasks pack on cpu or memory; keep other tasks off GPU instances with memberOf"
                           : "write cpu or memory"};
}

std::optional<StrategyFault> spread_fault(std::optional<std::string_view> field) {
  if (!field || field->empty())
    return StrategyFault{"spread needs a field", "write instanceId or attribute:ecs.availability-zone"};
  if (equal_ignoring_case(*field, "instanceId") || equal_ignoring_case(*field, "host")) return std::nullopt;
  if (field->starts_with(kAttributePrefix) && field->size() > kAttributePrefix.size()) return std::nullopt;
  return StrategyFault{fmt::format("spread has no field \"{}\"", *field),
                       field->starts_with("ecs.")
                           ? fmt::format("write attribute:{}", *field)
                           : "write instanceId or attribute:NAME, such as attribute:ecs.availability-zone"};
}

}  // namespace

std::optional<StrategyFault> find_strategy_fault(std::string_view type, std::optional<std::string_view> field) {
  if (type == "binpack") return binpack_fault(field);
  if (type == "spread") return spread_fault(field);
  return std::nullopt;
}

}  // namespace bayplan::model
