#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "importers/subject.hpp"
#include "model/service.hpp"
#include "model/task_definition.hpp"
#include "rules/emitter.hpp"
#include "text/document.hpp"

namespace bayplan::rules {

/// The task definition that a service or a RunTask call names, as a file has it.
struct NamedDefinition {
  const model::TaskDefinition* task = nullptr;
  std::string_view name;  ///< "web" or "web:3", as it is asked for.
  std::string_view file;  ///< The name in reports; empty when that is the file of the request.
  /// ", if web.json is revision 3": when the request names a revision and the file does not; else the file is surely
  /// what runs and this is empty.
  std::string doubt;
  /// The run checks the definition, too, and reports what is wrong with it where it is.
  bool is_checked = false;

  /// Its network mode contradicts Fargate, which is reported there (BAY801) and is the cause of what a service of it
  /// meets.
  bool has_reported_mode() const;
  /// "web.json:4", "line 4" in the same file: the position of `value` of the definition.
  std::string place_of(text::Value value) const;
};

/// Where a service or a RunTask call is written.
enum class ServiceInput : std::uint8_t {
  kCreate,    ///< Input of create-service, or a service definition of a deployment tool.
  kUpdate,    ///< Input of update-service: what is absent stays as it is.
  kTaskSet,   ///< Input of create-task-set.
  kRunTask,   ///< Input of run-task.
  kAnswer,    ///< Answer of describe-services, which ECS accepted once.
  kScenario,  ///< Part of a scenario, for services and tasks alike.
};

/// All that a rule sees of one service or RunTask call. A rule reads; it never keeps a reference.
struct ServiceContext {
  ServiceInput input = ServiceInput::kCreate;
  const model::PlacementRequest& request;
  const model::Service* service = nullptr;  ///< Nothing of a RunTask call.
  const model::TaskRun* run = nullptr;      ///< Nothing of a service.
  NamedDefinition definition;               ///< Has no task if no file holds the one definition that is meant.
  bool is_whole = true;                     ///< The text was read to its end: what is absent is absent.
  std::span<const importers::ResourceFact> facts = {};  ///< What a template says of resources that values refer to.

  bool is_daemon() const { return service != nullptr && service->is_daemon(); }
  /// Input of create-service, update-service or create-task-set: what ECS has not answered yet, and no scenario, which
  /// has few of its keys.
  bool is_service_request() const {
    return service != nullptr && input != ServiceInput::kAnswer && input != ServiceInput::kScenario;
  }
  /// What the request does not say is not there, nor kept from before.
  bool sees_absence() const { return is_whole && input != ServiceInput::kUpdate && input != ServiceInput::kAnswer; }
};

/// Rolling updates by ECS itself read the percentages; other controllers and strategies have their own.
bool rolls(const model::Service& service);

/// A refusal is an error only where the file is surely the definition that ECS will use.
void hedge(Report& report, const ServiceContext& ctx);

}  // namespace bayplan::rules
