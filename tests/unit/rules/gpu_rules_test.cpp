// What the golden cases of tests/rules cannot say: options, edits, and which file asks for the catalog.
#include <algorithm>

#include "catch.hpp"
#include "lint/lint.hpp"
#include "rules/gpu/cuda_support.hpp"
#include "rules/gpu/gpu_images.hpp"
#include "rules/gpu/stated_needs.hpp"

namespace gpu_rules_test {

namespace {

using namespace bayplan;

std::string container(const std::string& members) {
  return R"({"family": "train", "requiresCompatibilities": ["EC2"], "containerDefinitions": [
    {"name": "app", "image": "registry.example/train:1.4", "memory": 8192, )" +
         members + "}]}";
}

std::vector<lint::LintFinding> findings(const std::string& text, const std::vector<std::string>& types = {}) {
  static const lint::Tools tools;
  lint::Options options;
  options.rules.types = types;
  return lint::lint_document(text, "train.json", options, tools).findings;
}

std::vector<std::string_view> codes(const std::vector<lint::LintFinding>& found) {
  std::vector<std::string_view> result;
  for (const auto& one : found) result.push_back(one.code);
  return result;
}

std::string gpus(const std::string& value) {
  return R"("resourceRequirements": [{"type": "GPU", "value": ")" + value + R"("}])";
}

using Codes = std::vector<std::string_view>;

}  // namespace

TEST_CASE("gpu rules - configured types are judged like pinned ones") {
  CHECK(codes(findings(container(gpus("1")), {"g4dn.xlarge"})) == Codes{});
  CHECK(codes(findings(container(gpus("4")), {"g4dn.xlarge"})) == Codes{"BAY464"});
  CHECK(codes(findings(container(gpus("4")), {"g4dn.xlarge", "p4d.*"})) == Codes{});
  CHECK(codes(findings(container(gpus("1")), {"m5.*"})) == Codes{"BAY464"});
  const std::string need = R"("dockerLabels": {"bayplan.gpu-memory": "20GiB"}, )" + gpus("1");
  const auto found = findings(container(need), {"g4dn.*"});
  REQUIRE(codes(found) == Codes{"BAY461"});
  CHECK(found[0].message == "container needs 20 GiB per GPU, but g4dn.xlarge (T4, configured) has 16 GiB");
}

TEST_CASE("gpu rules - a pinned type is stronger than a configured one") {
  const std::string pinned = R"({"family": "train", "requiresCompatibilities": ["EC2"], "placementConstraints": [
    {"type": "memberOf", "expression": "attribute:ecs.instance-type == m5.large"}], "containerDefinitions": [
    {"name": "app", "image": "registry.example/train:1.4", "memory": 512}]})";
  CHECK(codes(findings(pinned, {"m5.*"})) == Codes{});
  CHECK(codes(findings(pinned, {"g5.*"})) == Codes{});
}

TEST_CASE("gpu rules - what another tool writes is turned into what ECS reads") {
  const std::string text = container(R"("gpuCount": 2)");
  const auto found = findings(text);
  REQUIRE(codes(found) == Codes{"BAY406"});
  REQUIRE(found[0].fix);
  CHECK(found[0].fix->safe);
  REQUIRE(found[0].fix->edits.size() == 1);
  CHECK(found[0].fix->edits[0].text == R"("resourceRequirements": [{"type": "GPU", "value": "2"}])");

  const auto compose =
      findings(container(R"("resourceRequirements": [{"type": "gpu", "count": 1, "capabilities": ["compute"]}])"));
  REQUIRE(codes(compose) == Codes{"BAY404", "BAY405", "BAY405"});
  CHECK(compose[0].help == R"(use "type": "GPU")");
  CHECK(compose[1].help == R"(use "value": "1")");
  CHECK(compose[2].help ==
        "delete it; set driver capabilities in environment: NVIDIA_DRIVER_CAPABILITIES=compute,utility");
}

TEST_CASE("gpu rules - a file without a GPU and without a pinned type never loads the catalog") {
  bool is_loaded = false;
  const lint::Tools tools{.catalog = Lazy<catalog::Catalog>([&] {
                            is_loaded = true;
                            return catalog::Catalog::load();
                          })};
  lint::Options options;
  lint::lint_document(container(R"("cpu": 4096)"), "web.json", options, tools);
  CHECK_FALSE(is_loaded);
  lint::lint_document(container(gpus("2")), "train.json", options, tools);
  CHECK_FALSE(is_loaded);
  lint::lint_document(container(gpus("9")), "train.json", options, tools);
  CHECK(is_loaded);
}

