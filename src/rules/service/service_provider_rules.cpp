
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::CapacityProviderStrategyItem;

void outside(const model::IntegerField& field, std::string_view name, std::int64_t most, Emitter& emit) {
  if (!field.present() || !emit.knows(field) || (*field >= 0 && *field <= most)) return;
  emit.at(field).says("{} must be 0 to {}, got {}", name, most, *field).help("use a number from 0 to {}", most);
}

void launch_type_and_provider(const ServiceContext& ctx, Emitter& emit) {
  const auto& strategy = ctx.request.capacity_provider_strategy;
  if (!ctx.request.launch_type.present() || strategy.empty()) return;
  emit.at_key(ctx.request.launch_type.node)
      .says("launchType and capacityProviderStrategy are mutually exclusive")
      .related(strategy.node.key_span(), "the capacity providers")
      .help("delete one of the two");
}

// A base of 0, which ECS answers for every entry, is no base.
void provider_base_many(const ServiceContext& ctx, Emitter& emit) {
  const CapacityProviderStrategyItem* first = nullptr;
  for (const auto& item : ctx.request.capacity_provider_strategy) {
    if (!item.base.present() || !emit.knows(item.base) || *item.base <= 0) continue;
    if (first == nullptr) {
      first = &item;
      continue;
    }
    emit.at(item.base)
        .says("only one capacity provider can have a base, got a second one ({})", *item.base)
        .related(first->base.node, "the first base")
        .help("keep base in one entry");
  }
}

// Of one provider alone no refusal was seen.
void provider_weight_zero(const ServiceContext& ctx, Emitter& emit) {
  const auto& strategy = ctx.request.capacity_provider_strategy;
  if (strategy.size() < 2 || !ctx.is_whole) return;
  for (const auto& item : strategy) {
    if (item.weight.present() && (!emit.knows(item.weight) || *item.weight != 0)) return;
  }
  emit.at(strategy.node)
      .says("none of the {} capacity providers has a weight above 0", strategy.size())
      .help("set one weight to 1 or more; an absent weight is 0");
}

void provider_ranges(const ServiceContext& ctx, Emitter& emit) {
  for (const auto& item : ctx.request.capacity_provider_strategy) {
    outside(item.weight, "weight", 1000, emit);
    outside(item.base, "base", 100'000, emit);
  }
}

void provider_mixed(const ServiceContext& ctx, Emitter& emit) {
  const CapacityProviderStrategyItem* fargate = nullptr;
  const CapacityProviderStrategyItem* other = nullptr;
  for (const auto& item : ctx.request.capacity_provider_strategy) {
    if (!emit.knows(item.capacity_provider)) continue;
    const bool is_fargate = *item.capacity_provider == "FARGATE" || *item.capacity_provider == "FARGATE_SPOT";
    auto& first = is_fargate ? fargate : other;
    if (first == nullptr) first = &item;
  }
  if (fargate == nullptr || other == nullptr) return;
  emit.at(other->capacity_provider)
      .says("{} and {} cannot be used in the same capacityProviderStrategy", *other->capacity_provider,
            *fargate->capacity_provider)
      .related(fargate->capacity_provider.node, "the Fargate capacity provider")
      .help("use either Fargate capacity providers or those of instances");
}

}  // namespace

std::span<const Rule> service_provider_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1112", kService, launch_type_and_provider}, {"BAY1113", kService, provider_base_many},
      {"BAY1114", kService, provider_weight_zero},     {"BAY1115", kService, provider_ranges},
      {"BAY1136", kService, provider_mixed},
  };
  return kRules;
}

}  // namespace bayplan::rules
