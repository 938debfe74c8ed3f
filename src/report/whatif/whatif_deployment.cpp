#include "report/whatif/whatif_deployment.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "report/document/figures.hpp"
#include "report/place/place_words.hpp"
#include "report/place/rollout_words.hpp"
#include "report/timeline/timeline_words.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::report {

using study::DeploymentCourse;
using study::DeploymentResult;
using study::DeploymentWave;
using study::StageCourse;
using timeline::Deployment;

namespace {

constexpr std::size_t kShownWaves = 4;
constexpr std::size_t kWavesOfComment = 50;
constexpr std::size_t kIndent = 13;  ///< Column after "  COMPLETED  ".

/// "may start 3 (maximumPercent 150 of 6), placed 3"
std::string start_words(const DeploymentCourse& course, const DeploymentWave& wave, const std::string& why) {
  auto text = fmt::format("may start {} (maximumPercent {} of {})", wave.may_start, course.terms.maximum_percent,
                          course.terms.desired);
  if (wave.may_start > 0 || wave.started > 0) text += fmt::format(", placed {}", wave.started);
  if (wave.started > wave.may_start) text += " when old ones had stopped";
  if (why.empty()) return text;
  return text + (wave.started > 0 ? ", no room for the rest: " : ": ") + why;
}

std::string stop_words(const DeploymentCourse& course, const DeploymentWave& wave) {
  auto text =
      fmt::format("may stop {} (minimumHealthyPercent {})", wave.may_stop, course.terms.minimum_healthy_percent);
  return wave.stopped > 0 ? text + fmt::format(", stops {}", wave.stopped) : text;
}

/// Describes a wave after the first, whose percents are the same: "stops 3, starts 3 of 4: 0 of 6 instances have ..."
std::string short_words(const DeploymentWave& wave, const std::string& why) {
  std::vector<std::string> parts;
  if (wave.stopped > 0) parts.push_back(fmt::format("stops {}", wave.stopped));
  if (!why.empty()) {
    parts.push_back(fmt::format("starts {} of {}: {}", wave.started, wave.started + wave.lacking, why));
  } else if (wave.started > 0) {
    parts.push_back(fmt::format("starts {}", wave.started));
  }
  return join(parts, ", ");
}

/// "at most 9 tasks are placed at a time: 3 more than desired, 0.75 vCPU, 1.5 GiB"
std::string peak_words(const DeploymentCourse& course, const capacity::TaskRequirement& task) {
  auto text = fmt::format("at most {} placed at a time", count_of(course.most_tasks, "task is", "tasks are"));
  const std::int64_t more = course.most_tasks - course.terms.desired;
  if (more <= 0) return text;
  text += fmt::format(": {} more than desired", more);
  if (task.gpu_count > 0) text += ", " + count_of(more * task.gpu_count, "GPU");
  if (task.cpu > 0) text += ", " + cpu_size(more * task.cpu);
  if (task.memory > 0) text += ", " + memory_size(more * task.memory);
  return text;
}

std::string healthy_words(const DeploymentCourse& course) {
  if (course.fewest_healthy == 0 && course.terms.desired > 0)
    return fmt::format("temporarily 0 of {} healthy", course.terms.desired);
  return fmt::format("never fewer than {} of {} healthy", std::min(course.fewest_healthy, course.terms.desired),
                     course.terms.desired);
}

std::string_view state_word(const Deployment& deployment) {
  const bool is_stuck = deployment.state == Deployment::State::kInProgress && deployment.is_stuck;
  return is_stuck ? "STUCK" : rollout_state(deployment.state);
}

}  // namespace

const Deployment& DeploymentReport::deployment(const DeploymentResult& result) const {
  return run_.history().deployments[result.deployment];
}

std::string DeploymentReport::why(const DeploymentWave& wave) const {
  if (wave.failure == timeline::kNoIndex) return {};
  const auto& failures = run_.history().failures;
  return run_.why_words(failures[failures[*wave.failure].same_as.value_or(*wave.failure)]);
}

