#include "report/fit_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/assumptions.hpp"
#include "report/figures.hpp"
#include "report/table.hpp"

namespace bayplan::report {

using capacity::FitReport;
using capacity::FitRow;
using capacity::Fits;
using capacity::Resource;
using capacity::TaskFit;

namespace {

constexpr std::size_t kShownFittingTypes = 20;
constexpr std::size_t kShownUnmet = 5;

/// "3", "3-4" where the error band of the memory decides, "any" without a limit.
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

/// "5 have", "none has".
std::string meeting_needs(const TaskFit& task) {
  const auto count = std::count_if(task.rows.begin(), task.rows.end(),
                                   [](const auto& row) { return row.fits != Fits::kNo && row.unmet_needs.empty(); });
  return count == 0 ? "none has" : fmt::format("{} {}", count, count == 1 ? "has" : "have");
}

std::string headline(const TaskFit& task, const Style& style) {
  const std::string name = task.family.empty() ? task.file : task.family;
  const auto all = static_cast<std::int64_t>(task.rows.size());
  const auto sure =
      std::count_if(task.rows.begin(), task.rows.end(), [](const auto& row) { return row.fits == Fits::kYes; });
  const auto holding = task.holding();
  std::string text = style.bold(printable(name)) + " (" + describe(task.requirement) + "): ";
  if (holding == 0) return text + "no type of " + std::to_string(all) + " holds it";
  if (sure == 0) return text + fmt::format("{} of {} may hold it, none surely", holding, count_of(all, "type"));
  text += fmt::format("{} of {} {} it", sure, count_of(all, "type"), sure == 1 ? "holds" : "hold");
  if (holding > sure) text += fmt::format(", {} may", holding - sure);
  if (task.has_needs) text += fmt::format("; {} what its GPUs need", meeting_needs(task));
  if (const FitRow* best = task.cheapest()) {
    text += "; cheapest " + style.bold(best->type->name);
    if (best->copies) text += ", " + count_of(*best->copies, "copy", "copies");
    text += ", $" + usd(best->price->hourly) + "/h";
  }
  return text;
}

Table::Paint paint_for(const FitRow& row, const Style& style) {
  if (row.fits == Fits::kUnsure) return [style](std::string_view text) { return style.yellow(text); };
  return [style](std::string_view text) { return style.green(text); };
}

std::string fits_text(const FitRow& row) {
  return std::string(name_of(row.fits)) + (row.type->is_retired() ? ", retired" : "");
}

void print_holding(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  Table table;
  table.column("type");
  table.column("fits");
  table.column("copies", Align::kRight);
  table.column("bound by");
  table.column("idle per instance");
  table.column("$/h", Align::kRight);
  table.column("$/copy", Align::kRight);
  for (const auto* row : rows) {
    table.row(
        {row->type->name, fits_text(*row), copies_text(*row), row->binding ? std::string(name_of(*row->binding)) : "-",
         idle_text(*row), price_text(row->price ? std::optional(row->price->hourly) : std::nullopt),
         price_text(row->price_per_copy)},
        {{}, paint_for(*row, style)});
  }
  table.print(out, [&](std::string_view text) { return style.dim(text); });
}

/// Types that ECS would use and that are not what the task needs.
void print_unmet(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  Table table;
  table.column("type");
  table.column("fits");
  table.column("but ECS does not look at what its GPUs need");
  for (const auto* row : rows) {
    std::vector<std::string> parts;
    for (const auto& need : row->unmet_needs) parts.push_back(need.wanted + " (has " + need.given + ")");
    table.row({row->type->name, fits_text(*row), join(parts, ", ")},
              {{}, [&](std::string_view text) { return style.yellow(text); }});
  }
  table.print(out, [&](std::string_view text) { return style.dim(text); });
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
      return std::to_string(shortfall.amount) + " short";
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

std::string reasons_text(const FitRow& row) {
  std::vector<std::string> parts;
  for (const auto& missing : row.missing_attributes) parts.push_back("ATTRIBUTE (" + missing + ")");
  for (const auto& shortfall : row.shortfalls) {
    parts.push_back(std::string(reason_of(shortfall.resource)) + " (" + lacking_text(row, shortfall) + ")");
  }
  return join(parts, ", ");
}

void print_rejected(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  Table table;
  table.column("type");
  table.column("fits");
  table.column("why not");
  for (const auto* row : rows) {
    table.row({row->type->name, fits_text(*row), reasons_text(*row)},
              {{}, [&](std::string_view text) { return style.red(text); }});
  }
  table.print(out, [&](std::string_view text) { return style.dim(text); });
}

/// "538 do not: RESOURCE:GPU 534, RESOURCE:MEMORY 12"; a type counts under each of its reasons.
void print_rejected_summary(std::ostream& out, const std::vector<const FitRow*>& rows, const Style& style) {
  std::map<std::string_view, std::int64_t> counts;
  for (const auto* row : rows) {
    for (const auto reason : row->reasons) ++counts[reason];
  }
  std::vector<std::pair<std::string_view, std::int64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [reason, count] : sorted) parts.push_back(fmt::format("{} {}", reason, count));
  out << fmt::format("{} {} not hold it: {} ", count_of(static_cast<std::int64_t>(rows.size()), "type"),
                     rows.size() == 1 ? "does" : "do", join(parts, ", "))
      << style.dim("(-v or --types shows each)") << '\n';
}

/// Types that hold many copies may be cheaper a copy than the cheapest instance.
void print_best_per_copy(std::ostream& out, const TaskFit& task, const Style& style) {
  const FitRow* best = nullptr;
  for (const auto& row : task.rows) {
    if (row.fits != Fits::kYes || row.type->is_retired() || !row.price_per_copy || !row.unmet_needs.empty()) continue;
    if (best == nullptr || *row.price_per_copy < *best->price_per_copy) best = &row;
  }
  const FitRow* cheapest = task.cheapest();
  if (best == nullptr || cheapest == nullptr || !cheapest->price_per_copy) return;
  if (*best->price_per_copy >= *cheapest->price_per_copy) return;
  out << "cheapest per copy: " << style.bold(best->type->name) << ", " << count_of(*best->copies, "copy", "copies")
      << ", $" << usd(*best->price_per_copy) << " each\n";
}

void print_task(std::ostream& out, const TaskFit& task, const FitTextOptions& options) {
  out << headline(task, options.style) << '\n';
  if (options.quiet) return;
  std::vector<const FitRow*> holding;
  std::vector<const FitRow*> unmet;
  std::vector<const FitRow*> rejected;
  for (const auto& row : task.rows) {
    (row.fits == Fits::kNo ? rejected : row.unmet_needs.empty() ? holding : unmet).push_back(&row);
  }
  const std::size_t shown =
      options.verbose || options.named ? holding.size() : std::min(kShownFittingTypes, holding.size());
  if (shown > 0)
    print_holding(out, {holding.begin(), holding.begin() + static_cast<std::ptrdiff_t>(shown)}, options.style);
  if (shown < holding.size()) {
    out << "  " << options.style.dim(fmt::format("and {} more (-v or --types)", holding.size() - shown)) << '\n';
  }
  print_best_per_copy(out, task, options.style);
  const std::size_t shown_unmet = options.verbose || options.named ? unmet.size() : std::min(kShownUnmet, unmet.size());
  if (shown_unmet > 0)
    print_unmet(out, {unmet.begin(), unmet.begin() + static_cast<std::ptrdiff_t>(shown_unmet)}, options.style);
  if (shown_unmet < unmet.size())
    out << "  " << options.style.dim(fmt::format("and {} more (-v or --types)", unmet.size() - shown_unmet)) << '\n';
  if (rejected.empty()) return;
  if (options.verbose || (options.named && rejected.size() <= kShownFittingTypes)) {
    print_rejected(out, rejected, options.style);
  } else {
    print_rejected_summary(out, rejected, options.style);
  }
}

void print_prices(std::ostream& out, const capacity::PriceRange& prices, const Style& style) {
  if (prices.oldest.empty()) {
    out << style.dim("no prices known for " + prices.region) << '\n';
    return;
  }
  const std::string dates = prices.oldest == prices.newest ? prices.newest : prices.oldest + " to " + prices.newest;
  std::string text = "prices: Linux on demand, " + prices.region + ", " + dates;
  if (!prices.unpriced.empty()) {
    text += "; none for " + (prices.unpriced.size() == 1
                                 ? prices.unpriced.front()
                                 : count_of(static_cast<std::int64_t>(prices.unpriced.size()), "type"));
  }
  out << style.dim(text) << '\n';
}

}  // namespace

void write_fit_text(std::ostream& out, const FitReport& report, const FitTextOptions& options) {
  for (const auto& task : report.tasks) {
    if (&task != &report.tasks.front() && !options.quiet) out << '\n';
    print_task(out, task, options);
  }
  if (options.quiet || report.tasks.empty()) return;
  print_prices(out, report.prices, options.style);
  write_assumptions_text(out, report.assumptions, options.verbose, options.style);
}

}  // namespace bayplan::report
