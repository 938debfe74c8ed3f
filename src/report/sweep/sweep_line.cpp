#include "report/sweep/sweep_report.hpp"

#include <cmath>
#include <sstream>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "report/document/json_parts.hpp"
#include "study/sweep/sweep_scenarios.hpp"
#include "text/read.hpp"

namespace bayplan::report {

using text::Value;

namespace {

using Layout = JsonWriter::Layout;

void write_summary(JsonWriter& json, const placement::Summary& summary) {
  json.key("summary").begin_object(Layout::kLine);
  json.member("placed", summary.placed).member("unplaced", summary.unplaced);
  json.member("provisioning", summary.provisioning);
  json.member("instances", summary.instances).member("instancesUsed", summary.instances_used);
  write_utilization(json, summary);
  json.key("gpu").begin_object(Layout::kLine);
  write_gpu_counts(json, summary.gpu);
  json.end_object();
  write_usd(json, "hourlyCost", summary.hourly_cost);
  json.member("ties", summary.ties).end_object();
}

std::optional<std::int64_t> integer_at(Value object, std::string_view key) {
  const Value member = object && object.is_object() ? object.find(key) : Value();
  return member ? member.integer() : std::nullopt;
}

std::optional<MicroUsd> cost_at(Value object, std::string_view key) {
  const Value member = object.find(key);
  const auto usd = member ? to_number(member.text()) : std::nullopt;
  return usd ? std::optional<MicroUsd>(std::llround(*usd * 1e6)) : std::nullopt;
}

}  // namespace

study::SweepFigures compute_figures(const study::VariantResult& result) {
  return {.unplaced = result.unplaced(),
          .instances_used = result.summary.instances_used,
          .hourly_cost = result.summary.hourly_cost,
          .free_gpus = result.summary.gpu.free,
          .largest_free_block = result.summary.gpu.largest_free_block,
          .gpus = result.summary.gpu.total};
}

std::string sweep_line(std::string_view grid, std::int64_t index, const SweepPoint& point,
                       const study::VariantResult& result) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::kLine).member("schema", study::kSweepSchema).member("grid", grid).member("index", index);
  json.key("point").begin_object(Layout::kLine);
  for (const auto& [axis, name] : point) {
    json.key(axis);
    std::visit([&](const auto& value) { json.value(value); }, name);
  }
  json.end_object();
  if (result.scenario && result.scenario->policy) json.member("policy", placement::name_of(*result.scenario->policy));
  write_summary(json, result.summary);
  json.member("unplaced", result.unplaced()).member("held", result.held()).member("moves", result.moves);
  json.key("unplacedTasks").begin_object(Layout::kLine);
  for (const auto& name : result.names) {
    if (name.unplaced() > 0) json.member(name.name, name.unplaced());
  }
  json.end_object().end_object().finish();
  return out.str();
}

Result<ReadSweepLine> read_sweep_line(std::string_view line) {
  const auto document = text::read_document(std::string(line), {.format = text::Format::kJson});
  const Value root = document->root();
  if (!root || !root.is_object() || !document->faults().empty()) return Error{.message = "this line is not JSON"};
  const Value schema = root.find("schema");
  if (!schema || schema.text() != study::kSweepSchema) return Error{.message = "bayplan sweep did not write this line"};
  const Value grid = root.find("grid");
  const Value summary = root.find("summary");
  const auto index = integer_at(root, "index");
  const auto unplaced = integer_at(root, "unplaced");
  const auto used = integer_at(summary, "instancesUsed");
  if (!grid || !index || *index < 0 || !unplaced || !used)
    return Error{.message = "this line of bayplan sweep is incomplete"};
  const Value gpu = summary.find("gpu");
  ReadSweepLine read{std::string(grid.text()), *index, {}};
  read.figures = {.unplaced = *unplaced,
                  .instances_used = *used,
                  .hourly_cost = cost_at(summary, "hourlyCost"),
                  .free_gpus = integer_at(gpu, "free").value_or(0),
                  .largest_free_block = integer_at(gpu, "largestFreeBlock").value_or(0),
                  .gpus = integer_at(gpu, "total").value_or(0)};
  return read;
}

}  // namespace bayplan::report