std::string DeploymentReport::headline() const {
  const auto held = std::find_if(results_.begin(), results_.end(), [&](const DeploymentResult& one) {
    return deployment(one).state != Deployment::State::kCompleted;
  });
  if (held != results_.end()) {
    const auto& rollout = deployment(*held);
    auto text = fmt::format("the deployment of {} {}", deployment_name(run_.scenario(), rollout),
                            rollout.is_stuck                              ? "never finishes"
                            : rollout.state == Deployment::State::kFailed ? "fails"
                                                                          : "does not finish");
    const auto* why = run_.held(held->deployment);
    return why == nullptr ? text : text + ": " + blocker_words(run_, *why);
  }
  const auto last = std::max_element(results_.begin(), results_.end(), [&](const auto& a, const auto& b) {
    return *deployment(a).ended_at < *deployment(b).ended_at;
  });
  return fmt::format("the deployment of {} finishes in {}, {}", deployment_name(run_.scenario(), deployment(*last)),
                     duration(*deployment(*last).ended_at - deployment(*last).started_at), healthy_words(last->course));
}

std::string DeploymentReport::stage_words(const DeploymentResult& result, const StageCourse& stage) const {
  const auto& course = result.course;
  const std::int64_t desired = course.terms.desired;
  if (stage.stage == model::DeploymentStage::kCleanUp) return "the old tasks stop";
  auto text = stage.healthy == stage.new_tasks
                  ? fmt::format("{} of {} new tasks healthy", stage.healthy, desired)
                  : fmt::format("{} of {} new tasks placed, {} healthy", stage.new_tasks, desired, stage.healthy);
  text += fmt::format(" next to {}", count_of(stage.old_tasks, "old one"));
  const bool lacks = stage.stage == model::DeploymentStage::kScaleUp && stage.new_tasks < desired;
  const auto reason = lacks && !course.waves.empty() ? why(course.waves.back()) : std::string();
  return reason.empty() ? text : text + ": " + reason;
}

/// Terminal: "SCALE_UP 0s to 40s: 4 of 4 new tasks healthy next to 4 old ones"
void DeploymentReport::add_stage_lines(ReportDocument& document, const DeploymentResult& result) const {
  for (const auto& stage : result.course.stages) {
    if (stage.ends == stage.at) continue;  // JSON has the stages that take no time, too
    const auto until = stage.ends ? " to " + duration(*stage.ends) : " on";
    document.line(2, fmt::format("{} {}{}: {}", model::name_of(stage.stage), duration(stage.at), until,
                                 stage_words(result, stage)));
  }
}

/// What going back needs, and from where on it is a new deployment.
std::string DeploymentReport::rollback_words(const DeploymentResult& result) const {
  if (!result.rollback) return {};
  const auto& course = *result.rollback;
  const auto needs = fmt::format("starts {}, at most {} placed at a time", count_of(course.starts, "task"),
                                 count_of(course.most_tasks, "task is", "tasks are"));
  const auto ends = course.finishes ? "takes " + duration(course.takes) : std::string("does not finish");
  if (course.has_happened) return fmt::format("Rolled back after {}: {}, {}", duration(course.at), ends, needs);
  const bool has_stages = !result.course.stages.empty();
  if (deployment(result).is_stuck) return fmt::format("Rollback once it is stuck: {}, {}", ends, needs);
  return fmt::format("Rollback {}: {}, {}", has_stages ? "up to CLEAN_UP (" + duration(course.at) + ")" : "at its end",
                     ends, needs);
}

/// Terminal: the first waves.
void DeploymentReport::add_wave_lines(ReportDocument& document, const DeploymentResult& result) const {
  const auto& waves = result.course.waves;
  for (std::size_t i = 0; i < std::min(kShownWaves, waves.size()); ++i) {
    const auto reason = why(waves[i]);
    document.paragraph(
        {.text = i == 0 ? start_words(result.course, waves[0], reason)
                        : fmt::format("after {}: {}", duration(waves[i].at), short_words(waves[i], reason)),
         .lead = fmt::format("wave {:<5}", i + 1),
         .indent = 2,
         .lead_tone = Tone::kPlain},
        kTerminal);
    if (i == 0) document.paragraph({.text = stop_words(result.course, waves[0]), .indent = kIndent}, kTerminal);
  }
  if (waves.size() > kShownWaves)
    document.line(2, fmt::format("{} more, the last after {}", count_of(waves.size() - kShownWaves, "wave"),
                                 duration(waves.back().at)));
}

namespace {

/// " by earlySuccessCriteria (8 of 10 healthy), with 9 of 10 new tasks and 2 old ones": what a deployment leaves to do
/// that succeeds before its last tasks are replaced.
std::string early_words(const placement::Scenario& scenario, const Deployment& rollout,
                        const study::DeploymentCourse& course) {
  const auto& early = timeline::settings_at(scenario, rollout.service, rollout.started_at).early_success;
  const auto desired = course.terms.desired;
  if (!early.enabled || (course.new_tasks >= desired && course.old_tasks == 0)) return {};
  return fmt::format(" by earlySuccessCriteria ({} of {} healthy), with {} of {} new tasks and {}",
                     early.required(desired), desired, course.new_tasks, desired,
                     count_of(course.old_tasks, "old one"));
}

}  // namespace

