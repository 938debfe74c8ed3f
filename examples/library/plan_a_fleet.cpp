// Finds the cheapest instances for a number of tasks, with the proven bound.
#include <bayplan/fleet.hpp>
#include <cstdio>
#include <string>

namespace {

constexpr const char* kScenario = R"(
region: us-east-1
taskDefinitions: [infer.json]
tasks:
  - {taskDefinition: infer, count: 24}
)";

constexpr const char* kInfer = R"({
  "family": "infer",
  "containerDefinitions": [
    {"name": "infer", "image": "registry.example/infer:3", "cpu": 2048, "memory": 7000,
     "resourceRequirements": [{"type": "GPU", "value": "1"}]}
  ]
})";

void print(const bayplan::Fleet& fleet) {
  for (const auto& purchase : fleet.purchases)
    std::printf("  %lld %s in %s at %.3f USD/h\n", static_cast<long long>(purchase.count),
                purchase.instance_type.c_str(),
                purchase.availability_zone.empty() ? "any zone" : purchase.availability_zone.c_str(),
                bayplan::usd(purchase.hourly_price));
  std::printf("  together %.3f USD/h\n", bayplan::usd(fleet.hourly_cost));
}

}  // namespace

int main() {
  const bayplan::ScenarioInput input{
      .path = "scenario.yaml", .texts = {{"scenario.yaml", kScenario}, {"infer.json", kInfer}}, .reads_disk = false};
  const auto report = bayplan::plan_fleet(
      input, {.types = {"g4dn.*"}, .vcpu_quotas = {{"G and VT", 128}}, .zones = 2, .effort = 20'000'000});
  if (!report) {
    for (const auto& error : report.errors()) std::fprintf(stderr, "%s\n", to_string(error).c_str());
    return 2;
  }
  std::printf("%s\n", report->answer.c_str());
  if (report->ideal) {
    std::printf("the ideal packing\n");
    print(*report->ideal);
  }
  if (report->recommended) {
    std::printf("what ECS fills by itself, placement strategy %s\n", report->recommended->strategy.c_str());
    print(report->recommended->fleet);
  }
  const auto& proof = report->proof;
  std::printf("lower bound: %.3f USD/h; %s, certificate %s\n", bayplan::usd(proof.lower_bound),
              proof.optimal ? "optimal" : "not proven optimal", proof.certificate_checked ? "checked" : "not checked");
  return report->recommended ? 0 : 1;
}
