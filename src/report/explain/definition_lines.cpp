#include "report/explain/definition_lines.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "text/location.hpp"

namespace bayplan::report {
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

bool is_name_part(char c) {
  return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '/' || c == ':';
}

/// Where the text has the value as a whole word.
std::size_t find_word(std::string_view text, std::string_view value, std::size_t from = 0) {
  for (auto at = text.find(value, from); at != std::string_view::npos; at = text.find(value, at + 1)) {
    const auto end = at + value.size();
    const bool begins = at == 0 || !is_name_part(text[at - 1]) || text[at - 1] == ':';
    if (begins && (end == text.size() || !is_name_part(text[end]) || text[end] == ':')) return at;
  }
  return std::string_view::npos;
}

/// Whether the text names the value as a container, volume or port. "app" alone is a word of any sentence, so the noun
/// has to be before it: container app, container 'app', container port 8080.
bool names_after(std::string_view text, std::string_view noun, std::string_view value) {
  constexpr std::size_t kFarthest = 12;  // " named '", "(s) ["
  const auto lowered = lower(text);
  for (auto at = find_word(text, value); at != std::string_view::npos; at = find_word(text, value, at + 1)) {
    const auto begin = at - std::min(at, noun.size() + kFarthest);
    if (lowered.substr(begin, at - begin).find(noun) != std::string::npos) return true;
  }
  return false;
}

/// The name of the container that the sentence or the text names, when the definition has it.
std::string named_container(const rules::Answer& answer, std::string_view said, const model::TaskDefinition& task) {
  std::string named;
  for (const auto& container : task.container_definitions) {
    if (!container.name || container.name->empty()) continue;
    const auto slot = answer.values.find("container");
    if (slot != answer.values.end() && slot->second == *container.name) return slot->second;
    if (named.empty() && names_after(said, "container", *container.name)) named = *container.name;
  }
  return named;
}

/// Members below `value` that the text names: a name of a container or volume, a port, and whatever is long enough to
/// be no other word (image, ARN, path, ID, log group).
void add_named_members(Value value, std::string_view said, const std::string& container, std::vector<Value>& named) {
  constexpr std::size_t kUnmistakable = 8;
  if (value.is_array() || value.is_object()) {
    for (const Value child : value.children()) {
      const bool is_other = value.key() == "containerDefinitions" && !container.empty() && child.is_object() &&
                            (!child.find("name") || child.find("name").text() != container);
      if (!is_other) add_named_members(child, said, container, named);
    }
    return;
  }
  const auto text = value.text();
  const auto key = value.key();
  if (text.empty()) return;
  const bool is_port = key == "containerPort" || key == "hostPort";
  const bool is_volume = key == "sourceVolume" || key == "name";
  const bool is_named = is_port     ? names_after(said, "port", text)
                        : is_volume ? names_after(said, "volume", text) || names_after(said, "container", text)
                                    : text.size() >= kUnmistakable && find_word(said, text) != std::string_view::npos;
  if (is_named) named.push_back(value);
}

/// "port 8080" of an instance is the host port, if the definition has both.
void keep_host_ports(std::vector<Value>& named, std::string_view words) {
  const auto is_host_port = [](Value one) { return one.key() == "hostPort"; };
  if (std::none_of(named.begin(), named.end(), is_host_port) ||
      lower(words).find("container port") != std::string::npos)
    return;
  std::erase_if(named, [](Value one) { return one.key() == "containerPort"; });
}

/// Of the members that a sentence is about, those that the text names and nothing broader; without any such, the
/// members that the text names elsewhere; else all that the sentence is about.
std::vector<Value> narrowed(const std::vector<Value>& members, const std::vector<Value>& named) {
  std::vector<Value> inside;
  for (const Value one : named) {
    const bool is_inside = std::any_of(members.begin(), members.end(), [&](Value member) {
      return member.span().begin <= one.span().begin && one.span().end <= member.span().end;
    });
    if (is_inside) inside.push_back(one);
  }
  if (!inside.empty()) return inside;
  return members.empty() ? named : members;
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

std::vector<DefinitionLine> find_definition_lines(const rules::Answer& answer, std::string_view said,
                                                  const std::vector<DefinitionsOfFile>& files) {
  std::vector<DefinitionLine> lines;
  for (const auto& file : files) {
    const text::LineIndex index(file.document->source());
    std::vector<std::pair<std::uint32_t, DefinitionLine>> found;
    const auto add = [&](std::uint32_t offset, std::string_view code, std::string text) {
      const auto at = index.location(offset);
      found.push_back({offset, {file.path, at.line, at.column, std::string(code), std::move(text)}});
    };
    for (const auto& finding : file.report->findings) {
      const bool is_about = std::find(answer.rules.begin(), answer.rules.end(), finding.code) != answer.rules.end();
      if (is_about && !finding.suppression) add(finding.span.begin, finding.code, finding.message);
    }
    for (const auto& task : file.tasks) {
      const auto container = named_container(answer, said, task);
      std::vector<Value> members;
      for (const auto path : answer.members) add_members(task.node, path, container, members);
      keep_named(members, answer);
      // Slots are words of the text, too: "0.0.0.0:8080 failed: port is already allocated" names port 8080.
      auto words = std::string(said);
      for (const auto& [slot, value] : answer.values) words += fmt::format(" {} {}", slot, value);
      std::vector<Value> named;
      add_named_members(task.node, words, container, named);
      keep_host_ports(named, words);
      members = narrowed(members, named);
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

void add_definition_lines(std::vector<ExplainedAnswer>& answers, std::string_view text,
                          const std::vector<DefinitionsOfFile>& files) {
  for (auto& answer : answers) {
    const auto said = answers.size() == 1 ? text : std::string_view(answer.said);
    answer.definition = find_definition_lines(answer, said, files);
  }
}

}  // namespace bayplan::report
