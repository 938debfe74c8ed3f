#include "catalog/catalog.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catch.hpp"
#include "support/data_table.hpp"

using namespace bayplan;
using catalog::Catalog;
using catalog::MemoryBasis;

namespace {

// Amazon ECS developer guide, "Working with GPUs", table of supported types (2020): memory in MiB.
struct GuideRow {
  const char* name;
  std::int64_t gpus;
  MiB gpu_memory;  // of all GPUs
  std::int64_t vcpus;
  MiB memory;
};

constexpr std::array kGuideRows = {
    GuideRow{"p2.xlarge", 1, 12 * 1024, 4, 61 * 1024},        GuideRow{"p2.8xlarge", 8, 96 * 1024, 32, 488 * 1024},
    GuideRow{"p2.16xlarge", 16, 192 * 1024, 64, 732 * 1024},  GuideRow{"p3.2xlarge", 1, 16 * 1024, 8, 61 * 1024},
    GuideRow{"p3.8xlarge", 4, 64 * 1024, 32, 244 * 1024},     GuideRow{"p3.16xlarge", 8, 128 * 1024, 64, 488 * 1024},
    GuideRow{"p3dn.24xlarge", 8, 256 * 1024, 96, 768 * 1024}, GuideRow{"g3s.xlarge", 1, 8 * 1024, 4, 61 * 512},
    GuideRow{"g3.4xlarge", 1, 8 * 1024, 16, 122 * 1024},      GuideRow{"g3.8xlarge", 2, 16 * 1024, 32, 244 * 1024},
    GuideRow{"g3.16xlarge", 4, 32 * 1024, 64, 488 * 1024},    GuideRow{"g4dn.xlarge", 1, 16 * 1024, 4, 16 * 1024},
    GuideRow{"g4dn.2xlarge", 1, 16 * 1024, 8, 32 * 1024},     GuideRow{"g4dn.4xlarge", 1, 16 * 1024, 16, 64 * 1024},
    GuideRow{"g4dn.8xlarge", 1, 16 * 1024, 32, 128 * 1024},   GuideRow{"g4dn.12xlarge", 4, 64 * 1024, 48, 192 * 1024},
    GuideRow{"g4dn.16xlarge", 1, 16 * 1024, 64, 256 * 1024},
};

}  // namespace

TEST_CASE("catalog holds the GPU rows of the ECS guide") {
  const Catalog catalog = Catalog::load();
  for (const auto& row : kGuideRows) {
    CAPTURE(row.name);
    const auto* type = catalog.find(row.name);
    REQUIRE(type != nullptr);
    REQUIRE(type->has_nvidia_gpu());
    CHECK(type->gpu->count == row.gpus);
    CHECK(type->gpu->count * type->gpu->memory == row.gpu_memory);
    CHECK(type->vcpus == row.vcpus);
    CHECK(type->cpu == row.vcpus * 1024);
    CHECK(type->memory == row.memory);
  }
}

TEST_CASE("catalog is complete and every figure has a source") {
  const Catalog catalog = Catalog::load();
  CHECK(catalog.types().size() == 1432);
  CHECK(std::is_sorted(catalog.types().begin(), catalog.types().end(), catalog::size_less));
  CHECK(catalog.data_date() == "2026-08-02");
  for (const auto& type : catalog.types()) {
    CAPTURE(type.name);
    CHECK(type.cpu == type.vcpus * 1024);
    CHECK(type.memory > 0);
    CHECK(type.registered_memory < type.memory);
    CHECK(std::is_sorted(type.regions.names().begin(), type.regions.names().end()));
    CHECK(type.architectures.size() == 1);
    CHECK_FALSE(type.record_date.empty());
    CHECK((type.memory_basis == MemoryBasis::kUnknown) == (type.registered_memory == 0));
    if (type.gpu) CHECK_FALSE(type.gpu->manufacturer.empty());
    if (type.eni_task_limit_trunking) {
      CHECK_FALSE(type.trunking_source.empty());
      // Of some types of 6 to 24 TB, the guide has a lower limit with trunking, and the VPC limits call them
      // incompatible.
      CHECK((*type.eni_task_limit_trunking >= type.eni_task_limit || type.family().starts_with("u-")));
    }
    for (const auto& region : type.prices.regions()) {
      const auto price = type.prices.in(region);
      REQUIRE(price);
      CHECK(price->hourly > 0);
      CHECK(price->date.size() == 10);
    }
  }
}

