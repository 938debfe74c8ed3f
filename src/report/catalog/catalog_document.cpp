#include "report/catalog/catalog_report.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/fit.hpp"
#include "catalog/cpu_credits.hpp"
#include "report/catalog/interconnect.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using catalog::Catalog;
using catalog::Generation;
using catalog::InstanceType;

namespace {

constexpr std::size_t kTypesOfCatalogComment = 200;
constexpr std::size_t kTypesOfFirstScreen = 30;
constexpr std::size_t kTypesOfWideScreen = 6;  ///< A terminal below kWideTerminal columns breaks the table into four.
constexpr std::size_t kWideTerminal = 160;

using Types = std::vector<const InstanceType*>;

/// One column of the table: what it is called and what a type shows there ("-" when not known).
struct CatalogColumn {
  const char* heading;
  Align align;
  std::string (*cell)(const InstanceType& type, const std::string& region);
  Need need = Need::kAlways;
};

std::string or_dash(std::string text) {
  return text.empty() ? "-" : text;
}
std::string number_text(const std::optional<double>& number) {
  return number ? fmt::format("{:g}", *number) : "-";
}
std::string count_text(std::int64_t number) {
  return number == 0 ? "-" : std::to_string(number);
}

std::string gpu_text(const InstanceType& type) {
  if (type.neuron.devices > 0) return count_of(type.neuron.devices, "Neuron device");
  if (!type.gpu) return or_dash(type.accelerator_kind);
  if (type.gpu->is_fractional()) return from_millionths(type.gpu->fraction_millionths) + " " + type.gpu->model;
  return std::to_string(type.gpu->count) + " " + type.gpu->model;
}

std::string generation_text(const InstanceType& type) {
  return type.is_own ? "own" : type.generation == Generation::kCurrent ? "" : std::string(name_of(type.generation));
}

std::string trunk_text(const InstanceType& type) {
  return type.eni_task_limit_trunking ? std::to_string(*type.eni_task_limit_trunking) : "-";
}

/// "2x1900 GB nvme"; "-" without instance store, "?" when not known.
std::string storage_text(const InstanceType& type) {
  if (!type.local_storage) return "?";
  const auto& storage = *type.local_storage;
  return storage.disks == 0 ? "-" : fmt::format("{}x{} GB {}", storage.disks, storage.disk_gb, storage.kind);
}

std::string interconnect_text(const InstanceType& type) {
  if (!type.gpu || type.gpu->interconnect.empty()) return "-";
  std::string text = short_interconnect(type);
  if (type.gpu->interconnect_gb_per_s) text += fmt::format(" {:g} GB/s", *type.gpu->interconnect_gb_per_s);
  return text;
}

std::vector<CatalogColumn> base_columns() {
  return {
      {"vCPU", Align::kRight, [](const auto& type, const auto&) { return std::to_string(type.vcpus); }},
      {"memory", Align::kRight, [](const auto& type, const auto&) { return memory_size(type.memory); }},
      {"registered", Align::kRight, [](const auto& type, const auto&) { return count_text(type.registered_memory); },
       Need::kUseful},
  };
}

std::vector<CatalogColumn> gpu_columns() {
  return {
      {"GPU", Align::kLeft, [](const auto& type, const auto&) { return gpu_text(type); }},
      {"GPU mem", Align::kRight,
       [](const auto& type, const auto&) {
         return type.gpu && type.gpu->memory > 0 ? memory_size(type.gpu->memory) : "-";
       }},
  };
}

/// What the price of a burstable type covers of each vCPU.
std::string baseline_text(const InstanceType& type) {
  const auto baseline = catalog::find_baseline(type);
  return baseline ? baseline->percent() : "-";
}

std::vector<CatalogColumn> network_columns() {
  return {
      {"ENI", Align::kRight, [](const auto& type, const auto&) { return count_text(type.eni_task_limit); }},
      {"trunk", Align::kRight, [](const auto& type, const auto&) { return trunk_text(type); }, Need::kUseful},
  };
}

std::vector<CatalogColumn> wide_columns(bool with_gpu) {
  std::vector<CatalogColumn> columns{
      {"arch", Align::kLeft, [](const auto& type, const auto&) { return or_dash(join(type.architectures, ",")); }},
      {"Gbit/s", Align::kRight, [](const auto& type, const auto&) { return number_text(type.network_gbps); }},
      {"local disks", Align::kLeft, [](const auto& type, const auto&) { return storage_text(type); }, Need::kExtra},
  };
  if (!with_gpu) return columns;
  columns.insert(
      columns.end(),
      {{"CC", Align::kRight,
        [](const auto& type, const auto&) { return or_dash(type.gpu ? type.gpu->compute_capability : ""); }},
       {"FP32 TFLOPS", Align::kRight,
        [](const auto& type, const auto&) { return type.gpu ? number_text(type.gpu->fp32_tflops) : "-"; }},
       {"FP16 tensor", Align::kRight,
        [](const auto& type, const auto&) { return type.gpu ? number_text(type.gpu->tensor_fp16_tflops) : "-"; }},
       {"GB/s", Align::kRight,
        [](const auto& type, const auto&) {
          return type.gpu ? number_text(type.gpu->memory_bandwidth_gb_per_s) : "-";
        }},
       {"link", Align::kLeft, [](const auto& type, const auto&) { return interconnect_text(type); }},
       {"$/GPU-h", Align::kRight, [](const auto& type, const auto& region) {
          const auto price = price_per_gpu(type, region);
          return price ? usd(*price) : "-";
        }}});
  return columns;
}

std::vector<CatalogColumn> columns_for(const Types& types, bool wide) {
  const bool with_gpu =
      std::any_of(types.begin(), types.end(), [](const auto* type) { return !type->accelerator_kind.empty(); });
  std::vector<CatalogColumn> columns = base_columns();
  const auto append = [&](const std::vector<CatalogColumn>& more) {
    columns.insert(columns.end(), more.begin(), more.end());
  };
  if (std::any_of(types.begin(), types.end(), [](const auto* type) { return catalog::find_baseline(*type); }))
    append({{"baseline", Align::kRight, [](const auto& type, const auto&) { return baseline_text(type); },
             Need::kUseful}});
  if (with_gpu) append(gpu_columns());
  const std::vector<CatalogColumn> prices{{"$/h", Align::kRight,
                                           [](const auto& type, const auto& region) {
                                             const auto price = type.price_in(region);
                                             return price ? usd(price->hourly) : "-";
                                           }},
                                          {"$/month", Align::kRight,
                                           [](const auto& type, const auto& region) {
                                             const auto price = type.price_in(region);
                                             return price ? monthly_cell(price->hourly) : "-";
                                           },
                                           Need::kExtra}};
  if (wide) append(prices);  // a narrow terminal breaks the table: the price belongs in its first part
  append(network_columns());
  append(wide ? wide_columns(with_gpu) : prices);
  if (std::any_of(types.begin(), types.end(), [](const auto* type) { return !generation_text(*type).empty(); }))
    append({{"status", Align::kLeft, [](const auto& type, const auto&) { return generation_text(type); }}});
  return columns;
}

Table catalog_table(const CatalogReport& report, bool wide) {
  const auto columns = columns_for(report.types, wide);
  Table table({"type"});
  for (const auto& column : columns) table.columns.emplace_back(column.heading, column.align).need = column.need;
  for (const auto* type : report.types) {
    std::vector<Cell> cells{type->name};
    for (const auto& column : columns) cells.emplace_back(column.cell(*type, report.region));
    table.add(std::move(cells));
  }
  return table;
}

/// What is not sure about the types and their GPUs, and where the data is from.
Blocks notes_and_sources(const Catalog& catalog, const Types& types) {
  Blocks lines;
  const auto add_note = [&](const std::string& name, const std::string& note) {
    if (!note.empty()) lines.emplace_back(block::SmallPrint{fmt::format("note {}: {}", name, note)});
  };
  for (const auto* type : types) add_note(type->name, type->note);
  std::set<std::string> models;
  for (const auto* type : types) {
    if (type->gpu && !type->gpu->note.empty() && models.insert(type->gpu->model).second)
      add_note(type->gpu->model, type->gpu->note);
  }
  for (const auto& source : catalog.sources()) {
    const auto date = source.date.empty() ? std::string() : fmt::format(" ({})", source.date);
    lines.emplace_back(block::SmallPrint{fmt::format("source {}{}: {}", source.key, date, source.text)});
  }
  return lines;
}

}  // namespace

