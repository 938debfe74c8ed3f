#include <algorithm>
#include <sstream>

#include "base/date_time.hpp"
#include "base/json_writer.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/json_parts.hpp"
#include "report/replay/replay_report.hpp"

namespace bayplan::report {

namespace {

using Layout = JsonWriter::Layout;

void write_time(JsonWriter& json, std::string_view key, replay::Milliseconds at) {
  json.key(key);
  if (at == replay::kNoTime) {
    json.null();
  } else {
    json.value(format_date_time(at / 1000));
  }
}

void write_interval(JsonWriter& json, std::string_view key, const replay::Interval& interval) {
  json.key(key).begin_array(Layout::kLine).value(interval.low).value(interval.high).end_array();
}

/// Members of an open object. Shares are null without informative decisions.
void write_agreement(JsonWriter& json, const replay::Agreement& sums) {
  const auto figures = figures_of(sums);
  json.member("judged", sums.judged).member("eligible", sums.eligible);
  json.member("informative", sums.informative).member("hits", sums.hits);
  const auto share = [&](std::string_view key, double value) {
    json.key(key);
    sums.informative == 0 ? json.null() : json.value(value);
  };
  share("agreement", figures.agreement);
  json.key("interval");
  if (sums.informative == 0) {
    json.null();
  } else {
    json.begin_array(Layout::kLine).value(figures.interval.low).value(figures.interval.high).end_array();
  }
  share("randomBaseline", figures.baseline);
  share("skill", figures.skill);
  share("pValue", figures.p_value);
  share("meanRank", figures.mean_rank);
}

void write_records(JsonWriter& json, const replay::History& history) {
  const auto& counts = history.counts;
  json.key("records").begin_object().member("read", counts.read).member("used", counts.used());
  json.key("unused").begin_array();
  for (std::size_t i = 0; i < replay::kUnusedKinds; ++i) {
    const auto why = static_cast<replay::Unused>(i);
    if (counts.of(why) == 0) continue;
    json.begin_object(Layout::kLine).member("reason", word_of(why)).member("count", counts.of(why));
    json.member("first", history.where(counts.first_unused[i])).end_object();
  }
  json.end_array();
  json.member("taskEvents", counts.task_events).member("instanceEvents", counts.instance_events);
  json.member("serviceEvents", counts.service_events).member("calls", counts.calls);
  json.member("versionGaps", counts.version_gaps).member("backwardClocks", counts.backward_clocks);
  json.member("apartClocks", counts.apart_clocks);
  json.key("problems").begin_array();
  for (const auto& problem : history.problems) {
    json.begin_object(Layout::kLine).member("record", history.where(problem.place));
    json.member("text", problem.text).end_object();
  }
  json.end_array().end_object();
}

void write_part(JsonWriter& json, const replay::AgreementPart& part, std::string_view key) {
  json.begin_object().member(key, part.name);
  write_agreement(json, part.sums);
  if (key == "strategy") {
    json.key("entries").begin_array();
    for (const auto& level : part.sums.levels) {
      json.begin_object(Layout::kLine).member("strategy", level.strategy).member("decisions", level.decisions);
      json.member("hits", level.kept).key("randomBaseline");
      level.decisions == 0 ? json.null() : json.value(level.chance / static_cast<double>(level.decisions));
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_disagreement(JsonWriter& json, const replay::History& history, const replay::Disagreement& one) {
  json.begin_object().member("task", one.task_id).member_or_null("group", one.group);
  json.member("taskDefinition", one.definition).member("containerInstance", one.instance);
  json.member_or_null("availabilityZone", one.zone);
  write_time(json, "placedAt", one.at);
  json.member("verdict", one.verdict == replay::Verdict::kOut ? "not-eligible" : "not-best");
  json.member("eligible", one.eligible).member("best", one.best).member("rank", one.rank);
  json.member_or_null("strategy", one.strategy).member("regret", one.regret);
  write_list(json, "failed", one.failed);
  write_list(json, "expected", one.expected);
  json.member("record", history.where(one.place)).end_object();
}

void write_failures(JsonWriter& json, const replay::ReplayResult& result) {
  json.key("failures").begin_object().member("known", result.failures_known);
  json.member("agreeing", result.failures_agreeing).member("sameReason", result.failures_with_reason);
  json.key("list").begin_array();
  for (const auto& one : result.failures) {
    json.begin_object(Layout::kLine).member("name", one.name).member("reason", one.reason);
    json.member_or_null("containerInstance", one.instance);
    write_time(json, "at", one.at);
    json.member("known", one.is_known).member("simulatedFails", one.fails).member("sameReason", one.has_reason);
    write_list(json, "simulatedReasons", one.simulated);
    json.member("record", result.history.where(one.place)).end_object();
  }
  json.end_array().end_object();
}

void write_bookkeeping(JsonWriter& json, const replay::ReplayResult& result) {
  const auto& book = result.bookkeeping;
  json.key("bookkeeping").begin_object().member("compared", book.compared).member("equal", book.equal);
  json.member("withinSecond", book.within_second).member("inferredStops", book.lost_stops);
  json.key("differences").begin_array();
  for (const auto& one : book.differences) {
    json.begin_object(Layout::kLine).member("containerInstance", one.instance).member("resource", one.resource);
    json.member("simulated", one.computed)
        .member("recorded", one.recorded)
        .member_or_null("explanation", one.explained);
    write_time(json, "at", one.at);
    json.member("record", result.history.where(one.place)).end_object();
  }
  json.end_array().end_object();
}

void write_tie_rules(JsonWriter& json, const replay::ReplayResult& result) {
  const auto* shown = replay::shown_rule(result.tie_rules);
  json.member("ties", result.ties);
  json.member_or_null("tieRule", shown == nullptr ? std::string_view() : word_of(shown->rule));
  json.key("tieRules").begin_array();
  for (const auto& fit : result.tie_rules) {
    json.begin_object(Layout::kLine).member("rule", word_of(fit.rule)).member("decisions", fit.decisions);
    json.member("hits", fit.hits).member("randomBaseline", fit.baseline).member("skill", fit.skill);
    json.member("pValue", fit.p_value).end_object();
  }
  json.end_array();
  json.key("choices").begin_array();
  for (const auto& fit : result.choices) {
    json.begin_object(Layout::kLine).member("choice", word_of(fit.variation)).member("decisions", fit.decisions);
    json.member("hits", fit.hits).member("otherHits", fit.other_hits).end_object();
  }
  json.end_array();
}

void write_not_judged(JsonWriter& json, const replay::ReplayResult& result) {
  json.key("notJudged").begin_array();
  for (std::size_t i = 0; i < replay::kNotJudgedKinds; ++i) {
    const auto& count = result.not_judged[i];
    if (count.count == 0) continue;
    json.begin_object(Layout::kLine).member("reason", word_of(static_cast<replay::NotJudged>(i)));
    json.member("count", count.count).member("task", count.example);
    json.member("record", result.history.where(count.place)).end_object();
  }
  json.end_array();
}

}  // namespace

std::optional<std::string> fitted_assumptions(const replay::ReplayResult& result) {
  using replay::TieRule;
  const auto* shown = replay::shown_rule(result.tie_rules);
  constexpr TieRule kOrders[] = {TieRule::kFirstInFile,    TieRule::kLastInFile, TieRule::kRegisteredFirst,
                                 TieRule::kRegisteredLast, TieRule::kFirstArn,   TieRule::kLastArn,
                                 TieRule::kFirstEc2Id,     TieRule::kLastEc2Id};
  if (shown != nullptr && std::find(std::begin(kOrders), std::end(kOrders), shown->rule) == std::end(kOrders))
    return std::nullopt;
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object().member("schema", "bayplan/assumptions/1").member("cluster", result.cluster);
  json.member("ties", shown == nullptr ? std::string_view("random") : word_of(shown->rule));
  json.member("decisions", shown == nullptr ? result.ties : shown->decisions);
  json.key("explained");
  shown == nullptr ? json.null() : json.value(shown->hits);
  json.end_object().finish();
  return out.str();
}

void write_replay_json(std::ostream& out, const ReplayReport& report) {
  const auto& result = report.result;
  JsonWriter json(out);
  begin_report(json, "replay-report", replay_headline(report));
  json.member_or_null("cluster", result.cluster).member("snapshots", result.snapshots);
  write_time(json, "from", result.first);
  write_time(json, "until", result.last);
  write_assumptions_json(json, replay_assumptions(result));
  json.member("placements", result.placements);
  write_agreement(json, result.all);
  write_interval(json, "bounds", report.figures.bounds);
  json.member("ownPick", report.figures.own_pick);
  json.member("minAgreement", report.min_agreement).member("accepted", report.is_good());
  write_records(json, result.history);
  json.key("byStrategy").begin_array();
  for (const auto& part : result.by_strategy) write_part(json, part, "strategy");
  json.end_array();
  json.key("byService").begin_array();
  for (const auto& part : result.by_group) write_part(json, part, "group");
  json.end_array();
  json.member("disagreementCount", result.disagreement_count);
  json.key("failedChecks").begin_object(Layout::kLine);
  for (const auto& [reason, count] : result.failed_checks) json.member(reason, count);
  json.end_object();
  json.key("disagreements").begin_array();
  for (const auto& one : result.disagreements) write_disagreement(json, result.history, one);
  json.end_array();
  write_failures(json, result);
  write_bookkeeping(json, result);
  write_tie_rules(json, result);
  write_not_judged(json, result);
  json.end_object().finish();
}

}  // namespace bayplan::report