TEST_CASE("every cell of the table of types is what the columns say") {
  const Catalog catalog = Catalog::load();
  std::set<std::string> sources;
  for (const auto& source : catalog.sources()) sources.insert(source.key);
  const auto rows = table_rows("data/instance-types.csv");
  const std::vector<std::string> columns{
      "instanceType",  "vcpus",          "memory",         "registeredMemory", "memorySource",
      "architecture",  "hypervisor",     "generation",     "accelerator",      "networkInterfaces",
      "trunkingTasks", "trunkingSource", "ebsAttachments", "ebsLimit",         "ebsSource",
      "networkGbps",   "localStorage",   "recordDate",     "source",           "note"};
  REQUIRE(rows.front() == columns);
  const std::set<std::string> architectures{"x86_64", "arm64"};
  const std::set<std::string> hypervisors{"nitro", "xen", "metal"};
  const std::set<std::string> generations{"", "current", "previous", "retired"};
  const std::set<std::string> limits{"", "shared", "dedicated"};
  for (std::size_t i = 1; i < rows.size(); ++i) {
    auto row = rows[i];
    CAPTURE(row[0]);
    row.resize(std::max(row.size(), columns.size()));
    const auto& type = catalog.types()[i - 1];
    CHECK(type.name == row[0]);
    CHECK(architectures.contains(row[5]));
    CHECK(hypervisors.contains(row[6]));
    CHECK(generations.contains(row[7]));
    CHECK(row[11].empty() == type.trunking_source.empty());
    CHECK((row[11].empty() || sources.contains(row[11])));
    CHECK((row[10].empty() || !row[11].empty()));
    CHECK(limits.contains(row[13]));
    CHECK((row[14].empty() || sources.contains(row[14])));
    CHECK(type.ebs_attachments.has_value() == !row[12].empty());
    CHECK(sources.contains(row[18]));
    CHECK(type.source == row[18]);
    if (type.local_storage && type.local_storage->disks > 0) {
      CHECK(fmt::format("{}x{} {}", type.local_storage->disks, type.local_storage->disk_gb, type.local_storage->kind) ==
            row[16]);
      CHECK(std::set<std::string>{"nvme", "ssd", "hdd"}.contains(type.local_storage->kind));
    } else {
      CHECK(row[16] == (type.local_storage ? "none" : ""));
    }
    const std::string sibling = "measured-sibling:";
    if (row[4].starts_with(sibling)) {
      const auto* measured = catalog.find(row[4].substr(sibling.size()));
      REQUIRE(measured != nullptr);
      CHECK(measured->memory_basis == MemoryBasis::kMeasured);
      CHECK(measured->registered_memory == type.registered_memory);
      CHECK(measured->memory == type.memory);
      CHECK(measured->hypervisor == type.hypervisor);
      CHECK(measured->architectures == type.architectures);
    } else {
      CHECK((row[4].empty() || sources.contains(row[4])));
    }
  }
}

TEST_CASE("every instance type of the SDK is in the catalog or listed with a reason") {
  const Catalog catalog = Catalog::load();
  std::map<std::string, std::string> unlisted;
  for (const auto& row : table_rows("data/unlisted-types.csv")) unlisted[row[0]] = row.at(1);
  std::set<std::string> names;
  for (const auto& row : table_rows("tests/catalog/sdk-instance-types.txt")) {
    const auto& name = row[0];
    CAPTURE(name);
    names.insert(name);
    CHECK((catalog.find(name) != nullptr) != unlisted.contains(name));
    if (unlisted.contains(name)) CHECK(unlisted[name].size() > 20);
  }
  CHECK(names.size() == 1437);
  for (const auto& type : catalog.types()) CHECK(names.contains(type.name));
}

