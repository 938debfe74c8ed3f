#include "rules/registry.hpp"

#include "rules/rule_functions.hpp"

namespace bayplan::rules {
namespace {

constexpr Rule kRules[] = {
    {"BAY112", fargate_cpu_value},
    {"BAY113", fargate_cpu_memory_pair},
};

}  // namespace

std::span<const Rule> registry() {
  return kRules;
}

}  // namespace bayplan::rules
