#include "report/fit/fit_report.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "capacity/fit.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {

using capacity::FitRow;
using capacity::Fits;
using capacity::Resource;
using capacity::TaskFit;

namespace {

/// "5 have", "none has".
std::string meeting_needs(const TaskFit& task) {
  const auto count = std::count_if(task.rows.begin(), task.rows.end(),
                                   [](const auto& row) { return row.fits != Fits::kNo && row.unmet_needs.empty(); });
  return count == 0 ? "none has" : fmt::format("{} {}", count, count == 1 ? "has" : "have");
}

std::string lacking_text(const FitRow& row, const capacity::Shortfall& shortfall) {
  switch (shortfall.resource) {
    case Resource::kCpu:
      return cpu_size(shortfall.amount) + " short";
    case Resource::kMemory:
      return std::to_string(shortfall.amount) + " MiB short";
    case Resource::kPorts:
      return count_of(shortfall.amount, "port") + " taken";
    case Resource::kEni:
    case Resource::kEbs:
      return std::to_string(shortfall.amount) + " short";
    case Resource::kNeuron:
      if (row.offer.neuron_devices > 0) return "one container takes them all";
      return row.type->neuron.devices > 0 ? "ECS does not assign those of " + std::string(row.type->family()) : "none";
    case Resource::kGpu:
      break;
  }
  if (row.offer.gpu.count == 0) {
    const std::string& kind = row.type->accelerator_kind;
    return kind.empty() || kind == "gpu" ? "none" : "none: " + kind + " devices";
  }
  if (shortfall.is_gpu_memory) return std::to_string(shortfall.amount) + " MiB of GPU memory short";
  if (row.offer.gpu.is_fractional() && shortfall.amount >= 1'000'000) return "only a share of one";
  return from_millionths(shortfall.amount) + " short";
}

}  // namespace

std::string copies_text(const FitRow& row) {
  if (!row.copies) return "any";
  if (!row.copies_max || row.copies_min == row.copies_max) return std::to_string(*row.copies);
  return fmt::format("{}-{}", row.copies_min.value_or(0), *row.copies_max);
}

std::string idle_text(const FitRow& row) {
  if (!row.idle) return "-";
  std::string text = cpu_size(row.idle->cpu) + ", " + memory_size(row.idle->memory);
  if (row.idle->gpu_millionths > 0) text += ", " + from_millionths(row.idle->gpu_millionths) + " GPU";
  return text;
}

std::string price_text(const std::optional<MicroUsd>& price) {
  return price ? usd(*price) : "-";
}

std::string fits_text(const FitRow& row) {
  if (!row.type->is_retired()) return std::string(name_of(row.fits));
  return row.fits == capacity::Fits::kYes ? "retired" : std::string(name_of(row.fits)) + ", retired";
}

std::string reasons_text(const FitRow& row) {
  std::vector<std::string> parts;
  for (const auto& missing : row.missing_attributes) parts.push_back("ATTRIBUTE (" + missing + ")");
  for (const auto& shortfall : row.shortfalls) {
    parts.push_back(std::string(find_reason(shortfall.resource)) + " (" + lacking_text(row, shortfall) + ")");
  }
  return join(parts, ", ");
}

RichText fit_headline(const TaskFit& task) {
  const std::string name = task.family.empty() ? task.file : task.family;
  const auto all = static_cast<std::int64_t>(task.rows.size());
  const auto sure =
      std::count_if(task.rows.begin(), task.rows.end(), [](const auto& row) { return row.fits == Fits::kYes; });
  const auto holding = task.holding();
  const auto headline = [&](const std::string& words) { return RichText{in_bold(name), {words}}; };
  std::string text = " (" + describe(task.requirement) + "): ";
  if (holding == 0) return headline(text + "0 of " + std::to_string(all) + " types fit");
  if (sure == 0)
    return headline(text + fmt::format("{} of {} may fit, none certainly", holding, count_of(all, "type")));
  text += fmt::format("{} of {} fit{}", sure, count_of(all, "type"), sure == 1 ? "s" : "");
  if (holding > sure) text += fmt::format(", {} may fit", holding - sure);
  if (task.has_needs) text += fmt::format("; {} what it needs", meeting_needs(task));
  const FitRow* best = task.cheapest();
  if (best == nullptr) return headline(text);
  const auto copies = best->copies ? ", " + count_of(*best->copies, "copy", "copies") : std::string();
  return {in_bold(name),
          {text + "; cheapest "},
          in_bold(best->type->name),
          {copies + ", " + hourly_with_month(best->price->hourly)}};
}

std::string unmet_text(const FitRow& row) {
  std::vector<std::string> parts;
  for (const auto& need : row.unmet_needs) parts.push_back(need.wanted + " (has " + need.given + ")");
  return join(parts, ", ");
}

std::string rejected_words(const std::vector<const FitRow*>& rows) {
  std::map<std::string_view, std::int64_t> counts;
  for (const auto* row : rows) {
    for (const auto reason : row->reasons) ++counts[reason];
  }
  std::vector<std::pair<std::string_view, std::int64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [reason, count] : sorted) parts.push_back(fmt::format("{} {}", reason, count));
  return fmt::format("{} {} not fit: {}", count_of(static_cast<std::int64_t>(rows.size()), "type"),
                     rows.size() == 1 ? "does" : "do", join(parts, ", "));
}

std::string fit_answer(const capacity::FitReport& report) {
  const auto& tasks = report.tasks;
  if (tasks.size() == 1) return fit_headline(tasks.front()).plain();
  const auto fitting = std::count_if(tasks.begin(), tasks.end(), [](const auto& task) { return task.holding() > 0; });
  return fmt::format("{} of {} task definitions fit some type", fitting, tasks.size());
}

}  // namespace bayplan::report
