#include "shape/named_keys.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "embedded/run_task_schema.hpp"
#include "embedded/service_schema.hpp"
#include "embedded/task_definition_schema.hpp"
#include "shape/schema_guide.hpp"

namespace bayplan::shape {
namespace {

using text::Value;

struct Request {
  std::string_view schema;
  std::string_view definition;  ///< Name in $defs; the root when empty.
  std::string_view name;
  std::string_view source;
};

std::array<Request, 5> all_requests() {
  const auto service = embedded::service_schema();
  const auto run_task = embedded::run_task_schema();
  return {{{embedded::task_definition_schema(), "", "a task definition",
            "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_RegisterTaskDefinition.html"},
           {service, "", "a service (create-service)",
            "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_CreateService.html"},
           {service, "UpdateServiceRequest", "update-service",
            "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_UpdateService.html"},
           {run_task, "", "run-task", "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_RunTask.html"},
           {run_task, "StartTaskRequest", "start-task",
            "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_StartTask.html"}}};
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

/// The keys of a path, lists passed over: containerDefinitions[0].image -> {containerDefinitions, image}
std::vector<std::string_view> keys_of(std::string_view path) {
  std::vector<std::string_view> keys;
  for (const auto part : split(path, '.')) keys.push_back(part.substr(0, part.find('[')));
  return keys;
}

/// What one request has of a name. No structure of a request holds itself.
struct KeySearch {
  const Request& request;
  const SchemaGuide& guide;
  std::vector<std::string_view> name;  ///< Keys of the path that is looked for.

  bool is_named(const std::string& path) const {
    const auto keys = keys_of(path);
    return keys.size() >= name.size() && std::equal(name.rbegin(), name.rend(), keys.rbegin(), is_same_key);
  }

  NamedKey found(std::string path, std::string text, NamedKey::Use use) const {
    return {.request = request.name,
            .source = request.source,
            .path = std::move(path),
            .text = std::move(text),
            .use = use};
  }

  /// "resourceRequirements [{...}]": the key, then the form of its value.
  NamedKey alias(std::string_view meaning, const std::string& path) const {
    const auto space = std::min(meaning.find(' '), meaning.size());
    const auto key = meaning.substr(0, space);
    return found(key.empty() ? std::string() : path + std::string(key), std::string(trim(meaning.substr(space))),
                 NamedKey::Use::kAlias);
  }

  void look_into(const SchemaObjects& structure, const std::string& path, std::vector<NamedKey>& keys) const {
    for (const Value schema : structure) {
      const Value aliases = schema.find("x-aliases");
      if (!aliases) continue;
      for (const Value one : aliases.children()) {
        if (is_named(path + std::string(one.key()))) keys.push_back(alias(one.text(), path));
      }
    }
    for (const auto& member : guide.properties(structure)) {
      std::string here = path + member.name;
      const std::string text(description_of(member.said));
      SchemaObjects inside = member.said;
      std::string list;
      for (auto elements = guide.elements(inside); !elements.empty(); elements = guide.elements(inside)) {
        inside = std::move(elements);
        list += "[]";
      }
      if (is_named(here)) {
        auto& key = keys.emplace_back(found(here, text, NamedKey::Use::kMember));
        key.limits = limits_of(member.said, guide);
        for (const auto& one : guide.properties(inside)) key.members.push_back(one.name);
      }
      if (name.size() == 1 && takes_value(inside)) keys.push_back(found(here, text, NamedKey::Use::kValue));
      look_into(inside, here + list + ".", keys);
    }
  }

  bool takes_value(const SchemaObjects& said) const {
    const auto values = list_values(said);
    return std::any_of(values.begin(), values.end(),
                       [&](const std::string& one) { return equal_ignoring_case(one, name.front()); });
  }
};

}  // namespace

std::vector<NamedKey> find_named_keys(std::string_view name) {
  std::vector<NamedKey> found;
  for (const auto& request : all_requests()) {
    const SchemaGuide guide(request.schema);
    const auto root = request.definition.empty() ? guide.root() : guide.definition(request.definition);
    KeySearch{request, guide, keys_of(name)}.look_into(root, "", found);
  }
  for (const auto use : {NamedKey::Use::kMember, NamedKey::Use::kAlias}) {
    const bool has_it = std::any_of(found.begin(), found.end(), [&](const NamedKey& key) { return key.use == use; });
    if (has_it) std::erase_if(found, [&](const NamedKey& key) { return key.use != use; });
  }
  const auto depth = [](const NamedKey& key) { return std::count(key.path.begin(), key.path.end(), '.'); };
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return depth(a) < depth(b); });
  return found;
}

}  // namespace bayplan::shape
