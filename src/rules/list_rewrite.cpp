#include "rules/list_rewrite.hpp"

#include <algorithm>
#include <vector>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

using text::Kind;
using text::Value;

bool is_scalar(Value value) {
  return !value.is_object() && !value.is_array() && value.kind() != Kind::kPlaceholder;
}

std::string member(std::string_view key, const std::string& value) {
  return json_quoted(key) + ": " + value;
}

/// An object that was written without its list: some of its keys are those of an element.
bool is_lone_element(const shape::Rule& element, Value object) {
  for (const Value one : object.children()) {
    const auto same = [&](const shape::Member& known) { return equal_ignoring_case(known.name, one.key()); };
    if (std::any_of(element.members.begin(), element.members.end(), same)) return true;
  }
  return false;
}

/// `"A": "1"` as `{"name": "A", "value": "1"}`: the first two members of the element take the key and the value.
std::optional<std::string> entry(const shape::Rule& element, Value pair) {
  if (element.members.size() != 2 || !is_scalar(pair) || pair.is_null()) return std::nullopt;
  const auto& [name, value] = std::pair{element.members[0], element.members[1]};
  if (!name.rule->types.only(Kind::kString) || !value.rule->types.only(Kind::kString)) return std::nullopt;
  return "{" + member(name.name, json_quoted(pair.key())) + ", " + member(value.name, json_quoted(pair.text())) + "}";
}

std::optional<Rewrite> from_map(const shape::Rule& element, Value map) {
  std::vector<std::string> entries;
  for (const Value pair : map.children()) {
    const auto one = entry(element, pair);
    if (!one) return std::nullopt;
    entries.push_back(*one);
  }
  if (entries.empty()) return std::nullopt;
  return Rewrite{"[" + join(entries, ", ") + "]", true};
}

/// What people write in one string: "80:80" for a port mapping, "A=1" for a variable, a name for a dependency.
std::optional<std::string> entry_of_text(const shape::Rule& element, std::string_view text) {
  if (element.find("containerPort") != nullptr) {
    const auto parts = split(text, ':');
    if (parts.size() > 2 || !to_integer(parts.front()) || !to_integer(parts.back())) return std::nullopt;
    std::string entry = "{" + member("containerPort", std::string(parts.back()));
    if (parts.size() == 2) entry += ", " + member("hostPort", std::string(parts.front()));
    return entry + "}";
  }
  if (element.find("condition") != nullptr) {
    return "{" + member("containerName", json_quoted(text)) + ", " + member("condition", "\"START\"") + "}";
  }
  const auto equals = text.find('=');
  if (element.members.size() == 2 && element.members[0].name == "name" && equals != std::string_view::npos) {
    return "{" + member("name", json_quoted(text.substr(0, equals))) + ", " +
           member(element.members[1].name, json_quoted(text.substr(equals + 1))) + "}";
  }
  return std::nullopt;
}

std::string exec_form(std::string_view text) {
  std::vector<std::string> words;
  for (const auto word : split(text, ' ')) {
    if (!word.empty()) words.push_back(json_quoted(word));
  }
  return "[" + join(words, ", ") + "]";
}

/// A command line as a list. Blanks part the arguments, unless a shell would see more in the line.
std::optional<Rewrite> command_line(std::string_view key, Value value) {
  const auto text = value.text();
  const bool needs_shell = text.find_first_of("'\"`$&|;<>()*?\\\n") != std::string_view::npos;
  if (key == "healthCheck") return Rewrite{"[\"CMD-SHELL\", " + json_quoted(text) + "]", true};
  if (key == "command" && needs_shell) return Rewrite{"[\"sh\", \"-c\", " + json_quoted(text) + "]", false};
  if (key == "command" || key == "entryPoint") {
    if (needs_shell) return std::nullopt;
    return Rewrite{exec_form(text), false};
  }
  return Rewrite{"[" + json_quoted(text) + "]", true};
}

}  // namespace

std::optional<Rewrite> as_list(const shape::ShapeFinding& finding) {
  const Value value = finding.node;
  const auto* element = finding.wanted->elements;
  if (element == nullptr) return std::nullopt;
  const bool is_element =
      value.parent() && value.parent().is_array() && finding.wanted->types.only(Kind::kArray) && is_scalar(value);
  if (element->types.only(Kind::kObject)) {
    if (is_scalar(value)) {
      const auto one = entry_of_text(*element, value.text());
      if (!one) return std::nullopt;
      return Rewrite{is_element ? *one : "[" + *one + "]", element->find("condition") == nullptr};
    }
    if (!value.is_object()) return std::nullopt;
    if (!is_lone_element(*element, value)) return from_map(*element, value);
    return Rewrite{"[" + std::string(text::source_of(value)) + "]", true};
  }
  if (!element->types.only(Kind::kString) || !is_scalar(value)) return std::nullopt;
  const bool is_health_check = finding.key == "command" && value.parent() && value.parent().key() == "healthCheck";
  return command_line(is_health_check ? "healthCheck" : finding.key, value);
}

}  // namespace bayplan::rules
