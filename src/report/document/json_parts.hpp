#pragma once
#include <optional>
#include <string_view>

#include "base/json_writer.hpp"
#include "base/units.hpp"
#include "placement/engine/histogram.hpp"
#include "placement/explain/result_summary.hpp"

/// Members that many JSON reports have.
namespace bayplan::report {

/// Opens the report and writes what each begins with: its schema ("place-report"), which bayplan wrote it, and the
/// answer, unless that is known at the end only.
void begin_report(JsonWriter& json, std::string_view name, std::string_view answer = {});

/// An array of values, on one line.
template <class Items>
void write_list(JsonWriter& json, JsonWriter::Name name, const Items& items) {
  json.key(name).begin_array(JsonWriter::Layout::kLine);
  for (const auto& item : items) json.value(item);
  json.end_array();
}

/// USD; null when it is not known.
void write_usd(JsonWriter& json, std::string_view name, const std::optional<MicroUsd>& amount);

/// An object of "min", "median" and "max".
void write_distribution(JsonWriter& json, std::string_view name, const placement::Distribution& distribution);

/// "utilization": what is reserved of what the instances register, 0 to 1; null where they register nothing.
void write_utilization(JsonWriter& json, const placement::Summary& summary);

/// The GPUs of a cluster: members of an object that is open.
void write_gpu_counts(JsonWriter& json, const placement::GpuSummary& gpu);

}  // namespace bayplan::report
