#include "report/document/csv.hpp"
#include "report/replay/replay_report.hpp"

namespace bayplan::report {

void write_replay_csv(std::ostream& out, const ReplayReport& report) {
  CsvWriter csv(out);
  csv.header({"task", "group", "taskDefinition", "containerInstance", "availabilityZone", "verdict", "eligible", "best",
              "rank", "strategy", "regret", "failed", "expected", "record"});
  for (const auto& one : report.result.disagreements) {
    csv.text(one.task_id).text(one.group).text(one.definition).text(one.instance).text(one.zone);
    csv.text(one.verdict == replay::Verdict::kOut ? "not-eligible" : "not-best");
    csv.number(std::int64_t{one.eligible}).number(std::int64_t{one.best}).number(std::int64_t{one.rank});
    csv.text(one.strategy).number(one.regret).list(one.failed).list(one.expected);
    csv.text(report.result.history.where(one.place)).end_row();
  }
}

}  // namespace bayplan::report
