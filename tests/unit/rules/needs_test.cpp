// What config and scenario say of a container's GPUs, beside its labels.
#include "capacity/gpu_needs.hpp"

#include "catch.hpp"
#include "lint/lint.hpp"

namespace needs_test {

namespace {

using namespace bayplan;

std::string task(const std::string& labels = {}) {
  return R"({"family": "train", "requiresCompatibilities": ["EC2"], "placementConstraints":
    [{"type": "memberOf", "expression": "attribute:ecs.instance-type == g4dn.12xlarge"}],
    "containerDefinitions": [{"name": "app", "image": "repo/train:1", "cpu": 4096, "memory": 8192, )" +
         labels + R"("resourceRequirements": [{"type": "GPU", "value": "2"}]}]})";
}

/// "CODE pointer severity" of the findings on what GPUs have.
std::vector<std::string> told(const std::string& text, capacity::NeedsByName needs) {
  const lint::Tools tools;
  lint::Options options;
  options.rules.needs = std::move(needs);
  options.selection.select = {"BAY461", "BAY462", "BAY463"};
  std::vector<std::string> result;
  for (const auto& one : lint::lint_document(text, "task.json", options, tools).findings) {
    result.push_back(std::string(one.code) + " " + one.pointer + " " + std::string(name_of(one.severity)));
  }
  return result;
}

using Told = std::vector<std::string>;
const std::string kRequests = "/containerDefinitions/0/resourceRequirements";
const std::string kLabels = "/containerDefinitions/0/dockerLabels";
const std::string kPcie = "BAY462 " + kRequests + "/0/value info";

}  // namespace

TEST_CASE("needs - by container and by family, told at the GPU request") {
  CHECK(told(task(), {}) == Told{kPcie});
  CHECK(told(task(), {{"other/app", {.gpu_memory = 40 * 1024}}}) == Told{kPcie});
  CHECK(told(task(), {{"train/app", {.gpu_memory = 40 * 1024}}}) == Told{"BAY461 " + kRequests + " warning", kPcie});
  CHECK(told(task(), {{"train", {.min_compute_capability = 80}}}) == Told{"BAY463 " + kRequests + " warning", kPcie});
  CHECK(told(task(), {{"train", {.interconnect = capacity::Interconnect::kPcie}}}) == Told{});
  CHECK(told(task(), {{"train", {.interconnect = capacity::Interconnect::kNvlink}}}) ==
        Told{"BAY462 " + kRequests + " warning"});
}

TEST_CASE("needs - the container says more than the family and a label more than both") {
  CHECK(told(task(), {{"train/app", {.gpu_memory = 1024}}, {"train", {.gpu_memory = 40 * 1024}}}) == Told{kPcie});
  CHECK(told(task(), {{"train/app", {.gpu_memory = 1024}}, {"train", {.min_compute_capability = 80}}}) ==
        Told{"BAY463 " + kRequests + " warning", kPcie});
  const std::string memory = R"("dockerLabels": {"bayplan.gpu-memory": "1GiB"}, )";
  CHECK(told(task(memory), {{"train", {.gpu_memory = 40 * 1024}}}) == Told{kPcie});
  const std::string capability = R"("dockerLabels": {"bayplan.min-compute-capability": "7.0"}, )";
  CHECK(told(task(capability), {{"train", {.min_compute_capability = 80}}}) == Told{kPcie});
  const std::string link = R"("dockerLabels": {"bayplan.interconnect": "pcie"}, )";
  CHECK(told(task(link), {{"train", {.interconnect = capacity::Interconnect::kNvlink}}}) == Told{});
}

TEST_CASE("needs - a constraint on the architecture leaves the types of that architecture") {
  const std::string text = R"({"family": "train", "requiresCompatibilities": ["EC2"], "placementConstraints":
    [{"type": "memberOf", "expression": "attribute:ecs.instance-type in [g5g.xlarge, c5.large] and attribute:ecs.cpu-architecture == x86_64"}],
    "containerDefinitions": [{"name": "app", "image": "repo/train:1", "memory": 512,
      "resourceRequirements": [{"type": "GPU", "value": "1"}]}]})";
  const lint::Tools tools;
  lint::Options options;
  options.selection.select = {"BAY456"};
  CHECK(lint::lint_document(text, "task.json", options, tools).findings.size() == 1);
}

}  // namespace needs_test
