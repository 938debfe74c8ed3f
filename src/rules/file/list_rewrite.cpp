#include "rules/file/list_rewrite.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "importers/cloudformation_keys.hpp"
#include "rules/container/health_command.hpp"
#include "rules/file/short_forms.hpp"
#include "rules/file/written_list.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

using text::Kind;
using text::Value;

bool is_scalar(Value value) {
  return !value.is_object() && !value.is_array() && value.kind() != Kind::kPlaceholder;
}

Rewrite with_edits(std::string text, bool complete, Reshape edits) {
  return {std::move(text), complete, edits ? std::move(*edits) : std::vector<Edit>()};
}

/// `name`, also as CloudFormation and C# spell it.
bool is_spelled(std::string_view key, std::string_view name) {
  return equal_ignoring_case(key, name) && key.substr(1) == name.substr(1);
}

/// The object as the file spells its members.
NewObject spelled(NewObject object, const shape::Rule& element, MemberSpelling spelling) {
  if (spelling == MemberSpelling::kApi) return object;
  for (auto& member : object) member.name = importers::in_cloudformation(member.name, element.title);
  return object;
}

std::vector<NewObject> spelled(std::vector<NewObject> objects, const shape::Rule& element, MemberSpelling spelling) {
  for (auto& object : objects) object = spelled(std::move(object), element, spelling);
  return objects;
}

enum class Reading { kElement, kMap, kUnclear };

/// An object of names and values: `{"name": "A", "value": "1"}` is an element, `{"A": "1"}` a map. A variable may be
/// called NAME.
Reading reading_of_pair(const shape::Rule& element, Value object) {
  std::size_t known = 0, alike = 0;
  for (const Value member : object.children()) {
    const auto key = member.key();
    const auto has = [&](auto same) {
      return std::any_of(element.members.begin(), element.members.end(),
                         [&](const auto& one) { return same(key, one.name); });
    };
    known += has(is_spelled) || element.aliases.contains(key) ? 1U : 0U;
    alike += has(equal_ignoring_case) ? 1U : 0U;
  }
  if (known == 0 && alike < object.size()) return Reading::kMap;
  return known == object.size() && known == element.members.size() ? Reading::kElement : Reading::kUnclear;
}

/// Whether an object was written without its list, or is a map from names to the settings of each.
Reading reading_of(const shape::Rule& element, Value object) {
  if (element.members.size() == 2) return reading_of_pair(element, object);
  for (const Value one : object.children()) {
    const auto same = [&](const shape::Member& known) { return equal_ignoring_case(known.name, one.key()); };
    if (std::any_of(element.members.begin(), element.members.end(), same)) return Reading::kElement;
  }
  return Reading::kMap;
}

/// One object for each member of a map; none unless all can be read.
std::vector<NewObject> objects_from(const shape::Rule& element, Value map) {
  std::vector<NewObject> objects;
  for (const Value pair : map.children()) {
    auto object = read_map_member(element, pair);
    if (!object) return {};
    objects.push_back(std::move(*object));
  }
  return objects;
}

std::string all_as_json(const std::vector<NewObject>& objects) {
  std::vector<std::string> texts;
  for (const auto& object : objects) texts.push_back(as_json(object));
  return join(texts, ", ");
}

std::optional<Rewrite> from_map(const shape::Rule& element, Value map, MemberSpelling spelling) {
  const auto objects = objects_from(element, map);
  if (objects.empty()) return std::nullopt;
  return with_edits("[" + all_as_json(objects) + "]", true, map_to_list(map, spelled(objects, element, spelling)));
}

