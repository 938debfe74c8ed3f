#include "packing/workloads.hpp"

#include <algorithm>
#include <istream>
#include <map>
#include <random>
#include <sstream>

#include <fmt/core.h>

namespace bayplan::bench {
namespace {

constexpr const char* kRegion = "us-east-1";

/// A share of a GPU does not fit a task that needs a whole one.
std::int64_t gpus_of(const catalog::InstanceType& type) {
  return type.has_nvidia_gpu() && !type.gpu->is_fractional() ? type.gpu->count : 0;
}

packing::BinType bin_of(const catalog::InstanceType& type) {
  packing::BinType bin;
  bin.capacity = {type.cpu, type.registered_memory, gpus_of(type)};
  bin.price = type.price_in(kRegion)->hourly;
  return bin;
}

/// An evenly spread number below `end`; std::uniform_int_distribution differs between libraries.
std::uint64_t draw(std::mt19937_64& random, std::uint64_t end) {
  const std::uint64_t most = random.max() - random.max() % end;
  for (;;) {
    const std::uint64_t number = random();
    if (number < most) return number % end;
  }
}

bool is_arm(const catalog::InstanceType& type) {
  return std::count(type.architectures.begin(), type.architectures.end(), "arm64") > 0;
}

packing::Shape random_shape(std::mt19937_64& random, bool gpus) {
  constexpr std::int64_t kCpu[] = {128, 256, 256, 512, 512, 1024, 1024, 2048, 4096, 8192};
  constexpr std::int64_t kGpus[] = {1, 1, 1, 2, 4, 8};
  packing::Shape shape;
  const std::int64_t cpu = kCpu[draw(random, std::size(kCpu))];
  const auto memory = static_cast<std::int64_t>(cpu * (1 + draw(random, 8)));
  const auto odd = static_cast<std::int64_t>(draw(random, 3) == 0 ? draw(random, 500) : 0);
  shape.size = {cpu, memory + odd, 0};
  if (gpus && draw(random, 3) == 0) {
    const std::int64_t count = kGpus[draw(random, std::size(kGpus))];
    shape.size = {std::min<std::int64_t>(cpu, 2048) * count, std::min<std::int64_t>(memory, 6144) * count, count};
  }
  return shape;
}

std::vector<const catalog::InstanceType*> priced(const catalog::Catalog& catalog,
                                                 const std::vector<std::string>& globs) {
  std::vector<const catalog::InstanceType*> types;
  for (const catalog::InstanceType* type : catalog.matching(globs)) {
    if (type->is_retired() || type->registered_memory == 0 || !type->price_in(kRegion)) continue;
    types.push_back(type);
  }
  return types;
}

}  // namespace

packing::PackingProblem read_vbp(std::istream& in) {
  packing::PackingProblem problem;
  in >> problem.dimensions;
  packing::BinType type;
  type.price = kMicroUsdPerUsd;
  for (std::size_t d = 0; d < problem.dimensions; ++d) in >> type.capacity[d];
  problem.types.push_back(type);
  std::size_t shapes = 0;
  in >> shapes;
  for (std::size_t s = 0; s < shapes; ++s) {
    packing::Shape shape;
    for (std::size_t d = 0; d < problem.dimensions; ++d) in >> shape.size[d];
    in >> shape.count;
    problem.shapes.push_back(shape);
  }
  return problem;
}

packing::PackingProblem over_types(const packing::PackingProblem& tasks, const catalog::Catalog& catalog,
                                   const std::vector<std::string>& globs) {
  packing::PackingProblem problem = tasks;
  problem.types.clear();
  for (const catalog::InstanceType* type : priced(catalog, globs)) {
    packing::BinType bin = bin_of(*type);
    bin.capacity[0] /= kUnitsPerVcpu;
    bin.capacity[1] = type->memory / kMiBPerGiB;
    problem.types.push_back(bin);
  }
  return problem;
}

packing::PackingProblem read_pods(std::istream& in, const catalog::Catalog& catalog,
                                  const std::vector<std::string>& globs) {
  packing::PackingProblem problem;
  problem.dimensions = 3;
  for (const catalog::InstanceType* type : priced(catalog, globs)) {
    problem.types.push_back(bin_of(*type));
    problem.types.back().capacity[1] = type->memory;
  }
  std::map<packing::Amounts, std::int64_t> counts;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string name;
    std::string cpu;
    std::string memory;
    std::string gpus;
    std::getline(fields, name, ',');
    std::getline(fields, cpu, ',');
    std::getline(fields, memory, ',');
    std::getline(fields, gpus, ',');
    ++counts[{(std::stoll(cpu) * kUnitsPerVcpu + 999) / 1000, std::stoll(memory), std::stoll(gpus)}];
  }
  for (const auto& [size, count] : counts) {
    packing::Shape shape;
    shape.size = size;
    shape.count = count;
    bool fits = false;
    for (std::size_t t = 0; t < problem.types.size(); ++t) fits = fits || most_copies(problem, shape, t) > 0;
    if (fits) problem.shapes.push_back(shape);
  }
  return problem;
}

packing::PackingProblem random_problem(const RandomWorkload& workload, const catalog::Catalog& catalog) {
  std::mt19937_64 random(workload.seed);
  packing::PackingProblem problem;
  problem.dimensions = 3;
  std::vector<bool> arm;
  for (const catalog::InstanceType* type : priced(catalog, {})) {
    problem.types.push_back(bin_of(*type));
    arm.push_back(is_arm(*type));
  }
  std::vector<bool> x86 = arm;
  x86.flip();
  for (std::size_t s = 0; s < workload.shapes; ++s) {
    problem.shapes.push_back(random_shape(random, workload.gpus));
    problem.shapes.back().allowed = problem.shapes.back().size[2] == 0 && draw(random, 4) == 0 ? arm : x86;
    problem.shapes.back().count = 1;
  }
  for (auto task = static_cast<std::int64_t>(workload.shapes); task < workload.tasks; ++task) {
    ++problem.shapes[draw(random, workload.shapes)].count;
  }
  return problem;
}

std::string scenario_of(const packing::PackingProblem& problem, const catalog::Catalog& catalog) {
  const std::vector<const catalog::InstanceType*> types = priced(catalog, {});
  std::string definitions;
  std::string tasks;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    const packing::Shape& shape = problem.shapes[s];
    bool arm = false;
    for (std::size_t t = 0; t < types.size(); ++t) arm = arm || (shape.allowed[t] && is_arm(*types[t]));
    const std::string gpus =
        shape.size[2] == 0
            ? ""
            : fmt::format(R"(, "resourceRequirements": [{{"type": "GPU", "value": "{}"}}])", shape.size[2]);
    definitions += fmt::format(
        R"({}{{"family": "shape-{}", "requiresCompatibilities": ["EC2"], "networkMode": "bridge", )"
        R"("runtimePlatform": {{"operatingSystemFamily": "LINUX", "cpuArchitecture": "{}"}}, "containerDefinitions": )"
        R"([{{"name": "main", "image": "registry.example.com/main:1", "cpu": {}, "memory": {}{}}}]}})",
        s == 0 ? "" : ",\n", s, arm ? "ARM64" : "X86_64", shape.size[0], shape.size[1], gpus);
    tasks += fmt::format(R"({}{{"taskDefinition": "shape-{}", "count": {}}})", s == 0 ? "" : ",\n", s, shape.count);
  }
  return fmt::format("{{\"taskDefinitions\": [{}],\n\"tasks\": [{}]}}\n", definitions, tasks);
}

}  // namespace bayplan::bench
