#include "catalog/catalog.hpp"

#include <array>
#include <fstream>
#include <string>

#include "catch.hpp"
#include "support/in_sources.hpp"

using namespace bayplan;
using catalog::Catalog;
using catalog::MemoryBasis;

namespace {

/// Entries of the catalog's file, which has one a line.
std::size_t written_types() {
  std::ifstream file(in_sources("data/instance-types.json"));
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) count += line.find("\"instanceType\":") != std::string::npos;
  return count;
}

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
  CHECK(written_types() > 500);
  CHECK(catalog.types().size() == written_types());
  CHECK(catalog.data_date() == "2026-08-02");
  for (const auto& type : catalog.types()) {
    CAPTURE(type.name);
    CHECK(type.cpu == type.vcpus * 1024);
    CHECK(type.memory > 0);
    CHECK(type.registered_memory < type.memory);
    CHECK(type.architectures.size() == 1);
    CHECK_FALSE(type.record_date.empty());
    CHECK((type.memory_basis == MemoryBasis::kUnknown) == (type.registered_memory == 0));
    if (type.gpu) CHECK_FALSE(type.gpu->manufacturer.empty());
    if (type.eni_task_limit_trunking) {
      CHECK_FALSE(type.trunking_source.empty());
      CHECK(*type.eni_task_limit_trunking >= type.eni_task_limit);
    }
    for (const auto& region : type.prices.regions()) {
      const auto price = type.prices.in(region);
      REQUIRE(price);
      CHECK(price->hourly > 0);
      CHECK(price->date.size() == 10);
    }
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
  CHECK(catalog.hint_for("inf1.*") == "inf1 has AWS Neuron devices and no NVIDIA GPU: ECS counts no GPU there");
  CHECK(catalog.hint_for("g4ad.xlarge") == "g4ad has no NVIDIA GPU: ECS counts no GPU there");
  CHECK(catalog.hint_for("m5.large").empty());
  CHECK(catalog.hint_for("hippopotamus").empty());
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
