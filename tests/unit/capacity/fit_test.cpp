#include "capacity/fit.hpp"

#include "catch.hpp"

using namespace bayplan;
using capacity::FitOptions;
using capacity::FitRow;
using capacity::Fits;
using capacity::GpuForm;
using capacity::Resource;
using capacity::TaskRequirement;
using catalog::Catalog;
using Reasons = std::vector<std::string_view>;

namespace {

const Catalog& types() {
  static const Catalog catalog = Catalog::load();
  return catalog;
}

FitRow on(const catalog::InstanceType& type, const TaskRequirement& task, const FitOptions& options = {}) {
  return capacity::fit({{"f.json", task}}, {&type}, options).tasks.front().rows.front();
}

FitRow on(const char* name, const TaskRequirement& task, const FitOptions& options = {}) {
  const auto* type = types().find(name);
  REQUIRE(type != nullptr);
  return on(*type, task, options);
}

TaskRequirement sized(CpuUnits cpu, MiB memory) {
  TaskRequirement task;
  task.family = "f";
  task.cpu = cpu;
  task.memory = memory;
  return task;
}

TaskRequirement gpus(std::vector<std::int64_t> containers) {
  TaskRequirement task = sized(100, 80);
  task.gpu_form = GpuForm::kCount;
  for (const auto count : containers) {
    task.gpu_containers.push_back({.container = task.gpu_containers.size(), .form = GpuForm::kCount, .count = count});
    task.gpu_count += count;
  }
  return task;
}

TaskRequirement awsvpc(TaskRequirement task) {
  task.network_interfaces = 1;
  return task;
}

TaskRequirement mps(std::vector<MiB> containers) {
  TaskRequirement task = sized(100, 80);
  task.gpu_form = GpuForm::kMps;
  for (const auto memory : containers) {
    task.gpu_containers.push_back({.form = GpuForm::kMps, .mps_memory = memory});
    task.mps_memory += memory;
  }
  return task;
}

/// A type whose registered memory is stated, so that no error band blurs a worked case.
catalog::InstanceType stated(CpuUnits cpu, MiB memory, std::int64_t gpu_count = 0, MiB gpu_memory = 0) {
  catalog::InstanceType own{.name = "own", .cpu = cpu, .memory = memory, .registered_memory = memory};
  own.vcpus = cpu / kUnitsPerVcpu;
  own.memory_basis = catalog::MemoryBasis::kStated;
  own.is_own = true;
  if (gpu_count > 0) {
    own.accelerator_kind = "gpu";
    own.gpu = catalog::Gpu{.count = gpu_count, .manufacturer = "NVIDIA", .memory = gpu_memory};
  }
  return own;
}

}  // namespace

TEST_CASE("fit - two GPUs for nvidia-smi") {
  const auto task = gpus({2});
  const auto p2 = on("p2.8xlarge", task);
  CHECK(p2.fits == Fits::kYes);
  CHECK(p2.copies == 4);
  CHECK(p2.binding == Resource::kGpu);
  CHECK(p2.idle->gpu_millionths == 0);
  const auto p3 = on("p3.2xlarge", task);
  CHECK(p3.fits == Fits::kNo);
  CHECK(p3.copies == 0);
  CHECK(p3.reasons == Reasons{"RESOURCE:GPU"});
  REQUIRE(p3.shortfalls.size() == 1);
  CHECK(p3.shortfalls[0].amount == 1'000'000);
}

