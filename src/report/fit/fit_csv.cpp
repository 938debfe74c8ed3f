#include "report/fit/fit_report.hpp"

#include "report/document/csv.hpp"

namespace bayplan::report {

using capacity::FitRow;

namespace {

std::vector<std::string> list_needs(const FitRow& row) {
  std::vector<std::string> needs;
  for (const auto& need : row.unmet_needs)
    needs.push_back(need.wanted + " (has " + need.given + ")" + (&need == &row.unmet_needs.back() ? "" : ";"));
  return needs;
}

void write_fit_row(CsvWriter& csv, const capacity::TaskFit& task, const FitRow& row) {
  csv.text(task.family).text(task.file).text(row.type->name).text(name_of(row.fits));
  csv.number(row.copies).number(row.copies_min).number(row.copies_max);
  csv.text(row.binding ? name_of(*row.binding) : "");
  row.offer.memory_known ? csv.number(row.memory_margin) : csv.nothing();
  csv.list(row.reasons).list(row.missing_attributes).list(list_needs(row));
  csv.number(row.offer.cpu);
  row.offer.memory_known ? csv.number(row.offer.memory) : csv.nothing();
  csv.number(static_cast<double>(row.offer.gpu.total_millionths()) / 1e6).number(row.offer.network_interfaces);
  csv.text(row.offer.memory_basis).text(name_of(row.type->generation));
  csv.usd(row.price ? std::optional(row.price->hourly) : std::nullopt).usd(row.price_per_copy).end_row();
}

}  // namespace

void write_fit_csv(std::ostream& out, const capacity::FitReport& report) {
  CsvWriter csv(out);
  csv.header({"family",
              "file",
              "instanceType",
              "fits",
              "copies",
              "copiesMin",
              "copiesMax",
              "bindingResource",
              "memoryMargin",
              "reasons",
              "missingAttributes",
              "unmetNeeds",
              "registeredCPU",
              "registeredMEMORY",
              "registeredGPU",
              "registeredENI",
              "memoryBasis",
              "generation",
              "hourlyPrice",
              "pricePerCopy"});
  for (const auto& task : report.tasks) {
    for (const auto& row : task.rows) write_fit_row(csv, task, row);
  }
}

}  // namespace bayplan::report
