#include "shape/named_keys.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "embedded/cluster_schema.hpp"
#include "embedded/config_schema.hpp"
#include "embedded/grid_schema.hpp"
#include "embedded/run_task_schema.hpp"
#include "embedded/scenario_schema.hpp"
#include "embedded/service_schema.hpp"
#include "embedded/task_definition_schema.hpp"
#include "shape/schema_guide.hpp"

namespace bayplan::shape {
namespace {

using text::Value;

/// A request of ECS or a file of bayplan.
struct Request {
  std::string_view schema;
  std::string_view definition;  ///< Name in $defs; the root when empty.
  std::string_view name;
  std::string_view source;
  std::string_view schema_name;  ///< As `bayplan schema` calls it.
};

std::array<Request, 5> all_requests() {
  const auto service = embedded::service_schema();
  const auto run_task = embedded::run_task_schema();
  return {
      {{embedded::task_definition_schema(), "", "a task definition",
        "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_RegisterTaskDefinition.html", "task-definition"},
       {service, "", "a service (create-service)",
        "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_CreateService.html", "service"},
       {service, "UpdateServiceRequest", "update-service",
        "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_UpdateService.html", "service"},
       {run_task, "", "run-task", "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_RunTask.html",
        "run-task"},
       {run_task, "StartTaskRequest", "start-task",
        "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_StartTask.html", "run-task"}}};
}

std::array<Request, 4> all_files() {
  return {{{embedded::scenario_schema(), "", "a scenario", "docs/formats.md", "scenario"},
           {embedded::cluster_schema(), "", "a cluster", "docs/formats.md", "cluster"},
           {embedded::config_schema(), "", ".bayplan.yaml", "docs/config.md", "config"},
           {embedded::grid_schema(), "", "a grid", "docs/sweep.md", "grid"}}};
}

/// Two spellings of one key: port_mappings in Terraform, PortMappings in CloudFormation, port-mappings in the AWS CLI.
bool is_same_key(std::string_view one, std::string_view other) {
  const auto letters = [](std::string_view key) {
    std::string text = lower(key);
    std::erase_if(text, [](char c) { return c == '_' || c == '-'; });
    return text;
  };
  return letters(one) == letters(other);
}

constexpr std::string_view kAnyKey = "*";  ///< In a path: a key that the user names.

/// The keys of a path, lists passed over: containerDefinitions[0].image, containerDefinitions.0.image and the pointer
/// /containerDefinitions/0/image -> {containerDefinitions, image}
std::vector<std::string_view> keys_of(std::string_view path) {
  const char separator = path.find('/') == std::string_view::npos ? '.' : '/';
  if (path.starts_with(separator)) path.remove_prefix(1);
  std::vector<std::string_view> keys;
  for (const auto part : split(path, separator)) {
    const bool is_index = is_digits(part) && !keys.empty();
    if (!is_index) keys.push_back(part.substr(0, part.find('[')));
  }
  return keys;
}

/// Whether the keys of a path end with those of a name.
bool ends_with(std::string_view path, const std::vector<std::string_view>& name) {
  const auto keys = keys_of(path);
  const auto is_named = [](std::string_view asked, std::string_view key) {
    return key == kAnyKey || is_same_key(asked, key);
  };
  return keys.size() >= name.size() && std::equal(name.rbegin(), name.rend(), keys.rbegin(), is_named);
}

/// Whether the user names all of the last keys of a path, so that any name meets them and says nothing of the path.
bool is_any_name(std::string_view path, std::size_t count) {
  const auto keys = keys_of(path);
  return keys.size() >= count && std::all_of(keys.end() - static_cast<std::ptrdiff_t>(count), keys.end(),
                                             [](std::string_view key) { return key == kAnyKey; });
}

/// What lists of lists end with, or the value itself, and the brackets of these lists in a path.
struct Inside {
  SchemaObjects said;
  std::string brackets = {};
};

Inside inside(const SchemaGuide& guide, const SchemaObjects& said) {
  Inside innermost{said};
  for (auto elements = guide.elements(said); !elements.empty(); elements = guide.elements(innermost.said)) {
    innermost.said = std::move(elements);
    innermost.brackets += "[]";
  }
  return innermost;
}

using VisitStructure = std::function<void(const SchemaObjects& structure, const std::string& path)>;

/// Visits each structure with the beginning of the paths of its keys: "", "containerDefinitions[]." No structure of a
/// request or file holds itself.
void visit_structures(const SchemaGuide& guide, const SchemaObjects& structure, const std::string& path,
                      const VisitStructure& visit) {
  visit(structure, path);
  const auto go_on = [&](std::string_view key, const SchemaObjects& said) {
    const auto innermost = inside(guide, said);
    visit_structures(guide, innermost.said, fmt::format("{}{}{}.", path, key, innermost.brackets), visit);
    const bool may_be_object = !innermost.brackets.empty() && !guide.properties(said).empty();
    if (may_be_object) visit_structures(guide, said, fmt::format("{}{}.", path, key), visit);
  };
  for (const auto& member : guide.properties(structure)) go_on(member.name, member.said);
  if (const auto others = guide.step(structure, {std::string(kAnyKey)}); !others.empty()) go_on(kAnyKey, others);
}

/// What one request has of a name.
struct KeySearch {
  const Request& request;
  const SchemaGuide& guide;
  std::vector<std::string_view> name;  ///< Keys of the path that is looked for.

