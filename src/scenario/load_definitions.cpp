// taskDefinitions -> definitions with a revision, a requirement and their constraints.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/expand_glob.hpp"
#include "base/strings.hpp"
#include "capacity/uncountable.hpp"
#include "model/bind_document.hpp"
#include "scenario/loading.hpp"
#include "shape/sources.hpp"

namespace bayplan::scenario {

namespace {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// Files that match the path `written` in a file, as `bayplan::expand_glob` reads it; the path itself when it is no
/// pattern. An error at `written` where there is none, or where a folder cannot be looked into or is out of reach.
std::vector<std::string> definition_paths(shape::Sources& sources, text::Value written) {
  const std::string pattern = shape::relative_to(sources.file_of(written), written.text());
  if (!is_path_glob(pattern)) return {pattern};
  const std::size_t errors = sources.error_count();
  const Files& files = sources.files();
  // None of what is out of reach: not even its names are told.
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

/// Every member whose value is a placeholder, or no amount, is told; a simulation needs them all.
void check_known(Loading& loading, const TaskDefinition& definition) {
  for (const auto& member : definition.requirement.unknown) {
    loading.sources.fail(definition.definition.node,
                         fmt::format("{} of task definition '{}' is a placeholder", member, definition.family),
                         "a simulation needs its value");
  }
  for (const auto& size : capacity::uncountable_sizes(definition.definition))
    loading.sources.fail(size.at, size.message, size.help);
}

void add_definition(Loading& loading, model::TaskDefinition bound, const std::string& family) {
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
    return;
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
  check_known(loading, definition);
  loading.list_definitions[family][definition.revision] = static_cast<std::uint32_t>(scenario.task_definitions.size());
  scenario.task_definitions.push_back(std::move(definition));
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
  const std::size_t before = loading.scenario.task_definitions.size();
  add_definition(loading, std::move(bound), family);
  if (loading.scenario.task_definitions.size() > before) loading.scenario.task_definitions.back().is_registered = true;
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
  add_definition(loading, std::move(bound), family);
}

void add_path(Loading& loading, Value written) {
  for (const auto& path : definition_paths(loading.sources, written)) add_definition_file(loading, path, written);
}

}  // namespace

std::optional<std::uint32_t> add_definition_file(Loading& loading, const std::string& path, Value from) {
  const text::Document* document = loading.sources.read_definition(path, from);
  if (document == nullptr) return std::nullopt;
  auto bound = model::bind_document(*document, loading.placeholders);
  if (bound.empty()) {
    loading.sources.fail(document->root(), "no task definition in this file",
                         "a task definition has containerDefinitions");
  }
  const std::size_t before = loading.scenario.task_definitions.size();
  for (auto& definition : bound) {
    const std::string family = definition.family.known() ? std::string(*definition.family) : file_stem(path);
    add_definition(loading, std::move(definition), family);
  }
  const std::size_t after = loading.scenario.task_definitions.size();
  return after == before ? std::nullopt : std::optional(static_cast<std::uint32_t>(after - 1));
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

}  // namespace

Result<std::uint32_t> find_definition(const Loading& loading, std::string_view reference) {
  const std::string_view wanted = reference.substr(reference.rfind('/') + 1);
  const std::size_t colon = wanted.rfind(':');
  const std::string_view family = wanted.substr(0, colon);
  if (colon != std::string_view::npos) {
    if (const auto found = definition_named(loading, wanted)) return *found;
  } else if (const auto& known = list_definitions(loading, family); !known.empty()) {
    return known.rbegin()->second;
  }
  return Error{.message = fmt::format("no task definition '{}'", reference),
               .help = help_for_definition(loading, family),
               .id = "definition-unknown"};
}

}  // namespace bayplan::scenario
