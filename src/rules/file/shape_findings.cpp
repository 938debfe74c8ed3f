#include "rules/file/shape_findings.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "base/ascii.hpp"
#include "base/name_words.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation_keys.hpp"
#include "rules/file/short_forms.hpp"
#include "rules/service/service_input.hpp"

namespace bayplan::rules {

namespace {

/// A service definition of a deployment tool: the tool's own settings say the name, the cluster and the definition.
bool is_named_elsewhere(text::Value root) {
  return !root.find("serviceName") && !root.find("cluster") && !root.find("taskDefinition");
}

/// Not a template, a plan or a file of another tool.
bool has_schema(FileKind kind) {
  return kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe || kind >= FileKind::kCapacityProvider;
}

std::vector<shape::ShapeFinding> service_faults(text::Value root, const shape::Schema& schema,
                                                const model::Placeholders& placeholders) {
  const auto input = detect_service_input(root);
  if (input == ServiceInput::kUpdate) {
    return shape::check(schema, *schema.definition("UpdateServiceRequest"), root, placeholders);
  }
  // Of an answer nothing is at fault; one service cut out of it was meant to be sent.
  if (input == ServiceInput::kAnswer && !root.find("serviceArn")) return {};
  auto found = shape::check(schema, root, placeholders);
  std::erase_if(found, [&](const shape::ShapeFinding& one) {
    if (input == ServiceInput::kAnswer) return one.hint.kind != shape::HintKind::kResponseOnly;
    return one.problem == shape::Problem::kMissing && one.node == root && is_named_elsewhere(root);
  });
  return found;
}

/// The schema of run-task, start-task or stop-task, depending on the members of the request.
const shape::Rule& task_request(text::Value root, const shape::Schema& schema) {
  if (root.find("task") && !root.find("taskDefinition")) return *schema.definition("StopTaskRequest");
  const bool is_start = root.find("containerInstances") && !root.find("count");
  return is_start ? *schema.definition("StartTaskRequest") : schema.root();
}

/// A key that is a name and no member, mistaken or misplaced. Variables are in capitals, whatever member is called so.
bool is_name(const shape::ShapeFinding& unknown) {
  if (unknown.hint.kind == shape::HintKind::kNone) return true;
  const std::string key = name_in_file(unknown.node);
  const bool is_variable = std::none_of(key.begin(), key.end(), is_lower);
  return is_variable ? unknown.hint.kind != shape::HintKind::kSpelling
                     : !unknown.wanted->required.empty() && read_map_member(*unknown.wanted, unknown.node);
}

/// Elements that Docker and Compose write as a map from names. Containers have too many members for that.
bool may_be_written_as_map(const shape::Rule& element, text::Value object) {
  constexpr std::size_t kMostMembers = 5;
  if (!element.required.empty() || element.members.size() == 2) return element.members.size() <= kMostMembers;
  const auto members = object.children();
  const bool holds_ports = element.find("hostPort") != nullptr;
  return std::all_of(members.begin(), members.end(), [&](text::Value member) {
    return holds_ports ? is_digits(member.key()) : read_map_member(element, member).has_value();
  });
}

/// `{"nofile": 1024}` in a list of ulimits has an unknown key and lacks all that is required: by one mistake. Makes one
/// fault of them.
void join_map_faults(std::vector<shape::ShapeFinding>& found) {
  std::map<std::uint32_t, std::vector<const shape::ShapeFinding*>> names;
  for (const auto& one : found) {
    if (one.problem != shape::Problem::kUnknownKey || !is_name(one)) continue;
    const text::Value object = one.node.parent(), list = object.parent();
    if (list && list.is_array()) names[object.index()].push_back(&one);
  }
  std::erase_if(names, [](const auto& of_object) {
    const auto& [index, keys] = of_object;
    const text::Value object = keys.front()->node.parent();
    return keys.size() < object.size() || !may_be_written_as_map(*keys.front()->wanted, object);
  });
  if (names.empty()) return;
  const auto object_of = [](const shape::ShapeFinding& one) {
    return one.problem == shape::Problem::kUnknownKey ? one.node.parent() : one.node;
  };
  std::vector<shape::ShapeFinding> joined;
  for (auto& one : found) {
    const bool is_part = one.problem == shape::Problem::kUnknownKey || one.problem == shape::Problem::kMissing;
    const text::Value object = object_of(one);
    if (!is_part || !names.contains(object.index())) {
      joined.push_back(std::move(one));
    } else if (joined.empty() || joined.back().node != object) {
      joined.push_back({.problem = shape::Problem::kMapInList, .node = object, .key = one.key, .wanted = one.wanted});
    }
  }
  found = std::move(joined);
}

/// An answer as ECS gave it. One with placeholders in its images and roles is written to be registered; asterisks hide
/// an account.
bool is_whole_answer(const Context& ctx) {
  constexpr std::string_view kMembers[] = {"taskDefinitionArn", "revision", "status", "requiresAttributes"};
  constexpr std::string_view kServiceMembers[] = {"serviceArn", "status", "deployments", "events", "createdAt"};
  const auto has = [&](std::string_view member) { return static_cast<bool>(ctx.root.find(member)); };
  if (ctx.is_service()) return std::all_of(std::begin(kServiceMembers), std::end(kServiceMembers), has);
  const auto is_filled_in = [&](text::Value value) {
    return !value || !ctx.placeholders.holds(value) || value.text().find("**") != std::string_view::npos;
  };
  const text::Value containers = ctx.root.find("containerDefinitions");
  if (!containers || !containers.is_array()) return false;
  const auto all = containers.children();
  return std::all_of(std::begin(kMembers), std::end(kMembers), has) && is_filled_in(ctx.root.find("taskRoleArn")) &&
         is_filled_in(ctx.root.find("executionRoleArn")) && std::all_of(all.begin(), all.end(), [&](text::Value one) {
           return one.is_object() && one.find("image") && is_filled_in(one.find("image"));
         });
}

}  // namespace

std::vector<text::Value> lone_containers(text::Value root) {
  if (!root) return {};
  if (!root.is_array()) return {root};
  std::vector<text::Value> containers;
  for (const text::Value element : root.children()) {
    if (element.kind() != text::Kind::kPlaceholder) containers.push_back(element);
  }
  return containers;
}

bool is_part_of_container(text::Value root, FileKind kind) {
  return kind == FileKind::kContainerDefinitions && root && root.is_object() &&
         !(root.find("name") && root.find("image"));
}

bool names_images_alone(const Context& ctx) {
  const text::Value list = ctx.root.find("containerDefinitions");
  if (!list || !list.is_array() || list.size() == 0 || ctx.root.size() != 1) return false;
  const auto containers = list.children();
  return std::all_of(containers.begin(), containers.end(), [](text::Value one) {
    return one.is_object() && one.size() == 2 && one.find("name") && one.find("image");
  });
}

// backup/web.json, td-registered.json, describe-output.json; but not concurrent-jobs.json.
bool is_saved_record(const Context& ctx) {
  const bool is_service = ctx.kind == FileKind::kService && ctx.is_answer;
  if ((!ctx.is_describe() && !is_service) || ctx.client != DeployClient::kAny) return false;
  constexpr std::string_view kWords[] = {"describe", "described", "output", "outputs",  "response",
                                         "backup",   "backups",   "bak",    "snapshot", "registered",
                                         "current",  "original",  "orig",   "old",      "previous"};
  const auto slash = ctx.file.rfind('/');
  const auto folder = slash == std::string_view::npos || slash == 0 ? slash : ctx.file.rfind('/', slash - 1);
  const std::string_view path = folder == std::string_view::npos ? ctx.file : ctx.file.substr(folder + 1);
  const auto words = words_in_name(path);
  const bool is_named =
      std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_among(word, kWords); });
  const std::string_view before = std::string_view(ctx.document.source()).substr(0, ctx.root.span().begin);
  return is_named || before.find("aws ecs ") != std::string_view::npos ||
         (ctx.deployment.named_by.empty() && is_whole_answer(ctx));
}

