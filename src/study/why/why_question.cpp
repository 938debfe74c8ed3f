#include "study/why/why_question.hpp"

#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/file_part.hpp"
#include "base/strings.hpp"
#include "study/dry_run/service_update.hpp"
#include "study/in_flight.hpp"
#include "text/read.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else
using namespace scenario;   // NOLINT

namespace {

bool is_meant(const Scenario& scenario, const Workload& workload, std::string_view task) {
  const auto& definition = scenario.task_definitions[workload.task_definition];
  return workload.name == task || definition.family == task || definition.name == task ||
         definition.origin.file == task;
}

std::optional<std::uint32_t> definition_named(const Scenario& scenario, std::string_view name) {
  for (std::uint32_t i = 0; i < scenario.task_definitions.size(); ++i) {
    if (scenario.task_definitions[i].name == name) return i;
  }
  return std::nullopt;
}

/// A service of the scenario, else of the live cluster, as one of its tasks asks for a place.
std::optional<RunningService> find_service(const Scenario& scenario, std::string_view name) {
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kTasks || workload.name != name) continue;
    const auto& definition = scenario.task_definitions[workload.task_definition];
    RunningService service;
    service.name = workload.name;
    service.origin = workload.origin;
    service.kind = workload.kind;
    service.task_definition = definition.name;
    service.strategies = workload.strategies;
    service.availability_zones = workload.availability_zones;
    service.capacity_providers = workload.capacity_providers;
    // Of its definition come first.
    const auto own = static_cast<std::ptrdiff_t>(std::min(definition.constraints.size(), workload.constraints.size()));
    service.constraints.assign(workload.constraints.begin() + own, workload.constraints.end());
    return service;
  }
  for (const auto& service : scenario.services) {
    if (service.name == name) return service;
  }
  return std::nullopt;
}

Error no_service(const Scenario& scenario, const std::string& name) {
  constexpr std::size_t kMaxTold = 8;
  std::vector<std::string_view> names;
  for (const auto& workload : scenario.workloads) {
    if (workload.kind != WorkloadKind::kTasks) names.push_back(workload.name);
  }
  for (const auto& service : scenario.services) names.push_back(service.name);
  const auto near = nearest(name, names);
  return {.message = fmt::format("no service '{}'", name),
          .help = near                       ? fmt::format("did you mean '{}'?", *near)
                  : names.empty()            ? "services are those of the scenario, or of aws ecs describe-services"
                  : names.size() <= kMaxTold ? "services are " + one_of(names, "and")
                                             : ""};
}

/// A service of which no task can be asked about by itself.
std::optional<Error> refuse_service(const RunningService& service) {
  const auto at_service = [&](std::string message, std::string help) {
    return Error{.message = std::move(message),
                 .file = service.origin.file,
                 .line = service.origin.line,
                 .column = service.origin.column,
                 .help = std::move(help)};
  };
  if (auto why = why_not_on_instances(service); !why.empty())
    return at_service(std::move(why), "bayplan explains placement on EC2 container instances only");
  if (service.kind == WorkloadKind::kDaemon) {
    return at_service(fmt::format("service '{}' is a DAEMON service, which has a task on every instance", service.name),
                      "'bayplan place' shows on which instances it fails, and why");
  }
  return std::nullopt;
}

/// Neither a file nor anything that the scenario or the cluster knows.
Error no_task(const Scenario& scenario, const std::string& task) {
  std::vector<std::string_view> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& definition : scenario.task_definitions) add(definition.family);
  for (const auto& service : scenario.services) add(service.name);
  constexpr std::size_t kMostNames = 8;
  const auto near = nearest(task, names);
  const bool has_more = names.size() > kMostNames;
  if (has_more) names.resize(kMostNames);
  return {.message = fmt::format("no file, task definition or service '{}'", task),
          .help = near            ? fmt::format("did you mean '{}'?", *near)
                  : names.empty() ? "name the file of a task definition"
                                  : fmt::format("there {} {}{}", names.size() == 1 ? "is" : "are", one_of(names, "and"),
                                                has_more ? ", among others" : "")};
}

/// What the command line says of strategies and constraints wins over the service's.
void ask_as(const RunningService& service, const ScenarioRequest& options, const Scenario& scenario,
            Workload& workload) {
  workload.kind = service.kind;
  workload.name = service.name;
  workload.group = "service:" + service.name;
  if (options.strategies.empty()) workload.strategies = service.strategies;
  if (options.constraints.empty()) {
    workload.constraints = scenario.task_definitions[workload.task_definition].constraints;
    workload.constraints.insert(workload.constraints.end(), service.constraints.begin(), service.constraints.end());
  }
  if (workload.requirement.network_interfaces > 0) workload.availability_zones = service.availability_zones;
  workload.capacity_providers = service.capacity_providers;
}

class Loader {
 public:
  Loader(const QuestionRequest& request, const Files& files, catalog::Catalog& catalog, const Limits& limits)
      : request_(request), files_(files), catalog_(catalog), limits_(limits) {}

