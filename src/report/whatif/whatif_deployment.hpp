#pragma once
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/timeline/timeline_report.hpp"
#include "study/whatif/what_if_deploy.hpp"

namespace bayplan::report {

/// What `whatif` reports of a variant's deployments. Refers to the run and the results, which must outlive it.
class DeploymentReport {
 public:
  DeploymentReport(const TimelineReport& run, const std::vector<study::DeploymentResult>& results)
      : run_(run), results_(results) {}

  /// Describes the first deployment that does not finish, else the last to finish: "the deployment of api (api:2) never
  /// finishes: 3 new tasks find no place: ...", "the deployment of api (api:2) finishes in 1m50s".
  std::string headline() const;
  /// Each deployment with its waves, how it ends, and what would let it finish.
  void add_to(ReportDocument& document) const;
  /// The member `deployments`.
  void write_json(JsonWriter& json) const;

 private:
  std::string stage_words(const study::DeploymentResult& result, const study::StageCourse& stage) const;
  void add_stage_lines(ReportDocument& document, const study::DeploymentResult& result) const;
  void write_stages_json(JsonWriter& json, const study::DeploymentResult& result) const;
  std::string rollback_words(const study::DeploymentResult& result) const;
  void add_wave_lines(ReportDocument& document, const study::DeploymentResult& result) const;
  std::string end_words(const study::DeploymentResult& result) const;
  std::string title(const study::DeploymentResult& result) const;  ///< "api: api:1 -> api:2, 6 tasks"
  Table waves_table(const study::DeploymentResult& result) const;
  Table stages_table(const study::DeploymentResult& result) const;
  void write_one(JsonWriter& json, const study::DeploymentResult& result) const;
  const timeline::Deployment& deployment(const study::DeploymentResult& result) const;
  std::string why(const study::DeploymentWave& wave) const;  ///< Empty when every task has a place.

  const TimelineReport& run_;
  const std::vector<study::DeploymentResult>& results_;
};

/// Does the same for a variant of a scenario at time 0.
std::string deployment_headline(const study::DeployedVariant& deployed);
void add_deployments(ReportDocument& document, const study::DeployedVariant& deployed);
void write_deployments_json(JsonWriter& json, const study::DeployedVariant& deployed);

}  // namespace bayplan::report
