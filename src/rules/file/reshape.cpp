#include "rules/file/reshape.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "text/removal.hpp"
#include "text/yaml_scalar.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

bool is_yaml(const text::Document& document) {
  return document.format() == text::Format::kYaml;
}

std::string_view slice(Value value, std::uint32_t begin, std::uint32_t end) {
  return std::string_view(value.document().source()).substr(begin, end - begin);
}

bool has_brackets(Value collection) {
  const auto source = text::find_source(collection);
  return source.size() > 1 && (source.starts_with('{') || source.starts_with('[')) &&
         source.back() == (source.front() == '{' ? '}' : ']');
}

/// A list or map of YAML that is laid out by indentation.
bool is_block(Value collection) {
  const auto source = text::find_source(collection);
  return is_yaml(collection.document()) && !source.starts_with('{') && !source.starts_with('[');
}

/// Where the line of `at` begins, if there are only blanks before `at`.
std::optional<std::uint32_t> indented_line(const std::string& source, std::uint32_t at) {
  while (at > 0 && source[at - 1] == ' ') --at;
  return at == 0 || is_line_end(source[at - 1]) ? std::optional(at) : std::nullopt;
}

std::uint32_t begin_of(Value child) {
  return child.key_span().length() > 0 ? child.key_span().begin : child.span().begin;
}

bool is_all_of(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

/// Whether there is no comment, anchor or tag between key and value.
bool is_plain_pair(Value pair) {
  if (pair.span().begin < pair.key_span().end || !pair.tag().empty()) return false;
  return is_all_of(slice(pair, pair.key_span().end, pair.span().begin), ": \t\r\n");
}

/// The text here is the value itself, all of it: nothing that an alias or a merge brought in, and nothing that one
/// elsewhere takes.
bool stands_here(Value collection) {
  const Span span = collection.span();
  std::uint32_t end = span.begin;
  for (const Value child : collection.children()) {
    if (begin_of(child) < end || child.span().end > span.end) return false;
    end = child.span().end;
  }
  const std::uint32_t before = collection.key_span().end;
  if (!collection.tag().empty() || before > span.begin) return false;
  return before == 0 || slice(collection, before, span.begin).find_first_of("&!*") == std::string_view::npos;
}

/// Every line but the first is moved to the right, empty ones aside.
std::string moved_right(std::string_view text, std::size_t blanks) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && !is_line_end(text[i + 1])) result.append(blanks, ' ');
  }
  return result;
}

/// Text that readers of every version of YAML take for this string.
std::string yaml_string(std::string_view text) {
  constexpr std::array<std::string_view, 6> kWords{"yes", "no", "on", "off", "y", "n"};
  const bool is_plain = !text.empty() && (is_letter(text.front()) || text.front() == '/' || text.front() == '_') &&
                        std::all_of(text.begin(), text.end(), [](char c) {
                          return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '/';
                        });
  const bool is_word = std::any_of(kWords.begin(), kWords.end(), [&](auto word) { return lower(text) == word; });
  const bool is_string = text::resolve_plain(text) == text::Kind::kString && !is_word;
  return is_plain && is_string ? std::string(text) : json_quoted(text);
}

std::string string_in(const text::Document& document, std::string_view text) {
  return is_yaml(document) ? yaml_string(text) : json_quoted(text);
}

std::string value_in(const text::Document& document, const NewMember& member) {
  if (!member.source.empty()) return member.source;
  return member.is_string ? string_in(document, member.text) : member.text;
}

std::string key_in(const text::Document& document, std::string_view name) {
  return is_yaml(document) ? std::string(name) : json_quoted(name);
}

std::string in_format(const text::Document& document, const NewObject& object, const std::string& separator) {
  std::vector<std::string> members;
  for (const auto& member : object) {
    members.push_back(key_in(document, member.name) + ": " + value_in(document, member));
  }
  return join(members, separator);
}

/// `- name: A`, and the other members below it; `indentation` is that of the dash.
std::string block_element(const text::Document& document, const NewObject& object, const std::string& indentation) {
  std::string result = "- ";
  for (const auto& member : object) {
    if (&member != &object.front()) result += "\n" + indentation + "  ";
    result += member.name + ": " + moved_right(value_in(document, member), 2);
  }
  return result;
}

Reshape brackets_replaced(Value collection, std::string_view opening, std::string_view closing,
                          std::vector<Edit> edits) {
  if (!has_brackets(collection)) return std::nullopt;
  const Span span = collection.span();
  edits.insert(edits.begin(), {{span.begin, span.begin + 1}, std::string(opening)});
  edits.push_back({{span.end - 1, span.end}, std::string(closing)});
  return edits;
}

/// The dash of an element, if it is on the line where the element begins.
std::optional<std::uint32_t> dash_before(Value element) {
  const auto& source = element.document().source();
  std::uint32_t at = element.span().begin;
  while (at > 0 && source[at - 1] == ' ') --at;
  if (at == 0 || source[at - 1] != '-' || at == element.span().begin) return std::nullopt;
  return indented_line(source, at - 1) ? std::optional(at - 1) : std::nullopt;
}

