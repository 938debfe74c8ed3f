#include "model/variables.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "model/placeholder.hpp"
#include "text/placeholder_syntax.hpp"

namespace bayplan::model {
namespace {

using text::Kind;
using text::Style;
using text::Value;

bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

bool is_name_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9');
}

/// `must_env "X"` and `env "X" "default"` of ecspresso: the X.
std::string_view environment_name(std::string_view inside) {
  for (const std::string_view function : {"must_env", "env"}) {
    if (!inside.starts_with(function)) continue;
    const auto argument = trim(inside.substr(function.size()));
    const char quote = argument.empty() ? '\0' : argument.front();
    if (quote != '"' && quote != '`' && quote != '\'') continue;
    const auto end = argument.find(quote, 1);
    if (end != std::string_view::npos) return argument.substr(1, end - 1);
  }
  return {};
}

/// `X:-default` and `X-default` of the shell: the X.
std::string_view without_default(std::string_view inside) {
  std::size_t end = 0;
  while (end < inside.size() && is_name_character(inside[end])) ++end;
  const std::string_view rest = inside.substr(end);
  return rest.starts_with(":-") || rest.starts_with("-") ? inside.substr(0, end) : inside;
}

struct Enclosure {
  std::string_view open;
  std::string_view close;
};

constexpr std::array<Enclosure, 13> kEnclosures{{{"${", "}"},
                                                 {"$(", ")"},
                                                 {"{{", "}}"},
                                                 {"#{", "}#"},
                                                 {"#{", "}"},
                                                 {"<", ">"},
                                                 {"%{", "}"},
                                                 {"%(", ")s"},
                                                 {"@{", "}"},
                                                 {"((", "))"},
                                                 {"%", "%"},
                                                 {"@", "@"},
                                                 {"__", "__"}}};

std::string json_escaped(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      (result += '\\') += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20) {
      ((result += "\\u00") += kHex[byte >> 4U]) += kHex[byte & 15U];
    } else {
      result += c;
    }
  }
  return result;
}

std::string doubled_quotes(std::string_view text) {
  std::string result;
  for (const char c : text) result.append(c == '\'' ? 2 : 1, c);
  return result;
}

/// How a value is written where it is put; nothing when it cannot be.
std::optional<std::string> written(std::string_view value, Style style, bool is_quoted) {
  switch (style) {
    case Style::kJson:
      return is_quoted ? json_escaped(value) : std::string(value);
    case Style::kDoubleQuoted:
      return json_escaped(value);
    case Style::kSingleQuoted:
      return value.find('\n') == std::string_view::npos ? std::optional(doubled_quotes(value)) : std::nullopt;
    case Style::kPlain:
    case Style::kBlock:
      return value.find('\n') == std::string_view::npos ? std::optional(std::string(value)) : std::nullopt;
  }
  return std::nullopt;
}

/// `$$X`, `\$X`: the dollar is meant. `a__b__c`: underscores inside a word.
bool stands_alone(std::string_view source, std::size_t begin, std::size_t end) {
  const char before = begin > 0 ? source[begin - 1] : '\0';
  if (source[begin] == '$') return before != '$' && before != '\\';
  if (source[begin] != '_') return true;
  return !is_name_character(before) && (end >= source.size() || !is_name_character(source[end]));
}

class Filler {
 public:
  Filler(const text::Document& document, const Variables& variables, Dollars dollars)
      : document_(document), source_(document.source()), variables_(variables), dollars_(dollars) {}

  std::optional<FilledText> run() && {
    for (std::uint32_t i = 0; i < document_.node_count(); ++i) {
      const Value value = document_.node(i);
      if (value.key_span().length() > 0) fill(value.key_span(), key_style(value), dollars_ == Dollars::kOfTemplate);
      if (value.is_string() || value.kind() == Kind::kPlaceholder)
        fill(value.span(), value.style(), takes_dollars(value));
    }
    if (filled_.beyond) return std::move(filled_);
    if (edits_.empty()) return std::nullopt;
    for (const Edit& edit : edits_) filled_.places.push_back(edit.span);
    filled_.edited = text::apply(source_, std::move(edits_));
    return std::move(filled_);
  }

