#include "report/fit/fit_report.hpp"

#include "base/json_writer.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/place/place_json_parts.hpp"

namespace bayplan::report {

using capacity::FitReport;
using capacity::FitRow;
using capacity::TaskRequirement;

namespace {

using Layout = JsonWriter::Layout;

void write_registered(JsonWriter& json, const FitRow& row, const TaskRequirement& task) {
  json.key("registered").begin_object(Layout::kLine).member("CPU", row.offer.cpu).key("MEMORY");
  row.offer.memory_known ? json.value(row.offer.memory) : json.null();
  json.key("GPU");
  write_millionths(json, row.offer.gpu.total_millionths());
  if (task.wants_neuron()) json.member("NEURON_DEVICE", row.offer.neuron_devices);
  json.member("ENI", row.offer.network_interfaces);
  if (task.ebs_volumes > 0) json.member("EBS", row.offer.ebs_attachments);
  json.end_object();
}

void write_idle(JsonWriter& json, const FitRow& row, const TaskRequirement& task) {
  json.key("idle");
  if (!row.idle) {
    json.null();
    return;
  }
  json.begin_object(Layout::kLine).member("CPU", row.idle->cpu).member("MEMORY", row.idle->memory).key("GPU");
  write_millionths(json, row.idle->gpu_millionths);
  json.member("ENI", row.idle->network_interfaces);
  if (task.ebs_volumes > 0) json.member("EBS", row.idle->ebs_attachments);
  json.end_object();
}

void write_shortfalls(JsonWriter& json, const FitRow& row) {
  json.key("shortfall").begin_object(Layout::kLine);
  for (const auto& shortfall : row.shortfalls) {
    json.key(shortfall.is_gpu_memory ? "gpuMemory" : name_of(shortfall.resource));
    if (shortfall.resource == capacity::Resource::kGpu && !shortfall.is_gpu_memory) {
      write_millionths(json, shortfall.amount);
    } else {
      json.value(shortfall.amount);
    }
  }
  json.end_object();
}

void write_row(JsonWriter& json, const FitRow& row, const TaskRequirement& task) {
  json.begin_object(Layout::kLine)
      .member("instanceType", row.type->name)
      .member("fits", name_of(row.fits))
      .member("copies", row.copies)
      .member("copiesMin", row.copies_min)
      .member("copiesMax", row.copies_max)
      .key("bindingResource");
  row.binding ? json.value(name_of(*row.binding)) : json.null();
  json.key("margin").begin_object(Layout::kLine).key("MEMORY");
  row.offer.memory_known ? json.value(row.memory_margin) : json.null();
  json.end_object();
  write_list(json, "reasons", row.reasons);
  write_shortfalls(json, row);
  write_list(json, "missingAttributes", row.missing_attributes);
  json.key("unmetNeeds").begin_array(Layout::kLine);
  for (const auto& need : row.unmet_needs)
    json.begin_object(Layout::kLine).member("needs", need.wanted).member("has", need.given).end_object();
  json.end_array().key("interconnect");
  const bool is_linked = row.offer.gpu.count > 1 && row.type->gpu && !row.type->gpu->interconnect.empty();
  is_linked ? json.value(row.type->gpu->interconnect) : json.null();
  write_registered(json, row, task);
  write_idle(json, row, task);
  json.member("memoryBasis", row.offer.memory_basis).member("generation", name_of(row.type->generation));
  write_usd(json, "hourlyPrice", row.price ? std::optional(row.price->hourly) : std::nullopt);
  write_usd(json, "pricePerCopy", row.price_per_copy);
  json.end_object();
}

/// The cheapest of the types that are still sold.
void write_cheapest(JsonWriter& json, const capacity::TaskFit& task) {
  const FitRow* best = task.cheapest();
  json.key("cheapest");
  if (best == nullptr) {
    json.null();
    return;
  }
  json.begin_object(Layout::kLine).member("instanceType", best->type->name).member("copies", best->copies);
  write_usd(json, "hourlyPrice", best->price->hourly);
  write_usd(json, "pricePerCopy", best->price_per_copy);
  json.end_object();
}

}  // namespace

void write_requirement_json(JsonWriter& json, const TaskRequirement& task) {
  json.begin_object(Layout::kLine).member("CPU", task.cpu).member("MEMORY", task.memory);
  write_gpu_request(json, task);
  json.member("ENI", task.network_interfaces);
  if (task.ebs_volumes > 0) json.member("EBS", task.ebs_volumes);
  write_list(json, "TCP", task.tcp_ports);
  write_list(json, "UDP", task.udp_ports);
  json.member("architecture", task.architecture);
  write_list(json, "attributes", task.required_attributes);
  write_list(json, "unknown", task.unknown);
  json.end_object();
}

void write_fit_json(std::ostream& out, const FitReport& report, const std::vector<std::string>& not_answered) {
  JsonWriter json(out);
  begin_report(json, "fit-report", fit_answer(report));
  write_assumptions_json(json, report.assumptions);
  json.member("region", report.prices.region)
      .member("reservedMemory", report.reserved_memory)
      .member("trunking", report.trunking);
  write_prices_json(json, report.prices);
  json.key("taskDefinitions").begin_array();
  for (const auto& task : report.tasks) {
    json.begin_object().member("family", task.family).member("file", task.file);
    json.key("requirement");
    write_requirement_json(json, task.requirement);
    write_cheapest(json, task);
    json.key("types").begin_array();
    for (const auto& row : task.rows) write_row(json, row, task.requirement);
    json.end_array().end_object();
  }
  json.end_array();
  write_list(json, "notAnswered", not_answered);
  json.end_object().finish();
}

}  // namespace bayplan::report
