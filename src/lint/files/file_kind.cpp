#include "lint/files/file_kind.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/strings.hpp"
#include "importers/cloudformation_template.hpp"
#include "importers/container_list.hpp"
#include "importers/task_targets.hpp"
#include "importers/terraform.hpp"
#include "lint/files/definition_form.hpp"
#include "lint/files/foreign_kind.hpp"
#include "lint/files/kind_evidence.hpp"
#include "rules/service/service_input.hpp"

namespace bayplan::lint {

namespace {

using rules::FileKind;
using text::Value;

/// Members of CreateService and UpdateService alone.
constexpr std::array<std::string_view, 13> kOfServices{"serviceName",
                                                       "service",
                                                       "desiredCount",
                                                       "loadBalancers",
                                                       "serviceRegistries",
                                                       "schedulingStrategy",
                                                       "deploymentController",
                                                       "deploymentConfiguration",
                                                       "forceNewDeployment",
                                                       "serviceConnectConfiguration",
                                                       "availabilityZoneRebalancing",
                                                       "vpcLatticeConfigurations",
                                                       "healthCheckGracePeriodSeconds"};
/// Members of RunTask alone.
constexpr std::array<std::string_view, 5> kOfRuns{"count", "overrides", "startedBy", "group", "referenceId"};
constexpr std::array<std::string_view, 12> kOfBoth{"taskDefinition",       "cluster",
                                                   "launchType",           "capacityProviderStrategy",
                                                   "platformVersion",      "placementStrategy",
                                                   "placementConstraints", "networkConfiguration",
                                                   "propagateTags",        "enableECSManagedTags",
                                                   "enableExecuteCommand", "volumeConfigurations"};

template <class Names>
std::size_t count_of(Value root, const Names& names) {
  return static_cast<std::size_t>(
      std::count_if(names.begin(), names.end(), [&](std::string_view name) { return root.find(name); }));
}

/// Members of answers alone, which tools copy into their files with the rest of a service.
constexpr std::array<std::string_view, 14> kOfAnswers{"serviceArn",
                                                      "clusterArn",
                                                      "status",
                                                      "runningCount",
                                                      "pendingCount",
                                                      "deployments",
                                                      "events",
                                                      "createdAt",
                                                      "createdBy",
                                                      "roleArn",
                                                      "taskSets",
                                                      "platformFamily",
                                                      "currentServiceRevisions",
                                                      "currentServiceDeployment"};
/// Words that settings of any tool have, too: they are no evidence by themselves.
constexpr std::array<std::string_view, 5> kCommonWords{"service", "cluster", "count", "group", "overrides"};

/// A found file that has other members, too, is the configuration of some tool.
bool is_little_else(Value root, std::size_t known) {
  constexpr std::size_t kLeast = 3;
  return known >= kLeast && known * 4 >= root.size() * 3;
}

/// Whether an object without container definitions is input of create-service, update-service or run-task, judged by
/// its members: by those that nothing else has, and by how many of all it knows.
std::optional<FileKind> request_kind(Value root, Search search) {
  const std::size_t service = count_of(root, kOfServices);
  const std::size_t run = count_of(root, kOfRuns);
  const std::size_t both = count_of(root, kOfBoth);
  const std::size_t known = service + run + both + (service + both > 0 ? count_of(root, kOfAnswers) : 0);
  if (search == Search::kFound && !is_little_else(root, known)) return std::nullopt;
  if (search == Search::kNamed && (known * 2 <= root.size() || known == count_of(root, kCommonWords)))
    return std::nullopt;
  if (root.find("serviceName")) return FileKind::kService;
  const bool is_run = root.find("taskDefinition") && run + both > 1 && run >= service;
  if (service > 0 && service + both > 1 && !(is_run && run > 0)) return FileKind::kService;
  return is_run ? std::optional(FileKind::kRunTask) : std::nullopt;
}

/// Input of a call that no member alone betrays: what it must have, what only this call has, and what else belongs to
/// it. Members: @aws-sdk/client-ecs 3.1164.0.
struct OtherRequest {
  FileKind kind;
  std::array<std::string_view, 3> required;  ///< An empty string requires none.
  std::array<std::string_view, 3> own;       ///< One of these is required.
  std::array<std::string_view, 12> others;
};

constexpr OtherRequest kOtherRequests[] = {
    {FileKind::kCapacityProvider,
     {"name"},
     {"autoScalingGroupProvider", "managedInstancesProvider"},
     {"cluster", "tags"}},
    {FileKind::kClusterProviders, {"cluster", "capacityProviders"}, {"defaultCapacityProviderStrategy"}, {}},
    {FileKind::kCluster,
     {"clusterName"},
     {"capacityProviders", "defaultCapacityProviderStrategy", "serviceConnectDefaults"},
     {"settings", "configuration", "tags"}},
    {FileKind::kTaskSet,
     {"service", "cluster", "taskDefinition"},
     {"scale", "externalId", "launchType"},
     {"networkConfiguration", "loadBalancers", "serviceRegistries", "capacityProviderStrategy", "platformVersion",
      "clientToken", "tags"}},
    {FileKind::kDaemon,
     {"daemonName"},
     {"daemonTaskDefinitionArn", "capacityProviderArns"},
     {"clusterArn", "deploymentConfiguration", "tags", "propagateTags", "enableECSManagedTags", "enableExecuteCommand",
      "clientToken", "critical"}},
    {FileKind::kExpressService,
     {"primaryContainer"},
     {"infrastructureRoleArn"},
     {"executionRoleArn", "serviceName", "cluster", "healthCheckPath", "taskRoleArn", "networkConfiguration", "cpu",
      "memory", "cpuArchitecture", "scalingTarget", "tags", "taskDefinitionArn"}},
};

std::optional<FileKind> other_request_kind(Value root, Search search) {
  const auto is_there = [&](std::string_view member) { return member.empty() || root.find(member); };
  for (const auto& request : kOtherRequests) {
    const bool has_required = std::all_of(request.required.begin(), request.required.end(), is_there);
    const std::size_t own = count_of(root, request.own);
    if (!has_required || own == 0) continue;
    const std::size_t known = count_of(root, request.required) + own + count_of(root, request.others);
    if (known * 4 >= root.size() * 3) return request.kind;
  }
  // All of these are words of other tools, too: a file that the user names holds nothing else.
  constexpr std::array<std::string_view, 4> kOfPlainClusters{"clusterName", "settings", "configuration", "tags"};
  const bool is_plain_cluster =
      search == Search::kNamed && root.find("clusterName") && count_of(root, kOfPlainClusters) == root.size();
  return is_plain_cluster ? std::optional(FileKind::kCluster) : std::nullopt;
}

/// Letters only, lowered: container_definitions and ContainerDefinitions are both "containerdefinitions".
std::string folded(std::string_view key) {
  std::string result;
  for (const char c : lower(key)) {
    if (c >= 'a' && c <= 'z') result += c;
  }
  return result;
}

bool has_folded(Value object, std::string_view wanted) {
  for (const Value member : object.children()) {
    if (folded(member.key()) == wanted) return true;
  }
  return false;
}

/// Members that nothing but a task definition has.
constexpr std::array<std::string_view, 11> kTaskMembers{
    "containerdefinitions", "executionrolearn", "inferenceaccelerators", "ipcmode",
    "networkmode",          "pidmode",          "proxyconfiguration",    "requirescompatibilities",
    "runtimeplatform",      "taskrolearn",      "ephemeralstorage"};

bool has_task_member(Value object) {
  return std::any_of(kTaskMembers.begin(), kTaskMembers.end(), [&](auto member) { return has_folded(object, member); });
}

/// Many lists have elements with a name and an image; a found file must say more.
bool has_container_member(Value element) {
  for (const std::string_view key :
       {"cpu", "memory", "memoryReservation", "essential", "portMappings", "environment"}) {
    if (element.find(key)) return true;
  }
  return false;
}

/// Placeholders among the containers may be more of them, or the comma between two.
bool is_container_list(Value root, Search search) {
  bool has_container = false;
  for (const Value element : root.children()) {
    if (element.kind() == text::Kind::kPlaceholder) continue;
    if (!element.is_object() || !element.find("name") || !element.find("image")) return false;
    if (search == Search::kFound && !has_container_member(element)) return false;
    has_container = true;
  }
  return has_container;
}

/// Members of container definitions; a part of one shows itself by them.
constexpr std::array<std::string_view, 20> kContainerMembers{"dependsOn",
                                                             "dockerLabels",
                                                             "entryPoint",
                                                             "environment",
                                                             "environmentFiles",
                                                             "essential",
                                                             "firelensConfiguration",
                                                             "healthCheck",
                                                             "linuxParameters",
                                                             "logConfiguration",
                                                             "memoryReservation",
                                                             "mountPoints",
                                                             "portMappings",
                                                             "readonlyRootFilesystem",
                                                             "repositoryCredentials",
                                                             "resourceRequirements",
                                                             "secrets",
                                                             "systemControls",
                                                             "ulimits",
                                                             "volumesFrom"};
/// Members that no other tool's files have; a search requires one of them.
constexpr std::array<std::string_view, 4> kOwnMembers{"essential", "memoryReservation", "portMappings",
                                                      "resourceRequirements"};

/// Such a list with its keys in other capitals, which a search takes for ECS's only by members of its own.
bool is_list_in_capitals(Value root, Search search) {
  if (!importers::is_list_in_other_case(root)) return false;
  const auto elements = root.children();
  return search == Search::kNamed || std::any_of(elements.begin(), elements.end(), [](Value element) {
           return std::any_of(kOwnMembers.begin(), kOwnMembers.end(),
                              [&](auto member) { return has_folded(element, lower(member)); });
         });
}

template <std::size_t size>
bool has_any(Value object, const std::array<std::string_view, size>& members) {
  return std::any_of(members.begin(), members.end(), [&](auto member) { return object.find(member); });
}

/// Members of containers that settings of other tools have as well.
constexpr std::array<std::string_view, 5> kCommonContainerMembers{"dependsOn", "environment", "healthCheck", "secrets",
                                                                  "ulimits"};

/// [{"name": ..., "value": ...}] or, of secrets, "valueFrom".
bool is_list_of_named_values(Value list) {
  const auto elements = list.children();
  return list.is_array() && list.size() > 0 && std::all_of(elements.begin(), elements.end(), [](Value element) {
           return element.is_object() && element.find("name") && (element.find("value") || element.find("valueFrom"));
         });
}

/// A container definition alone, with members of a task definition that were written into it, or a part of one as
/// tutorials show it.
bool is_lone_container(Value root, Search search) {
  if (root.find("family")) return false;
  const bool is_whole = root.find("name") && root.find("image");
  if (search == Search::kFound) return is_whole && !has_task_member(root) && has_any(root, kOwnMembers);
  if (is_whole && (has_any(root, kContainerMembers) || has_container_member(root))) return true;
  if (has_task_member(root)) return false;
  const std::size_t known = count_of(root, kContainerMembers);
  const std::size_t common = count_of(root, kCommonContainerMembers);
  if (known * 2 < root.size()) return false;
  const auto is_named_list = [&](std::string_view key) {
    const Value list = root.find(key);
    return list && is_list_of_named_values(list);
  };
  return known > common || is_named_list("environment") || is_named_list("secrets");
}

/// A template without any resource of ECS or of what starts tasks.
bool is_foreign_template(const text::Document& document, Value root) {
  if (!is_template(root)) return false;
  const std::string& source = document.source();
  const auto has = [&](std::string_view word) { return source.find(word) != std::string::npos; };
  return !has("AWS::ECS::") && !has("EcsParameters") && !has("ecs:runTask") && !has("AWS::Batch::JobDefinition");
}

/// A file that a search found and that is broken: whether a definition was meant.
bool is_broken_definition(const text::Document& document, Value root) {
  if (document.faults().empty() || !mentions_containers(document.source())) return false;
  return !is_whole(document) || root.find("family") || has_task_member(root);
}

/// Members that a task definition has, and many other files.
constexpr std::array<std::string_view, 7> kCommonTaskMembers{"cpu",     "memory", "placementconstraints", "tags",
                                                             "volumes", "family", "enablefaultinjection"};

/// Half of the members are those of a task definition, and one is only of that, or its name.
bool is_mostly_of_task_definition(Value root) {
  std::size_t own = 0, common = 0;
  for (const Value member : root.children()) {
    const std::string key = folded(member.key());
    own += std::find(kTaskMembers.begin(), kTaskMembers.end(), key) != kTaskMembers.end() ? 1 : 0;
    common += std::find(kCommonTaskMembers.begin(), kCommonTaskMembers.end(), key) != kCommonTaskMembers.end() ? 1 : 0;
  }
  return own + common > 0 && (own > 0 || has_folded(root, "family")) && (own + common) * 2 >= root.size();
}

/// A list that holds more than containers.
bool has_container_words(std::string_view source) {
  const std::string text = lower(source);
  return text.find("portmappings") != std::string::npos || text.find("\"essential\"") != std::string::npos;
}

/// task-definition.json, taskdef.yaml, ecs_container_definitions.json
bool is_named_as_definition(std::string_view name) {
  const std::string file = lower(name.substr(name.rfind('/') + 1));
  const auto says = [&](std::string_view word) { return file.find(word) != std::string::npos; };
  return says("def") && (says("task") || says("container"));
}

/// A page for people, which may mention ECS and show parts of definitions.
bool is_page(std::string_view name) {
  constexpr std::array<std::string_view, 5> kEndings{".md", ".mdx", ".markdown", ".rst", ".adoc"};
  const std::string file = lower(name);
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) { return file.ends_with(ending); });
}