std::uint32_t column_of(const std::string& source, std::uint32_t at) {
  std::uint32_t column = 0;
  while (column < at && !is_line_end(source[at - column - 1])) ++column;
  return column;
}

/// Every line of `place` but the first loses `count` of the blanks or tabs before it.
void move_left(const std::string& source, Span place, std::uint32_t count, std::vector<Edit>& edits) {
  for (std::uint32_t at = place.begin; at < place.end; ++at) {
    if (source[at] != '\n') continue;
    std::uint32_t end = at + 1;
    while (end < place.end && end - at <= count && (source[end] == ' ' || source[end] == '\t')) ++end;
    if (end > at + 1) edits.push_back({{at + 1, end}, ""});
  }
}

/// Removes the dash of an element. Its content moves to where the dash was if the list was indented below its
/// key, and stays where it is if the dash was as far to the left as the key.
void drop_dash(Value element, std::uint32_t dash, std::vector<Edit>& edits) {
  const auto& source = element.document().source();
  const std::uint32_t begin = element.span().begin;
  const Value list = element.parent();
  const std::uint32_t key = column_of(source, list.key_span().begin);
  if (list.key_span().length() == 0 || column_of(source, dash) <= key) return edits.push_back({{dash, dash + 1}, " "});
  edits.push_back({{dash, begin}, ""});
  move_left(source, element.span(), begin - dash, edits);
}

/// How far an element on lines of its own is indented below the line on which its list begins.
std::uint32_t indentation_in_list(Value element) {
  const auto& source = element.document().source();
  if (slice(element, element.span().begin, element.span().end).find('\n') == std::string_view::npos) return 0;
  const std::uint32_t begin = element.span().begin, list = element.parent().span().begin;
  const std::uint32_t line = begin - column_of(source, begin), list_line = list - column_of(source, list);
  const bool has_own_line = list_line < line && source.find_first_not_of(" \t", line) == begin;
  const auto outer = static_cast<std::uint32_t>(source.find_first_not_of(" \t", list_line)) - list_line;
  return has_own_line && begin - line > outer ? begin - line - outer : 0;
}

bool has_anchor(Value element, std::uint32_t dash) {
  return slice(element, dash, element.span().begin).find_first_of("&!*") != std::string_view::npos;
}

/// An element whose text is its members and nothing else.
bool holds_no_comment(Value element) {
  if (!element.is_object()) return true;
  if (!stands_here(element)) return false;
  std::uint32_t end = element.span().begin;
  for (const Value member : element.children()) {
    if (!is_plain_pair(member) || !is_all_of(slice(element, end, begin_of(member)), "{, \t\r\n")) return false;
    end = member.span().end;
  }
  return is_all_of(slice(element, end, element.span().end), "{}, \t\r\n");
}

}  // namespace

std::string as_json(const NewObject& object) {
  std::vector<std::string> members;
  for (const auto& member : object) {
    members.push_back(json_quoted(member.name) + ": " + (member.is_string ? json_quoted(member.text) : member.text));
  }
  return "{" + join(members, ", ") + "}";
}

std::string in_format(const text::Document& document, const NewObject& object) {
  return "{" + in_format(document, object, ", ") + "}";
}

Reshape replace_scalar(Value scalar, std::string text) {
  const auto source = text::find_source(scalar);
  const bool has_comment =
      scalar.style() == text::Style::kBlock && source.substr(0, source.find('\n')).find('#') != std::string_view::npos;
  if (has_comment || !scalar.tag().empty()) return std::nullopt;
  return std::vector<Edit>{{scalar.span(), std::move(text)}};
}

Reshape map_to_list(Value map, const std::vector<NewObject>& objects) {
  if (!stands_here(map)) return std::nullopt;
  const auto& document = map.document();
  const bool in_block = is_block(map);
  std::vector<Edit> edits;
  for (const Value pair : map.children()) {
    const auto& object = objects[edits.size()];
    const auto line = indented_line(document.source(), pair.key_span().begin);
    if (!is_plain_pair(pair) || !holds_no_comment(pair) || (in_block && !line)) return std::nullopt;
    const Span place{pair.key_span().begin, pair.span().end};
    edits.push_back({place, in_block ? block_element(document, object, std::string(place.begin - *line, ' '))
                                     : in_format(document, object)});
  }
  return in_block ? Reshape(std::move(edits)) : brackets_replaced(map, "[", "]", std::move(edits));
}

