#include "lint/files/kind_reasons.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "lint/files/foreign_kind.hpp"

namespace bayplan::lint {
namespace {

using rules::FileKind;
using text::Value;

/// Keys of the object that its kind has, also in the spelling of another tool.
std::string known_keys(Value object, const shape::Rule& rule, const shape::Schema& schema) {
  const auto is_known = [&](Value member) {
    const auto& answers = schema.response_only();
    return is_among(member.key(), answers) ||
           std::any_of(rule.members.begin(), rule.members.end(),
                       [&](const auto& one) { return equal_ignoring_case(one.name, member.key()); });
  };
  const auto members = object.children();
  const auto known = std::count_if(members.begin(), members.end(), is_known);
  return fmt::format("{} of {} {}", known, object.size(), object.size() == 1 ? "key" : "keys");
}

/// "2 task-definition, 1 service"
std::string count_resources(const ReadFile& file) {
  static constexpr std::pair<importers::SubjectKind, std::string_view> kNames[] = {
      {importers::SubjectKind::kTaskDefinition, "task definition"},
      {importers::SubjectKind::kService, "service"},
      {importers::SubjectKind::kCapacityProvider, "capacity provider"},
      {importers::SubjectKind::kCluster, "cluster"},
      {importers::SubjectKind::kClusterProviders, "capacity provider association"},
      {importers::SubjectKind::kTaskSet, "task set"},
      {importers::SubjectKind::kDaemon, "daemon"},
      {importers::SubjectKind::kDaemonTaskDefinition, "daemon task definition"},
      {importers::SubjectKind::kExpressService, "Express service"},
      {importers::SubjectKind::kRunTask, "target that runs tasks"}};
  std::vector<std::string> counts;
  for (const auto& [kind, name] : kNames) {
    const auto count = std::count_if(file.subjects.begin(), file.subjects.end(),
                                     [wanted = kind](const auto& subject) { return subject.kind == wanted; });
    if (count > 0) counts.push_back(fmt::format("{} {}{}", count, name, count == 1 ? "" : "s"));
  }
  return join(counts, ", ");
}

std::string evidence(const ReadFile& file, const Tools& tools) {
  if (!file.subjects.empty()) return count_resources(file);
  const Value root = definition_of(*file.document);
  if (!root) return "its text cannot be read";
  const shape::Schema& schema = tools.schema_of(file.kind).get();
  if (file.kind == FileKind::kContainerDefinitions) {
    if (!root.is_array()) return known_keys(root, *schema.definition("ContainerDefinition"), schema);
    return fmt::format("a list of {} with name and image",
                       root.size() == 1 ? "1 object" : fmt::format("{} objects", root.size()));
  }
  if (!root.is_object()) return "its text names keys of a task definition";
  const bool is_update = file.kind == FileKind::kService && root.find("service") && !root.find("serviceName");
  return known_keys(root, is_update ? *schema.definition("UpdateServiceRequest") : schema.root(), schema);
}

}  // namespace

std::string reasons_of_kind(const FileReport& report, const Tools& tools) {
  if (!is_linted(report)) return std::string(what_it_is(report));
  std::string reasons = fmt::format("{}: {}", rules::name_of(report.kind), evidence(report, tools));
  if (!report.deployment.named_by.empty()) reasons += fmt::format("; {} names it", report.deployment.named_by);
  return reasons;
}

}  // namespace bayplan::lint
