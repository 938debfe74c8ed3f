#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/replay/replay_report.hpp"

namespace bayplan::report {

namespace {

constexpr std::size_t kShownProblems = 5;

/// "1,204"
std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

/// "98.2%"
std::string share_text(double share) {
  return fmt::format("{:.1f}%", share * 100);
}

std::string interval_text(const replay::Interval& interval) {
  return fmt::format("[{:.1f}, {:.1f}]", interval.low * 100, interval.high * 100);
}

std::string_view words_of(replay::Unused why) {
  switch (why) {
    case replay::Unused::kDuplicate:
      return "duplicate";
    case replay::Unused::kForeign:
      return "not of ECS";
    case replay::Unused::kOtherCluster:
      return "of other clusters";
    case replay::Unused::kNotNeeded:
      return "without placement data";
    case replay::Unused::kBroken:
      return "unreadable";
    case replay::Unused::kIncomplete:
      return "incomplete";
  }
  return {};
}

std::string_view words_of(replay::Variation variation) {
  switch (variation) {
    case replay::Variation::kDrainingTasksIgnored:
      return "tasks on DRAINING instances do not count in a spread";
    case replay::Variation::kStoppingTasksCounted:
      return "tasks count in a spread until they are STOPPED";
    case replay::Variation::kNoSecondKey:
      return "a service that states only the zone spread has no second key";
    case replay::Variation::kAsSimulated:
      break;
  }
  return {};
}

std::vector<std::string> with_bookkeeping(std::vector<std::string> sentences, const replay::Bookkeeping& book) {
  if (book.compared > 0)
    sentences.push_back(fmt::format("Bookkeeping: {} of {} instance event{} equal.", grouped(book.equal),
                                    grouped(book.compared), book.compared == 1 ? "" : "s"));
  return sentences;
}

}  // namespace

ReplayReport make_replay_report(const replay::ReplayResult& result, std::optional<double> min_agreement) {
  return {result, replay::figures_of(result.all), min_agreement};
}

std::vector<std::string> replay_sentences(const ReplayReport& report) {
  const auto& all = report.result.all;
  std::vector<std::string> sentences;
  if (report.result.placements == 0) {
    sentences.emplace_back("No placement is recorded.");
    return with_bookkeeping(std::move(sentences), report.result.bookkeeping);
  }
  sentences.push_back(
      fmt::format("{} of {} judged.", grouped(all.judged), count_of(report.result.placements, "placement")));
  if (report.result.placements >= 1000)
    sentences.back() =
        fmt::format("{} of {} placements judged.", grouped(all.judged), grouped(report.result.placements));
  sentences.push_back(fmt::format("Eligible: {} of {}.", grouped(all.eligible), grouped(all.judged)));
  if (all.informative == 0) {
    sentences.emplace_back("Best choice: no informative decision.");
  } else {
    sentences.push_back(fmt::format(
        "Best choice: {} of {} informative decision{} = {} {}; a random choice would reach {:.0f}%.", grouped(all.hits),
        grouped(all.informative), all.informative == 1 ? "" : "s", share_text(report.figures.agreement),
        interval_text(report.figures.interval), report.figures.baseline * 100));
  }
  return with_bookkeeping(std::move(sentences), report.result.bookkeeping);
}

std::string replay_headline(const ReplayReport& report) {
  return join(replay_sentences(report), " ");
}

std::string record_words(const replay::History& history) {
  const auto& counts = history.counts;
  std::string text = fmt::format("Records: {} of {} used", grouped(counts.used()), grouped(counts.read));
  std::string separator = "; ";
  for (std::size_t i = 0; i < replay::kUnusedKinds; ++i) {
    const auto why = static_cast<replay::Unused>(i);
    if (counts.of(why) == 0) continue;
    text += fmt::format("{}{} {}", separator, grouped(counts.of(why)), words_of(why));
    if (why != replay::Unused::kDuplicate && why != replay::Unused::kNotNeeded)
      text += fmt::format(" ({})", history.where(counts.first_unused[i]));
    separator = ", ";
  }
  if (counts.version_gaps > 0) text += fmt::format("{}{} missing", separator, count_of(counts.version_gaps, "version"));
  return text + ".";
}

std::vector<std::string> record_problems(const replay::History& history) {
  std::vector<std::string> problems;
  const auto& counts = history.counts;
  if (counts.backward_clocks > 0)
    problems.push_back(fmt::format("clocks disagree: {} with a higher version and an earlier time",
                                   count_of(counts.backward_clocks, "record")));
  const auto lost = std::count_if(history.tasks.begin(), history.tasks.end(), [](const replay::RecordedTask& task) {
    return task.ended_in_second && task.instance == replay::kNoName && task.reported_by == replay::kNoName;
  });
  if (lost > 0)
    problems.push_back(fmt::format("{} of no recorded placement: calls are missing, and agreement is too low",
                                   count_of(lost, "end", "ends")));
  if (counts.apart_clocks > 0)
    problems.push_back(fmt::format("clocks disagree: {} more than 5 minutes from its content",
                                   count_of(counts.apart_clocks, "event")));
  for (const auto& problem : history.problems) {
    if (problems.size() == kShownProblems && history.problems.size() > kShownProblems) {
      problems.push_back(fmt::format("{} more", history.problems.size() + 1 - problems.size()));
      break;
    }
    problems.push_back(fmt::format("{}: {}", history.where(problem.place), problem.text));
  }
  return problems;
}

std::string not_judged_words(const replay::ReplayResult& result) {
  std::vector<std::string> parts;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < replay::kNotJudgedKinds; ++i) {
    const auto& count = result.not_judged[i];
    if (count.count == 0) continue;
    sum += count.count;
    parts.push_back(fmt::format("{} {}", grouped(count.count), word_of(static_cast<replay::NotJudged>(i))));
  }
  if (parts.empty()) return {};
  return fmt::format("Not judged: {} ({}).", grouped(sum), join(parts, ", "));
}

