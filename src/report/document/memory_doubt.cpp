#include "report/document/memory_doubt.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::report {

std::string memory_sentence(const study::MemoryUncertainty& doubt) {
  const auto tasks = doubt.tasks();
  if (tasks == 0) return {};
  return fmt::format(" MEMORY UNCERTAIN: {} cannot be placed if instances register the minimum of the estimate.",
                     count_of(tasks, "task"));
}

void write_memory_doubt_json(JsonWriter& json, const study::MemoryUncertainty& doubt) {
  json.key("memoryDoubt");
  if (doubt.types.empty()) {
    json.null();
    return;
  }
  json.begin_object().key("types").begin_array(JsonWriter::Layout::kLine);
  for (const auto& one : doubt.types) {
    json.begin_object(JsonWriter::Layout::kLine).member("instanceType", one.instance_type);
    json.member("memory", one.memory).member("error", one.error).end_object();
  }
  json.end_array().member("orders", doubt.orders).member("failingOrders", doubt.failing_orders);
  json.key("withoutPlace").begin_object(JsonWriter::Layout::kLine);
  for (const auto& one : doubt.without_place) json.member(one.name, one.count);
  json.end_object().end_object();
}

}  // namespace bayplan::report