bool is_untouched_skeleton(text::Value root) {
  const auto is_blank = [](text::Value object, std::string_view key) {
    const text::Value member = object.is_object() ? object.find(key) : text::Value();
    return member && member.is_string() && member.text().empty();
  };
  if (!root || !root.is_object()) return false;
  const bool names_nothing = is_blank(root, "serviceName") || is_blank(root, "service") || is_blank(root, "cluster");
  if (names_nothing && is_blank(root, "taskDefinition")) return true;
  const text::Value containers = root.find("containerDefinitions");
  if (!is_blank(root, "family") || !containers || !containers.is_array() || containers.size() == 0) return false;
  const auto all = containers.children();
  return std::all_of(all.begin(), all.end(),
                     [&](text::Value one) { return is_blank(one, "name") && is_blank(one, "image"); });
}

std::vector<shape::ShapeFinding> find_shape_faults(text::Value root, FileKind kind, const shape::Schema& schema,
                                                   const model::Placeholders& placeholders, bool is_update) {
  std::vector<shape::ShapeFinding> found;
  if (!root) return found;
  if (kind == FileKind::kContainerDefinitions) {
    const auto& container = *schema.definition("ContainerDefinition");
    for (const text::Value element : lone_containers(root)) {
      auto faults = shape::check(schema, container, element, placeholders);
      std::move(faults.begin(), faults.end(), std::back_inserter(found));
    }
  } else if (root.is_object() && kind == FileKind::kService) {
    found = service_faults(root, schema, placeholders);
  } else if (root.is_object() && kind == FileKind::kRunTask) {
    found = shape::check(schema, task_request(root, schema), root, placeholders);
  } else if (root.is_object() && kind == FileKind::kCapacityProvider && is_update) {
    found = shape::check(schema, *schema.definition("UpdateCapacityProviderRequest"), root, placeholders);
  } else if (root.is_object() && has_schema(kind)) {
    found = shape::check(schema, root, placeholders);
  }
  join_map_faults(found);
  return found;
}