  LoadedQuestion load() {
    if (request_.task.empty()) return of_service(*request_.service, load(request_.cluster));
    const bool may_be_own = !request_.cluster.scenario.empty() && !request_.count && !request_.service &&
                            request_.cluster.strategies.empty() && request_.cluster.constraints.empty();
    std::optional<LoadedQuestion> own;
    if (may_be_own) {
      own = of_scenario();
      if (!own->workloads.empty()) return *std::move(own);
    }
    auto added = with_task(request_.task, request_.service);
    const bool is_file = files_.exists(parse_file_part(request_.task, files_).file);
    if (added.loaded.scenario || request_.service || is_file) return added;
    // No definition is called so: perhaps a service is.
    auto known = own ? std::move(own->loaded) : load(request_.cluster);
    if (!known.scenario) return added;
    if (!find_service(*known.scenario, request_.task)) return failed(no_task(*known.scenario, request_.task));
    return of_service(request_.task, std::move(known));
  }

 private:
  LoadedScenario load(const ScenarioRequest& request) const { return load_settled(request, files_, catalog_, limits_); }

  LoadedQuestion of_scenario() const {
    LoadedQuestion question{load(request_.cluster), {}};
    const auto& scenario = question.loaded.scenario;
    for (std::uint32_t i = 0; scenario && i < scenario->workloads.size(); ++i) {
      if (is_meant(*scenario, scenario->workloads[i], request_.task)) question.workloads.push_back(i);
    }
    return question;
  }

  LoadedQuestion with_task(const std::string& task, const std::optional<std::string>& service_name) const {
    auto request = request_.cluster;
    request.tasks = {fmt::format("{}={}", task, request_.count.value_or(1))};
    LoadedQuestion question{load(request), {}};
    auto& scenario = question.loaded.scenario;
    if (!scenario) return question;
    question.workloads = {static_cast<std::uint32_t>(scenario->workloads.size() - 1)};
    if (!service_name) return question;
    const auto service = find_service(*scenario, *service_name);
    if (!service) return failed(no_service(*scenario, *service_name));
    if (auto refused = refuse_service(*service)) return failed(*std::move(refused));
    ask_as(*service, request_.cluster, *scenario, scenario->workloads.back());
    return question;
  }

  /// One more task of the service, of the definition that it runs.
  LoadedQuestion of_service(const std::string& name, LoadedScenario known) const {
    LoadedQuestion question{std::move(known), {}};
    auto& scenario = question.loaded.scenario;
    if (!scenario) return question;
    const auto service = find_service(*scenario, name);
    if (!service) return failed(no_service(*scenario, name));
    const auto definition = definition_named(*scenario, service->task_definition);
    if (!definition) {
      return failed({.message = fmt::format("the task definition of service '{}' is not described{}", name,
                                            service->task_definition.empty() ? "" : ": " + service->task_definition),
                     .file = service->origin.file,
                     .line = service->origin.line,
                     .column = service->origin.column,
                     .help = "aws ecs describe-task-definition says it; or name its file before --service"});
    }
    if (auto refused = refuse_service(*service)) return failed(*std::move(refused));
    if (is_described(*scenario, *service) && request_.cluster.scenario.empty()) return of_update(*service);
    // The options are read where a task is read.
    if (!request_.cluster.strategies.empty() || !request_.cluster.constraints.empty())
      return with_task(service->task_definition, name);
    Workload workload;
    workload.task_definition = *definition;
    workload.count = request_.count.value_or(1);
    workload.requirement = scenario->task_definitions[*definition].requirement;
    ask_as(*service, request_.cluster, *scenario, workload);
    question.workloads = {static_cast<std::uint32_t>(scenario->workloads.size())};
    scenario->workloads.push_back(std::move(workload));
    return question;
  }

  /// A REPLICA service of the live cluster that the scenario does not name itself.
  static bool is_described(const Scenario& scenario, const RunningService& service) {
    const auto has_name = [&](const auto& one) { return one.name == service.name; };
    return service.kind == WorkloadKind::kService &&
           std::none_of(scenario.workloads.begin(), scenario.workloads.end(), has_name);
  }

  /// Asks for tasks as UpdateService with a greater desiredCount would start them: dry-run makes the same of the
  /// service.
  LoadedQuestion of_update(const RunningService& service) const {
    const std::shared_ptr<const text::Document> nothing = text::read_document("{}");
    auto update = updated(service, *nothing);
    auto request = request_.cluster;
    request.written = WrittenScenario{update.document, "service " + service.name};
    request.settles_written = true;
    LoadedQuestion question{load(request), {0}};
    if (!question.loaded.scenario) return question;
    settle(update, nothing->root(), *question.loaded.scenario);
    question.loaded.scenario->workloads.front().count = request_.count.value_or(1);
    return question;
  }

  static LoadedQuestion failed(Error error) { return {{std::nullopt, {std::move(error)}}, {}}; }

  const QuestionRequest& request_;
  const Files& files_;
  catalog::Catalog& catalog_;
  const Limits& limits_;
};

}  // namespace

LoadedQuestion load_question(const QuestionRequest& request, const Files& files, catalog::Catalog& catalog,
                             const Limits& limits) {
  auto question = Loader(request, files, catalog, limits).load();
  // What found no instance waits for one, and takes those that come first.
  if (question.loaded.scenario) ask_for_unsettled(*question.loaded.scenario);
  return question;
}

}  // namespace bayplan::study
