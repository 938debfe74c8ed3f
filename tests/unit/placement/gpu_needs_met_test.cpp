#include "placement/explain/gpu_needs_met.hpp"

#include "catch.hpp"
#include "placement/build.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

const catalog::Catalog& types() {
  static const auto catalog = catalog::Catalog::load();
  return catalog;
}

InstanceProfile of_type(const std::string& name) {
  const auto* type = types().find(name);
  auto profile = instance(name, type->cpu, type->registered_memory, {type->gpu->count, type->gpu->memory});
  profile.type = type;
  return profile;
}

/// What is said of two tasks of `count` GPUs on instances of the type.
std::vector<std::string> told(const std::string& type, std::int64_t count, capacity::GpuNeeds needs_of_gpu) {
  auto given = scenario_with({of_type(type), of_type(type)}, {run_task("train", with_gpus(needs(1, 1), {count}), 2)});
  auto& definition = given.task_definitions.front().definition;
  definition.family.value = "train";
  definition.container_definitions.items.emplace_back().name.value = "c0";
  given.needs["train"] = needs_of_gpu;
  std::vector<std::string> texts;
  for (const auto& finding : unmet_gpu_needs(given, place(given))) {
    CHECK(finding.subject == "train/c0");
    texts.push_back(finding.text);
  }
  return texts;
}

capacity::GpuNeeds nvlink() {
  capacity::GpuNeeds needs;
  needs.interconnect = capacity::Interconnect::kNvlink;
  return needs;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("GPU needs - memory and compute capability of the instance that a task really got") {
  capacity::GpuNeeds needs;
  needs.gpu_memory = 16384;
  needs.min_compute_capability = 75;
  CHECK(told("g4dn.xlarge", 1, needs) == Texts{});
  CHECK(told("p3.2xlarge", 1, needs) ==
        Texts{"needs compute capability 7.5; 2 tasks on p3.2xlarge, which has 7.0: ECS does not check this"});
  needs.gpu_memory = 16385;
  needs.min_compute_capability.reset();
  CHECK(told("g4dn.xlarge", 1, needs) ==
        Texts{"needs 16385 MiB on each GPU; 2 tasks on g4dn.xlarge, which has 16384 MiB: ECS does not check this"});
}

TEST_CASE("GPU needs - links matter from two GPUs on") {
  CHECK(told("g4dn.12xlarge", 1, nvlink()) == Texts{});
  CHECK(told("g4dn.12xlarge", 2, nvlink()) ==
        Texts{"needs NVLink; 2 tasks on g4dn.12xlarge, which has PCIe: ECS does not check this"});
  CHECK(told("p3.8xlarge", 2, nvlink()) == Texts{});
  CHECK(told("p3.16xlarge", 8, nvlink()) == Texts{});
  CHECK(told("p3.16xlarge", 4, nvlink()) ==
        Texts{"needs NVLink; 2 tasks on p3.16xlarge, which has pairs of GPUs without it: ECS does not check this"});
  CHECK(told("p4d.24xlarge", 4, nvlink()) == Texts{});
}