std::optional<MicroUsd> price_per_gpu(const InstanceType& type, const std::string& region) {
  const auto price = type.price_in(region);
  if (!price || !type.has_nvidia_gpu()) return std::nullopt;
  const std::int64_t millionths = type.gpu->count * type.gpu->fraction_millionths;
  return (price->hourly * 1'000'000 + millionths / 2) / millionths;
}

std::string catalog_answer(const CatalogReport& report, const capacity::PriceRange& prices) {
  const auto words = prices.oldest.empty()
                         ? "no known prices for " + report.region
                         : "Linux on-demand prices, " + report.region + ", " + price_days(prices.oldest, prices.newest);
  return fmt::format("{}; EC2 data of {}; {}", count_of(static_cast<std::int64_t>(report.types.size()), "type"),
                     report.catalog.data_date(), words);
}

ReportDocument catalog_document(const CatalogReport& report) {
  const auto& types = report.types;
  ReportDocument document("catalog");
  const auto prices = capacity::price_range(types, report.region);
  const auto answer = catalog_answer(report, prices);
  const auto count = answer.substr(0, answer.find(';'));
  // A terminal shows nothing without types: standard error says so.
  document.answer("", {in_bold(count), {answer.substr(count.size())}}, !types.empty(),
                  types.empty() ? Medium::kComment : kTerminal | Medium::kComment);
  for (const auto* type : types) document.quiet += type->name + '\n';
  document.prices = price_words(prices);
  if (types.empty()) return document;

  document.section("types", "Instance types", kCommentAndPage);
  auto table = catalog_table(report, report.wide);
  if (report.wide) table.keep_all_columns();
  const bool is_broken = report.wide && text_columns() < kWideTerminal;
  document.add(block::ShownTable{.table = std::move(table),
                                 .rows = {.text = is_broken ? kTypesOfWideScreen : kTypesOfFirstScreen,
                                          .comment = kTypesOfCatalogComment,
                                          .how = "-v, -q for names only"},
                                 .keeps_columns = true},
               kTerminal | Medium::kComment);
  document.add(block::Later{[&report](const Screen&) -> Blocks {
                 return {block::ShownTable{.table = catalog_table(report, true)}};
               }},
               Medium::kPage);
  for (const auto& hint : report.hints) document.paragraph({.text = hint, .hanging = 2});
  document.footer.emplace_back(block::Assumptions{capacity::memory_assumptions(types)});
  document.add_to_footer(
      block::Later{[&report](const Screen&) { return notes_and_sources(report.catalog, report.types); }},
      Medium::kFullText);
  return document;
}

}  // namespace bayplan::report
