#include "report/place/left_out.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/core.h>

#include "base/utf8.hpp"
#include "placement/explain/ecs_words.hpp"
#include "report/document/terminal.hpp"
#include "report/place/place_words.hpp"
#include "report/timeline/timeline_words.hpp"

namespace bayplan::report {

using placement::Failure;
using placement::PlacementAttempt;

namespace {

constexpr std::size_t kLongestTaskNames = 120;  ///< Columns: spread tasks have numbers with gaps, thousands of them.

std::string_view state_name(TaskWithoutPlace::State state) {
  using State = TaskWithoutPlace::State;
  return state == State::kFailed ? "failed" : state == State::kWaiting ? "waiting" : "PROVISIONING";
}

std::string why_of(const PlaceReport& report, const Failure& failure) {
  std::string why = why_not(report.scenario, failure);
  if (failure.would_fit) why += "; all or nothing, " + std::to_string(*failure.would_fit) + " would fit";
  return why;
}

/// Nothing where no instance was asked.
std::string rejected_words(const placement::Scenario& scenario, const Failure& failure) {
  return failure.instances.empty() ? std::string() : reason_counts(scenario, failure);
}

}  // namespace

std::vector<LeftOut> left_out(const PlaceReport& report) {
  std::map<std::pair<const Failure*, std::uint32_t>, std::size_t> places;
  std::vector<std::vector<PlacementAttempt>> attempts;
  std::vector<LeftOut> all;
  for (const auto& failure : report.outcome.failures) {
    const auto& representative = explained(report.outcome, failure);
    const auto [entry, is_new] = places.try_emplace({&representative, failure.attempt.workload}, all.size());
    if (is_new) {
      attempts.emplace_back();
      all.push_back({failure.attempt.workload, 0, "",
                     is_provisioning(report.scenario, failure) ? "PROVISIONING" : "not placed",
                     why_of(report, representative), closest_words(report.scenario, representative),
                     rejected_words(report.scenario, representative)});
    }
    ++all[entry->second].tasks;
    attempts[entry->second].push_back(failure.attempt);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto ranges = task_ranges(report.scenario, attempts[i]);
    all[i].names = cut(printable(ranges.front()), kLongestTaskNames, Glyphs{});
  }
  return all;
}

std::vector<LeftOut> left_out(const TimelineReport& report) {
  using Key = std::tuple<OptionalIndex, TaskWithoutPlace::State, std::string>;  // what is reported together
  std::map<Key, std::size_t> places;
  std::vector<std::vector<std::uint32_t>> tasks;
  std::vector<LeftOut> all;
  for (const auto& one : report.without_place()) {
    const auto& task = report.history().tasks[one.task];
    const auto why = reason_words(report, one);
    const auto [entry, is_new] = places.try_emplace(Key{task.workload, one.state, why}, all.size());
    if (is_new) {
      tasks.emplace_back();
      all.push_back({*task.workload, 0, "", std::string(state_name(one.state)), why});
      if (one.why != nullptr) {
        all.back().closest = closest_words(report.everything(), *one.why);
        all.back().rejected = rejected_words(report.everything(), *one.why);
      }
    }
    ++all[entry->second].tasks;
    tasks[entry->second].push_back(one.task);
  }
  for (std::size_t i = 0; i < all.size(); ++i) all[i].names = task_names(report.scenario(), report.history(), tasks[i]);
  return all;
}

void add_left_out_list(ReportDocument& document, const std::vector<LeftOut>& left_out) {
  constexpr std::size_t kShown = 20;
  const std::size_t shown = std::min(kShown, left_out.size());
  std::vector<RichText> items;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& one = left_out[i];
    auto text = one.state + ": " + one.why;
    if (!one.closest.empty()) text += "; closest match: " + one.closest;
    if (!one.rejected.empty()) text += "; rejected: " + one.rejected;
    items.push_back({in_code(one.names), {" " + text}});
  }
  if (shown < left_out.size()) items.emplace_back(fmt::format("and {} more", left_out.size() - shown));
  document.list(std::move(items));
}

void add_left_out_table(ReportDocument& document, const placement::Scenario& scenario,
                        const std::vector<LeftOut>& left_out) {
  if (left_out.empty()) return;
  document.section("failures", "Not placed");
  Table table({number_column("tasks"), "names", "state", "reason", "closest match", "rejected", "needs"});
  table.holds_sentences = true;
  for (const auto& one : left_out) {
    table.add({std::to_string(one.tasks), one.names, Cell(one.state, Tone::kBad), one.why, one.closest, one.rejected,
               describe(scenario.workloads[one.workload].requirement)});
  }
  table.drop_empty_columns();
  document.table(std::move(table));
}

}  // namespace bayplan::report
