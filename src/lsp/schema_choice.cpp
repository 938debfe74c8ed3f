#include "lsp/schema_choice.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "importers/cloudformation.hpp"
#include "importers/cloudformation_keys.hpp"
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

namespace {

/// The schema of the request that makes each kind of resource.
std::string_view schema_of(importers::SubjectKind kind) {
  switch (kind) {
    case importers::SubjectKind::kTaskDefinition:
      return "task-definition";
    case importers::SubjectKind::kService:
      return "service";
    case importers::SubjectKind::kCapacityProvider:
      return "capacity-provider";
    case importers::SubjectKind::kCluster:
      return "create-cluster";
    case importers::SubjectKind::kClusterProviders:
      return "put-cluster-capacity-providers";
    case importers::SubjectKind::kTaskSet:
      return "create-task-set";
    case importers::SubjectKind::kDaemon:
      return "create-daemon";
    case importers::SubjectKind::kDaemonTaskDefinition:
      return "register-daemon-task-definition";
    case importers::SubjectKind::kExpressService:
      return "create-express-gateway-service";
    case importers::SubjectKind::kRunTask:
      return "run-task";
  }
  return {};
}

/// Keys that begin with a capital as those of the schema. Maps of the user's own keep theirs.
Path from_template(const Path& path, const SchemaGuide& guide) {
  Path found;
  SchemaObjects said = guide.root();
  for (const auto& step : path) {
    found.push_back(step);
    if (!step.is_element) {
      const auto title = shape::title_of(said);
      for (const auto& property : guide.properties(said)) {
        if (importers::in_cloudformation(property.name, title) == step.key) found.back().key = property.name;
      }
    }
    said = guide.step(said, found.back());
  }
  return found;
}

/// What code writes at a path: the path in the schema, and what may be there if that is not inside of JSON.
struct CodePlace {
  Path path;
  std::vector<importers::Argument> arguments;
  bool is_json = false;
};

std::optional<CodePlace> from_code(const Path& path, std::vector<importers::Argument> arguments) {
  CodePlace place{{}, std::move(arguments)};
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i].is_element) continue;  // a list of blocks that is written as a value; its element is there already
    const auto known = std::find_if(place.arguments.begin(), place.arguments.end(),
                                    [&](const auto& one) { return one.name == path[i].key; });
    if (known == place.arguments.end()) return std::nullopt;
    const importers::Argument argument = *known;
    for (const auto member : argument.members) place.path.push_back({std::string(member), false});
    if (argument.form == importers::Form::kBlocks) place.path.push_back({{}, true});
    place.arguments = importers::arguments_of_block(argument.inner);
    if (!argument.is_json && argument.form != importers::Form::kScalars) continue;
    place.path.insert(place.path.end(), path.begin() + static_cast<std::ptrdiff_t>(i) + 1, path.end());
    place.is_json = true;
    return place;
  }
  return place;
}

/// The type of the resource that the place is in. The text is broken where it is typed, so what was last read of it
/// counts, then what can be read without the line of the cursor.
std::string type_of_resource(const CursorPlace& place, const OpenDocument& document, const Check& check) {
  const auto type_in = [&](const text::Document& read) {
    const text::Value type = read.root().find("Resources").find(place.path[1].key).find("Type");
    return type && type.is_string() ? std::string(type.text()) : std::string();
  };
  if (check.is_linted) {
    if (auto type = type_in(*check.report.document); !type.empty()) return type;
  }
  const std::size_t begin = document.text.rfind('\n', place.word.begin == 0 ? 0 : place.word.begin - 1);
  const std::size_t end = std::min(document.text.find('\n', place.word.end), document.text.size());
  OpenDocument rest{.uri = {}, .folder = {}, .name = document.name, .text = document.text};
  rest.text.erase(begin == std::string::npos ? 0 : begin, end - (begin == std::string::npos ? 0 : begin));
  return type_in(*rest.read());
}

}  // namespace

std::optional<Path> ChosenSchema::in_schema(const Path& path) const {
  if (guide == nullptr || path.size() < passed.size()) return std::nullopt;
  if (!std::equal(passed.begin(), passed.end(), path.begin())) return std::nullopt;
  const Path below(path.begin() + static_cast<std::ptrdiff_t>(passed.size()), path.end());
  if (spelling == importers::Spelling::kPascalCase) return from_template(below, *guide);
  if (spelling == importers::Spelling::kSnakeCase) {
    auto place = from_code(below, arguments);
    return place ? std::optional(std::move(place->path)) : std::nullopt;
  }
  Path whole = above;
  whole.insert(whole.end(), below.begin(), below.end());
  return whole;
}

SchemaObjects ChosenSchema::said(const Path& path) const {
  const auto whole = in_schema(path);
  return whole ? guide->at(*whole) : SchemaObjects();
}

std::vector<Property> ChosenSchema::properties(const Path& path) const {
  const auto whole = in_schema(path);
  if (!whole) return {};
  const SchemaObjects said = guide->at(*whole);
  auto properties = guide->properties(said);
  if (spelling == importers::Spelling::kPascalCase) {
    const auto title = shape::title_of(said);
    for (auto& property : properties) property.name = importers::in_cloudformation(property.name, title);
  }
  if (spelling != importers::Spelling::kSnakeCase) return properties;
  const auto place = from_code(Path(path.begin() + static_cast<std::ptrdiff_t>(passed.size()), path.end()), arguments);
  if (place->is_json) return properties;
  std::vector<Property> written;
  for (const auto& argument : place->arguments) {
    Path member = *whole;
    for (const auto step : argument.members) member.push_back({std::string(step), false});
    const auto required = std::find_if(properties.begin(), properties.end(), [&](const Property& one) {
      return one.is_required && argument.members.size() == 1 && one.name == argument.members.front();
    });
    written.push_back(
        {std::string(argument.name), guide->at(member), required != properties.end(), argument.is_block()});
  }
  return written;
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
  if (lint::is_config_name(document.name)) return {.guide = named("config"), .above = {}, .passed = {}};
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

ChosenSchema SchemaChoice::of_definition(importers::SubjectKind kind) {
  return {.guide = named(schema_of(kind)), .above = {}, .passed = {}};
}

ChosenSchema SchemaChoice::choose_at(const CursorPlace& place, const OpenDocument& document, const Check& check) {
  const Path& path = place.path;
  const auto passed = [&] { return Path(path.begin(), path.begin() + 3); };
  if (document.format() == text::Format::kHcl) {
    if (path.size() < 3 || path[0].key != "resource") return {};
    auto resource = importers::arguments_of_resource(path[1].key);
    if (!resource) return {};
    ChosenSchema schema = of_definition(resource->kind);
    schema.passed = passed();
    schema.spelling = importers::Spelling::kSnakeCase;
    schema.arguments = std::move(resource->arguments);
    return schema;
  }
  const bool is_resource = path.size() >= 2 && path[0].key == "Resources" && !path[1].is_element;
  if (!is_resource) return choose(document, check, place.root_keys);
  if (path.size() < 3 || path[2].key != "Properties") return {};
  const std::string type = type_of_resource(place, document, check);
  for (const auto& known : importers::cloudformation_types()) {
    if (known.name != type) continue;
    ChosenSchema schema = of_definition(known.kind);
    schema.passed = passed();
    schema.spelling = importers::Spelling::kPascalCase;
    return schema;
  }
  return {};
}

}  // namespace bayplan::lsp
