#include <algorithm>

#include "base/strings.hpp"
#include "capacity/instance_requirements.hpp"
#include "catalog/managed_instances.hpp"
#include "model/object_reader.hpp"
#include "rules/emitter.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

constexpr std::int64_t kMostScaleInAfter = 3'600;

bool tell_empty_ranges(const model::InstanceRequirements& wanted, Emitter& emit) {
  const auto empty = capacity::find_empty_ranges(wanted);
  for (const auto* range : empty)
    emit.at(range->node)
        .says("{}: min is {}, more than max, which is {}; no instance type matches", range->key, *range->min,
              *range->max)
        .help("exchange the two");
  return !empty.empty();
}

/// Names of types that Managed Instances do not offer. A name that the catalog lacks may be newer than it.
bool tell_types_not_offered(const Context& ctx, const model::InstanceRequirements& wanted, Emitter& emit) {
  bool found = false;
  for (const auto& name : wanted.allowed_instance_types) {
    if (!name || is_glob(*name) || !emit.knows(name)) continue;
    const auto* type = ctx.catalog.get().find(*name);
    if (type == nullptr) continue;
    const auto offered = catalog::managed_instances(*type);
    if (offered.is_available() || offered.may_be_offered) continue;
    found = true;
    emit.at(name)
        .says("Managed Instances do not offer {}: {}", *name, offered.why_not)
        .help("delete it, or use a type of another family");
  }
  return found;
}

/// A value that is known only when the stack is created may be anything.
bool has_unknown_values(text::Value value, const model::Placeholders& placeholders) {
  if (placeholders.holds(value)) return true;
  if (!value.is_object() && !value.is_array()) return false;
  const auto all = value.children();
  return std::any_of(all.begin(), all.end(), [&](text::Value one) { return has_unknown_values(one, placeholders); });
}

void tell_no_match(const Context& ctx, const model::InstanceRequirements& wanted, Emitter& emit) {
  if (!wanted.node || has_unknown_values(wanted.node, ctx.placeholders)) return;
  const auto matched = capacity::match_instance_types(wanted, ctx.catalog.get());
  const auto* step = matched.first_empty();
  if (step == nullptr || matched.may_match_newer) return;
  const text::Value member = wanted.node.find(step->key);
  emit.at(member ? member : wanted.node)
      .says("no known instance type matches instanceRequirements: {} leaves none", step->key)
      .help("relax it; bayplan catalog lists the types (EC2 data of {})", ctx.catalog.get().data_date());
}

void tell_ranges(const model::ManagedInstancesProvider& provider, Emitter& emit) {
  const auto& after = provider.scale_in_after;
  if (after.present() && emit.knows(after) && (*after < -1 || *after > kMostScaleInAfter))
    emit.at(after).says("scaleInAfter must be -1 or 0 to {}, got {}", kMostScaleInAfter, *after).help("-1 means never");
  const auto& size = provider.storage_size_gib;
  if (size.present() && emit.knows(size) && *size < 1)
    emit.at(size)
        .says("storageSizeGiB must be 1 or more, got {}", *size)
        .help("state the size of the data volume in GiB");
}

void managed_instances_requirements(const Context& ctx, Emitter& emit) {
  if (ctx.kind != FileKind::kCapacityProvider || !ctx.root.is_object()) return;
  const model::ObjectReader reader(ctx.root, ctx.placeholders);
  const auto provider = model::bind_managed_instances_provider(reader.member("managedInstancesProvider"));
  if (!provider.present()) return;
  tell_ranges(provider, emit);
  if (tell_empty_ranges(provider.requirements, emit)) return;
  if (!tell_types_not_offered(ctx, provider.requirements, emit)) tell_no_match(ctx, provider.requirements, emit);
}

}  // namespace

std::span<const Rule> managed_instances_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1126", kProvider, managed_instances_requirements},
  };
  return kRules;
}

}  // namespace bayplan::rules
