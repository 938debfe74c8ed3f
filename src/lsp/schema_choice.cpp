#include "lsp/schema_choice.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "report/schemas.hpp"

namespace bayplan::lsp {
namespace {

using rules::FileKind;

std::string_view schema_of(FileKind kind) {
  switch (kind) {
    case FileKind::kTaskDefinition:
    case FileKind::kDescribe:
    case FileKind::kContainerDefinitions:
      return "task-definition";
    case FileKind::kService:
      return "service";
    case FileKind::kRunTask:
      return "run-task";
    default:
      return {};
  }
}

/// What people call these files; of a file that says nothing yet its name is all that there is.
std::string_view schema_by_name(std::string_view file) {
  std::string letters;
  for (const char c : lower(file.substr(0, file.rfind('.')))) {
    if (c >= 'a' && c <= 'z') letters += c;
  }
  const auto has = [&](std::string_view word) { return letters.find(word) != std::string::npos; };
  if (has("taskdef") || has("containerdef")) return "task-definition";
  for (const std::string_view name : {"scenario", "cluster", "grid"}) {
    if (has(name)) return name;
  }
  return {};
}

}  // namespace

SchemaObjects ChosenSchema::said(const Path& path) const {
  if (guide == nullptr || path.size() < passed.size()) return {};
  if (!std::equal(passed.begin(), passed.end(), path.begin())) return {};
  Path whole = above;
  whole.insert(whole.end(), path.begin() + static_cast<std::ptrdiff_t>(passed.size()), path.end());
  return guide->at(whole);
}

const SchemaGuide* SchemaChoice::named(std::string_view name) {
  if (name.empty()) return nullptr;
  auto& place = guides_[std::string(name)];
  if (place) return place.get();
  for (const auto& schema : report::schemas()) {
    if (schema.name == name) place = std::make_unique<const SchemaGuide>(schema.text);
  }
  return place.get();
}

/// The schema that knows most of the keys, if it knows more than half of them.
const SchemaGuide* SchemaChoice::best_for(const std::set<std::string>& root_keys) {
  const SchemaGuide* best = nullptr;
  std::size_t most = root_keys.size() / 2;
  for (const char* const name : {"task-definition", "service", "run-task", "scenario", "cluster", "grid"}) {
    const SchemaGuide* guide = named(name);
    const auto known = static_cast<std::size_t>(
        std::count_if(root_keys.begin(), root_keys.end(), [&](const auto& key) { return guide->has_property(key); }));
    if (known <= most) continue;
    most = known;
    best = guide;
  }
  return best;
}

ChosenSchema SchemaChoice::choose(const OpenDocument& document, const Check& check,
                                  const std::set<std::string>& root_keys) {
  if (lint::is_config_name(document.name)) return {named("config"), {}, {}};
  const FileKind kind = check.is_linted ? check.report.kind : FileKind::kUnrecognized;
  if (kind == FileKind::kContainerDefinitions) {
    Path above{{"containerDefinitions", false}};
    if (check.report.document->root().is_object()) above.push_back({"0", true});
    return {named("task-definition"), std::move(above), {}};
  }
  if (kind == FileKind::kDescribe && root_keys.contains("taskDefinition")) {
    return {named("task-definition"), {}, {{"taskDefinition", false}}};
  }
  if (const SchemaGuide* best = best_for(root_keys)) return {best, {}, {}};
  const bool is_new = root_keys.empty();
  const auto by_name = schema_by_name(document.name);
  return {named(is_new && !by_name.empty() ? by_name : schema_of(kind)), {}, {}};
}

}  // namespace bayplan::lsp