  NamedKey found(std::string path, std::string text, NamedKey::Use use) const {
    return {.request = request.name,
            .source = request.source,
            .path = std::move(path),
            .text = std::move(text),
            .use = use,
            .schema = request.schema_name};
  }

  /// "resourceRequirements [{...}]": the key, then the form of its value.
  NamedKey alias(std::string_view meaning, const std::string& path) const {
    const auto space = std::min(meaning.find(' '), meaning.size());
    const auto key = meaning.substr(0, space);
    return found(key.empty() ? std::string() : path + std::string(key), std::string(trim(meaning.substr(space))),
                 NamedKey::Use::kAlias);
  }

  /// A key of a map: containerDefinitions.dockerLabels.team. Not of any map: the key before it must be named.
  void look_into_map(const SchemaObjects& structure, const std::string& path, std::vector<NamedKey>& keys) const {
    const auto others = guide.step(structure, {std::string(kAnyKey)});
    const std::string here = path + std::string(kAnyKey);
    if (name.size() < 2 || others.empty() || !ends_with(here, name) || is_any_name(here, 2)) return;
    auto& key = keys.emplace_back(found(here, std::string(description_of(structure)), NamedKey::Use::kMember));
    key.limits = limits_of(others, guide);
  }

  void look_into(const SchemaObjects& structure, const std::string& path, std::vector<NamedKey>& keys) const {
    for (const Value schema : structure) {
      const Value aliases = schema.find("x-aliases");
      if (!aliases) continue;
      for (const Value one : aliases.children()) {
        if (ends_with(path + std::string(one.key()), name)) keys.push_back(alias(one.text(), path));
      }
    }
    for (const auto& member : guide.properties(structure)) {
      const std::string here = path + member.name;
      const std::string text(description_of(member.said));
      const auto innermost = inside(guide, member.said).said;
      if (ends_with(here, name)) {
        auto& key = keys.emplace_back(found(here, text, NamedKey::Use::kMember));
        key.limits = limits_of(member.said, guide);
        for (const auto& one : guide.properties(innermost)) key.members.push_back(one.name);
      }
      if (name.size() == 1 && takes_value(innermost)) keys.push_back(found(here, text, NamedKey::Use::kValue));
    }
    if (guide.properties(structure).empty()) look_into_map(structure, path, keys);
  }

