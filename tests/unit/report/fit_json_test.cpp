#include "report/fit/fit_report.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.hpp"
#include "report/catalog/catalog_report.hpp"

using namespace bayplan;
using nlohmann::json;

namespace {

capacity::TaskRequirement four_gpus() {
  capacity::TaskRequirement task;
  task.family = "train";
  task.cpu = 4096;
  task.memory = 30000;
  task.gpu_form = capacity::GpuForm::kCount;
  task.gpu_count = 4;
  task.gpu_containers.push_back({.name = "a \"quoted\" name", .form = capacity::GpuForm::kCount, .count = 4});
  task.network_interfaces = 1;
  return task;
}

json fit_report(const capacity::TaskRequirement& task, const std::vector<std::string>& globs) {
  const auto catalog = catalog::Catalog::load();
  std::ostringstream out;
  report::write_fit_json(out, capacity::fit({{"t.json", task}}, catalog.matching(globs), {}), {});
  return json::parse(out.str());
}

}  // namespace

TEST_CASE("fit report - keys of the contract") {
  const json report = fit_report(four_gpus(), {"p3.8xlarge"});
  CHECK(report["schema"] == "bayplan/fit-report/1");
  CHECK(report["region"] == "us-east-1");
  CHECK(
      report["prices"] ==
      json::parse(
          R"({"region": "us-east-1", "oldest": "2026-07-20", "newest": "2026-07-20", "unpriced": [], "estimated": []})"));
  const json& task = report["taskDefinitions"][0];
  CHECK(task["family"] == "train");
  CHECK(task["requirement"]["GPU"] == json::parse(R"({"count": 4})"));
  CHECK(task["requirement"]["MEMORY"] == 30000);
  CHECK(task["requirement"]["ENI"] == 1);
  const json& row = task["types"][0];
  CHECK(row["instanceType"] == "p3.8xlarge");
  CHECK(row["fits"] == "yes");
  CHECK(row["copies"] == 1);
  CHECK(row["bindingResource"] == "GPU");
  CHECK(row["margin"]["MEMORY"] == 215213);
  CHECK(row["reasons"].empty());
  CHECK(row["registered"] == json::parse(R"({"CPU": 32768, "MEMORY": 245213, "GPU": 4, "ENI": 7})"));
  CHECK(row["memoryBasis"] == "model xen/x86_64");
  CHECK(row["hourlyPrice"] == 12.24);
  CHECK(row["pricePerCopy"] == 12.24);
}

TEST_CASE("fit report - forms of a GPU request") {
  auto task = four_gpus();
  task.gpu_form = capacity::GpuForm::kAll;
  CHECK(fit_report(task, {"p3.*"})["taskDefinitions"][0]["requirement"]["GPU"] == json::parse(R"({"all": true})"));
  task.gpu_form = capacity::GpuForm::kFraction;
  task.gpu_fraction_millionths = 250'000;
  CHECK(fit_report(task, {"g6f.*"})["taskDefinitions"][0]["requirement"]["GPU"] ==
        json::parse(R"({"fraction": 0.25})"));
  task.gpu_form = capacity::GpuForm::kMps;
  task.mps_memory = 8000;
  CHECK(fit_report(task, {"g5.*"})["taskDefinitions"][0]["requirement"]["GPU"] ==
        json::parse(R"({"mpsMemory": 8000})"));
  task.gpu_form = capacity::GpuForm::kNone;
  CHECK_FALSE(fit_report(task, {"m5.*"})["taskDefinitions"][0]["requirement"].contains("GPU"));
}

TEST_CASE("catalog report - every type reads back") {
  const auto catalog = catalog::Catalog::load();
  std::ostringstream out;
  const std::string region = "us-east-1";
  const auto types = catalog.matching({});
  report::write_catalog_json(out, {catalog, types, region, false, {}});
  const json report = json::parse(out.str());
  CHECK(report["schema"] == "bayplan/catalog-report/1");
  REQUIRE(report["types"].size() == catalog.types().size());
  for (std::size_t i = 0; i < report["types"].size(); ++i) {
    const json& row = report["types"][i];
    const auto& type = catalog.types()[i];
    CHECK(row["instanceType"] == type.name);
    CHECK(row["vcpus"] == type.vcpus);
    CHECK(row["gpu"].is_object() == type.gpu.has_value());
    CHECK(row["hourlyPrice"].is_null() == !type.price_in("us-east-1").has_value());
  }
  CHECK(report["sources"].size() == catalog.sources().size());
}