TEST_CASE("gpu images - the CUDA version is read from the tag") {
  const auto version = [](std::string_view image) {
    const auto found = rules::parse_cuda_version(image);
    return found ? found->text() : "";
  };
  CHECK(version("nvidia/cuda:12.4.1-base-ubuntu22.04") == "12.4");
  CHECK(version("nvcr.io/nvidia/cuda:9.0-runtime@sha256:abc") == "9.0");
  CHECK(version("pytorch/pytorch:2.4.0-cuda12.4-cudnn9-runtime") == "12.4");
  CHECK(version("1.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.0.1-gpu-py310-cu118-ubuntu20.04-ec2") == "11.8");
  CHECK(version("example/trainer:1-cu92") == "9.2");
  CHECK(version("example/trainer:cuda11-v2") == "11");
  CHECK(version("example/trainer:2.4.0-cudnn9").empty());
  CHECK(version("example/focus:acu118").empty());
  CHECK(version("localhost:5000/trainer").empty());
  CHECK(version("nvidia/cuda:latest").empty());
}

TEST_CASE("gpu images - official bases are told from images of one's own") {
  CHECK(rules::is_plain_base("nginx:1.27"));
  CHECK(rules::is_plain_base("docker.io/library/alpine"));
  CHECK(rules::is_plain_base("public.ecr.aws/amazonlinux/amazonlinux:2023"));
  CHECK_FALSE(rules::is_plain_base("registry.example/nginx:1.27"));
  CHECK_FALSE(rules::is_plain_base("nginx:1.27-cuda"));
  CHECK_FALSE(rules::is_general_base("team/python:3"));
  CHECK(rules::is_general_base("public.ecr.aws/docker/library/python:3.12"));
}

TEST_CASE("cuda support - every GPU of the catalog has a row") {
  const auto rows = rules::load_cuda_support();
  CHECK(std::is_sorted(rows.begin(), rows.end(),
                       [](const auto& a, const auto& b) { return a.compute_capability < b.compute_capability; }));
  const auto catalog = catalog::Catalog::load();
  for (const auto& type : catalog.types()) {
    if (!type.has_nvidia_gpu()) continue;
    INFO(type.name << " " << type.gpu->compute_capability);
    const auto capability = capacity::parse_tenths(type.gpu->compute_capability);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.compute_capability == capability; }));
  }
}

TEST_CASE("cuda support - first and last toolkits bound what runs") {
  const auto rows = rules::load_cuda_support();
  const auto row = [&](capacity::Tenths capability) {
    return *std::find_if(rows.begin(), rows.end(),
                         [&](const auto& one) { return one.compute_capability == capability; });
  };
  CHECK(row(37).is_dropped_by({12, 0}));
  CHECK_FALSE(row(37).is_dropped_by({11, 8}));
  CHECK(row(70).is_dropped_by({13, 0}));
  CHECK_FALSE(row(70).is_dropped_by({12, 9}));
  CHECK_FALSE(row(75).is_dropped_by({13, 0}));
  CHECK(row(75).is_unknown_to({9, 2}));
  CHECK(row(86).is_unknown_to({11, 0}));
  CHECK_FALSE(row(86).is_unknown_to({11, std::nullopt}));
  CHECK(row(90).is_unknown_to({11, 7}));
}

TEST_CASE("stated needs - amounts have a unit") {
  CHECK(capacity::parse_gpu_memory("14GiB") == 14336);
  CHECK(capacity::parse_gpu_memory(" 14 gib ") == 14336);
  CHECK(capacity::parse_gpu_memory("16384MiB") == 16384);
  CHECK(capacity::parse_gpu_memory("24GB") == 22888);
  CHECK_FALSE(capacity::parse_gpu_memory("14"));
  CHECK_FALSE(capacity::parse_gpu_memory("0GiB"));
  CHECK_FALSE(capacity::parse_gpu_memory("99999999999999999999GiB"));
  CHECK(capacity::parse_tenths("7.5") == 75);
  CHECK(capacity::parse_tenths("12") == 120);
  CHECK_FALSE(capacity::parse_tenths("sm_70"));
  CHECK_FALSE(capacity::parse_tenths("7.55"));
}

}  // namespace gpu_rules_test