  bool takes_value(const SchemaObjects& said) const {
    const auto values = list_values(said);
    return std::any_of(values.begin(), values.end(),
                       [&](const std::string& one) { return equal_ignoring_case(one, name.front()); });
  }
};

/// Visits the structures of all requests or files.
void visit_all(
    std::span<const Request> requests,
    const std::function<void(const Request&, const SchemaGuide&, const SchemaObjects&, const std::string&)>& visit) {
  for (const auto& request : requests) {
    const SchemaGuide guide(request.schema);
    const auto root = request.definition.empty() ? guide.root() : guide.definition(request.definition);
    visit_structures(guide, root, "", [&](const SchemaObjects& structure, const std::string& path) {
      visit(request, guide, structure, path);
    });
  }
}

std::ptrdiff_t depth(std::string_view path) {
  return std::count(path.begin(), path.end(), '.');
}

std::vector<NamedKey> find_keys(std::span<const Request> requests, std::string_view name) {
  std::vector<NamedKey> found;
  visit_all(requests, [&](const Request& request, const SchemaGuide& guide, const SchemaObjects& structure,
                          const std::string& path) {
    KeySearch{request, guide, keys_of(name)}.look_into(structure, path, found);
  });
  for (const auto use : {NamedKey::Use::kMember, NamedKey::Use::kAlias}) {
    const bool has_it = std::any_of(found.begin(), found.end(), [&](const NamedKey& key) { return key.use == use; });
    if (has_it) std::erase_if(found, [&](const NamedKey& key) { return key.use != use; });
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const NamedKey& a, const NamedKey& b) { return depth(a.path) < depth(b.path); });
  return found;
}

/// A structure with its keys.
struct Structure {
  const Request* request;
  std::string path;  ///< The beginning of the paths of its keys.
  std::vector<std::string> keys;
};

/// Those of requests first, and of each the outer ones.
std::vector<Structure> all_structures(std::span<const Request> requests, std::span<const Request> files) {
  std::vector<Structure> structures;
  const auto add = [&](const Request& request, const SchemaGuide& guide, const SchemaObjects& structure,
                       const std::string& path) {
    auto& one = structures.emplace_back(Structure{&request, path, {}});
    for (const auto& member : guide.properties(structure)) one.keys.push_back(member.name);
  };
  visit_all(requests, add);
  visit_all(files, add);
  std::stable_sort(structures.begin(), structures.end(),
                   [](const Structure& a, const Structure& b) { return depth(a.path) < depth(b.path); });
  return structures;
}

/// The key of the structure that is near, as the schema spells it.
std::optional<std::string_view> near_key(std::string_view key, const Structure& structure) {
  return nearest_or_containing(key, {structure.keys.begin(), structure.keys.end()});
}

}  // namespace

std::vector<NamedKey> find_named_keys(std::string_view name) {
  return find_keys(all_requests(), name);
}

std::vector<NamedKey> find_file_keys(std::string_view name) {
  return find_keys(all_files(), name);
}

std::optional<NearKeys> find_near_keys(std::string_view name) {
  constexpr std::size_t kMostPaths = 3;
  constexpr std::size_t kShortestKey = 5;  // shorter words are near to many
  const auto name_keys = keys_of(name);
  const auto key = name_keys.back();
  const std::vector<std::string_view> parent(name_keys.begin(), name_keys.end() - 1);
  const auto requests = all_requests();
  const auto files = all_files();
  const auto structures = all_structures(requests, files);
  NearKeys near;
  const auto add = [&](const Structure& structure, std::string_view found) {
    std::string path = structure.path + std::string(found);
    const bool is_known = std::find(near.paths.begin(), near.paths.end(), path) != near.paths.end();
    if (!is_known && near.paths.size() < kMostPaths) near.paths.push_back(std::move(path));
    if (near.schema.empty()) near.schema = structure.request->schema_name;
  };

  // The keys before it exist: the key is misspelled, or belongs elsewhere.
  const Structure* around = nullptr;
  for (const auto& one : structures) {
    if (parent.empty() || one.path.empty() || one.keys.empty()) continue;
    const std::string place = one.path.substr(0, one.path.size() - 1);
    if (is_any_name(place, parent.size()) || !ends_with(place, parent)) continue;
    const auto found = near_key(key, one);
    if (around == nullptr || (found && near.paths.empty())) around = &one;
    if (found) add(one, *found);
  }
  if (around != nullptr) {
    near.place = fmt::format("{} of {}", around->path.substr(0, around->path.size() - 1), around->request->name);
    near.schema = around->request->schema_name;
    if (near.paths.empty()) near.members = around->keys;
    return near;
  }
  if (!parent.empty()) {
    // The key exists, and not there: first where the key before it is like that one.
    for (const bool is_like : {true, false}) {
      for (const auto& one : structures) {
        const auto keys = one.path.empty() ? std::vector<std::string_view>() : keys_of(one.path);
        const auto before = keys.size() < 2 ? std::string_view() : keys[keys.size() - 2];
        const bool is_part = lower(before).find(lower(parent.back())) != std::string::npos;
        if (is_like != (is_part || nearest(parent.back(), {before}).has_value())) continue;
        for (const auto& own : one.keys) {
          if (is_same_key(own, key)) add(one, own);
        }
      }
      if (is_like && !near.paths.empty()) return near;
    }
    if (!near.paths.empty()) return near;
  }
  if (key.size() < kShortestKey) return std::nullopt;
  for (const auto& one : structures) {
    const auto found = nearest(key, {one.keys.begin(), one.keys.end()});
    if (found && edit_distance(lower(key), lower(*found)) <= key.size() / kShortestKey) add(one, *found);
  }
  return near.paths.empty() ? std::nullopt : std::optional(std::move(near));
}

}  // namespace bayplan::shape
