// Places GPU tasks on a cluster that is described in memory, and prints why one of them is not placed.
#include <bayplan/place.hpp>
#include <cstdio>
#include <string>

namespace {

constexpr const char* kScenario = R"(
cluster:
  containerInstances:
    - {instanceType: p3.8xlarge, count: 2, availabilityZones: [us-east-2a, us-east-2b]}
taskDefinitions: [train.json]
tasks:
  - {taskDefinition: train, count: 4, placementStrategy: [{type: binpack, field: memory}]}
)";

constexpr const char* kTrain = R"({
  "family": "train",
  "containerDefinitions": [
    {"name": "trainer", "image": "registry.example/train:7", "cpu": 4096, "memory": 30000,
     "resourceRequirements": [{"type": "GPU", "value": "2"}]}
  ]
})";

void print(const bayplan::Placement& placement, const bayplan::Instance& instance) {
  std::printf("%s on %s (%s)", placement.task.c_str(), instance.id.c_str(), instance.availability_zone.c_str());
  for (const auto& container : placement.containers) {
    std::printf(", %s:", container.container.c_str());
    for (const auto& gpu : container.gpu_ids) std::printf(" %s", gpu.c_str());
  }
  std::printf("\n");
}

void print(const bayplan::Failure& failure, const bayplan::PlaceReport& report) {
  std::printf("%s not placed: %s\n", failure.task.c_str(), failure.message.c_str());
  for (const auto& rejection : failure.instances) {
    std::printf("  %s:", report.instances[rejection.instance].id.c_str());
    for (const auto& reason : rejection.reasons) std::printf(" %s", reason.c_str());
    std::printf(", %lld GPUs short\n", static_cast<long long>(rejection.shortfall.gpus));
  }
}

}  // namespace

int main() {
  // `tasks` adds to what the scenario runs: a fifth one, for which no GPU is left.
  const auto report = bayplan::place({.path = "scenario.yaml",
                                      .texts = {{"scenario.yaml", kScenario}, {"train.json", kTrain}},
                                      .reads_disk = false,
                                      .tasks = {"train=1"},
                                      .seed = 1});
  if (!report) {
    for (const auto& error : report.errors()) std::fprintf(stderr, "%s\n", to_string(error).c_str());
    return 2;
  }
  std::printf("%s\n", report->answer.c_str());
  for (const auto& placement : report->placements) print(placement, report->instances[placement.instance]);
  for (const auto& failure : report->failures) print(failure, *report);
  for (const auto& instance : report->instances)
    std::printf("%s: %lld of %lld GPUs and %lld of %lld MiB left\n", instance.id.c_str(),
                static_cast<long long>(instance.remaining.gpus), static_cast<long long>(instance.registered.gpus),
                static_cast<long long>(instance.remaining.memory), static_cast<long long>(instance.registered.memory));
  return report->all_placed() ? 0 : 1;
}
