#include <algorithm>

#include <fmt/core.h>

#include "base/date_time.hpp"
#include "report/replay/replay_report.hpp"

namespace bayplan::report {

namespace {

std::string percent_text(double share) {
  return fmt::format("{:.1f}%", share * 100);
}

std::string time_text(replay::Milliseconds at) {
  if (at == replay::kNoTime) return "";
  const auto seconds = at / 1000;
  std::string text = format_date_time(seconds);
  if (const auto rest = at % 1000; rest > 0) text.insert(text.size() - 1, fmt::format(".{:03}", rest));
  return text;
}

}  // namespace

Table agreement_table(const std::vector<replay::AgreementPart>& parts, std::string_view what) {
  Table table({std::string(what), number_column("judged"), useful_column(number_column("eligible")),
               number_column("informative"), number_column("best"), number_column("agreement"),
               useful_column(Column("95%")), number_column("random")});
  for (const auto& part : parts) {
    const auto figures = figures_of(part.sums);
    const auto& sums = part.sums;
    const bool is_known = sums.informative > 0;
    table.add(
        {short_strategy(part.name), std::to_string(sums.judged), std::to_string(sums.eligible),
         std::to_string(sums.informative), std::to_string(sums.hits), is_known ? percent_text(figures.agreement) : "-",
         is_known ? fmt::format("[{:.1f}, {:.1f}]", figures.interval.low * 100, figures.interval.high * 100) : "-",
         is_known ? fmt::format("{:.0f}%", figures.baseline * 100) : "-"});
  }
  return table;
}

Table level_table(const replay::ReplayResult& result) {
  Table table({"strategies", "entry", number_column("decisions"), number_column("best"), number_column("agreement"),
               number_column("random")});
  for (const auto& part : result.by_strategy) {
    if (part.sums.levels.size() < 2) continue;
    for (const auto& level : part.sums.levels) {
      if (level.decisions == 0) continue;
      const auto count = static_cast<double>(level.decisions);
      table.add({short_strategy(part.name), short_strategy(level.strategy), std::to_string(level.decisions),
                 std::to_string(level.kept), percent_text(static_cast<double>(level.kept) / count),
                 fmt::format("{:.0f}%", level.chance / count * 100)});
    }
  }
  return table;
}

Table disagreement_table(const replay::ReplayResult& result) {
  Table table({"task", useful_column(Column("group")), "chosen", "why not", useful_column(Column("best")),
               useful_column(Column("record"))});
  for (const auto& one : result.disagreements) {
    std::string best = one.expected.empty() ? "-" : one.expected.front();
    if (one.best > 1) best += fmt::format(" and {} more", one.best - 1);
    table.add({one.task_id.substr(0, 12), one.group, one.instance, disagreement_words(one), best,
               result.history.where(one.place)});
  }
  return table;
}

Table tie_table(const replay::ReplayResult& result) {
  Table table({"tie rule", number_column("ties"), number_column("explained"), number_column("share"),
               number_column("random"), useful_column(number_column("p"))});
  for (const auto& fit : result.tie_rules) {
    table.add({std::string(words_for(fit.rule)), std::to_string(fit.decisions), std::to_string(fit.hits),
               percent_text(static_cast<double>(fit.hits) / static_cast<double>(fit.decisions)),
               fmt::format("{:.0f}%", fit.baseline * 100), fmt::format("{:.2g}", fit.p_value)});
  }
  return table;
}

Table not_judged_table(const replay::ReplayResult& result) {
  Table table({"not judged", number_column("placements"), "reason", useful_column(Column("first"))});
  for (std::size_t i = 0; i < replay::kNotJudgedKinds; ++i) {
    const auto& count = result.not_judged[i];
    const auto why = static_cast<replay::NotJudged>(i);
    if (count.count > 0)
      table.add({std::string(word_of(why)), std::to_string(count.count), std::string(words_for(why)),
                 result.history.where(count.place)});
  }
  return table;
}

Table bookkeeping_table(const replay::ReplayResult& result) {
  Table table({"instance", "resource", number_column("simulated"), number_column("recorded"),
               useful_column(Column("as if")), useful_column(Column("record"))});
  for (const auto& one : result.bookkeeping.differences) {
    table.add({one.instance, one.resource, one.computed, one.recorded, one.explained,
               one.place.line == 0 ? time_text(one.at) : result.history.where(one.place)});
  }
  return table;
}

Table failure_table(const replay::ReplayResult& result) {
  Table table({"failure", "recorded reason", "simulated", "instance", useful_column(Column("record"))});
  for (const auto& one : result.failures) {
    std::string simulated = !one.is_known ? "request unknown" : one.fails ? "not placed" : "placed";
    if (one.is_known && one.fails) simulated += one.has_reason ? ", same reason" : ", other reason";
    table.add({one.name, one.reason, simulated, one.instance, result.history.where(one.place)});
  }
  return table;
}

}  // namespace bayplan::report
