#include "cli/commands/definition_lines.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "text/location.hpp"

namespace bayplan::cli {
namespace {

using text::Value;

constexpr std::size_t kLongestExcerpt = 100;

/// The members at `path` below `value`, through every element of lists.
void add_members(Value value, std::string_view path, const std::string& container, std::vector<Value>& members) {
  if (path.empty()) {
    members.push_back(value);
  } else if (value.is_array()) {
    for (const Value item : value.children()) {
      const Value name = item.is_object() ? item.find("name") : Value();
      const bool is_other =
          !container.empty() && value.key() == "containerDefinitions" && (!name || name.text() != container);
      if (!is_other) add_members(item, path, container, members);
    }
  } else if (value.is_object()) {
    const auto slash = std::min(path.find('/'), path.size());
    const Value member = value.find(path.substr(0, slash));
    if (member && !member.is_null()) {
      add_members(member, slash == path.size() ? "" : path.substr(slash + 1), container, members);
    }
  }
}

/// The name of the container that the sentence names, when the definition has it.
std::string named_container(const rules::Answer& answer, const model::TaskDefinition& task) {
  for (const auto& [slot, value] : answer.values) {
    for (const auto& container : task.container_definitions) {
      if (slot == "container" && container.name && *container.name == value) return value;
    }
  }
  return {};
}

/// A scalar with its key; of an object or list the first line.
std::string excerpt_of(Value member, std::uint32_t offset) {
  const auto text = member.document().source().substr(offset, member.span().end - offset);
  const auto line = text.substr(0, text.find('\n'));
  return shortened_to(trim(line), kLongestExcerpt);
}

/// When a value of the sentence is the whole value of some members, it means these alone: an image, a role.
void keep_named(std::vector<Value>& members, const rules::Answer& answer) {
  const auto is_named = [&](Value member) {
    return std::any_of(answer.values.begin(), answer.values.end(),
                       [&](const auto& one) { return !one.second.empty() && one.second == member.text(); });
  };
  if (std::any_of(members.begin(), members.end(), is_named))
    std::erase_if(members, [&](Value member) { return !is_named(member); });
}

}  // namespace

std::vector<report::DefinitionLine> find_definition_lines(const rules::Answer& answer, const LoadedDefinitions& loaded,
                                                          const std::vector<lint::FileReport>& reports) {
  std::vector<report::DefinitionLine> lines;
  for (std::size_t i = 0; i < loaded.files.size(); ++i) {
    const auto& file = loaded.files[i];
    const std::string_view source = file.document->source();
    const text::LineIndex index(source);
    std::vector<std::pair<std::uint32_t, report::DefinitionLine>> found;
    const auto add = [&](std::uint32_t offset, std::string_view code, std::string text) {
      const auto at = index.location(offset);
      found.push_back({offset, {file.path, at.line, at.column, std::string(code), std::move(text)}});
    };
    for (const auto& finding : reports[i].findings) {
      const bool is_about = std::find(answer.rules.begin(), answer.rules.end(), finding.code) != answer.rules.end();
      if (is_about && !finding.suppression) add(finding.span.begin, finding.code, finding.message);
    }
    for (const auto& definition : loaded.definitions) {
      if (definition.file != i) continue;
      const auto& task = definition.definition.task;
      const auto container = named_container(answer, task);
      std::vector<Value> members;
      for (const auto path : answer.members) add_members(task.node, path, container, members);
      keep_named(members, answer);
      for (const Value member : members) {
        const Span key = member.key_span();
        const auto offset = key.length() > 0 ? key.begin : member.span().begin;
        add(offset, {}, excerpt_of(member, offset));
      }
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [offset, line] : found) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace bayplan::cli