bool may_be_update(text::Value provider) {
  if (!provider.find("name") || provider.find("tags")) return false;
  const text::Value group = provider.find("autoScalingGroupProvider");
  if (group) return group.is_object() && group.size() > 0 && !group.find("autoScalingGroupArn");
  const text::Value instances = provider.find("managedInstancesProvider");
  const text::Value launch = instances && instances.is_object() ? instances.find("instanceLaunchTemplate") : instances;
  return launch && launch.is_object() && !(launch.find("ec2InstanceProfileArn") && launch.find("networkConfiguration"));
}

std::string_view find_title(const shape::Rule& rule) {
  return rule.title.empty() ? "this object" : rule.title;
}

std::string in_words(const shape::Rule& rule) {
  return rule.title.empty() ? "this object" : "the " + std::string(rule.title);
}

std::string name_of(text::Value value) {
  std::string positions;
  while (value.key().empty() && value.parent()) {
    positions = "[" + std::to_string(value.position_in_parent()) + "]" + positions;
    value = value.parent();
  }
  return std::string(value.key()) + positions;
}

std::string spelled_here(const Context& ctx, std::string_view member, std::string_view structure) {
  const bool is_template = ctx.client == DeployClient::kCloudFormation;
  return is_template ? importers::in_cloudformation(member, structure) : std::string(member);
}

void offer_rename(Report& report, text::Value member, const std::string& name, bool safe) {
  const Span key = member.key_span();
  const char quote = key.length() > 0 ? member.document().source()[key.begin] : '\0';
  const bool quoted = quote == '"' || quote == '\'';
  report.fix(key, quoted ? quote + name + quote : name, safe);
}

bool is_absent_when_empty(std::string_view key) {
  constexpr std::array<std::string_view, 10> kKeys{
      "appProtocol",     "assignPublicIp", "availabilityZoneRebalancing", "ipcMode",           "launchType", "pidMode",
      "platformVersion", "propagateTags",  "schedulingStrategy",          "versionConsistency"};
  return is_among(key, kKeys);
}

}  // namespace bayplan::rules
