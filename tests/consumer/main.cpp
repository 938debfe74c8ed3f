// Uses all three jobs of the library, and says what it was built with and linked to.
#include <bayplan/bayplan.hpp>
#include <cstdio>

namespace {

constexpr const char* kTask = R"({"family": "web", "requiresCompatibilities": ["EC2"], "containerDefinitions":
  [{"name": "web", "image": "r/web:1", "cpu": 256, "memory": 512}]})";

}  // namespace

int main() {
  std::printf("headers %d.%d.%d, library %s\n", BAYPLAN_VERSION_MAJOR, BAYPLAN_VERSION_MINOR, BAYPLAN_VERSION_PATCH,
              bayplan::version().data());
  const auto linted = bayplan::lint("web.json", kTask);
  const bayplan::ScenarioInput input{
      .path = "s.yaml",
      .texts = {{"s.yaml",
                 "cluster: {containerInstances: [{instanceType: t3.large, count: 1}]}\n"
                 "taskDefinitions: [web.json]\ntasks: [{taskDefinition: web, count: 2}]\n"},
                {"web.json", kTask}},
      .reads_disk = false};
  const auto placed = bayplan::place(input);
  const auto planned = bayplan::plan_fleet(input, {.types = {"t3.*"}});
  if (!linted || !placed || !planned) return 2;
  std::printf("%zu errors; %zu placed; %s\n", linted->count_from(bayplan::Severity::kError), placed->placements.size(),
              planned->answer.c_str());
  return placed->all_placed() && planned->proof.optimal ? 0 : 1;
}