std::string DeploymentReport::end_words(const DeploymentResult& result) const {
  const auto& course = result.course;
  const auto& rollout = deployment(result);
  if (rollout.state == Deployment::State::kCompleted) {
    return fmt::format("after {}{}; {}; {}", duration(*rollout.ended_at - rollout.started_at),
                       early_words(run_.scenario(), rollout, course), healthy_words(course),
                       peak_words(course, run_.scenario().workloads[rollout.workload].requirement));
  }
  if (rollout.failure != timeline::DeploymentFailure::kNone && !course.stages.empty()) {
    return fmt::format("{}; {}", failure_words(rollout),
                       peak_words(course, run_.scenario().workloads[rollout.workload].requirement));
  }
  auto words = fmt::format("{}, {}", count_of(course.new_tasks, "new task runs", "new tasks run"),
                           count_of(course.old_tasks, "old one stays", "old ones stay"));
  const auto* held = run_.held(result.deployment);
  const bool is_reported = !course.waves.empty() && course.waves.back().failure != timeline::kNoIndex;
  return held == nullptr || is_reported ? words : words + ": " + blocker_words(run_, *held);
}

std::string DeploymentReport::title(const DeploymentResult& result) const {
  const auto& scenario = run_.scenario();
  const auto name_of = [&](std::uint32_t workload) {
    return scenario.task_definitions[scenario.workloads[workload].task_definition].name;
  };
  const auto workload = deployment(result).workload;
  return fmt::format("{}: {} -> {}, {}{}", scenario.workloads[workload].name, name_of(result.before), name_of(workload),
                     count_of(result.course.terms.desired, "task"),
                     result.course.stages.empty() ? std::string() : fmt::format(", {}", result.course.strategy));
}

Table DeploymentReport::waves_table(const DeploymentResult& result) const {
  Table table({number_column("wave"), number_column("after"), number_column("may start"), number_column("started"),
               number_column("may stop"), number_column("stopped"), number_column("not placed"), "reason"});
  table.holds_sentences = true;
  for (const auto& wave : result.course.waves) {
    table.add({std::to_string(table.rows.size() + 1), duration(wave.at), std::to_string(wave.may_start),
               std::to_string(wave.started), std::to_string(wave.may_stop), std::to_string(wave.stopped),
               Cell(std::to_string(wave.lacking), wave.lacking > 0 ? Tone::kBad : Tone::kPlain), why(wave)});
  }
  table.drop_empty_columns();
  return table;
}

Table DeploymentReport::stages_table(const DeploymentResult& result) const {
  Table table({"stage", number_column("from"), number_column("to"), "tasks"});
  table.holds_sentences = true;
  for (const auto& stage : result.course.stages) {
    if (stage.ends == stage.at) continue;
    table.add({std::string(model::name_of(stage.stage)), duration(stage.at), stage.ends ? duration(*stage.ends) : "-",
               stage_words(result, stage)});
  }
  return table;
}

void DeploymentReport::add_to(ReportDocument& document) const {
  for (const auto& result : results_) {
    const auto& terms = result.course.terms;
    const auto& rollout = deployment(result);
    const auto words = title(result);
    const auto& name = run_.scenario().workloads[rollout.workload].name;
    const bool has_stages = !result.course.stages.empty();
    document.line(0, {in_bold("deployment of " + name), {words.substr(name.size())}});
    has_stages ? add_stage_lines(document, result) : add_wave_lines(document, result);
    const bool is_done = rollout.state == Deployment::State::kCompleted;
    document.paragraph({.text = end_words(result),
                        .lead = fmt::format("{:<{}}", state_word(rollout), kIndent - 3),
                        .indent = 2,
                        .lead_tone = is_done ? Tone::kGood : Tone::kBad},
                       kTerminal);
    document.add(block::Heading{words, 4}, kCommentAndPage);
    document.paragraph({in_bold(state_word(rollout)), {" " + end_words(result)}}, kCommentAndPage);
    document.table(has_stages ? stages_table(result) : waves_table(result), {.comment = kWavesOfComment},
                   kCommentAndPage);
    if (!has_stages)
      document.paragraph(fmt::format("minimumHealthyPercent {}, maximumPercent {}", terms.minimum_healthy_percent,
                                     terms.maximum_percent),
                         kCommentAndPage);
    const auto rollback = rollback_words(result);
    document.line(2, rollback);
    document.paragraph(rollback, kCommentAndPage);
    const auto* held = run_.held(result.deployment);
    if (held == nullptr) continue;
    for (const auto& line : remedy_lines(*held)) document.line(2, line);
    document.paragraph({in_bold("Fixes"), {", each simulated:"}}, kCommentAndPage);
    document.list(remedy_items(*held), kCommentAndPage);
  }
}