 private:
  /// In a command line `$X` belongs to the shell, unless the whole member is one placeholder.
  bool takes_dollars(Value value) const {
    if (dollars_ == Dollars::kOfCloudFormation) return false;
    if (value.kind() == Kind::kPlaceholder || !is_shell_text(value)) return true;
    return !value.key().empty() && text::is_placeholder(value.text());
  }

  Style key_style(Value value) const {
    if (document_.format() == text::Format::kJson) return Style::kJson;
    const auto key = value.key_span();
    const char first = key.begin < key.end ? source_[key.begin] : '\0';
    return first == '"' ? Style::kDoubleQuoted : first == '\'' ? Style::kSingleQuoted : Style::kPlain;
  }

  void fill(Span span, Style style, bool takes_dollars) {
    if (span.begin < done_) return;      // an alias: its text was filled in at the anchor
    if (span.begin >= span.end) return;  // nothing is written: a value that is missing where the text ends
    const bool is_quoted = source_[span.begin] == '"' || source_[span.begin] == '\'';
    for (std::size_t i = span.begin; i < span.end;) {
      const std::size_t length = text::placeholder_length(source_, i);
      const std::size_t end = i + length;
      if (length == 0 || end > span.end) {
        ++i;
        continue;
      }
      if (takes_dollars || source_[i] != '$') put(i, end, style, is_quoted);
      i = end;
    }
    done_ = span.end;
  }

  void put(std::size_t begin, std::size_t end, Style style, bool is_quoted) {
    if (!stands_alone(source_, begin, end)) return;
    const auto variable = variables_.find(name_in_placeholder(source_.substr(begin, end - begin)));
    if (variable == variables_.end()) return;
    if (filled_.beyond) {  // no more is written, but variables without a value are still reported
      filled_.variables.insert(variable->first);
      return;
    }
    auto text = written(variable->second, style, is_quoted);
    if (!text) return;
    filled_.variables.insert(variable->first);
    const Span place{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    if (text->size() > left_) {
      filled_.beyond = place;
      return;
    }
    left_ -= text->size();
    edits_.push_back({place, std::move(*text)});
  }

  const text::Document& document_;
  std::string_view source_;
  const Variables& variables_;
  Dollars dollars_;
  std::uint32_t done_ = 0;
  std::size_t left_ = kMaxFilledIn;
  std::vector<Edit> edits_;
  FilledText filled_;
};

}  // namespace

std::string_view name_in_placeholder(std::string_view placeholder) {
  for (const auto& [open, close] : kEnclosures) {
    const bool is_it = placeholder.size() > open.size() + close.size() && placeholder.starts_with(open) &&
                       placeholder.ends_with(close);
    if (!is_it) continue;
    auto inside = trim(placeholder.substr(open.size(), placeholder.size() - open.size() - close.size()));
    if (open == "{{") {
      if (const auto name = environment_name(inside); !name.empty()) return name;
      if (inside.starts_with('.')) inside.remove_prefix(1);
    }
    if (open == "${") inside = without_default(inside);
    return is_variable_name(inside) ? inside : std::string_view();
  }
  const bool is_bare = placeholder.size() > 1 && placeholder.front() == '$' && is_variable_name(placeholder.substr(1));
  return is_bare ? placeholder.substr(1) : std::string_view();
}

std::optional<FilledText> fill_in(const text::Document& document, const Variables& variables, Dollars dollars) {
  if (variables.empty()) return std::nullopt;
  return Filler(document, variables, dollars).run();
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_name_character(c) || c == '.' || c == '-'; });
}

}  // namespace bayplan::model