TEST_CASE("fit - memory is what registers, not what is advertised") {
  // m4.large of the ECS guide: 8192 MiB advertised, 7985 registered.
  const auto m4 = stated(2048, 7985);
  CHECK(on(m4, sized(0, 8192)).fits == Fits::kNo);
  CHECK(on(m4, sized(0, 8192)).reasons == Reasons{"RESOURCE:MEMORY"});
  CHECK(on(m4, sized(0, 8192)).memory_margin == -207);
  CHECK(on(m4, sized(0, 7985)).fits == Fits::kYes);
  CHECK(on(m4, sized(0, 7985), {.reserved_memory = 256}).fits == Fits::kNo);
  CHECK(on(m4, sized(0, 7729), {.reserved_memory = 256}).fits == Fits::kYes);
  auto estimated = m4;
  estimated.memory_basis = catalog::MemoryBasis::kModel;
  CHECK(on(estimated, sized(0, 10), {.reserved_memory = 100'000}).fits == Fits::kNo);
}

TEST_CASE("fit - one task each where sizes nearly fill the instance") {
  CHECK(on(stated(2048, 1024), sized(0, 1000)).copies == 1);
  CHECK(on(stated(1024, 4096), sized(1000, 10)).copies == 1);
  CHECK(on(stated(2048, 1024), sized(0, 128)).copies == 8);
}

TEST_CASE("fit - the error band makes an answer unsure") {
  const auto* p3 = types().find("p3.8xlarge");  // model, 2 %
  const MiB registered = p3->registered_memory;
  CHECK(on(*p3, sized(0, registered)).fits == Fits::kUnsure);
  CHECK(on(*p3, sized(0, registered)).copies == 1);
  CHECK(on(*p3, sized(0, registered + 1)).fits == Fits::kUnsure);
  CHECK(on(*p3, sized(0, registered + 1)).copies == 0);
  CHECK(on(*p3, sized(0, registered - p3->memory_error())).fits == Fits::kYes);
  CHECK(on(*p3, sized(0, registered + p3->memory_error() + 1)).fits == Fits::kNo);
  const auto halves = on(*p3, sized(0, registered / 2));
  CHECK(halves.fits == Fits::kYes);
  CHECK(halves.copies_min == 1);
  CHECK(halves.copies_max == 2);
}

TEST_CASE("fit - network interfaces") {
  CHECK(on("c5.large", awsvpc(sized(10, 10))).copies == 2);
  CHECK(on("c5.large", awsvpc(sized(10, 10))).binding == Resource::kEni);
  CHECK(on("c5.large", awsvpc(sized(10, 10)), {.trunking = true}).copies == 10);
  CHECK(on("p3.16xlarge", awsvpc(gpus({1}))).copies == 7);
  CHECK(on("p3.16xlarge", awsvpc(gpus({1}))).idle->gpu_millionths == 1'000'000);
  const auto trunked = on("p3.16xlarge", awsvpc(gpus({1})), {.trunking = true});
  CHECK(trunked.copies == 8);
  CHECK(trunked.binding == Resource::kGpu);
  CHECK(on("g5.48xlarge", awsvpc(gpus({1}))).copies == 6);
  CHECK(on("t3a.small", awsvpc(sized(10, 10)), {.trunking = true}).copies == 1);
  CHECK(on("t3.small", awsvpc(sized(10, 10)), {.trunking = true}).copies == 2);
}

TEST_CASE("fit - EBS attachments") {
  const auto volume = [](TaskRequirement task) {
    task.ebs_volumes = 1;
    return task;
  };
  // 3, shared, less the root volume.
  const auto bridge = on("d3.8xlarge", volume(sized(10, 10)));
  CHECK(bridge.copies == 2);
  CHECK(bridge.binding == Resource::kEbs);
  CHECK(bridge.idle->ebs_attachments == 0);
  const auto shared = on("d3.8xlarge", volume(awsvpc(sized(10, 10))));
  CHECK(shared.copies == 1);
  CHECK(shared.binding == Resource::kEbs);
  CHECK(on("d3.8xlarge", awsvpc(sized(10, 10))).binding == Resource::kEni);
  // With trunking, the trunk interface takes one attachment and the branch interfaces take none.
  CHECK(on("m5.large", volume(awsvpc(sized(1, 1))), {.trunking = true}).offer.ebs_attachments == 25);
  CHECK(on("m5.large", volume(sized(1, 1))).copies == 26);
  CHECK(on("c7i.large", volume(sized(1, 1))).copies == 31);
  CHECK(on("c4.large", volume(sized(1, 1))).copies == 39);
  // It attaches 60 interfaces: the 28 cannot be shared with them.
  CHECK_FALSE(on("dl1.24xlarge", sized(1, 1)).offer.interfaces_take_attachments);
  CHECK_FALSE(on("u-9tb1.112xlarge", sized(1, 1)).offer.ebs_attachments);
  const auto none = on("d3.8xlarge", volume(sized(10, 10)), {.daemons = {volume(sized(1, 1)), volume(sized(1, 1))}});
  CHECK(none.fits == Fits::kNo);
  CHECK(none.reasons == std::vector<std::string_view>{"RESOURCE:EBS"});
  CHECK(none.shortfalls.front().amount == 1);
}

TEST_CASE("fit - whole GPUs") {
  CHECK(on("p3.16xlarge", gpus({2})).copies == 4);
  CHECK(on("p3.16xlarge", gpus({10})).fits == Fits::kNo);
  const auto three = on("g4dn.12xlarge", gpus({1, 2}));
  CHECK(three.copies == 1);
  CHECK(three.idle->gpu_millionths == 1'000'000);
  CHECK(on("p3.2xlarge", gpus({1, 1})).fits == Fits::kNo);
  CHECK(on("m5.large", gpus({1})).fits == Fits::kNo);
  CHECK(on("g4ad.xlarge", gpus({1})).fits == Fits::kNo);  // AMD
  CHECK(on("inf1.xlarge", gpus({1})).fits == Fits::kNo);
}

TEST_CASE("fit - ALL takes every GPU for one container") {
  TaskRequirement task = sized(100, 80);
  task.gpu_form = GpuForm::kAll;
  task.gpu_containers.push_back({.form = GpuForm::kAll});
  CHECK(on("g4dn.12xlarge", task).copies == 1);
  CHECK(on("g4dn.12xlarge", task).idle->gpu_millionths == 0);
  CHECK(on("m5.large", task).fits == Fits::kNo);
  CHECK(on("g6f.large", task).fits == Fits::kNo);
  task.gpu_containers.push_back({.form = GpuForm::kAll});
  CHECK(on("g4dn.12xlarge", task).fits == Fits::kNo);
}

TEST_CASE("fit - shares of a GPU live on fractional types only") {
  TaskRequirement task = sized(100, 80);
  task.gpu_form = GpuForm::kFraction;
  task.gpu_fraction_millionths = 125'000;
  CHECK(on("g6f.large", task).copies == 1);
  CHECK(on("g6f.4xlarge", task).copies == 4);
  CHECK(on("g6.xlarge", task).fits == Fits::kNo);
  CHECK(on("g6f.large", gpus({1})).fits == Fits::kNo);
  task.gpu_fraction_millionths = 250'000;
  CHECK(on("g6f.large", task).fits == Fits::kNo);
  CHECK(on("g6f.large", task).shortfalls.front().amount == 125'000);
}

TEST_CASE("fit - MPS tasks share a GPU by its memory") {
  const auto one = stated(65536, 200000, 1, 22563);
  const auto two = stated(65536, 200000, 2, 22563);
  CHECK(on(one, mps({8000})).copies == 2);
  CHECK(on(two, mps({8000})).copies == 4);
  const auto both = on(two, mps({12000, 12000}));
  CHECK(both.fits == Fits::kNo);
  CHECK(both.shortfalls.front().is_gpu_memory);
  CHECK(both.shortfalls.front().amount == 24000 - 22563);
  CHECK(on("g5.xlarge", mps({21000})).copies == 1);  // 93 % of 22888 = 21285
  CHECK(on("g5.xlarge", mps({21300})).fits == Fits::kNo);
  CHECK(on("g6f.large", mps({100})).fits == Fits::kNo);
  CHECK(on(two, mps({22563})).idle->gpu_millionths == 0);
}

TEST_CASE("fit - host ports") {
  TaskRequirement task = sized(10, 10);
  task.tcp_ports = {80};
  CHECK(on("m5.large", task).copies == 1);
  CHECK(on("m5.large", task).binding == Resource::kPorts);
  task.tcp_ports = {22};
  CHECK(on("m5.large", task).reasons == Reasons{"RESOURCE:PORTS"});
  task.tcp_ports = {};
  task.udp_ports = {22};
  CHECK(on("m5.large", task).fits == Fits::kYes);
  task.udp_ports.clear();
  for (std::uint16_t port = 1000; port < 1400; ++port) task.tcp_ports.push_back(port);
  CHECK(on("m5.24xlarge", task).fits == Fits::kNo);
}

TEST_CASE("fit - daemons take their share first") {
  FitOptions options;
  options.daemons = {sized(1024, 100)};
  options.daemons.front().tcp_ports = {8125};
  TaskRequirement task = sized(1024, 100);
  CHECK(on("m5.large", task).copies == 2);
  CHECK(on("m5.large", task, options).copies == 1);
  task.tcp_ports = {8125};
  CHECK(on("m5.large", task, options).reasons == Reasons{"RESOURCE:PORTS"});
}

TEST_CASE("fit - architecture") {
  TaskRequirement task = sized(10, 10);
  task.architecture = "arm64";
  const auto row = on("m5.large", task);
  CHECK(row.fits == Fits::kNo);
  CHECK(row.reasons == Reasons{"ATTRIBUTE"});
  CHECK(row.missing_attributes == std::vector<std::string>{"ecs.cpu-architecture=arm64"});
  CHECK(on("m6g.large", task).fits == Fits::kYes);
}

TEST_CASE("fit - Windows has no GPUs and keeps other ports") {
  TaskRequirement task = gpus({1});
  task.windows = true;
  CHECK(on("g4dn.xlarge", task).fits == Fits::kNo);
  TaskRequirement web = sized(10, 10);
  web.windows = true;
  web.tcp_ports = {3389};
  CHECK(on("m5.large", web).fits == Fits::kNo);
  CHECK(on("m5.large", sized(10, 10)).offer.memory == 7811);
  web.tcp_ports.clear();
  CHECK(on("m5.large", web).offer.memory == 8191);
  CHECK(on("m6g.large", web).fits == Fits::kNo);
}

TEST_CASE("fit - order, prices and the cheapest") {
  FitOptions options;
  const auto report = capacity::fit({{"f.json", gpus({4})}}, types().matching({"p3.*", "g4dn.*"}), options);
  const auto& task = report.tasks.front();
  REQUIRE(task.cheapest() != nullptr);
  CHECK(task.cheapest()->type->name == "g4dn.12xlarge");
  CHECK(task.cheapest()->price_per_copy == 3'912'000);
  CHECK(task.rows[0].type->name == "g4dn.12xlarge");
  CHECK(task.rows[1].type->name == "g4dn.metal");
  CHECK(task.rows[2].type->name == "p3.8xlarge");  // retired: after what is on sale
  CHECK(task.rows.back().fits == Fits::kNo);
  CHECK(task.rows.back().type->name == "p3.2xlarge");
  CHECK(report.prices.newest == "2026-07-20");

  const auto elsewhere =
      capacity::fit({{"f.json", sized(1, 1)}}, types().matching({"g7.2xlarge", "m5.large"}), {.region = "us-east-2"});
  CHECK(elsewhere.prices.oldest == "2026-02-07");
  CHECK(elsewhere.prices.unpriced == std::vector<std::string>{"g7.2xlarge"});
  CHECK(elsewhere.tasks.front().rows.back().type->name == "g7.2xlarge");

  options.sort = capacity::FitSort::kCopies;
  const auto most = capacity::fit({{"f.json", gpus({1})}}, types().matching({"g4dn.*"}), options);
  CHECK(most.tasks.front().rows.front().type->name == "g4dn.metal");
}

TEST_CASE("fit - a definition that fits nowhere") {
  const auto report = capacity::fit({{"f.json", gpus({64})}}, types().matching({}), {});
  CHECK(report.any_without_type());
  CHECK(report.tasks.front().cheapest() == nullptr);
}

TEST_CASE("fit - assumptions are said") {
  const auto report =
      capacity::fit({{"f.json", awsvpc(mps({100}))}}, types().matching({"g5.xlarge", "g5g.xlarge"}), {});
  std::vector<std::string> ids;
  for (const auto& assumption : report.assumptions) ids.push_back(assumption.id);
  CHECK(ids == std::vector<std::string>{"architecture-not-stated", "memory-estimated", "gpu-sharing-enabled",
                                        "gpu-memory-estimated", "trunking-off"});
}

TEST_CASE("fit - a type that is not what the GPUs need comes after those that are, and is not the cheapest") {
  capacity::GpuNeeds needs;
  needs.interconnect = capacity::Interconnect::kNvlink;
  needs.min_compute_capability = 75;
  const auto report =
      capacity::fit({{"f.json", gpus({4}), {needs}}},
                    types().matching({"g4dn.12xlarge", "p3.8xlarge", "p4d.24xlarge", "p4de.24xlarge"}), {});
  const auto& task = report.tasks.front();
  CHECK(task.has_needs);
  CHECK(task.holding() == 4);
  CHECK(task.cheapest()->type->name == "p4d.24xlarge");
  CHECK(task.rows[0].type->name == "p4d.24xlarge");
  CHECK(task.rows[0].unmet_needs.empty());
  CHECK(task.rows[2].type->name == "g4dn.12xlarge");
  REQUIRE(task.rows[2].unmet_needs.size() == 1);
  CHECK(task.rows[2].unmet_needs[0].wanted == "NVLink");
  CHECK(task.rows[2].unmet_needs[0].given == "PCIe");
  REQUIRE(task.rows[3].unmet_needs.size() == 1);
  CHECK(task.rows[3].unmet_needs[0].given == "7.0");

  // One GPU of each container: no link between them counts.
  needs.min_compute_capability.reset();
  const auto single =
      capacity::fit({{"f.json", gpus({1, 1}), {needs, needs}}}, types().matching({"g4dn.12xlarge"}), {});
  CHECK(single.tasks.front().rows[0].unmet_needs.empty());
}

TEST_CASE("a task with Neuron devices fits once on types whose devices ECS assigns, and nowhere else") {
  auto task = sized(1024, 1000);
  task.gpu_form = GpuForm::kNeuron;
  task.gpu_containers.push_back({.form = GpuForm::kNeuron});
  for (const auto& type : types().types()) {
    CAPTURE(type.name);
    const auto row = on(type, task);
    const bool has_devices = type.family().starts_with("inf2") || type.family().starts_with("trn");
    REQUIRE((row.fits != Fits::kNo) == has_devices);
    if (has_devices) CHECK(row.copies == 1);
    if (!has_devices) CHECK(row.reasons.back() == "RESOURCE:NEURON_DEVICE");
  }
  CHECK(on("trn1.32xlarge", task).binding == Resource::kNeuron);
  CHECK(on("trn1.32xlarge", gpus({1})).fits == Fits::kNo);

  auto daemon = task;
  CHECK(on("inf2.48xlarge", task, {.daemons = {daemon}}).fits == Fits::kNo);
  task.gpu_containers.push_back({.container = 1, .form = GpuForm::kNeuron});
  CHECK(on("trn1.32xlarge", task).fits == Fits::kNo);  // one container gets all of them
}

TEST_CASE("Neuron devices that a task maps are needs that ECS does not check") {
  auto task = sized(1024, 1000);
  task.mapped_neuron_devices = 2;
  for (const auto* name : {"m5.large", "inf1.xlarge", "inf1.6xlarge", "trn1.32xlarge"}) {
    CAPTURE(name);
    CHECK(on(name, task).fits == Fits::kYes);
  }
  CHECK(on("m5.large", task).unmet_needs.front().given == "no Neuron device");
  CHECK(on("inf1.xlarge", task).unmet_needs.front().given == "1 Neuron device");
  CHECK(on("inf1.6xlarge", task).unmet_needs.empty());
  const auto all = capacity::fit({{"f.json", task}}, types().matching({"m5.*", "inf1.*"}), {});
  CHECK(all.tasks.front().cheapest()->type->name == "inf1.6xlarge");
}
