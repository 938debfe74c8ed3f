#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "report/document/report_document.hpp"
#include "report/document/table.hpp"
#include "study/repack/repack.hpp"

/// Sentences of the reports of `repack`.
namespace bayplan::report {

struct RepackReport {
  const study::RepackPlan& plan;
  std::optional<MicroUsd> min_saving;     ///< --min-saving
  std::optional<std::int64_t> max_moves;  ///< --max-moves

  /// It gives something back, and saves what was asked for.
  bool is_worth_it() const;
};

/// "Give back 3 of 12 instances: $11.736/h less of $46.944/h, 9 moves"
std::string repack_headline(const RepackReport& report);

/// "4 web, 1 infer", "none, empty", "; 2 train must end first"
std::string step_words(const study::RepackPlan& plan, const study::RepackStep& step);

/// "infer has no place elsewhere (RESOURCE:GPU)"
std::string staying_words(const study::RepackPlan& plan, const study::StayingInstances& staying);

/// "no plan of any kind saves more", "no plan of any kind saves more than $15.648/h: the tasks need the GPU"; may be
/// empty.
std::string limit_words(const study::RepackPlan& plan);

/// "2a,2b (3 zones before)"
std::string zone_words(const study::RepackPlan& plan, const study::RepackName& name);

/// "2 services end up in fewer zones: infer, api; --keep-zones forbids that"; empty where none does.
std::string fewer_zones_words(const study::RepackPlan& plan);

/// "2 tasks are not placed before the first step, and not after the last"; empty where every task is placed.
std::string unplaced_words(const study::RepackPlan& plan);

/// "2 services can no longer deploy after the last step: web (BLUE_GREEN), api; ..."; empty where each still can.
std::string no_deployment_words(const study::RepackPlan& plan);

/// Collects the assumptions of the scenario, the engine and the repacking.
std::vector<Assumption> collect_assumptions(const study::RepackPlan& plan);

/// "no-place", "standalone-tasks": as reports in JSON say it.
std::string_view word_of(study::StayReason why);

/// schemas/repack-report.schema.json
void write_repack_json(std::ostream& out, const RepackReport& report);

/// A row an instance that is given back, in the order of the steps.
void write_repack_csv(std::ostream& out, const RepackReport& report);

/// The answer, the steps, what they do to the services, and what keeps the other instances.
ReportDocument repack_document(const RepackReport& report);

/// A row an instance; of instances that drain at the same time the first says the step's moves.
Table steps_table(const study::RepackPlan& plan);

/// Services that move; on a page, and with `-v`, all of them.
Table services_table(const study::RepackPlan& plan);

/// A row a reason why instances stay.
Table staying_table(const study::RepackPlan& plan);

}  // namespace bayplan::report
