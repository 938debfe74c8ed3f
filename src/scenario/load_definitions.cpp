// taskDefinitions -> definitions with a revision, a requirement and their constraints.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/expand_glob.hpp"
#include "base/file_part.hpp"
#include "base/strings.hpp"
#include "capacity/unknown_members.hpp"
#include "importers/definition_file.hpp"
#include "importers/terraform.hpp"
#include "importers/terraform_code.hpp"
#include "scenario/definition_faults.hpp"
#include "scenario/loading.hpp"
#include "shape/sources.hpp"

namespace bayplan::scenario {

namespace {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// Files that match `pattern`, which is written in the file at `written`, as `bayplan::expand_glob` reads it; the path
/// itself when it is no pattern. An error at `written` where there is none, or where a folder cannot be looked into or
/// is out of reach.
std::vector<std::string> definition_paths(shape::Sources& sources, text::Value written, const std::string& pattern) {
  if (!is_path_glob(pattern)) return {pattern};
  const std::size_t errors = sources.error_count();
  const Files& files = sources.files();
  // No files outside of the allowed folders: not even their names are printed.
  const auto names_in = [&](const std::string& folder) -> std::vector<std::string> {
    if (!sources.may_name(written, folder)) return {};
    auto names = files.list(folder);
    if (names) return std::move(*names);
    if (files.is_folder(folder))
      sources.fail(written, fmt::format("{}: {}", folder, names.error().message), names.error().help);
    return {};
  };
  auto found = bayplan::expand_glob(pattern, GlobMatches::kFiles, files, names_in);
  if (found.empty() && sources.error_count() == errors)
    sources.fail(written, fmt::format("no file matches '{}'", written.text()));
  return found;
}

}  // namespace

using text::Value;

namespace {

/// Indices of the family's definitions, by revision.
const std::map<std::int64_t, std::uint32_t>& list_definitions(const Loading& loading, std::string_view family) {
  static const std::map<std::int64_t, std::uint32_t> kNone;
  const auto found = loading.list_definitions.find(family);
  return found == loading.list_definitions.end() ? kNone : found->second;
}

std::int64_t newest_revision(const Loading& loading, std::string_view family) {
  const auto& definitions = list_definitions(loading, family);
  return definitions.empty() ? 0 : std::max<std::int64_t>(0, definitions.rbegin()->first);
}

std::string file_stem(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.substr(0, name.find('.'));
}

void fail_at_faults(Loading& loading, const std::vector<DefinitionFault>& faults) {
  for (const auto& fault : faults) loading.sources.fail(fault.at, fault.message, fault.help);
}

/// A definition that is no part of a file of definitions: of a scenario's list, of a live cluster.
std::vector<DefinitionFault> find_faults_of_plain(const model::TaskDefinition& task, const std::string& family) {
  importers::FileDefinition definition;
  definition.task = task;
  return find_definition_faults({}, definition, family);
}

/// Nothing with the error noted when the revision is there already.
std::optional<std::uint32_t> add_definition(Loading& loading, model::TaskDefinition bound, const std::string& family) {
  Scenario& scenario = loading.scenario;
  TaskDefinition definition;
  definition.family = family;
  const std::int64_t newest = newest_revision(loading, family);
  definition.revision = bound.revision.value.value_or(newest + 1);
  definition.name = family + ":" + std::to_string(definition.revision);
  definition.origin = find_origin(loading.sources, bound.node);
  if (const auto index = definition_named(loading, definition.name)) {
    const auto& known = scenario.task_definitions[*index];
    loading.sources.fail(bound.revision.node,  // one that is counted is a new one
                         fmt::format("duplicate task definition '{}'", definition.name),
                         fmt::format("first in {}, line {}", known.origin.file, known.origin.line));
    return std::nullopt;
  }
  if (newest > 0 && !bound.revision.known()) {
    assume(
        scenario, "revision-counted", definition.name,
        fmt::format("{}: revision of {} not stated; {} assumed", definition.origin.file, family, definition.revision));
  }
  definition.requirement = capacity::requirement_of(bound);
  definition.requirement.family = family;
  for (const auto& constraint : bound.placement_constraints) {
    if (auto resolved = resolve_constraint(loading, constraint)) definition.constraints.push_back(std::move(*resolved));
  }
  for (const auto& container : bound.container_definitions) {
    definition.container_names.emplace_back(container.name.value.value_or(""));
  }
  definition.definition = std::move(bound);
  const auto index = static_cast<std::uint32_t>(scenario.task_definitions.size());
  loading.list_definitions[family][definition.revision] = index;
  scenario.task_definitions.push_back(std::move(definition));
  return index;
}

/// Members in any order.
bool is_same(Value one, Value other) {
  if (!one || !other || one.kind() != other.kind()) return !one && !other;
  if (one.size() != other.size() || one.text() != other.text()) return false;
  if (one.is_object()) {
    for (const Value member : one.children()) {
      if (!is_same(member, other.find(member.key()))) return false;
    }
  }
  for (std::size_t i = 0; one.is_array() && i < one.size(); ++i) {
    if (!is_same(one.at(i), other.at(i))) return false;
  }
  return true;
}

/// A revision never changes once it is registered; its status and its tags do.
bool is_same_revision(Value one, Value other) {
  constexpr std::string_view kFixed[] = {
      "containerDefinitions", "cpu", "memory", "networkMode", "placementConstraints", "runtimePlatform", "volumes"};
  return std::all_of(std::begin(kFixed), std::end(kFixed),
                     [&](std::string_view key) { return is_same(one.find(key), other.find(key)); });
}

/// Nothing where the revision is not known yet; else it is passed over, or refused where the two differ.
bool is_known_revision(Loading& loading, Value definition, const std::string& family, std::int64_t revision) {
  const auto& known = list_definitions(loading, family);
  const auto found = known.find(revision);
  if (found == known.end()) return false;
  const auto& first = loading.scenario.task_definitions[found->second];
  if (first.is_registered && !is_same_revision(definition, first.definition.node)) {
    loading.sources.fail(definition, fmt::format("{} has two different descriptions", first.name),
                         fmt::format("first in {}, line {}; keep one of them", first.origin.file, first.origin.line));
  }
  return true;
}

}  // namespace

void add_described_definition(Loading& loading, Value definition) {
  auto bound = model::bind_task_definition(definition, loading.placeholders);
  if (!bound.family.known()) return loading.sources.fail(definition, "the task definition has no family");
  const std::string family(*bound.family);
  if (bound.revision.known() && is_known_revision(loading, definition, family, *bound.revision)) return;
  const auto faults = find_faults_of_plain(bound, family);
  const auto index = add_definition(loading, std::move(bound), family);
  if (!index) return;
  fail_at_faults(loading, faults);
  loading.scenario.task_definitions[*index].is_registered = true;
}

namespace {

/// The definition in `object`, or in its `taskDefinition` as describe output has it.
void add_inline(Loading& loading, Value object) {
  const Value inner = object.find("taskDefinition");
  auto bound = model::bind_task_definition(inner && inner.is_object() ? inner : object, loading.placeholders);
  if (!bound.container_definitions.present()) {
    return loading.sources.fail(object, "no task definition here: containerDefinitions is missing");
  }
  if (!bound.family.known())
    return loading.sources.fail(object, "the task definition has no family", "add family: NAME");
  const std::string family(*bound.family);
  const auto faults = find_faults_of_plain(bound, family);
  if (add_definition(loading, std::move(bound), family)) fail_at_faults(loading, faults);
}

/// Reads the file; null with the errors noted.
const text::Document* read_document(Loading& loading, const std::string& path, Value from) {
  auto& sources = loading.sources;
  if (importers::is_large_plan(sources.files(), path, sources.limits()))
    return sources.read_parts(path, from, importers::matters_to_terraform);
  return sources.read_definition(path, from);
}

/// The definitions of a file; nothing with the errors noted. `from`: the value that names the file, if any.
std::optional<importers::DefinitionFile> read_file(Loading& loading, const std::string& path, Value from) {
  if (importers::is_terraform_module(loading.sources.files(), path)) {
    const auto* module = read_code(loading, path, from);
    return module != nullptr ? std::optional(definitions_of_code(loading, *module, path)) : std::nullopt;
  }
  if (importers::is_terraform_code(path)) {
    loading.sources.fail(importers::terraform_code_error(path));
    return std::nullopt;
  }
  const auto* document = read_document(loading, path, from);
  if (document == nullptr) return std::nullopt;
  if (importers::definition_form(document->root()) == importers::DefinitionForm::kTemplate &&
      !take_parameters(loading, path, document->root()))
    return std::nullopt;
  return read_definitions(loading, *document, path);
}

/// Constraints of a template's definition that are unknown go to `faults`: they cannot be parsed.
void take_unknown_constraints(const importers::DefinitionFile& file, const std::string& name,
                              model::TaskDefinition& task, std::vector<DefinitionFault>& faults) {
  const auto what = fmt::format("{} of task definition '{}'", spelled_path("placementConstraints", file.form), name);
  std::vector<capacity::UnknownMember> unknown;
  capacity::add_unknown_elements(task.placement_constraints.node, {}, unknown);
  std::erase_if(task.placement_constraints.items, [&](const model::PlacementConstraint& constraint) {
    for (const auto* field : {&constraint.type, &constraint.expression}) {
      if (!field->unknown()) continue;
      unknown.push_back({{}, field->node});
      return true;
    }
    return false;
  });
  for (const auto& member : unknown) faults.push_back(unknown_in_template(file, member.node, what));
}

/// An error of the whole file: where the file is named, or at its beginning.
void fail_in_file(Loading& loading, const importers::DefinitionFile& file, const Error& error) {
  loading.sources.fail(file.document->root(), error.message, error.help);
}

}  // namespace

importers::DefinitionFile read_definitions(const Loading& loading, const text::Document& document,
                                           const std::string& path) {
  const std::shared_ptr<const text::Document> kept_by_sources(std::shared_ptr<const text::Document>(), &document);
  return importers::read_definition_file(kept_by_sources, path, loading.parameters, loading.placeholders,
                                         loading.sources.limits());
}

std::optional<std::uint32_t> add_definition_of(Loading& loading, const importers::DefinitionFile& file,
                                               const importers::FileDefinition& definition) {
  const bool is_plain = file.form == importers::DefinitionForm::kPlain;
  const std::string& path = importers::file_of(file, *definition.document);
  if (!is_plain) loading.sources.add(definition.document, path, 1);
  const std::string family = !definition.family.empty() ? definition.family
                             : is_plain                 ? file_stem(file.path)
                                                        : definition.name;
  auto faults = find_definition_faults(file, definition, is_plain ? family : definition.name);
  auto task = definition.task;
  if (!is_plain) take_unknown_constraints(file, definition.name, task, faults);
  const auto index = add_definition(loading, std::move(task), family);
  if (!index) return std::nullopt;
  if (!is_plain) {
    loading.scenario.task_definitions[*index].origin.file = fmt::format("{}#{}", path, definition.name);
    loading.names_in_files.emplace(*index, Loading::NameInFile{file.path, definition.name});
  }
  if (is_plain) {
    fail_at_faults(loading, faults);
  } else if (!faults.empty()) {
    loading.faults_if_used.emplace(*index, std::move(faults));
  }
  return index;
}

void add_definitions_of_file(Loading& loading, const FilePart& part, Value from) {
  const auto file = read_file(loading, part.file, from);
  if (!file) return;
  const auto chosen = file->definitions.empty() ? Result<std::vector<std::size_t>>(importers::no_definition_in(*file))
                                                : importers::find_definitions(*file, part.name);
  if (!chosen) return fail_in_file(loading, *file, chosen.error());
  for (const auto index : *chosen) add_definition_of(loading, *file, file->definitions[index]);
}

namespace {

/// "defs/*.json", "stack.yaml#Web"
void add_path(Loading& loading, Value written) {
  const auto part =
      parse_file_part(shape::relative_to(loading.sources.file_of(written), written.text()), loading.sources.files());
  for (const auto& path : definition_paths(loading.sources, written, part.file))
    add_definitions_of_file(loading, {path, part.name}, written);
}

}  // namespace

void add_definition_file(Loading& loading, const std::string& reference) {
  add_definitions_of_file(loading, parse_file_part(reference, loading.sources.files()), {});
}

std::optional<std::uint32_t> add_one_definition(Loading& loading, const std::string& reference) {
  const auto part = parse_file_part(reference, loading.sources.files());
  const auto file = read_file(loading, part.file, {});
  if (!file) return std::nullopt;
  const auto chosen = importers::find_one_definition(*file, part.name);
  if (!chosen) {
    fail_in_file(loading, *file, chosen.error());
    return std::nullopt;
  }
  const auto index = add_definition_of(loading, *file, file->definitions[*chosen]);
  if (index) loading.used_definitions.insert(*index);
  return index;
}

void check_used_definitions(Loading& loading) {
  for (const auto index : loading.used_definitions) {
    const auto found = loading.faults_if_used.find(index);
    if (found != loading.faults_if_used.end()) fail_at_faults(loading, found->second);
  }
}

void add_task_definitions(Loading& loading, Value list) {
  if (!list) return;
  for (const Value item : list.children()) {
    if (item.is_object()) {
      add_inline(loading, item);
    } else {
      add_path(loading, item);
    }
  }
}

std::optional<std::uint32_t> definition_named(const Loading& loading, std::string_view name) {
  const std::size_t colon = std::min(name.rfind(':'), name.size());
  const auto revision = to_integer(name.substr(std::min(colon + 1, name.size())));
  const auto& definitions = list_definitions(loading, name.substr(0, colon));
  const auto found = revision ? definitions.find(*revision) : definitions.end();
  const bool is_it = found != definitions.end() && loading.scenario.task_definitions[found->second].name == name;
  return is_it ? std::optional(found->second) : std::nullopt;
}

namespace {

/// What there is instead of the definition, as far as that is a few.
std::string help_for_definition(const Loading& loading, std::string_view family) {
  constexpr std::size_t kMaxTold = 8;
  const auto& definitions = loading.scenario.task_definitions;
  if (const auto& known = list_definitions(loading, family); !known.empty()) {
    std::vector<std::string_view> names;
    for (auto one = known.rbegin(); one != known.rend() && names.size() < kMaxTold; ++one) {
      names.insert(names.begin(), definitions[one->second].name);
    }
    return fmt::format("there is {}{}", one_of(names, "and"), known.size() > kMaxTold ? ", and older ones" : "");
  }
  if (!gives_hints(loading)) return {};
  std::vector<std::string_view> families;
  for (const auto& definition : definitions) families.push_back(definition.family);
  if (const auto near = nearest(family, families)) return fmt::format("did you mean '{}'?", *near);
  if (families.empty()) return "list its file under taskDefinitions";
  if (families.size() > kMaxTold) return {};
  return "there " + std::string(families.size() == 1 ? "is " : "are ") + one_of(families, "and");
}

/// The only definition that a template or plan calls so.
std::optional<std::uint32_t> definition_called(const Loading& loading, std::string_view name) {
  std::optional<std::uint32_t> found;
  for (const auto& [index, own] : loading.names_in_files) {
    if (own.name != name) continue;
    if (found) return std::nullopt;
    found = index;
  }
  return found;
}

std::optional<std::uint32_t> definition_meant(const Loading& loading, std::string_view reference) {
  const std::string_view wanted = reference.substr(reference.rfind('/') + 1);
  const std::size_t colon = wanted.rfind(':');
  if (colon != std::string_view::npos) {
    if (const auto found = definition_named(loading, wanted)) return found;
  } else if (const auto& known = list_definitions(loading, wanted); !known.empty()) {
    return known.rbegin()->second;
  }
  return definition_called(loading, reference);
}

}  // namespace

Result<std::uint32_t> find_definition(Loading& loading, std::string_view reference) {
  const auto found = definition_meant(loading, reference);
  if (found) {
    loading.used_definitions.insert(*found);
    return *found;
  }
  const std::string_view wanted = reference.substr(reference.rfind('/') + 1);
  return Error{.message = fmt::format("no task definition '{}'", reference),
               .help = help_for_definition(loading, wanted.substr(0, wanted.rfind(':'))),
               .id = "definition-unknown"};
}

}  // namespace bayplan::scenario
