#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/json_copy.hpp"
#include "importers/subject.hpp"
#include "shape/request_schemas.hpp"
#include "text/document.hpp"

/// What makes ECS run tasks without being a service: targets of EventBridge rules and of schedules, states of a state
/// machine, and job definitions of AWS Batch.
namespace bayplan::importers {

/// A state that calls RunTask, and what it passes.
struct RunState {
  std::string_view name;
  text::Value call;
};

/// The states of a state machine that call RunTask, those of branches and maps, too.
/// https://docs.aws.amazon.com/step-functions/latest/dg/connect-ecs.html, 2026-11
std::vector<RunState> run_states(text::Value machine);

/// Finds what the file calls the task definition that a value names; empty if it does not define it.
using FindTaskDefinition = std::function<std::string(text::Value)>;

/// A call of RunTask in another service's words: `call` is EcsParameters, or the parameters of a state.
Subject run_task_subject(const text::Document& file, text::Value call, const shape::Schema& run_task,
                         const JsonSource& from, std::string name, const FindTaskDefinition& find = {});

/// Adds the calls of a state machine whose JSON is `content`: what `string`, a value of `file`, says or comes to.
void add_machine_in_string(const text::Document& file, text::Value string, std::string_view content,
                           std::string_view machine, const shape::Schema& run_task, const FindTaskDefinition& find,
                           std::vector<Subject>& subjects);

/// The task definitions that AWS Batch makes for a job, as far as both have the same members; what Batch adds is
/// unknown. `properties`: containerProperties or ecsProperties, with keys in any case.
std::vector<Subject> batch_subjects(const text::Document& file, text::Value properties, bool is_fargate,
                                    const shape::Schema& task_definition, const JsonSource& from, std::string name);
/// Those of a whole job definition: what register-job-definition takes, or the properties of a resource. None when its
/// jobs do not run on ECS.
std::vector<Subject> batch_job_subjects(const text::Document& file, text::Value job,
                                        const shape::Schema& task_definition, const JsonSource& from,
                                        const std::string& name);

/// A definition that AWS Batch sends, whose keys are not those of the file.
bool is_made_by_batch(const Subject& subject);

/// What is in a file that is one of these by itself: kRunTask for a state machine, the input of put-targets or
/// create-schedule, one target or a list of them; kTaskDefinition for a job definition; nothing for other files.
std::optional<SubjectKind> kind_of_targets(text::Value root);

/// The calls of RunTask and the job definitions of such a file.
std::vector<Subject> task_targets(const text::Document& file, const shape::RequestSchemas& schemas);

}  // namespace bayplan::importers
