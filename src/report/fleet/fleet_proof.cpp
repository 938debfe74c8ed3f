#include "report/fleet/fleet_words.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::report {

namespace {

/// A relaxation and all tasks that it applies to.
struct JoinedRelaxation {
  const fleet::Relaxation* first = nullptr;
  std::vector<std::string> subjects;
};

std::vector<JoinedRelaxation> joined(const std::vector<fleet::Relaxation>& relaxed) {
  std::vector<JoinedRelaxation> all;
  for (const auto& one : relaxed) {
    auto known = std::find_if(all.begin(), all.end(), [&](const auto& other) {
      return other.first->id == one.id && other.first->text == one.text;
    });
    if (known == all.end()) known = all.insert(all.end(), {&one, {}});
    if (!one.subject.empty()) known->subjects.push_back(one.subject);
  }
  return all;
}

/// " (train, web and 3 more)"
std::string subject_words(std::vector<std::string> subjects, std::size_t most) {
  if (subjects.empty()) return {};
  const auto all = subjects.size();
  subjects.resize(std::min(all, most));
  const auto more = all - subjects.size();
  return " (" + join(subjects, ", ") + (more > 0 ? fmt::format(" and {} more)", more) : ")");
}

/// "3 types, each by itself"
std::string sets_of_types(const FleetReport& report) {
  const auto sets = report.plan.bounded.sets;
  if (report.request.most_types == 1) return fmt::format("{} types, each alone", sets);
  return fmt::format("{} sets of {} types, each alone", sets, report.request.most_types);
}

std::string_view trust_words(study::Proof proof) {
  switch (proof) {
    case study::Proof::kChecked:
      return "; proof independently verified";
    case study::Proof::kSearchTree:
      return "; proof verified at the root, not within the search tree";
    case study::Proof::kNotChecked:
      break;
  }
  return "; proof not verified: the certificate is too large";
}

}  // namespace

std::string_view unplaceable_advice(const FleetReport& report) {
  const auto& list = report.plan.question.unplaceable;
  if (std::all_of(list.begin(), list.end(), [](const auto& one) { return !one.contradiction.empty(); }))
    return "Change the requirements that contradict each other.";
  return "Allow other types with --types; 'bayplan fit TASKDEF' lists those that hold a task.";
}

std::string proof_words(const FleetReport& report) {
  const auto& plan = report.plan;
  const auto ideal = hourly(report.market, plan.ideal.hourly_cost);
  if (plan.has_withdrawn_bound())
    return fmt::format("The ideal packing costs {}; its lower bound failed verification and is not shown", ideal);
  if (plan.has_no_bound())
    return fmt::format("The ideal packing costs {}; no lower bound was found (search ended by {})", ideal,
                       name_of(plan.stopped_by));
  const MicroUsd bound = plan.bounded.solution.lower_bound;
  std::string text = fmt::format("{} ideal packing costs {}, the lower bound is {}",
                                 report.request.survives_zone_loss ? "Without a zone loss, the" : "The", ideal,
                                 hourly(report.market, bound));
  if (plan.bounded.sets > 1) text += fmt::format(", the minimum over {}", sets_of_types(report));
  if (plan.optimal) {
    text += ": proven optimal";
  } else if (plan.ideal.hourly_cost > bound) {
    text += fmt::format(" (gap {}, search ended by {})", percent_more(bound, plan.ideal.hourly_cost),
                        name_of(plan.stopped_by));
  }
  return text.append(trust_words(plan.proof));
}

std::vector<std::string> relaxation_words(const FleetReport& report, std::size_t most_subjects) {
  std::vector<std::string> all;
  for (const auto& [first, subjects] : joined(report.plan.question.relaxed))
    all.push_back(
        fmt::format("Relaxed in the bound: {}{}: {}", first->id, subject_words(subjects, most_subjects), first->text));
  return all;
}

}  // namespace bayplan::report
