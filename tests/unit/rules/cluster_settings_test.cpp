// What the config says of the instances counts where a task is held against their types (BAY464).
#include <algorithm>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

std::string definition(int memory, const std::string& mode = "bridge") {
  return R"({"family": "web", "requiresCompatibilities": ["EC2"], "networkMode": ")" + mode +
         R"(", "containerDefinitions": [{"name": "app", "image": "registry.example/web:1.4", "memory": )" +
         std::to_string(memory) + "}]}";
}

/// The message of BAY464, or nothing.
std::string message(const std::string& text, const capacity::FitOptions& instances, const std::string& type) {
  static const lint::Tools tools;
  lint::Options options;
  options.rules.types = {type};
  options.rules.instances = instances;
  for (const auto& one : lint::lint_document(text, "web.json", options, tools).findings) {
    if (one.code == "BAY464") return one.message;
  }
  return {};
}

capacity::TaskRequirement one_daemon(std::int64_t memory, std::int64_t interfaces = 0) {
  return {.family = "agent", .cpu = 128, .memory = memory, .network_interfaces = interfaces};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cluster settings - reserved memory is not there for tasks") {
  CHECK(message(definition(3200), {}, "c5.large").empty());
  const auto told = message(definition(3200), {.reserved_memory = 1024}, "c5.large");
  CHECK(contains(told, " of 3200 MiB after 1024 MiB reserved"));
}

TEST_CASE("cluster settings - daemons take their share first") {
  const auto told = message(definition(3200), {.daemons = {one_daemon(512), one_daemon(512)}}, "c5.large");
  CHECK(contains(told, " of 3200 MiB after 2 daemons"));
  const auto both = message(definition(3200), {.reserved_memory = 512, .daemons = {one_daemon(512)}}, "c5.large");
  CHECK(contains(both, " after 512 MiB reserved and 1 daemon"));
  // What is left is told, not what the type has.
  const auto alone = message(definition(3200), {.daemons = {one_daemon(1024)}}, "c5.large");
  const auto reserved = message(definition(3200), {.reserved_memory = 1024}, "c5.large");
  CHECK(alone.substr(0, alone.find(" after")) == reserved.substr(0, reserved.find(" after")));
}

TEST_CASE("cluster settings - trunking gives interfaces where the type has it") {
  capacity::FitOptions crowded;
  crowded.daemons.assign(2, one_daemon(64, 1));
  auto trunked = crowded;
  trunked.trunking = true;
  CHECK(contains(message(definition(512, "awsvpc"), crowded, "m5.large"), "no network interface left after 2 daemons"));
  CHECK(message(definition(512, "awsvpc"), trunked, "m5.large").empty());
  CHECK(message(definition(512), crowded, "m5.large").empty());
}
