#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/table.hpp"
#include "report/timeline/timeline_report.hpp"
#include "study/whatif/rollout.hpp"

/// Deployments that do not finish, in words.
namespace bayplan::report {

/// "1 new task finds no place: 0 of 1 instances have TCP port 80 free; 1 old task cannot be stopped
/// (minimumHealthyPercent 100)"
std::string blocker_words(const TimelineReport& report, const study::BlockedDeployment& held);

/// "noPlace", "healthyPercents", "tasksEnd": a word for programs.
std::string_view name_of(study::DeploymentBlocker blocker);

/// "minimumHealthyPercent 0", "one more p3.2xlarge in us-east-1a (+$3.06/h)"
std::string rollout_change_words(const study::Remedy& remedy);

/// "minimumHealthyPercent", "maximumPercent", "hostPort", "instance": a word for programs.
std::string_view rollout_change_kind(const study::Remedy& remedy);

/// "finishes in 1m10s with minimumHealthyPercent 0", one a remedy, or why there is none.
std::vector<std::string> remedy_lines(const study::BlockedDeployment& held);

/// The same of documents: each remedy, with its flag where `whatif` has one.
std::vector<RichText> remedy_items(const study::BlockedDeployment& held);

/// The members `blocker`, `reason`, `remedies` and `effortExhausted` of a deployment.
void write_holdup(JsonWriter& json, const TimelineReport& report, const study::BlockedDeployment& held);

}  // namespace bayplan::report
