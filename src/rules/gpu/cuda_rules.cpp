// The CUDA version that an image names, against the GPUs it will meet.
#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "rules/gpu/cuda_support.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/task/pinned_types.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using catalog::InstanceType;

/// A list this short is meant type by type: each unsuitable one is reported. A pattern over many is only judged whole.
constexpr std::size_t kFewTypes = 8;

struct Match {
  const InstanceType* type = nullptr;
  const CudaSupport* support = nullptr;
};

const CudaSupport* find_support(const std::vector<CudaSupport>& rows, const InstanceType& type) {
  const auto capability = capacity::parse_tenths(type.gpu->compute_capability);
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const CudaSupport& row) { return row.compute_capability == capability; });
  return found == rows.end() ? nullptr : &*found;
}

/// Code for an older GPU of the same major capability runs on the newer one (CUDA C++ programming guide, section on
/// binary compatibility).
const CudaSupport* older_sibling(const std::vector<CudaSupport>& rows, const CudaSupport& of, const CudaVersion& cuda) {
  for (const auto& row : rows) {
    const bool is_sibling = row.compute_capability / 10 == of.compute_capability / 10;
    if (is_sibling && row.compute_capability < of.compute_capability && !row.is_unknown_to(cuda)) return &row;
  }
  return nullptr;
}

std::string gpu_text(const Match& match) {
  return fmt::format("{} of {} (compute capability {})", match.type->gpu->model, match.type->name,
                     match.type->gpu->compute_capability);
}

void report_match(const Match& match, const std::vector<CudaSupport>& rows, const CudaVersion& cuda, Report report) {
  const auto& support = *match.support;
  if (support.is_dropped_by(cuda)) {
    report.says("CUDA {} of this image no longer supports the {}", cuda.text(), gpu_text(match))
        .help("use an image with CUDA {}, the last for {}, or a newer GPU", support.last->text(), support.architecture);
    return;
  }
  const CudaSupport* sibling = older_sibling(rows, support, cuda);
  report.says("CUDA {} of this image is older than the {}", cuda.text(), gpu_text(match));
  if (sibling != nullptr) {
    report.severity(Severity::kInfo)
        .help("use CUDA {} or newer; programs built for compute capability {} run too", support.first.text(),
              capacity::text_of_tenths(sibling->compute_capability));
  } else {
    report.help("use CUDA {} or newer; older programs run only if they were built with PTX", support.first.text());
  }
}

void cuda_image_against_gpu(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!wants_gpu(container) || only_looks_at_gpu(container) || !container.image) continue;
    const auto cuda = parse_cuda_version(*container.image);
    const auto chosen = cuda ? chosen_types(ctx, emit) : std::nullopt;
    if (!chosen) continue;
    const auto rows = load_cuda_support();
    const auto types = chosen->with_gpu();
    std::vector<Match> matches;
    for (const auto* type : types) {
      const auto* support = find_support(rows, *type);
      const bool is_wrong = support != nullptr && (support->is_dropped_by(*cuda) || support->is_unknown_to(*cuda));
      if (is_wrong) matches.push_back({type, support});
    }
    if (matches.empty() || (matches.size() < types.size() && types.size() > kFewTypes)) continue;
    auto report = emit.at(container.image);
    if (chosen->constraint) report.related(chosen->constraint, "the type is pinned here");
    report_match(matches.front(), rows, *cuda, report);
  }
}

}  // namespace

std::span<const Rule> cuda_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY465", kTaskDefinition, cuda_image_against_gpu},
  };
  return kRules;
}

}  // namespace bayplan::rules
