#include "report/gpu_json.hpp"
#include "report/json_parts.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using Layout = JsonWriter::Layout;

void write_millionths(JsonWriter& json, std::int64_t millionths) {
  if (millionths % 1'000'000 == 0) {
    json.value(millionths / 1'000'000);
  } else {
    json.value(static_cast<double>(millionths) / 1e6);
  }
}

void write_gpu_request(JsonWriter& json, const capacity::TaskRequirement& task) {
  if (!task.wants_gpu()) return;
  json.key("GPU").begin_object(Layout::kLine);
  switch (task.gpu_form) {
    case capacity::GpuForm::kCount:
      json.member("count", task.gpu_count);
      break;
    case capacity::GpuForm::kAll:
      json.member("all", true);
      break;
    case capacity::GpuForm::kFraction:
      json.key("fraction");
      write_millionths(json, task.gpu_fraction_millionths);
      break;
    case capacity::GpuForm::kMps:
      json.member("mpsMemory", task.mps_memory);
      break;
    case capacity::GpuForm::kNone:
      break;
  }
  json.end_object();
}

namespace {

void write_room(JsonWriter& json, const Scenario& scenario, const GpuRoom& room) {
  json.begin_object(Layout::kLine).member("taskDefinition", scenario.task_definitions[room.task_definition].name);
  write_gpu_request(json, room.requirement);
  json.member("copies", room.copies).member("stranded", room.stranded);
  json.key("strandedBy").begin_object(Layout::kLine);
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (room.stranded_by_check[i] > 0) json.member(reason_text(static_cast<Check>(i)), room.stranded_by_check[i]);
  }
  json.end_object().end_object();
}

}  // namespace

void write_gpu_summary(JsonWriter& json, const Scenario& scenario, const GpuSummary& summary,
                       const std::vector<FreeGpus>& free, const std::vector<GpuRoom>& room) {
  json.key("gpu").begin_object();
  write_gpu_counts(json, summary);
  json.key("freeBlocks").begin_array(Layout::kLine);
  for (const auto& block : free) {
    json.begin_object(Layout::kLine).member("free", block.free).member("instances", block.instances).end_object();
  }
  json.end_array().key("room").begin_array();
  for (const auto& own : room) write_room(json, scenario, own);
  json.end_array().end_object();
}

}  // namespace bayplan::report
