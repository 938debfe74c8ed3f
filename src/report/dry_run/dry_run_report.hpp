#pragma once
#include <ostream>

#include "base/json_writer.hpp"
#include "base/lazy.hpp"
#include "report/document/terminal.hpp"
#include "rules/rule_data.hpp"
#include "study/dry_run/dry_run.hpp"

namespace bayplan::report {

/// "YES ECS registers web:3 for EC2", "NO  1 of 2 tasks not started: RESOURCE:GPU on i-0a"
std::string dry_run_answer(const study::DryRun& run);

/// The answer, what speaks against the call, and the response that it would get.
void write_dry_run_text(std::ostream& out, const study::DryRun& run, const Lazy<rules::RuleData>& data,
                        const TextOptions& view);

/// bayplan/dry-run-report/1
void write_dry_run_json(std::ostream& out, const study::DryRun& run, const Lazy<rules::RuleData>& data);

/// The response alone, as `aws ... --output json` prints it; nothing of a call that is refused.
void write_dry_run_response(std::ostream& out, const study::DryRun& run);

/// Member "taskDefinition" of RegisterTaskDefinition's response, as one object: what the definition says and what ECS
/// fills in.
void write_registered_definition(JsonWriter& json, const study::DryRun& run);

/// "tasks" and "failures" of the responses of RunTask and StartTask, as one object.
void write_started_tasks(JsonWriter& json, const study::DryRun& run);

/// Member "service" of the responses of CreateService and UpdateService, as one object, with the events that would
/// follow.
void write_service(JsonWriter& json, const study::DryRun& run);

/// "tasks", or "service", of a call that starts tasks on Fargate, as one object: what the request says and what is
/// known before anything runs.
void write_on_fargate(JsonWriter& json, const study::DryRun& run);

/// The response of a call that stops a task, or changes a cluster or its capacity providers, as one object: what is
/// described and what the request says.
void write_cluster_response(JsonWriter& json, const study::DryRun& run);

/// The member of the request as it says it; nothing, or an empty list, where it lacks it.
void write_if_given(JsonWriter& json, text::Value request, std::string_view name);
void write_given_list(JsonWriter& json, text::Value request, std::string_view name);

/// The ARN as described, else "family:revision".
std::string definition_name(const placement::TaskDefinition& definition);

/// Collects the assumptions of the run and of its placement.
std::vector<Assumption> collect_assumptions(const study::DryRun& run);

}  // namespace bayplan::report