/// Whether a text with syntax errors contains a key that is specific to ECS.
bool speaks_of_ecs(std::string_view source) {
  if (mentions_containers(source)) return true;
  const std::string text = lower(source);
  for (const std::string_view word :
       {"\"family\"", "executionrolearn", "taskrolearn", "requirescompatibilities", "networkmode", "portmappings",
        "logconfiguration", "mountpoints", "memoryreservation", "taskdefinition", "desiredcount", "awsvpcconfiguration",
        "\"essential\"", "\"image\""}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

/// Two definitions in one file that was named are a mistake in that file, whatever their lines look like.
bool is_foreign(const text::Document& document, Value root, Search search) {
  if (foreign_kind(document) == nullptr) return false;
  const bool is_definition = root && has_folded(root, "containerdefinitions");
  return !is_definition || is_syntax_of_api(document) || (second_json_line(document) > 0 && search == Search::kFound);
}

/// Whether more follows the object: another part of a list that a template puts together, `{...},`.
bool is_followed(const text::Document& document, Value root) {
  const auto& faults = document.faults();
  return std::any_of(faults.begin(), faults.end(),
                     [&](const text::Fault& fault) { return fault.span.begin >= root.span().end; });
}

FileKind kind_of_object(const text::Document& document, Value root, Search search, std::string_view name) {
  const Value inner = root.find("taskDefinition");
  if (inner && inner.is_object()) return FileKind::kDescribe;
  if (rules::is_service_answer(root)) return FileKind::kService;
  if (root.find("taskDefinitionArn") || root.find("registeredAt")) {
    return has_task_member(root) ? FileKind::kDescribe : FileKind::kUnrecognized;
  }
  // A Compose file in a folder is right where it is; only when named it was meant as something else.
  if (search == Search::kFound && (is_foreign_template(document, root) || is_compose(root))) {
    return FileKind::kUnrecognized;
  }
  if (is_template(root) || (root.find("ContainerDefinitions") && !root.find("containerDefinitions"))) {
    return importers::is_cdk(root) ? FileKind::kCdk : FileKind::kCloudFormation;
  }
  if (is_compose(root)) return FileKind::kCompose;
  if (root.find("planned_values") || root.find("terraform_version")) return FileKind::kTerraform;
  // A tool merges such a file into a definition that exists: overrides are of run-task, and it has no name.
  if (root.find("containerOverrides") && !root.find("family")) return FileKind::kUnrecognized;
  if (has_folded(root, "containerdefinitions")) return FileKind::kTaskDefinition;
  if (const auto request = other_request_kind(root, search)) return *request;
  if (const auto request = request_kind(root, search)) return *request;
  if (is_lone_container(root, search)) {
    const bool is_part = search == Search::kFound && is_followed(document, root);
    return is_part ? FileKind::kUnrecognized : FileKind::kContainerDefinitions;
  }
  const bool is_broken = !document.faults().empty();
  if (search == Search::kFound)
    return is_broken && is_broken_definition(document, root) ? FileKind::kTaskDefinition : FileKind::kUnrecognized;
  const bool is_unfinished = root.size() == 0 || is_broken;
  // A container with the name of a family: containerDefinitions was left out around it.
  const bool lacks_list = root.find("family") && root.find("name") && root.find("image") &&
                          (has_any(root, kContainerMembers) || has_container_member(root));
  const bool is_meant = is_mostly_of_task_definition(root) || lacks_list ||
                        (is_unfinished && is_named_as_definition(name)) ||
                        (is_broken && speaks_of_ecs(document.source()));
  return is_meant ? FileKind::kTaskDefinition : FileKind::kUnrecognized;
}

}  // namespace

FileKind kind_of(const text::Document& document, Search search, std::string_view name) {
  const Value root = document.root();
  // An empty, oversized, compressed or undecodable file is reported by a rule, with the reason.
  const auto& faults = document.faults();
  const bool is_empty = !root && faults.empty();
  const bool is_unread =
      document.is_unparsed() || is_empty || (!root && faults.front().kind == text::FaultKind::kTooLarge);
  if (is_unread && search == Search::kNamed)
    return !is_empty || is_named_as_definition(name) ? FileKind::kTaskDefinition : FileKind::kUnrecognized;
  if (is_page(name) && !faults.empty()) return FileKind::kUnrecognized;
  if (const auto targets = importers::kind_of_targets(root))
    return *targets == importers::SubjectKind::kRunTask ? FileKind::kRunTask : FileKind::kTaskDefinition;
  if (is_foreign(document, root, search)) return FileKind::kUnrecognized;
  if (root && root.is_object()) return kind_of_object(document, root, search, name);
  if (root && root.is_array() && (is_container_list(root, search) || is_list_in_capitals(root, search)))
    return FileKind::kContainerDefinitions;
  const std::string& source = document.source();
  if (search == Search::kFound)
    return !root && !is_empty && mentions_containers(source) ? FileKind::kTaskDefinition : FileKind::kUnrecognized;
  const bool is_meant = is_named_as_definition(name) ||
                        (root ? mentions_containers(source) || has_container_words(source) : speaks_of_ecs(source));
  return is_meant ? FileKind::kTaskDefinition : FileKind::kUnrecognized;
}

bool mentions_containers(std::string_view source) {
  for (const std::string_view word : {"containerDefinitions", "ContainerDefinitions", "container_definitions"}) {
    if (source.find(word) != std::string_view::npos) return true;
  }
  return false;
}

bool mentions_ecs(std::string_view source) {
  const auto has = [&](std::string_view word) { return source.find(word) != std::string_view::npos; };
  // Settings of many tools have a desiredCount; few have a second key of a service.
  const bool has_service = has("desiredCount") && (has("deploymentConfiguration") || has("networkConfiguration") ||
                                                   has("launchType") || has("capacityProviderStrategy"));
  return mentions_containers(source) || has("AWS::ECS::TaskDefinition") || has("AWS::ECS::Service") || has_service;
}

bool may_be_service(Value root) {
  return root && root.is_object() && root.size() > 0 &&
         count_of(root, kOfServices) + count_of(root, kOfBoth) + count_of(root, kOfAnswers) == root.size();
}

bool is_terraform_code(std::string_view name) {
  return importers::is_terraform_code(name);
}

FileKind kind_as(FileKind given, const text::Document& document) {
  const FileKind seen = kind_of(document, Search::kNamed);
  const auto is_form_of = [&](FileKind form, FileKind general) { return seen == form && given == general; };
  const bool is_special = is_form_of(FileKind::kContainerDefinitions, FileKind::kTaskDefinition) ||
                          is_form_of(FileKind::kCdk, FileKind::kCloudFormation) ||
                          is_form_of(FileKind::kRunTask, FileKind::kService);
  return is_special ? seen : given;
}

Value definition_of(const text::Document& document) {
  const Value root = document.root();
  if (!root || !root.is_object()) return root;
  const Value inner = root.find("taskDefinition");
  return inner && inner.is_object() ? inner : root;
}

importers::DefinitionForm form_of(FileKind kind) {
  const bool is_template = kind == FileKind::kCloudFormation || kind == FileKind::kCdk;
  if (is_template) return importers::DefinitionForm::kTemplate;
  return kind == FileKind::kTerraform ? importers::DefinitionForm::kPlan : importers::DefinitionForm::kPlain;
}

bool is_linted(FileKind kind) {
  return kind != FileKind::kUnrecognized;
}

}  // namespace bayplan::lint
