#include "importers/task_targets.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/strings.hpp"
#include "importers/container_list.hpp"
#include "importers/members.hpp"
#include "text/read.hpp"
#include "text/string_content.hpp"

namespace bayplan::importers {
namespace {

using text::Kind;
using text::Value;

constexpr std::string_view kMadeByBatch = "made by AWS Batch";

Value object_in(Value object, std::string_view key) {
  const Value member = object && object.is_object() ? object.find(key) : Value();
  return member && member.is_object() ? member : Value();
}

/// Services that call ECS write their keys with a capital or without.
Value find_in_any_case(Value object, std::string_view key) {
  if (!object || !object.is_object()) return {};
  for (const Value member : object.children()) {
    if (equal_ignoring_case(member.key(), key)) return member;
  }
  return {};
}

std::vector<Value> elements_of(Value list) {
  if (!list || !list.is_array()) return {};
  const auto children = list.children();
  return {children.begin(), children.end()};
}

void add_run_states(Value machine, std::vector<RunState>& found) {
  const Value states = object_in(machine, "States");
  if (!states) return;
  for (const Value state : states.children()) {
    if (!state.is_object()) continue;
    const bool runs_task = text_of(state, "Resource").find(":states:::ecs:runTask") != std::string_view::npos;
    for (const std::string_view passed : {"Parameters", "Arguments"}) {
      if (const Value call = runs_task ? object_in(state, passed) : Value()) found.push_back({state.key(), call});
    }
    for (const Value branch : elements_of(state.find("Branches"))) add_run_states(branch, found);
    for (const std::string_view inner : {"Iterator", "ItemProcessor"}) add_run_states(object_in(state, inner), found);
  }
}

/// What a file of EventBridge or of its Scheduler passes to RunTask, with the name of the target.
std::vector<RunState> calls_of_targets(Value root) {
  std::vector<RunState> found;
  const auto add = [&](Value target) {
    const Value call = object_in(target, "EcsParameters");
    if (call) found.push_back({text_of(target, "Id"), call});
  };
  if (root.is_array()) {
    for (const Value target : elements_of(root)) add(target);
    return found;
  }
  if (!root.is_object()) return found;
  add(root);
  add(object_in(root, "Target"));
  for (const Value target : elements_of(root.find("Targets"))) add(target);
  return found;
}

bool is_batch_job(Value root) {
  return root.is_object() && (root.find("containerProperties") || root.find("ecsProperties")) &&
         !root.find("containerDefinitions");
}

/// "VCPU", "MEMORY" or "GPU" of a container of AWS Batch, where it is a literal.
std::optional<double> amount_of(Value container, std::string_view resource, std::string_view old_key) {
  for (const Value one : elements_of(find_in_any_case(container, "resourceRequirements"))) {
    const Value type = find_in_any_case(one, "type");
    const Value value = find_in_any_case(one, "value");
    if (type && type.text() == resource && value) return to_number(value.text());
  }
  const Value old = find_in_any_case(container, old_key);
  return old ? to_number(old.text()) : std::nullopt;
}

/// Writes the members of linuxParameters without the permissions of devices: AWS Batch has READ, WRITE and MKNOD, ECS
/// has them in lower case. https://docs.aws.amazon.com/batch/latest/APIReference/API_Device.html, 2026-11
void write_batch_devices(Value parameters, const shape::Rule& rule, const JsonSource& from, SubjectBuilder& builder) {
  builder.open(Kind::kObject, from.place(parameters.span()), from.origin(parameters));
  for (const Value member : parameters.children()) {
    const auto* meant = member_meant_by(&rule, member.key(), from);
    builder.key(meant != nullptr ? meant->name : member.key(), from.place(member.key_span()));
    if (meant == nullptr || meant->name != "devices" || !member.is_array()) {
      copy_json(member, meant != nullptr ? meant->rule : nullptr, from, builder);
      continue;
    }
    const shape::Rule* of_device = meant->rule->elements;
    builder.open(Kind::kArray, from.place(member.span()), from.origin(member));
    for (const Value device : member.children()) {
      if (!device.is_object()) {
        copy_json(device, of_device, from, builder);
        continue;
      }
      builder.open(Kind::kObject, from.place(device.span()), from.origin(device));
      for (const Value setting : device.children()) {
        const auto* known = member_meant_by(of_device, setting.key(), from);
        if (known != nullptr && known->name == "permissions") continue;
        builder.key(known != nullptr ? known->name : setting.key(), from.place(setting.key_span()));
        copy_json(setting, known != nullptr ? known->rule : nullptr, from, builder);
      }
      builder.close();
    }
    builder.close();
  }
  builder.close();
}

/// Writes one container as ECS gets it. AWS Batch fills in where logs of awslogs go, so they are left out.
/// https://docs.aws.amazon.com/batch/latest/APIReference/API_ContainerProperties.html and
/// API_TaskContainerProperties.html, 2026-11
void write_batch_container(Value container, bool is_fargate, const shape::Schema& task_definition,
                           const JsonSource& from, SubjectBuilder& builder) {
  constexpr std::array<std::string_view, 14> kShared{"image",
                                                     "command",
                                                     "environment",
                                                     "secrets",
                                                     "linuxParameters",
                                                     "mountPoints",
                                                     "ulimits",
                                                     "readonlyRootFilesystem",
                                                     "privileged",
                                                     "user",
                                                     "repositoryCredentials",
                                                     "dependsOn",
                                                     "essential",
                                                     "logConfiguration"};
  const shape::Rule& rule = *task_definition.definition("ContainerDefinition");
  const Span place = from.place(container.opening());
  const std::uint32_t origin = from.origin(container);
  builder.open(Kind::kObject, from.place(container.span()), origin);
  builder.key("name", place);
  const Value name = find_in_any_case(container, "name");
  builder.scalar(Kind::kString, name ? name.text() : "default", name ? from.place(name.span()) : place, origin);
  for (const Value member : container.children()) {
    const auto* meant = member_meant_by(&rule, member.key(), from);
    const bool is_shared = meant != nullptr &&
                           std::find(kShared.begin(), kShared.end(), meant->name) != kShared.end() && !member.is_null();
    const Value driver = is_shared ? find_in_any_case(member, "logDriver") : Value();
    if (!is_shared || (driver && driver.text() == "awslogs")) continue;
    builder.key(meant->name, from.place(member.key_span()));
    if (meant->name == "linuxParameters" && find_in_any_case(member, "devices")) {
      write_batch_devices(member, *meant->rule, from, builder);
    } else {
      copy_json(member, meant->rule, from, builder);
    }
  }
  if (!is_fargate) {
    const auto memory = amount_of(container, "MEMORY", "memory");
    builder.key("memory", place);
    if (memory) {
      builder.scalar(Kind::kInteger, std::to_string(static_cast<std::int64_t>(*memory)), place, origin);
    } else {
      builder.scalar(Kind::kPlaceholder, "memory of the job", place, origin);
    }
  }
  const Value requirements = find_in_any_case(container, "resourceRequirements");
  const auto all = elements_of(requirements);
  if (std::any_of(all.begin(), all.end(), [](Value one) {
        const Value type = find_in_any_case(one, "type");
        return type && type.text() == "GPU";
      })) {
    const auto* member = rule.find("resourceRequirements");
    builder.key(member->name, from.place(requirements.key_span()));
    builder.open(Kind::kArray, from.place(requirements.span()), from.origin(requirements));
    for (const Value one : all) {
      const Value type = find_in_any_case(one, "type");
      const bool is_of_batch = type && (type.text() == "VCPU" || type.text() == "MEMORY");
      if (!is_of_batch) copy_json(one, rule_for(Kind::kArray, member->rule)->elements, from, builder);
    }
    builder.close();
  }
  builder.close();
}

/// `task`: what holds roles and volumes; `containers`: the containers of one task.
Subject batch_task(const text::Document& file, Value task, const std::vector<Value>& containers, bool is_fargate,
                   const shape::Schema& task_definition, const JsonSource& from, std::string name) {
  struct Renamed {
    std::string_view key, member;
  };
  constexpr Renamed kOfTask[] = {{"jobRoleArn", "taskRoleArn"},
                                 {"taskRoleArn", "taskRoleArn"},
                                 {"executionRoleArn", "executionRoleArn"},
                                 {"volumes", "volumes"},
                                 {"runtimePlatform", "runtimePlatform"},
                                 {"ephemeralStorage", "ephemeralStorage"},
                                 {"pidMode", "pidMode"},
                                 {"ipcMode", "ipcMode"}};
  const shape::Rule& root = task_definition.root();
  const Span place = from.place(task.opening());
  const std::uint32_t origin = from.origin(task);
  SubjectBuilder builder(file);
  builder.open(Kind::kObject, from.place(task.span()), origin);
  const auto add = [&](std::string_view key, Kind kind, std::string_view text) {
    builder.key(key, place);
    builder.scalar(kind, text, place, origin);
  };
  add("family", Kind::kPlaceholder, "family that AWS Batch chooses");
  if (is_fargate) {
    add("networkMode", Kind::kString, "awsvpc");
    builder.key("requiresCompatibilities", place);
    builder.open(Kind::kArray, place, origin);
    builder.scalar(Kind::kString, "FARGATE", place, origin);
    builder.close();
    const auto add_sum = [&](std::string_view key, std::string_view resource, std::string_view old_key, double unit) {
      double sum = 0;
      bool is_known = !containers.empty();
      for (const Value container : containers) {
        const auto amount = amount_of(container, resource, old_key);
        is_known = is_known && amount;
        sum += amount.value_or(0) * unit;
      }
      const auto text = std::to_string(static_cast<std::int64_t>(sum));
      add(key, is_known ? Kind::kString : Kind::kPlaceholder, is_known ? text : "(set when the job is submitted)");
    };
    add_sum("cpu", "VCPU", "vcpus", 1024);
    add_sum("memory", "MEMORY", "memory", 1);
  } else {
    add("networkMode", Kind::kPlaceholder, "network mode that AWS Batch chooses");
  }
  for (const auto& [key, member] : kOfTask) {
    const Value value = find_in_any_case(task, key);
    if (!value || value.is_null()) continue;
    builder.key(member, from.place(value.key_span()));
    copy_json(value, root.find(member)->rule, from, builder);
  }
  builder.key("containerDefinitions", place);
  builder.open(Kind::kArray, from.place(task.span()), origin);
  for (const Value container : containers) write_batch_container(container, is_fargate, task_definition, from, builder);
  builder.close();
  builder.close();
  const auto key = task.size() > 0 ? task.at(0).key() : std::string_view();
  const bool is_pascal = !key.empty() && key.front() >= 'A' && key.front() <= 'Z';
  auto subject = std::move(builder).finish(SubjectKind::kTaskDefinition, std::move(name),
                                           is_pascal ? Spelling::kPascalCase : Spelling::kCamelCase);
  subject.facts.push_back({.property = kMadeByBatch});
  return subject;
}

}  // namespace

std::vector<RunState> run_states(Value machine) {
  std::vector<RunState> found;
  add_run_states(machine, found);
  return found;
}

Subject run_task_subject(const text::Document& file, Value call, const shape::Schema& run_task, const JsonSource& from,
                         std::string name, const FindTaskDefinition& find) {
  SubjectBuilder builder(file);
  builder.open(Kind::kObject, from.place(call.span()), from.origin(call));
  for (const Value member : call.children()) {
    // How many tasks a target may start is not documented for EventBridge; RunTask's limit is for one call.
    if (member.is_null() || equal_ignoring_case(member.key(), "TaskCount")) continue;
    const auto* meant = member_meant_by(&run_task.root(), member.key(), from);
    builder.key(meant != nullptr ? meant->name : member.key(), from.place(member.key_span()));
    const bool is_definition = meant != nullptr && meant->name == "taskDefinition";
    const std::string defined = is_definition && find ? find(member) : "";
    if (defined.empty()) {
      copy_json(member, meant != nullptr ? meant->rule : nullptr, from, builder);
    } else {
      builder.scalar(Kind::kString, defined, from.place(member.span()), from.origin(member));
    }
  }
  builder.close();
  return std::move(builder).finish(SubjectKind::kRunTask, std::move(name), Spelling::kPascalCase);
}

void add_machine_in_string(const text::Document& file, Value string, std::string_view content, std::string_view machine,
                           const shape::Schema& run_task, const FindTaskDefinition& find,
                           std::vector<Subject>& subjects) {
  const text::StringContent written(string);
  const bool is_written = written.text() == content;
  const auto document = text::read_document(std::string(content), {.format = text::Format::kJson});
  if (!document->root()) return;
  const JsonSource from{[&](Span span) { return is_written ? written.original(span) : string.span(); },
                        [&](Value) { return string.index(); }, true};
  for (const auto& [state, call] : run_states(document->root()))
    subjects.push_back(
        run_task_subject(file, call, run_task, from, std::string(machine) + "." + std::string(state), find));
}

std::vector<Subject> batch_subjects(const text::Document& file, Value properties, bool is_fargate,
                                    const shape::Schema& task_definition, const JsonSource& from, std::string name) {
  if (!properties || !properties.is_object()) return {};
  const Value tasks = find_in_any_case(properties, "taskProperties");
  if (!tasks) return {batch_task(file, properties, {properties}, is_fargate, task_definition, from, std::move(name))};
  std::vector<Subject> found;
  for (const Value task : elements_of(tasks)) {
    std::vector<Value> containers = elements_of(find_in_any_case(task, "containers"));
    std::erase_if(containers, [](Value container) { return !container.is_object(); });
    if (!containers.empty())
      found.push_back(batch_task(file, task, containers, is_fargate, task_definition, from, name));
  }
  return found;
}

std::vector<Subject> batch_job_subjects(const text::Document& file, Value job, const shape::Schema& task_definition,
                                        const JsonSource& from, const std::string& name) {
  bool is_fargate = false;
  for (const Value one : elements_of(find_in_any_case(job, "platformCapabilities")))
    is_fargate = is_fargate || one.text() == "FARGATE";
  std::vector<Subject> found;
  for (const std::string_view key : {"containerProperties", "ecsProperties"}) {
    for (auto& subject : batch_subjects(file, find_in_any_case(job, key), is_fargate, task_definition, from, name))
      found.push_back(std::move(subject));
  }
  return found;
}

bool is_made_by_batch(const Subject& subject) {
  return std::any_of(subject.facts.begin(), subject.facts.end(),
                     [](const ResourceFact& fact) { return fact.property == kMadeByBatch; });
}

std::optional<SubjectKind> kind_of_targets(Value root) {
  if (!root || (!root.is_object() && !root.is_array())) return std::nullopt;
  if (is_batch_job(root)) return SubjectKind::kTaskDefinition;
  const bool runs_tasks = !run_states(root).empty() || !calls_of_targets(root).empty();
  return runs_tasks ? std::optional(SubjectKind::kRunTask) : std::nullopt;
}

std::vector<Subject> task_targets(const text::Document& file, const shape::RequestSchemas& schemas) {
  std::vector<Subject> found;
  const Value root = file.root();
  if (!root || !kind_of_targets(root)) return found;
  JsonSource from = json_of_file();
  if (is_batch_job(root)) {
    const auto name = text_of(root, "jobDefinitionName");
    return batch_job_subjects(file, root, schemas.task_definition.get(), from, std::string(name));
  }
  for (const auto& [name, call] : calls_of_targets(root))
    found.push_back(run_task_subject(file, call, schemas.run_task.get(), from, std::string(name)));
  from.is_of_states = true;
  for (const auto& [name, call] : run_states(root))
    found.push_back(run_task_subject(file, call, schemas.run_task.get(), from, std::string(name)));
  return found;
}

}  // namespace bayplan::importers
