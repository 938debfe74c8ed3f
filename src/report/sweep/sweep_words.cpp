#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/amounts.hpp"
#include "report/sweep/sweep_report.hpp"

namespace bayplan::report {
namespace {

/// "1,200 scenarios"
std::string grouped_count(std::int64_t count, const std::string& what) {
  return with_separators(count) + " " + what + (count == 1 ? "" : "s");
}

/// "strategy pack, hosts 7", of the first `axes` axes.
std::string point_words(const SweepReport& report, std::int64_t index, std::size_t axes) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < axes; ++i) {
    const auto& axis = report.grid.axes[i];
    parts.push_back(axis.name + " " + study::text_of(point_name(axis, report.summary.position(index, i))));
  }
  return join(parts, ", ");
}

/// " with every one of 50 seeds", " in every one of 150 cases (lost, seed)"
std::string case_words(const study::WrittenGrid& grid, const study::Choices& choices) {
  const bool are_seeds = choices.axes + 1 == grid.axes.size() && grid.axes.back().seeds;
  if (are_seeds) return fmt::format(" with every one of {} seeds", with_separators(choices.cases));
  std::vector<std::string> names;
  for (std::size_t i = choices.axes; i < grid.axes.size(); ++i) names.push_back(grid.axes[i].name);
  return fmt::format(" in every one of {} cases ({})", with_separators(choices.cases), join(names, ", "));
}

std::string figure_words(const study::SweepFigures& figures) {
  std::string text = count_of(figures.instances_used, "instance") + " in use";
  if (figures.hourly_cost) text = hourly_and_monthly(*figures.hourly_cost) + ", " + text;
  return text;
}

}  // namespace

study::PointName point_name(const study::WrittenAxis& axis, std::int64_t position) {
  return axis.seeds ? study::PointName(axis.seeds->at(position)) : axis.points[static_cast<std::size_t>(position)].name;
}

std::string sweep_headline(const SweepReport& report) {
  const auto& choices = report.summary.choices();
  const bool has_choices = choices && choices->best;
  const std::int64_t count = has_choices ? choices->count : report.summary.scenarios();
  const std::int64_t placed = has_choices ? choices->placed_all : report.summary.placed_all();
  const std::string shard =
      report.shard.count > 1 ? fmt::format(" (shard {}/{})", report.shard.number, report.shard.count) : "";
  if (count == 0) return "No scenarios" + shard + ": the grid has fewer scenarios than shards";
  const auto& best = has_choices ? *choices->best : *report.summary.best();
  const std::string cases = has_choices ? case_words(report.grid, *choices) : "";
  const std::string all = grouped_count(count, has_choices ? "combination" : "scenario") + shard;
  const std::string what =
      fmt::format("{} ({})", point_words(report, best.index, has_choices ? choices->axes : report.grid.axes.size()),
                  figure_words(best.figures));
  std::string text = placed == 0 ? fmt::format("None of {} places all tasks{}. Best, with {} not placed: {}", all,
                                               cases, count_of(best.figures.unplaced, "task"), what)
                                 : fmt::format("{} of {} {} all tasks{}. {}: {}", with_separators(placed), all,
                                               placed == 1 ? "places" : "place", cases,
                                               best.figures.hourly_cost ? "Cheapest" : "Smallest", what);
  if (best.equals > 0)
    text += fmt::format("; {} perform{} the same", grouped_count(best.equals, "other"), best.equals == 1 ? "s" : "");
  text += '.';
  return text;
}

std::string policies_words(const SweepReport& report) {
  std::vector<std::string> names;
  for (const auto policy : report.policies) names.emplace_back(placement::name_of(policy));
  if (names.empty()) return {};
  if (names.size() == 1) return fmt::format("ECS does not offer the policy {}", names.front());
  return "ECS offers none of these policies of the literature: " + join(names, ", ");
}

}  // namespace bayplan::report