std::optional<Rewrite> from_object(const shape::Rule& element, Value object, MemberSpelling spelling) {
  switch (reading_of(element, object)) {
    case Reading::kMap:
      return from_map(element, object, spelling);
    case Reading::kElement:
      return with_edits("[" + std::string(text::find_source(object)) + "]", true, put_in_list(object));
    case Reading::kUnclear:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Rewrite> from_scalar(const shape::Rule& element, Value value, MemberSpelling spelling) {
  const auto form = read_short_form(element, value.text());
  if (!form) return std::nullopt;
  return with_edits(
      "[" + as_json(form->object) + "]", form->certain,
      replace_scalar(value, "[" + in_format(value.document(), spelled(form->object, element, spelling)) + "]"));
}

/// All of them or none: the others would be the same finding again.
std::optional<Rewrite> from_elements(const shape::Rule& element, Value found, const model::Placeholders& placeholders,
                                     MemberSpelling spelling) {
  const auto own = read_short_form(element, found.text());
  if (!own) return std::nullopt;
  Rewrite result{as_json(own->object), true, {}};
  for (const Value value : found.parent().children()) {
    const bool is_left_open = placeholders.find(value.text()) == value.text();  // may be an object
    if (!is_scalar(value) || value.is_null() || is_left_open) continue;
    const auto form = placeholders.holds(value) ? std::nullopt : read_short_form(element, value.text());
    const auto edits =
        form ? replace_scalar(value, in_format(value.document(), spelled(form->object, element, spelling)))
             : std::nullopt;
    if (!edits) return Rewrite{result.text, false, {}};
    result.complete = result.complete && form->certain;
    result.edits.insert(result.edits.end(), edits->begin(), edits->end());
  }
  return result;
}

std::string exec_form(std::string_view text) {
  return json_list(words_in(text));
}

/// "a, b" and "a b" are likely two.
std::optional<Rewrite> listed(std::string_view text) {
  std::string line(trim(text));
  if (line.empty()) return std::nullopt;
  const bool is_one = line.find_first_of(", \t\n") == std::string::npos;
  std::replace(line.begin(), line.end(), ',', ' ');
  return Rewrite{is_one ? json_list({std::string(text)}) : exec_form(line), is_one, {}};
}

/// A command line as a list. Blanks part the arguments, unless a shell would see more in the line.
std::optional<Rewrite> command_line(std::string_view key, std::string_view text) {
  if (key == "healthCheck") {
    const auto command = read_health_command(text);
    return command ? std::optional(Rewrite{json_list(command->words), command->certain, {}}) : std::nullopt;
  }
  if (const auto list = read_written_list(text)) return Rewrite{json_list(*list), true, {}};
  if (key != "command" && key != "entryPoint") return listed(text);
  if (!needs_shell(text)) return Rewrite{exec_form(text), false, {}};
  if (key == "entryPoint") return std::nullopt;
  return Rewrite{"[\"sh\", \"-c\", " + json_quoted(text) + "]", false, {}};
}

std::optional<Rewrite> strings_from(const shape::ShapeFinding& finding) {
  const Value value = finding.node;
  const bool is_health_check = finding.key == "command" && value.parent() && value.parent().key() == "healthCheck";
  auto result = command_line(is_health_check ? "healthCheck" : finding.key, value.text());
  if (!result) return std::nullopt;
  auto edits = replace_scalar(value, result->text);
  if (edits) result->edits = std::move(*edits);
  return result;
}

}  // namespace

std::optional<Rewrite> as_elements(const shape::ShapeFinding& finding, MemberSpelling spelling) {
  const auto objects = objects_from(*finding.wanted, finding.node);
  if (objects.empty()) return std::nullopt;
  return with_edits(all_as_json(objects), true,
                    spread_element(finding.node, spelled(objects, *finding.wanted, spelling)));
}

std::optional<Rewrite> as_list(const shape::ShapeFinding& finding, const model::Placeholders& placeholders,
                               MemberSpelling spelling) {
  const Value value = finding.node;
  const auto* element = finding.wanted->elements;
  if (element == nullptr) return std::nullopt;
  if (element->types.only(Kind::kObject)) {
    if (value.is_object()) return from_object(*element, value, spelling);
    if (!is_scalar(value)) return std::nullopt;
    const bool is_element = value.parent() && value.parent().is_array();
    return is_element ? from_elements(*element, value, placeholders, spelling) : from_scalar(*element, value, spelling);
  }
  if (!element->types.only(Kind::kString) || !is_scalar(value)) return std::nullopt;
  return strings_from(finding);
}

}  // namespace bayplan::rules
