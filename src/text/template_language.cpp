#include "text/template_language.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/strings.hpp"
#include "text/placeholder_syntax.hpp"
#include "text/yaml_blocks.hpp"

namespace bayplan::text {
namespace {

enum class Role : std::uint8_t { kPlain, kOpen, kElse, kClose };

struct Statement {
  std::size_t length = 0;  ///< 0: there is none.
  Role role = Role::kPlain;
  std::string_view language;
};

/// Longer ones are none; keeps a text full of openings linear.
constexpr std::size_t kLongestStatement = 1000;
constexpr std::size_t kLongestBranch = 16 * 1024;
constexpr std::size_t kDeepestBranch = 8;

constexpr std::string_view kJinja = "Jinja template", kTerraform = "Terraform template", kErb = "ERB template",
                           kGo = "Go template", kHandlebars = "Handlebars template", kPlain = "template";

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 14> kOpeners{"if",   "unless", "for",   "while", "range",  "with", "define",
                                                    "each", "block",  "macro", "call",  "filter", "case", "begin"};
constexpr std::array<std::string_view, 5> kElses{"else", "elif", "elsif", "elseif", "when"};

Role parse_role(std::string_view word) {
  if (is_one_of(word, kOpeners)) return Role::kOpen;
  if (is_one_of(word, kElses)) return Role::kElse;
  return word.starts_with("end") ? Role::kClose : Role::kPlain;
}

std::string_view first_word(std::string_view inside) {
  std::size_t end = 0;
  while (end < inside.size() && ((inside[end] >= 'a' && inside[end] <= 'z') || inside[end] == '_')) ++end;
  return inside.substr(0, end);
}

/// Removes blanks and the marks that strip blanks.
std::string_view bare(std::string_view inside) {
  constexpr std::string_view kMarks = "-~+";
  if (!inside.empty() && kMarks.find(inside.front()) != std::string_view::npos) inside.remove_prefix(1);
  if (!inside.empty() && kMarks.find(inside.back()) != std::string_view::npos) inside.remove_suffix(1);
  return trim(inside);
}

/// What is between two marks, the first of which begins at `offset`.
std::optional<std::string_view> between(std::string_view text, std::size_t offset, std::string_view close,
                                        bool crosses_lines) {
  const std::string_view rest = text.substr(offset + 2, kLongestStatement);
  const auto end = rest.find(close);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = rest.substr(0, end);
  const bool is_one_line = crosses_lines || inside.find_first_of("\r\n") == std::string_view::npos;
  return is_one_line ? std::optional(inside) : std::nullopt;
}

Statement jinja(std::string_view text, std::size_t offset) {
  const auto inside = between(text, offset, "%}", true);
  return inside ? Statement{inside->size() + 4, parse_role(first_word(bare(*inside))), kJinja} : Statement{};
}

/// `{# "a": 1 # note`, and a `#}` many lines later, is JSON with comments of the shell.
Statement jinja_comment(std::string_view text, std::size_t offset) {
  const auto inside = between(text, offset, "#}", true);
  const bool is_long = inside && inside->find('\n') != std::string_view::npos;
  const bool is_comment = inside && !(is_long && inside->find("\":") != std::string_view::npos);
  return is_comment ? Statement{inside->size() + 4, Role::kPlain, kJinja} : Statement{};
}

/// `%{ if x }`; `%{http_code}` is curl's.
Statement terraform(std::string_view text, std::size_t offset) {
  const auto inside = between(text, offset, "}", false);
  const std::string_view word = inside ? first_word(bare(*inside)) : std::string_view();
  constexpr std::array<std::string_view, 5> kWords{"if", "else", "endif", "for", "endfor"};
  return is_one_of(word, kWords) ? Statement{inside->size() + 3, parse_role(word), kTerraform} : Statement{};
}

/// Ruby ends blocks with `end`, JavaScript with `}`.
Role role_in_erb(std::string_view inside) {
  if (inside.starts_with('}')) return inside.ends_with('{') ? Role::kElse : Role::kClose;
  const auto bar = inside.ends_with('|') ? trim(inside.substr(0, inside.rfind('|', inside.size() - 2))) : inside;
  if (inside.ends_with('{') || bar.ends_with(" do")) return Role::kOpen;
  return parse_role(first_word(inside));
}

Statement erb(std::string_view text, std::size_t offset) {
  const auto inside = between(text, offset, "%>", true);
  if (!inside || inside->starts_with('=') || inside->starts_with('%')) return {};
  if (inside->starts_with('#')) return {inside->size() + 4, Role::kPlain, kErb};
  return {inside->size() + 4, role_in_erb(bare(*inside)), kErb};
}

/// `{{#x}}`, `{{^x}}`, `{{/x}}`, `{{> part}}`, `{{! note }}`
Statement handlebars(std::string_view inside, std::size_t length) {
  const bool has_name = inside.size() > 1;
  switch (inside.front()) {
    case '#':
      return {length, Role::kOpen, kHandlebars};
    case '^':
      return {length, has_name ? Role::kOpen : Role::kElse, kHandlebars};
    case '/':
      return {length, inside.starts_with("/*") ? Role::kPlain : Role::kClose,
              inside.starts_with("/*") ? kGo : kHandlebars};
    case '!':
    case '>':
      return {length, Role::kPlain, kHandlebars};
    default:
      return {};
  }
}

/// A value may be called `block`; a statement that opens one has more words.
Role role_in_go(std::string_view inside) {
  const std::string_view word = inside.substr(0, inside.find_first_of(" \t"));
  if (word == "end") return Role::kClose;
  if (word == "else") return Role::kElse;
  constexpr std::array<std::string_view, 5> kWords{"if", "range", "with", "define", "block"};
  return word.size() < inside.size() && is_one_of(word, kWords) ? Role::kOpen : Role::kPlain;
}

Statement double_braces(std::string_view text, std::size_t offset) {
  const std::string_view start = text.substr(offset + 2, 4);
  const bool is_comment = start.starts_with("/*") || start.starts_with("- /*") || start.starts_with("!--");
  const auto inside = between(text, offset, "}}", is_comment);
  if (!inside || start.starts_with('{')) return {};
  const std::string_view words = bare(*inside);
  const std::size_t length = inside->size() + 4;
  if (words.empty()) return {};
  if (const auto found = handlebars(words, length); found.length > 0) return found;
  const Role role = role_in_go(words);
  const bool is_other = words == "break" || words == "continue" || words.starts_with("template \"");
  const bool is_assignment = words.starts_with('$') && words.find('=') != std::string_view::npos;
  return role != Role::kPlain || is_other || is_assignment ? Statement{length, role, kGo} : Statement{};
}

Statement statement_at(std::string_view text, std::size_t offset) {
  const std::string_view two = text.substr(std::min(offset, text.size()), 2);
  if (two == "{%") return jinja(text, offset);
  if (two == "{#") return jinja_comment(text, offset);
  if (two == "%{") return terraform(text, offset);
  if (two == "<%") return erb(text, offset);
  return two == "{{" ? double_braces(text, offset) : Statement{};
}

bool is_inverted_section(std::string_view text, std::size_t offset, const Statement& statement) {
  return statement.language == kHandlebars && statement.role == Role::kOpen &&
         bare(text.substr(offset + 2, statement.length - 4)).starts_with('^');
}

/// Go and Handlebars share braces and the word `else`.
bool is_same_language(std::string_view a, std::string_view b) {
  return a == b || (a == kGo && b == kHandlebars) || (a == kHandlebars && b == kGo);
}

/// Where the branch that begins at `from` ends: before the statement that closes it, or the next branch. `from` itself
/// when that is not to be found.
std::size_t branch_end(std::string_view text, std::size_t from, std::string_view language) {
  const std::size_t limit = std::min(text.size(), from + kLongestBranch);
  std::size_t depth = 0;
  for (std::size_t at = text.find_first_of("{%<", from); at < limit; at = text.find_first_of("{%<", at)) {
    const Statement statement = statement_at(text, at);
    const bool is_own = is_same_language(statement.language, language);
    if (is_own && depth == 0 && (statement.role == Role::kClose || statement.role == Role::kElse)) return at;
    if (is_own && statement.role == Role::kOpen && ++depth > kDeepestBranch) return from;
    if (is_own && statement.role == Role::kClose) --depth;
    at += std::max<std::size_t>(statement.length, 1);
  }
  return from;
}

std::size_t skip_string(std::string_view text, std::size_t offset) {
  std::size_t i = offset + 1;
  while (i < text.size() && text[i] != '"' && text[i] != '\n') {
    i += text[i] == '\\' ? 2 : std::max<std::size_t>(1, quoting_expression_length(text, i));
  }
  return i + 1;
}

/// Values that are no JSON and no placeholder of one line: `<%= x %>`, `${jsonencode({` over several lines.
std::string_view language_of_expression(std::string_view text, std::size_t offset) {
  if (text.substr(offset, 2) == "{{" && placeholder_length(text, offset) == 0) {
    const auto inside = between(text, offset, "}}", true);
    if (inside && inside->find("\":") == std::string_view::npos) return kPlain;
  }
  if (text.substr(offset, 2) == "<%") return kErb;
  return text.substr(offset, 2) == "${" && placeholder_length(text, offset) == 0 ? kTerraform : std::string_view();
}

std::string_view language_of_json(std::string_view text) {
  for (std::size_t at = text.find_first_of("\"{%<$"); at < text.size(); at = text.find_first_of("\"{%<$", at)) {
    if (text[at] == '"') {
      at = skip_string(text, at);
      continue;
    }
    const Statement statement = statement_at(text, at);
    if (statement.length > 0) return statement.language;
    if (const auto language = language_of_expression(text, at); !language.empty()) return language;
    at += std::max<std::size_t>(1, placeholder_length(text, at));
  }
  return {};
}

/// A statement, or an expression for lines of their own, begins a line.
std::string_view language_of_yaml(std::string_view text) {
  YamlBlocks blocks(text);
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t first = std::min(text.find_first_not_of(" \t-", line), text.size());
    if (const auto statement = statement_at(text, first); statement.length > 0) return statement.language;
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::size_t length = placeholder_length(text, first);
    const bool is_alone = length > 0 && trim(text.substr(first, end - std::min(first, end))).size() == length;
    if (is_alone && text.substr(first, 2) == "{{" &&
        text.substr(line, first - line).find('-') == std::string_view::npos)
      return kPlain;
    line = blocks.after_line(end);
    while (line < text.size() && text[line] == '\n') line = blocks.after_line(line);
  }
  return {};
}

/// Offset behind the text that a `<<NAME` at `offset` begins.
std::size_t skip_heredoc(std::string_view text, std::size_t offset) {
  std::size_t at = offset + 2;
  if (text.substr(at, 1) == "-") ++at;
  std::size_t end = at;
  while (end < text.size() && text[end] != '\n' && text[end] != '\r') ++end;
  const std::string_view name = trim(text.substr(at, end - at));
  while (end < text.size()) {
    const std::size_t line = end + 1;
    end = std::min(text.find('\n', line), text.size());
    if (line <= end && trim(text.substr(line, end - line)) == name) break;
  }
  return end;
}

/// What Terraform takes nowhere, and other programs fill in: `{{ x }}`, `{% if %}` or `<% x %>` outside of strings, and
/// `${x}` in the label of a block.
std::string_view language_of_hcl(std::string_view text) {
  constexpr std::array<std::string_view, 6> kBlocks{"resource", "data", "module", "variable", "output", "provider"};
  bool is_header = false;  // behind the keyword of a block, before its brace
  bool is_line_start = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view two = text.substr(at, 2);
    if (two == "//" || text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (two == "/*") {
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else if (two == "<<") {
      at = skip_heredoc(text, at);
    } else if (text[at] == '"') {
      const std::size_t end = std::min(skip_string(text, at), text.size());
      if (is_header && text.substr(at, end - at).find("${") != std::string_view::npos) return kPlain;
      at = end;
    } else if (two == "{{" || two == "{%" || two == "<%") {
      const Statement statement = statement_at(text, at);
      return statement.length > 0 ? statement.language : two == "<%" ? kErb : kPlain;
    } else {
      if (text[at] == '\n' || text[at] == '{' || text[at] == '=') is_header = false;
      if (is_line_start) is_header = is_one_of(first_word(text.substr(at)), kBlocks);
      is_line_start = text[at] == '\n';
      ++at;
    }
  }
  return {};
}

}  // namespace

std::size_t template_statement_length(std::string_view text, std::size_t offset) {
  const Statement statement = statement_at(text, offset);
  const bool is_left_out = statement.role == Role::kElse || is_inverted_section(text, offset, statement);
  if (statement.length == 0 || !is_left_out) return statement.length;
  return branch_end(text, offset + statement.length, statement.language) - offset;
}

std::string_view template_language(std::string_view text, Format format) {
  if (format == Format::kHcl) return language_of_hcl(text);
  if (format == Format::kJson) return language_of_json(text);
  // All of the text is one expression: `${jsonencode([` and what follows.
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const bool is_expression = text.substr(first, 2) == "${" && placeholder_length(text, first) == 0;
  return is_expression ? kTerraform : language_of_yaml(text);
}

bool is_jsonnet(std::string_view file, std::string_view text) {
  if (file.ends_with(".jsonnet") || file.ends_with(".libsonnet")) return true;
  while (text.starts_with("//") || text.starts_with('#') || (!text.empty() && trim(text.substr(0, 1)).empty())) {
    const bool is_comment = text.starts_with('/') || text.starts_with('#');
    text.remove_prefix(is_comment ? std::min(text.find('\n'), text.size()) : 1);
  }
  return text.starts_with("local ") && text.substr(0, text.find('\n')).find('=') != std::string_view::npos;
}

bool is_json5(std::string_view file) {
  return file.ends_with(".json5");
}

bool takes_comments(std::string_view file) {
  return file.ends_with(".jsonc") || is_json5(file);
}

}  // namespace bayplan::text
