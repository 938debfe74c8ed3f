#include "lsp/own_files.hpp"

#include <algorithm>

#include "report/schemas.hpp"
#include "shape/sources.hpp"
#include "text/read.hpp"

namespace bayplan::lsp {
namespace {

using text::Value;

/// Most texts of an editor are none of these, and are not read for it.
bool may_be_own(std::string_view text) {
  constexpr std::string_view kWords[] = {"containerInstances", "taskDefinitions", "axes"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// A page of describe-container-instances has the same list.
bool is_described(Value instances) {
  return instances.size() > 0 && instances.at(0).is_object() && instances.at(0).find("containerInstanceArn");
}

/// Empty for what is no file of bayplan.
std::string_view schema_name_of(Value root) {
  if (!root || !root.is_object()) return {};
  if (root.find("scenario") && root.find("axes")) return "grid";
  const bool places = root.find("services") || root.find("tasks") || root.find("events");
  if (root.find("taskDefinitions") && (root.find("cluster") || places)) return "scenario";
  const Value instances = root.find("containerInstances");
  return instances && instances.is_array() && !is_described(instances) ? "cluster" : "";
}

std::string_view schema_named(std::string_view name) {
  for (const auto& schema : report::schemas()) {
    if (schema.name == name) return schema.text;
  }
  return {};
}

}  // namespace

std::vector<Error> errors_of_own_file(const OpenDocument& document, const Files& files) {
  if (!may_be_own(document.text)) return {};
  const auto repaired = text::read_document(
      document.text, {.format = text::format_of_name(document.name), .limits = {}, .comments_allowed = true});
  const auto schema = schema_named(schema_name_of(repaired->root()));
  if (schema.empty()) return {};
  shape::Sources sources(files, Limits{});
  if (const auto* read = sources.read_snapshot(document.name, {})) sources.check_shape(schema, read->root());
  return std::move(sources).take_errors();
}

}  // namespace bayplan::lsp
