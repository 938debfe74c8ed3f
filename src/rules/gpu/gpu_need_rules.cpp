// What containers say they need of a GPU, against the types that they can get.
#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/gpu/stated_needs.hpp"
#include "rules/task/pinned_types.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using catalog::InstanceType;

/// Families on sale, in catalog order, of which some type satisfies `serves`: "g5, g6 or g6e".
template <class Predicate>
std::string families_where(const catalog::Catalog& catalog, Predicate serves) {
  std::vector<std::string_view> families;
  for (const auto& type : catalog.types()) {
    if (!type.has_nvidia_gpu() || type.is_retired() || !serves(type)) continue;
    if (families.empty() || families.back() != type.family()) families.push_back(type.family());
  }
  std::sort(families.begin(), families.end(), natural_less);
  families.erase(std::unique(families.begin(), families.end()), families.end());
  return one_of(families);
}

std::string text_of(MiB memory) {
  return memory % kMiBPerGiB == 0 ? fmt::format("{} GiB", memory / kMiBPerGiB) : fmt::format("{} MiB", memory);
}

capacity::Tenths parse_capability(const InstanceType& type) {
  return capacity::parse_tenths(type.gpu->compute_capability).value_or(0);
}

/// The type among `types` that has the most of `figure`.
template <class Figure>
const InstanceType& best_of(const std::vector<const InstanceType*>& types, Figure figure) {
  return **std::max_element(types.begin(), types.end(),
                            [&](const auto* a, const auto* b) { return figure(*a) < figure(*b); });
}

bool any_need(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  return std::any_of(containers.begin(), containers.end(), [&](const auto& container) {
    const auto needs = stated_needs(ctx, container);
    return wants_gpu(container) && (needs.gpu_memory || needs.min_compute_capability);
  });
}

/// The GPU types to hold the needs against; nothing when no container states one or no type is chosen.
std::optional<ChosenTypes> types_to_judge(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx) || !any_need(ctx)) return std::nullopt;
  auto chosen = chosen_types(ctx, emit);
  if (!chosen) return std::nullopt;
  chosen->types = chosen->with_gpu();
  return chosen->types.empty() ? std::nullopt : std::move(chosen);
}

void need_malformed(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& fault : capacity::need_faults(container, ctx.placeholders)) {
      auto report = fault.at_key ? emit.at_key(fault.label) : emit.at(fault.label);
      report.says("{}", fault.message).help("{}", fault.help);
    }
  }
}

void gpu_memory_need_over_type(const Context& ctx, Emitter& emit) {
  const auto chosen = types_to_judge(ctx, emit);
  if (!chosen) return;
  const auto memory_of = [](const InstanceType& type) { return type.gpu->memory; };
  const InstanceType& best = best_of(chosen->types, memory_of);
  const bool all_known = std::none_of(chosen->types.begin(), chosen->types.end(),
                                      [](const InstanceType* type) { return type->gpu->memory == 0; });
  for (const auto& container : ctx.task.container_definitions) {
    const auto needs = stated_needs(ctx, container);
    if (!needs.gpu_memory || !wants_gpu(container) || !all_known || *needs.gpu_memory <= best.gpu->memory) continue;
    const auto families = families_where(
        ctx.catalog.get(), [&](const InstanceType& type) { return type.gpu->memory >= *needs.gpu_memory; });
    auto report = emit.at(needs.gpu_memory_place);
    report.says("container needs {} per GPU, but {} ({}, {}) has {}", text_of(*needs.gpu_memory), best.name,
                best.gpu->model, chosen->chosen_by(), text_of(best.gpu->memory));
    if (families.empty()) {
      report.help("no current instance type has that much memory on one GPU");
    } else {
      report.help("use {}", families);
    }
    if (chosen->constraint) report.related(chosen->constraint, "the type is pinned here");
  }
}

void compute_capability_need(const Context& ctx, Emitter& emit) {
  const auto chosen = types_to_judge(ctx, emit);
  if (!chosen) return;
  const InstanceType& best = best_of(chosen->types, parse_capability);
  const bool all_known = std::none_of(chosen->types.begin(), chosen->types.end(),
                                      [](const InstanceType* type) { return parse_capability(*type) == 0; });
  for (const auto& container : ctx.task.container_definitions) {
    const auto needs = stated_needs(ctx, container);
    const auto wanted = needs.min_compute_capability;
    if (!wanted || !wants_gpu(container) || !all_known || *wanted <= parse_capability(best)) continue;
    const auto families =
        families_where(ctx.catalog.get(), [&](const InstanceType& type) { return parse_capability(type) >= *wanted; });
    auto report = emit.at(needs.compute_capability_place);
    report.says("container needs compute capability {}, but {} ({}, {}) has {}", capacity::text_of_tenths(*wanted),
                best.name, best.gpu->model, chosen->chosen_by(), capacity::text_of_tenths(parse_capability(best)));
    if (families.empty()) {
      report.help("no current instance type has it");
    } else {
      report.help("use {}", families);
    }
    if (chosen->constraint) report.related(chosen->constraint, "the type is pinned here");
  }
}

}  // namespace

std::span<const Rule> gpu_need_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY460", kTaskDefinition, need_malformed},
      {"BAY461", kTaskDefinition, gpu_memory_need_over_type, {.reads_needs = true}},
      {"BAY463", kTaskDefinition, compute_capability_need, {.reads_needs = true}},
  };
  return kRules;
}

}  // namespace bayplan::rules