std::string tie_words(const replay::ReplayResult& result) {
  if (result.ties == 0) return {};
  const auto* shown = replay::shown_rule(result.tie_rules);
  if (shown == nullptr) {
    return fmt::format("Ties: {}; no rule explains the choice among equals better than chance.",
                       count_of(result.ties, "decision"));
  }
  const double share = static_cast<double>(shown->hits) / static_cast<double>(shown->decisions);
  return fmt::format("Ties: \"{}\" explains {} of {} = {}; at random {:.0f}%.", words_for(shown->rule),
                     grouped(shown->hits), grouped(shown->decisions), share_text(share), shown->baseline * 100);
}

std::vector<std::string> choice_words(const replay::ReplayResult& result) {
  std::vector<std::string> sentences;
  for (const auto& fit : result.choices) {
    const std::string_view better = fit.other_hits > fit.hits ? "fits better" : "does not fit better";
    sentences.push_back(fmt::format("If {}: {} of {} fit, {} as simulated; it {}.", words_of(fit.variation),
                                    fit.other_hits, count_of(fit.decisions, "decision"), fit.hits, better));
  }
  return sentences;
}

std::string disagreement_counts(const replay::ReplayResult& result) {
  if (result.disagreement_count == 0) return {};
  std::vector<std::string> parts;
  const std::int64_t not_best = result.disagreement_count - result.not_eligible;
  if (not_best > 0) parts.push_back(fmt::format("{} not best", grouped(not_best)));
  std::vector<std::string> checks;
  for (const auto& [reason, count] : result.failed_checks)
    checks.push_back(fmt::format("{} {}", reason, grouped(count)));
  if (result.not_eligible > 0)
    parts.push_back(fmt::format("{} not eligible ({})", grouped(result.not_eligible), join(checks, ", ")));
  return fmt::format("Disagreements: {}.", join(parts, ", "));
}

std::string failure_words(const replay::ReplayResult& result) {
  if (result.failures.empty()) return {};
  return fmt::format("Failures: {} of {} recorded fail in the simulation, {} for the recorded reason.",
                     result.failures_agreeing, result.failures_known, result.failures_with_reason);
}

std::string short_strategy(std::string_view strategy) {
  constexpr std::string_view kZone = "attribute:ecs.availability-zone";
  std::string text(strategy);
  for (auto at = text.find(kZone); at != std::string::npos; at = text.find(kZone))
    text.replace(at, kZone.size(), "zone");
  return text;
}

std::string disagreement_words(const replay::Disagreement& one) {
  if (one.verdict == replay::Verdict::kOut) return "not eligible: " + join(one.failed, ", ");
  return fmt::format("rank {} of {}: {} {} above the best", one.rank, one.eligible, short_strategy(one.strategy),
                     one.regret);
}

std::vector<Assumption> replay_assumptions(const replay::ReplayResult& result) {
  std::vector<Assumption> assumptions = result.assumptions;
  const auto add = [&](std::string id, std::string text) {
    assumptions.push_back({std::move(id), {}, std::move(text)});
  };
  if (result.snapshots == 0)
    add("no-snapshot", "there is no snapshot: an instance is unknown until its first event, and so are its tasks");
  if (result.history.counts.whole_second_times > 0)
    add("whole-second-times",
        fmt::format("{} to the second only; placements of one second are tried in every order",
                    count_of(result.history.counts.whole_second_times, "time is known", "times are known")));
  if (result.ordered > 0)
    add("call-order",
        fmt::format("{} in the order of the records, which explains them better than other orders",
                    count_of(result.ordered, "placement of one time is judged", "placements of one time are judged")));
  if (result.presumed_ends > 0)
    add("end-presumed",
        fmt::format(
            "{} no record of the end and no instance event shows it; decisions that depend on it are not judged",
            count_of(result.presumed_ends, "task has", "tasks have")));
  if (result.unseen_tasks > 0)
    add("placement-unseen",
        fmt::format("{} reported by agents without a record of the placement; decisions that depend "
                    "on the instances of these tasks are not judged",
                    count_of(result.unseen_tasks, "task is", "tasks are")));
  if (result.bookkeeping.within_second > 0)
    add("order-within-second", fmt::format("{} with a change within a second before or after",
                                           count_of(result.bookkeeping.within_second, "instance event is equal",
                                                    "instance events are equal")));
  if (result.bookkeeping.lost_stops > 0)
    add("stop-inferred", fmt::format("{} without a record of its end: its instance has its resources back",
                                     count_of(result.bookkeeping.lost_stops, "task")));
  return assumptions;
}

}  // namespace bayplan::report
