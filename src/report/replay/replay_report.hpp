#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "replay/replay.hpp"
#include "report/document/report_document.hpp"
#include "report/document/table.hpp"
#include "report/document/terminal.hpp"

/// Sentences, tables and formats of the reports of `replay`.
namespace bayplan::report {

struct ReplayReport {
  const replay::ReplayResult& result;
  replay::AgreementFigures figures;     ///< Of all judged placements.
  std::optional<double> min_agreement;  ///< --min-agreement

  /// The lower end of the interval reaches --min-agreement; without the option always.
  bool is_good() const { return !min_agreement || figures.interval.low >= *min_agreement; }
};

ReplayReport make_replay_report(const replay::ReplayResult& result, std::optional<double> min_agreement);

/// "412 of 455 placements judged. Eligible: 412 of 412. Best choice: 391 of 398 informative decisions = 98.2 % [96.4,
/// 99.1]; a random choice would reach 31 %. Bookkeeping: 1,204 of 1,206 instance events equal."
std::string replay_headline(const ReplayReport& report);
/// Each sentence of it.
std::vector<std::string> replay_sentences(const ReplayReport& report);

/// How much of the records was used, and the first problems with their places.
std::string record_words(const replay::History& history);
std::vector<std::string> record_problems(const replay::History& history);

/// "43 not judged: 30 no record has the strategy ..."; empty if all were.
std::string not_judged_words(const replay::ReplayResult& result);

/// "Ties: most recently registered explains 3,201 of 3,210 (random: 25 %)".
std::string tie_words(const replay::ReplayResult& result);
/// What AWS does not document and the records decide, a sentence each.
std::vector<std::string> choice_words(const replay::ReplayResult& result);
/// "Disagreements: 7: 5 not best, 2 not eligible (RESOURCE:MEMORY 2)"; empty if there are none.
std::string disagreement_counts(const replay::ReplayResult& result);
/// "Failures: 3 of 4 recorded failures fail in the simulation, 3 for the recorded reason"; empty without failures.
std::string failure_words(const replay::ReplayResult& result);

/// "spread:zone": attribute:ecs.availability-zone leaves no room in a table.
std::string short_strategy(std::string_view strategy);

/// "not eligible: RESOURCE:MEMORY", "rank 2 of 12: binpack:memory 512 above the best (i-2)".
std::string disagreement_words(const replay::Disagreement& one);

std::vector<Assumption> replay_assumptions(const replay::ReplayResult& result);

Table agreement_table(const std::vector<replay::AgreementPart>& parts, std::string_view what);
Table level_table(const replay::ReplayResult& result);
Table disagreement_table(const replay::ReplayResult& result);
Table tie_table(const replay::ReplayResult& result);
Table not_judged_table(const replay::ReplayResult& result);
Table bookkeeping_table(const replay::ReplayResult& result);
Table failure_table(const replay::ReplayResult& result);

/// The file that snapshots are read with (--fit-assumptions): the tie rule that the records show, if instances can be
/// put into its order; nothing if they cannot.
std::optional<std::string> fitted_assumptions(const replay::ReplayResult& result);

/// schemas/replay-report.schema.json
void write_replay_json(std::ostream& out, const ReplayReport& report);
/// A row a disagreement.
void write_replay_csv(std::ostream& out, const ReplayReport& report);
ReportDocument replay_document(const ReplayReport& report);

}  // namespace bayplan::report