TEST_CASE("new types have the figures of their sources") {
  const Catalog catalog = Catalog::load();
  const auto* m8i = catalog.find("m8i.large");
  REQUIRE(m8i != nullptr);
  CHECK(m8i->vcpus == 2);
  CHECK(m8i->memory == 8192);
  CHECK(m8i->local_storage->disks == 0);
  CHECK(m8i->regions.may_include("us-east-1"));
  CHECK_FALSE(catalog.find("m9g.large")->regions.may_include("af-south-1"));
  const auto* storage = catalog.find("i7ie.48xlarge");
  REQUIRE(storage != nullptr);
  CHECK(storage->local_storage->disks == 16);
  CHECK(storage->local_storage->total_gb() == 120'000);
  CHECK(storage->local_storage->kind == "nvme");
  CHECK(catalog.find("d2.xlarge")->local_storage->kind == "hdd");
  CHECK(catalog.find("p4d.24xlarge")->local_storage->total_gb() == 8'000);
  CHECK_FALSE(catalog.find("u-6tb1.metal")->local_storage);
  CHECK(catalog.find("c5ad.2xlarge")->memory_basis == MemoryBasis::kSibling);
  CHECK(catalog.find("c5ad.2xlarge")->memory_basis_text == "measured c5a.2xlarge");
  CHECK(catalog.find("c5ad.2xlarge")->memory_error() == 158);
  CHECK(catalog.find("t8i.nano")->memory_basis == MemoryBasis::kUnknown);
  // A t3.nano with Amazon Linux 2 registered 459 MiB (2020); 407 were measured in 2026.
  CHECK(catalog.find("t3.nano")->registered_memory + catalog.find("t3.nano")->memory_error() >= 459);
  // Regions since August by the guide; others of the family keep theirs.
  CHECK(catalog.find("m9g.large")->regions.may_include("eu-west-1"));
  CHECK_FALSE(catalog.find("c9g.large")->regions.may_include("eu-west-1"));
}

TEST_CASE("limits of trunking, EBS and memory are those of the newer documents") {
  const Catalog catalog = Catalog::load();
  CHECK(catalog.find("g7e.2xlarge")->eni_task_limit_trunking == 242);
  CHECK(catalog.find("p5.48xlarge")->eni_task_limit_trunking == 242);
  CHECK(catalog.find("trn2.3xlarge")->eni_task_limit_trunking == 14);
  CHECK(catalog.find("p6e-gb200.36xlarge")->eni_task_limit == 38);
  CHECK_FALSE(catalog.find("m5n.large")->eni_task_limit_trunking);
  CHECK_FALSE(catalog.find("m5n.large")->trunking_source.empty());
  CHECK(catalog.find("p3.8xlarge")->eni_task_limit_trunking == 60);  // retired: the newer guide has no row
  CHECK(catalog.find("g7.48xlarge")->ebs_attachments == 128);
  CHECK_FALSE(catalog.find("g7.48xlarge")->has_shared_ebs_limit);
  CHECK(catalog.find("p5en.48xlarge")->registered_memory == 2'047'959);
  CHECK(catalog.find("t8i.medium")->eni_task_limit_trunking == 4);
}

TEST_CASE("a name that the catalog lacks may be that of a newer type") {
  const Catalog catalog = Catalog::load();
  for (const char* name : {"m10i.large", "m10i.*", "m9i.xlarge", "g8.12xlarge", "p7-b400.48xlarge", "m8i.64xlarge",
                           "z9x.large", "xyz1.metal-96xl", "u8i-6tb.112xlarge", "r10g*"}) {
    CAPTURE(name);
    CHECK(catalog.may_be_newer(name));
  }
  // Mistakes: no such form, no such size, a family of an old generation, or the catalog knows the family.
  for (const char* name : {"p3.9xlarge", "m5.3xlarge", "m8.large", "p6.48xlarge", "g4.xlarge", "m5.lage", "m10i",
                           "m10i.large1", "hippopotamus1.large", "large", "m5.x2large", "t5g.large", "M10I.large",
                           "m10i.1xlarge", "p3.*large2", "", "."}) {
    CAPTURE(name);
    CHECK_FALSE(catalog.may_be_newer(name));
  }
}

TEST_CASE("catalog keeps single figures exact") {
  const Catalog catalog = Catalog::load();
  const auto* g5 = catalog.find("g5.48xlarge");
  REQUIRE(g5 != nullptr);
  CHECK(g5->eni_task_limit == 6);
  CHECK(g5->eni_task_limit_trunking == 120);
  CHECK(g5->gpu->memory == 22888);
  const auto* p3 = catalog.find("p3.8xlarge");
  CHECK(p3->registered_memory == 245213);
  CHECK(p3->memory_basis_text == "model xen/x86_64");
  CHECK(p3->memory_error() == 4905);
  CHECK(p3->is_retired());
  CHECK(p3->price_in("us-east-1")->hourly == 12'240'000);
  CHECK(catalog.find("g6f.large")->gpu->fraction_millionths == 125'000);
  CHECK(catalog.find("p4de.24xlarge")->gpu->memory_bandwidth_gb_per_s == 2000);
  CHECK(catalog.find("t2.nano")->memory_error() * 20 >= catalog.find("t2.nano")->registered_memory);
  CHECK_FALSE(catalog.find("g4dn.xlarge")->eni_task_limit_trunking.has_value());
  CHECK(catalog.find("m5.large")->eni_task_limit_trunking == 10);
}

TEST_CASE("catalog finds by glob in the order of sizes") {
  const Catalog catalog = Catalog::load();
  const auto found = catalog.matching({"g4dn.*"});
  REQUIRE(found.size() == 7);
  CHECK(found[0]->name == "g4dn.xlarge");
  CHECK(found[1]->name == "g4dn.2xlarge");
  CHECK(found[4]->name == "g4dn.12xlarge");
  CHECK(found[6]->name == "g4dn.metal");
  CHECK(catalog.matching({}).size() == catalog.types().size());
  CHECK(catalog.matching({"p3.*", "p3dn.*"}).size() == 4);
  CHECK(catalog.matching({"nothing"}).empty());
}

TEST_CASE("catalog hints at the type that was meant") {
  const Catalog catalog = Catalog::load();
  CHECK(catalog.hint_for("g4.xlarge").starts_with("did you mean 'g4dn.xlarge'?"));
  CHECK(catalog.hint_for("g4").starts_with("did you mean 'g4dn.*'?"));
  CHECK(catalog.hint_for("g4dn") == "did you mean 'g4dn.*'?");
  CHECK(catalog.hint_for("g4dn.12xlrage") == "did you mean 'g4dn.12xlarge'?");
  CHECK(catalog.hint_for("P3.2xlarge") == "instance types are lowercase: 'p3.2xlarge'");
  CHECK(catalog.hint_for("inf1.*") ==
        "inf1 has AWS Neuron devices and no NVIDIA GPU: tasks ask for them with type NeuronDevice, not GPU");
  CHECK(catalog.hint_for("g4ad.xlarge") == "g4ad has no NVIDIA GPU: ECS counts no GPU there");
  CHECK(catalog.hint_for("m5.large").empty());
  CHECK(catalog.hint_for("hippopotamus").empty());
  CHECK(catalog.hint_for("zzz.large").empty());
  CHECK(catalog.hint_for("m5large") == "did you mean 'm5.large'?");
  CHECK(catalog.hint_for("m10i.large").empty());  // near m1.large, and likely a newer type
  CHECK(catalog.hint_for("m8.large").starts_with("did you mean 'm8"));
}

TEST_CASE("a type that is added stands beside the catalog or replaces its type of that name") {
  Catalog catalog = Catalog::load();
  const std::size_t before = catalog.types().size();
  catalog.add({.name = "rack-a", .memory_basis = MemoryBasis::kStated});
  REQUIRE(catalog.find("rack-a") != nullptr);
  CHECK(catalog.types().back().name == "rack-a");
  CHECK(catalog.find("rack-a")->memory_error() == 0);

  auto smaller = *catalog.find("m5.large");
  smaller.registered_memory = 7600;
  catalog.add(smaller);
  CHECK(catalog.types().size() == before + 1);
  CHECK(catalog.find("m5.large")->registered_memory == 7600);
}
