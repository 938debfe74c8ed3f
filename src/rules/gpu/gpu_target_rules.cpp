// Where tasks with a GPU can run, and how many GPUs one task can have.
#include <algorithm>

#include "base/strings.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/task/pinned_types.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using capacity::GpuForm;
using model::Compatibility;

/// The largest number of GPUs that a type on sale has; the catalog is asked only above it.
constexpr std::int64_t kCommonLargest = 8;
constexpr std::int64_t kMillion = 1'000'000;

text::Value element_named(const model::List<model::StringField>& list, std::string_view name) {
  for (const auto& item : list) {
    if (item && *item == name) return item.node;
  }
  return {};
}

std::int64_t most_gpus(const catalog::Catalog& catalog, bool retired) {
  std::int64_t most = 0;
  for (const auto& type : catalog.types()) {
    if (type.has_nvidia_gpu() && type.is_retired() == retired) most = std::max(most, type.gpu->count);
  }
  return most;
}

std::string types_with(const catalog::Catalog& catalog, std::int64_t gpus) {
  std::vector<std::string_view> names;
  for (const auto& type : catalog.types()) {
    if (type.has_nvidia_gpu() && type.gpu->count >= gpus) names.push_back(type.name);
  }
  return one_of(names);
}

void gpu_on_fargate(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate)) return;
  for (const auto& request : gpu_requests(ctx)) {
    if (request.is_none()) continue;
    auto report = emit.at(request.entry->type);
    report.says("GPUs are not supported on Fargate")
        .help("use \"EC2\" or \"MANAGED_INSTANCES\" in requiresCompatibilities, or delete the GPU requirement");
    const auto fargate = element_named(ctx.task.requires_compatibilities, "FARGATE");
    if (fargate) report.related(fargate, "Fargate is required here");
  }
}

void gpu_on_windows(const Context& ctx, Emitter& emit) {
  const Platform& platform = ctx.platform.get();
  if (platform.system != OperatingSystem::kWindows) return;
  for (const auto& request : gpu_requests(ctx)) {
    if (request.is_none()) continue;
    emit.at(request.entry->type)
        .related(platform.stated, "Windows is required here")
        .says("GPUs are supported in Linux containers only according to the documentation")
        .help("set operatingSystemFamily to \"LINUX\", or delete the GPU requirement");
  }
}

void gpu_external_flag(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kExternal)) return;
  const auto requests = gpu_requests(ctx);
  if (requests.empty() || requests.front().is_none()) return;
  emit.at(requests.front().entry->type)
      .says("GPUs of an external instance are available only if it was registered with --enable-gpu")
      .help("run the ECS Anywhere install script with --enable-gpu on these machines");
}

void gpu_all_not_alone(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  const auto requests = gpu_requests(ctx);
  const auto all = std::find_if(requests.begin(), requests.end(),
                                [](const GpuRequest& one) { return one.value && one.value->form == GpuForm::kAll; });
  if (all == requests.end()) return;
  for (const auto& request : requests) {
    if (request.position == all->position || request.is_none()) continue;
    emit.at(request.entry->node)
        .related(all->entry->value.node, "all GPUs are requested here")
        .says("no GPU is left for this container because another one requests ALL")
        .help("use a number for each container, for example {}", member_text(ctx.document, "value", "1"));
  }
}

void gpu_sum_over_largest(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  const auto requests = gpu_requests(ctx);
  const auto sum = whole_gpus(requests);
  if (!sum || *sum <= kCommonLargest) return;
  const auto& catalog = ctx.catalog.get();
  const std::int64_t largest = most_gpus(catalog, false);
  if (*sum <= largest) return;
  const std::int64_t largest_ever = most_gpus(catalog, true);
  if (*sum <= largest_ever && chosen_types(ctx, emit)) return;  // pinned: BAY464 knows better

  const auto most = std::max_element(requests.begin(), requests.end(),
                                     [](const auto& a, const auto& b) { return a.value->count < b.value->count; });
  auto report = emit.at(most->entry->value);
  const std::string sum_text = *sum > kMillion ? std::string("over a million") : std::to_string(*sum);
  report.says("{} {} GPUs, but the largest known instance types have {}",
              requests.size() == 1 ? "task requires" : "containers of the task require a total of", sum_text, largest);
  if (*sum <= largest_ever) {
    report.help("split the task; only the retired {} had that many", types_with(catalog, *sum));
  } else {
    report.help("split the task so that each one requires {} or fewer", largest);
  }
}

}  // namespace

std::span<const Rule> gpu_target_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY408", kTaskDefinition, gpu_on_fargate},       {"BAY409", kTaskDefinition, gpu_on_windows},
      {"BAY410", kTaskDefinition, gpu_external_flag},    {"BAY411", kTaskDefinition, gpu_all_not_alone},
      {"BAY412", kTaskDefinition, gpu_sum_over_largest},
  };
  return kRules;
}

}  // namespace bayplan::rules