void DeploymentReport::write_stages_json(JsonWriter& json, const DeploymentResult& result) const {
  json.member("strategy", result.course.strategy).key("stages").begin_array();
  for (const auto& stage : result.course.stages) {
    json.begin_object(JsonWriter::Layout::kLine).member("stage", model::name_of(stage.stage)).member("at", stage.at);
    json.member("endsAt", stage.ends).member("newTasks", stage.new_tasks).member("newHealthy", stage.healthy);
    json.member("oldTasks", stage.old_tasks).end_object();
  }
  json.end_array().key("rollback");
  if (!result.rollback) {
    json.null();
    return;
  }
  const auto& rollback = *result.rollback;
  json.begin_object(JsonWriter::Layout::kLine).member("at", rollback.at).member("happened", rollback.has_happened);
  json.member("finishes", rollback.finishes).member("seconds", rollback.takes).member("starts", rollback.starts);
  json.member("mostTasks", rollback.most_tasks).end_object();
}

void DeploymentReport::write_one(JsonWriter& json, const DeploymentResult& result) const {
  const auto& scenario = run_.scenario();
  const auto& rollout = deployment(result);
  const auto& workload = scenario.workloads[rollout.workload];
  const auto& course = result.course;
  const auto& task = workload.requirement;
  json.begin_object().member("serviceName", workload.name);
  json.member("before", scenario.task_definitions[scenario.workloads[result.before].task_definition].name);
  json.member("taskDefinition", scenario.task_definitions[workload.task_definition].name);
  json.member("desired", course.terms.desired);
  json.member("minimumHealthyPercent", course.terms.minimum_healthy_percent);
  json.member("maximumPercent", course.terms.maximum_percent);
  json.member("state", state_word(rollout)).key("seconds");
  rollout.ended_at ? json.value(*rollout.ended_at - rollout.started_at) : json.null();
  json.member("newTasks", course.new_tasks).member("oldTasks", course.old_tasks);
  json.member("fewestHealthy", course.fewest_healthy).member("fewestRunning", course.fewest_running);
  json.member("mostTasks", course.most_tasks);
  write_stages_json(json, result);
  const std::int64_t more = std::max<std::int64_t>(0, course.most_tasks - course.terms.desired);
  json.key("extra").begin_object(JsonWriter::Layout::kLine).member("tasks", more).member("cpu", more * task.cpu);
  json.member("memory", more * task.memory).member("gpus", more * task.gpu_count).end_object();
  json.key("waves").begin_array();
  for (const auto& wave : course.waves) {
    json.begin_object(JsonWriter::Layout::kLine).member("at", wave.at).member("mayStart", wave.may_start);
    json.member("started", wave.started).member("mayStop", wave.may_stop).member("stopped", wave.stopped);
    json.member("lacking", wave.lacking);
    if (const auto reason = why(wave); !reason.empty()) json.member("why", reason);
    json.end_object();
  }
  json.end_array();
  if (const auto* held = run_.held(result.deployment)) write_holdup(json, run_, *held);
  json.end_object();
}

void DeploymentReport::write_json(JsonWriter& json) const {
  json.key("deployments").begin_array();
  for (const auto& result : results_) write_one(json, result);
  json.end_array();
}

namespace {

/// What the reports of a variant at time 0 rest on.
struct DeployedReport {
  explicit DeployedReport(const study::DeployedVariant& deployed)
      : run(*deployed.scenario, deployed.history, std::nullopt, deployed.held), report(run, deployed.deployments) {}
  TimelineReport run;
  DeploymentReport report;
};

}  // namespace

std::string deployment_headline(const study::DeployedVariant& deployed) {
  return DeployedReport(deployed).report.headline();
}

void add_deployments(ReportDocument& document, const study::DeployedVariant& deployed) {
  DeployedReport(deployed).report.add_to(document);
}

void write_deployments_json(JsonWriter& json, const study::DeployedVariant& deployed) {
  DeployedReport(deployed).report.write_json(json);
}

}  // namespace bayplan::report
