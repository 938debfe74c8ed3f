#include "lint/files/definitions.hpp"

#include <algorithm>

#include "base/path_sandbox.hpp"
#include "model/definition_reference.hpp"

namespace bayplan::lint {
namespace {

bool have_same_values(const model::List<model::StringField>& a, const model::List<model::StringField>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& one, const auto& other) { return one.value == other.value; });
}

/// Whether a service meets the same in both: the containers with their ports, the network, the volumes, the role. They
/// may differ in images, sizes and variables, as the definitions of two environments do.
bool are_alike_to_services(const model::TaskDefinition& a, const model::TaskDefinition& b) {
  const auto is_same_port = [](const auto& one, const auto& other) {
    return one.container_port.value == other.container_port.value && one.host_port.value == other.host_port.value &&
           one.name.value == other.name.value;
  };
  const auto is_same_container = [&](const auto& one, const auto& other) {
    const auto& ports = one.port_mappings;
    const auto& others = other.port_mappings;
    return one.name.value == other.name.value &&
           one.readonly_root_filesystem.value == other.readonly_root_filesystem.value &&
           std::equal(ports.begin(), ports.end(), others.begin(), others.end(), is_same_port);
  };
  const auto& containers = a.container_definitions;
  const auto& others = b.container_definitions;
  return a.network_mode.value == b.network_mode.value && a.task_role_arn.present() == b.task_role_arn.present() &&
         have_same_values(a.requires_compatibilities, b.requires_compatibilities) &&
         std::equal(a.volumes.begin(), a.volumes.end(), b.volumes.begin(), b.volumes.end(),
                    [](const auto& one, const auto& other) { return one.name.value == other.name.value; }) &&
         std::equal(containers.begin(), containers.end(), others.begin(), others.end(), is_same_container);
}

}  // namespace

void Definitions::add(const std::string& file, std::shared_ptr<const text::Document> document, text::Value root,
                      const model::Placeholders& placeholders) {
  auto task = model::bind_task_definition(root, placeholders);
  if (!task.family) return;
  auto& entries = by_family_[std::string(*task.family)];
  entries.push_back({file, task.revision.value, std::move(document), std::move(task)});
}

void Definitions::add(std::string file, std::string family, std::int64_t revision, const model::TaskDefinition& task) {
  by_family_[std::move(family)].push_back({std::move(file), revision, nullptr, task});
}

rules::NamedDefinition Definitions::find(std::string_view reference, std::string_view asking_file) const {
  const auto wanted = model::parse_definition_reference(reference);
  const auto family = wanted ? by_family_.find(wanted->family) : by_family_.end();
  if (family == by_family_.end()) return {};
  std::vector<const Entry*> entries;
  for (const auto& entry : family->second) entries.push_back(&entry);

  const auto keep = [&](auto is_kept) { std::erase_if(entries, [&](const Entry* one) { return !is_kept(*one); }); };
  const auto any = [&](auto is_such) {
    return std::any_of(entries.begin(), entries.end(), [&](const Entry* one) { return is_such(*one); });
  };
  const auto is_of_revision = [&](const Entry& one) { return one.revision == wanted->revision; };
  const auto is_beside = [&](const Entry& one) { return folder_around(one.file) == folder_around(asking_file); };
  if (wanted->revision) {
    const bool has_it = any(is_of_revision);
    keep([&](const Entry& one) { return has_it ? is_of_revision(one) : !one.revision; });
  }
  if (entries.size() > 1 && !any([](const Entry& one) { return !one.revision; })) {
    const Entry* newest = *std::max_element(entries.begin(), entries.end(),
                                            [](const Entry* a, const Entry* b) { return *a->revision < *b->revision; });
    keep([&](const Entry& one) { return one.revision == newest->revision; });
  }
  if (any(is_beside)) keep(is_beside);
  if (entries.empty()) return {};
  const bool is_clear = std::all_of(entries.begin() + 1, entries.end(), [&](const Entry* one) {
    return are_alike_to_services(entries.front()->task, one->task);
  });
  if (!is_clear) return {};
  const std::string_view name = reference.substr(reference.rfind('/') + 1);
  rules::NamedDefinition found{&entries.front()->task, name, entries.front()->file, {}};
  if (wanted->revision && !entries.front()->revision) {
    found.doubt = ", if " + entries.front()->file + " is revision " + std::to_string(*wanted->revision);
  }
  return found;
}

}  // namespace bayplan::lint
