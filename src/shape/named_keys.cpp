#include "shape/named_keys.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "base/strings.hpp"
#include "embedded/run_task_schema.hpp"
#include "embedded/service_schema.hpp"
#include "embedded/task_definition_schema.hpp"
#include "text/read.hpp"

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

/// Finds a name in one request. No structure of a request holds itself.
class KeySearch {
 public:
  KeySearch(const Request& request, std::string_view name)
      : request_(request),
        name_(name),
        document_(text::read_document(std::string(request.schema), {.format = text::Format::kJson})),
        definitions_(document_->root().find("$defs")) {}

  std::vector<NamedKey> run() {
    const auto root = document_->root();
    look_into(request_.definition.empty() ? root : definitions_.find(request_.definition), "");
    return std::move(found_);
  }

 private:
  void look_into(Value structure, const std::string& path) {
    if (const Value aliases = structure.find("x-aliases")) {
      for (const Value alias : aliases.children()) {
        if (equal_ignoring_case(alias.key(), name_)) add_alias(alias.text(), path);
      }
    }
    for (const Value member : structure.find("properties").children()) {
      const std::string here = path + std::string(member.key());
      if (equal_ignoring_case(member.key(), name_)) add({.path = here, .text = std::string(description_of(member))});
      if (takes_value(member)) {
        add({.path = here, .text = std::string(description_of(member)), .use = NamedKey::Use::kValue});
      }
      descend(member, here);
    }
  }

  void descend(Value part, const std::string& path) {
    if (const Value items = part.find("items")) return descend(items, path + "[]");
    constexpr std::string_view kDefinitions = "#/$defs/";
    if (const Value reference = part.find("$ref"))
      part = definitions_.find(reference.text().substr(kDefinitions.size()));
    if (part.find("properties")) look_into(part, path + ".");
  }

  bool takes_value(Value member) const {
    const Value items = member.find("items");
    const Value values = (items ? items : member).find("enum");
    if (!values) return false;
    const auto all = values.children();
    return std::any_of(all.begin(), all.end(), [&](Value one) { return equal_ignoring_case(one.text(), name_); });
  }

  static std::string_view description_of(Value member) {
    const Value description = member.find("description");
    return description ? description.text() : std::string_view();
  }

  /// "resourceRequirements [{...}]": the key, then the form of its value.
  void add_alias(std::string_view meaning, const std::string& path) {
    const auto space = std::min(meaning.find(' '), meaning.size());
    const auto key = meaning.substr(0, space);
    add({.path = key.empty() ? std::string() : path + std::string(key),
         .text = std::string(trim(meaning.substr(space))),
         .use = NamedKey::Use::kAlias});
  }

  void add(NamedKey key) {
    key.request = request_.name;
    key.source = request_.source;
    found_.push_back(std::move(key));
  }

  const Request& request_;
  std::string_view name_;
  std::unique_ptr<const text::Document> document_;
  Value definitions_;
  std::vector<NamedKey> found_;
};

}  // namespace

std::vector<NamedKey> find_named_keys(std::string_view name) {
  std::vector<NamedKey> found;
  for (const auto& request : all_requests()) {
    auto keys = KeySearch(request, name).run();
    std::move(keys.begin(), keys.end(), std::back_inserter(found));
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