Reshape list_to_map(Value list, const std::vector<std::pair<std::string, NewMember>>& members) {
  if (!stands_here(list)) return std::nullopt;
  const auto& document = list.document();
  const bool in_block = is_block(list);
  std::vector<Edit> edits;
  std::size_t position = 0;
  for (const Value element : list.children()) {
    const auto& [key, value] = members[position++];
    if (!holds_no_comment(element)) return std::nullopt;
    if (in_block) {
      const auto dash = dash_before(element);
      if (!dash || has_anchor(element, *dash)) return std::nullopt;
      std::vector<Edit> of_dash;
      drop_dash(element, *dash, of_dash);
      edits.push_back(of_dash.front());  // the lines of the element are written anew
    }
    edits.push_back({element.span(), string_in(document, key) + ": " + value_in(document, value)});
  }
  return in_block ? Reshape(std::move(edits)) : brackets_replaced(list, "{", "}", std::move(edits));
}

Reshape put_in_list(Value object) {
  if (!stands_here(object)) return std::nullopt;
  const Span span = object.span();
  if (!is_block(object)) return std::vector<Edit>{{{span.begin, span.begin}, "["}, {{span.end, span.end}, "]"}};
  const auto& source = object.document().source();
  if (!indented_line(source, span.begin)) return std::nullopt;
  std::vector<Edit> edits{{{span.begin, span.begin}, "- "}};
  for (std::uint32_t at = span.begin; at < span.end; ++at) {
    if (source[at] == '\n' && !is_line_end(source[at + 1])) edits.push_back({{at + 1, at + 1}, "  "});
  }
  return edits;
}

Reshape take_out_of_list(Value list) {
  if (!stands_here(list) || list.size() != 1) return std::nullopt;
  const Value element = list.at(0);
  if (is_block(list)) {
    const auto dash = dash_before(element);
    if (!dash || has_anchor(element, *dash) || element.style() == text::Style::kBlock) return std::nullopt;
    std::vector<Edit> edits;
    drop_dash(element, *dash, edits);
    return edits;
  }
  const Span outer = list.span(), inner = element.span();
  const bool is_plain = has_brackets(list) && is_all_of(slice(list, outer.begin, inner.begin), "[ \t\r\n") &&
                        is_all_of(slice(list, inner.end, outer.end), "], \t\r\n");
  if (!is_plain) return std::nullopt;
  std::vector<Edit> edits{{{outer.begin, inner.begin}, ""}};
  move_left(list.document().source(), inner, indentation_in_list(element), edits);
  edits.push_back({{inner.end, outer.end}, ""});
  return edits;
}

Reshape put_in_object(Value list, std::string_view key) {
  if (!stands_here(list)) return std::nullopt;
  const Span span = list.span();
  const std::string name = key_in(list.document(), key) + ":";
  if (!is_block(list))
    return std::vector<Edit>{{{span.begin, span.begin}, "{" + name + " "}, {{span.end, span.end}, "}"}};
  const auto& source = list.document().source();
  const auto line = indented_line(source, span.begin);
  const auto outer = indented_line(source, list.key_span().begin);
  if (!line || !outer || span.begin - *line <= list.key_span().begin - *outer) return std::nullopt;
  return std::vector<Edit>{{{span.begin, span.begin}, name + "\n" + std::string(span.begin - *line, ' ')}};
}

Reshape spread_element(Value element, const std::vector<NewObject>& objects) {
  if (!stands_here(element)) return std::nullopt;
  const auto& document = element.document();
  const bool in_block = is_block(element);
  if (!in_block && is_block(element.parent()) && element.size() > 1) return std::nullopt;
  const auto own_dash = dash_before(element);
  if (in_block && (!own_dash || has_anchor(element, *own_dash))) return std::nullopt;
  const std::uint32_t dash = in_block ? *own_dash : 0;
  const std::uint32_t line = in_block ? *indented_line(document.source(), dash) : 0;
  std::vector<Edit> edits;
  for (const Value member : element.children()) {
    if (!is_plain_pair(member)) return std::nullopt;
    const bool is_first = edits.empty(), is_last = edits.size() + 1 == element.size();
    Span place{member.key_span().begin, member.span().end};
    const std::string separator = in_block ? "\n" + std::string(element.span().begin - line, ' ') : ", ";
    std::string text = in_format(document, objects[edits.size()], separator);
    if (in_block && !is_first) {
      const auto own_line = indented_line(document.source(), place.begin);
      if (!own_line) return std::nullopt;
      place.begin = *own_line + (dash - line);
      text = "-" + std::string(element.span().begin - dash - 1, ' ') + text;
    } else if (!in_block) {
      text = (is_first ? "" : "{") + text + (is_last ? "" : "}");
    }
    edits.push_back({place, std::move(text)});
  }
  return edits;
}

Reshape split_element(Value element, const std::vector<std::string>& strings) {
  std::string separator = ", ";
  if (is_block(element.parent())) {
    const auto dash = dash_before(element);
    if (!dash || has_anchor(element, *dash)) return std::nullopt;
    separator = "\n" + std::string(*dash - *indented_line(element.document().source(), *dash), ' ') + "- ";
  }
  std::vector<std::string> quoted;
  for (const auto& one : strings) quoted.push_back(json_quoted(one));
  return replace_scalar(element, join(quoted, separator));
}

}  // namespace bayplan::rules
