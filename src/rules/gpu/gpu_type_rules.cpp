// The instance types that a placement constraint leaves, against the GPUs that the task asks for.
#include <algorithm>

#include "base/strings.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/gpu/stated_needs.hpp"
#include "rules/task/pinned_types.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using catalog::InstanceType;

bool places_gpu_tasks(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  return places_on_instances(ctx) && std::any_of(containers.begin(), containers.end(), wants_gpu);
}

bool has_nvlink(const InstanceType& type) {
  return type.gpu->interconnect.find("NVLink") != std::string::npos;
}

/// V100 hosts with eight GPUs: some pairs have no link of their own (NVIDIA DGX-1 mesh; MXNet wiki, figure 3).
bool has_partial_mesh(const InstanceType& type) {
  return type.gpu->interconnect.find("hybrid") != std::string::npos;
}

/// Types whose GPUs could all serve the container, NVIDIA and enough of them.
std::vector<const InstanceType*> with_gpus(const ChosenTypes& chosen, std::int64_t count) {
  auto types = chosen.with_gpu();
  std::erase_if(types, [&](const InstanceType* type) { return type->gpu->count < count; });
  return types;
}

template <class Predicate>
bool all(const std::vector<const InstanceType*>& types, Predicate predicate) {
  return !types.empty() && std::all_of(types.begin(), types.end(), [&](const auto* type) { return predicate(*type); });
}

/// Whole GPUs of one container, two or more; ALL does not say.
std::optional<std::int64_t> several_gpus(const model::ContainerDefinition& container) {
  const auto count = whole_gpus(gpu_requests(container));
  return count && *count >= 2 ? count : std::nullopt;
}

void report_pcie(const ChosenTypes& chosen, const model::ContainerDefinition& container, std::int64_t count,
                 const capacity::StatedNeeds& needs, Emitter& emit) {
  const auto entry = gpu_requests(container).front().entry;
  auto report = needs.interconnect_place ? emit.at(needs.interconnect_place) : emit.at(entry->value);
  report.says("{} GPUs of this container communicate over PCIe on {}, which has no NVLink", count, chosen.names())
      .help("use p4d, p4de or p5 (NVLink) if traffic between GPUs matters");
  if (chosen.constraint) report.related(chosen.constraint, "the type is pinned here");
  if (needs.interconnect == capacity::Interconnect::kNvlink) report.severity(Severity::kWarning);
}

void report_partial_mesh(const ChosenTypes& chosen, const model::ContainerDefinition& container, std::int64_t count,
                         Emitter& emit) {
  auto report = emit.at(gpu_requests(container).front().entry->value);
  report
      .says("some pairs of GPUs on {} have no NVLink, and ECS does not consider that when it assigns {} GPUs",
            chosen.names(), count)
      .help("request all 8 GPUs, or use a type where every pair is linked: p3.8xlarge, p4d, p5");
  if (chosen.constraint) report.related(chosen.constraint, "the type is pinned here");
}

void gpu_old_instance(const Context& ctx, Emitter& emit) {
  if (!places_gpu_tasks(ctx) || ctx.task.placement_constraints.empty()) return;
  const auto chosen = chosen_types(ctx, emit);
  if (!chosen || !chosen->constraint) return;
  if (!all(chosen->with_gpu(), [](const InstanceType& type) { return type.is_retired(); })) return;
  emit.at(chosen->constraint)
      .says("constraint allows only GPU types that are retired or being retired: {}", chosen->names())
      .help("move to g5, g6 or g6e; until then check that your AMI and its NVIDIA driver still support the old type");
}

void gpu_non_gpu_instance(const Context& ctx, Emitter& emit) {
  if (!places_gpu_tasks(ctx) || ctx.task.placement_constraints.empty()) return;
  const auto chosen = chosen_types(ctx, emit);
  if (!chosen || !chosen->constraint || !chosen->with_gpu().empty()) return;
  const std::string hint = chosen->types.size() == 1 ? ctx.catalog.get().hint_for(chosen->types.front()->name) : "";
  auto report = emit.at(chosen->constraint);
  report.says("constraint allows only instance types without an NVIDIA GPU: {}", chosen->names());
  if (hint.empty()) {
    report.help("pin a GPU type such as g5.xlarge, or delete the GPU requirement");
  } else {
    report.help("{}", hint);
  }
}

void multi_gpu_on_pcie(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto count = several_gpus(container);
    if (!count) continue;
    const auto needs = stated_needs(ctx, container);
    if (needs.interconnect == capacity::Interconnect::kPcie) continue;
    auto chosen = chosen_types(ctx, emit);
    if (!chosen) return;
    const auto types = chosen->types = with_gpus(*chosen, *count);
    if (all(types, [](const InstanceType& type) { return type.gpu->interconnect.starts_with("PCIe"); })) {
      report_pcie(*chosen, container, *count, needs, emit);
    } else if (*count < 8 && all(types, [](const auto& type) { return has_nvlink(type) && has_partial_mesh(type); })) {
      report_partial_mesh(*chosen, container, *count, emit);
    }
  }
}

}  // namespace

std::span<const Rule> gpu_type_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY455", kTaskDefinition, gpu_old_instance},
      {"BAY456", kTaskDefinition, gpu_non_gpu_instance},
      {"BAY462", kTaskDefinition, multi_gpu_on_pcie, {.reads_needs = true}},
  };
  return kRules;
}

}  // namespace bayplan::rules
