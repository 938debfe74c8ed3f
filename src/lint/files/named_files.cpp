#include "lint/files/named_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

/// The end of a variable that begins at `at`, in the ways of shells, make, Groovy, Python, Jinja and guides:
/// `$STAGE`, `${params.stage}`, `$(STAGE)`, `{stage}`, `{{ stage }}`, `%STAGE%`, `<stage>`. `at` where none begins.
std::size_t end_of_variable(std::string_view script, std::size_t at) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kBrackets{
      {{"${{", "}}"}, {"{{", "}}"}, {"${", "}"}, {"$(", ")"}, {"{", "}"}, {"%", "%"}, {"<", ">"}}};
  constexpr std::size_t kLongest = 100;
  if (std::string_view("${%<").find(script[at]) == std::string_view::npos) return at;  // as most characters
  const std::string_view rest = script.substr(at, kLongest);
  for (const auto& bracket : kBrackets) {
    const std::string_view open = bracket.first;
    const std::string_view close = bracket.second;
    if (!rest.starts_with(open)) continue;
    const auto end = rest.find(close, open.size());
    if (end == std::string_view::npos) continue;
    // `< task.json >` is an input and an output.
    const bool has_blanks = close == "}}";
    const auto name =
        has_blanks ? trim(rest.substr(open.size(), end - open.size())) : rest.substr(open.size(), end - open.size());
    const bool is_name = std::all_of(name.begin(), name.end(), [&](char c) {
      return is_letter(c) || is_digit(c) || c == '_' || c == '-' || (c == '.' && open != "<");
    });
    if (is_name && !name.empty()) return at + end + close.size();
  }
  if (!rest.starts_with('$')) return at;
  const auto end = std::min(rest.find_first_not_of(kLetters, 1), rest.size());
  return end > 1 ? at + end : at;
}

}  // namespace

bool is_yaml(std::string_view name) {
  return name.ends_with(".yml") || name.ends_with(".yaml");
}

std::vector<NamedFile> files_named_in(std::string_view script) {
  const auto is_part = [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("_-./").find(c) != std::string_view::npos;
  };
  std::vector<NamedFile> named;
  for (std::size_t at = 0; at < script.size();) {
    const std::size_t begin = at;
    std::string pattern;
    while (at < script.size()) {
      const std::size_t after = end_of_variable(script, at);
      if (after == at && !is_part(script[at])) break;
      pattern += after == at ? script[at] : '*';
      at = after == at ? at + 1 : after;
    }
    if (at == begin) ++at;
    // What leads to the folder is known only where the script runs.
    for (bool is_open = true; is_open;) {
      is_open = false;
      for (const std::string_view lead : {"/", "./", "../", "*/"}) {
        if (!pattern.starts_with(lead)) continue;
        pattern.erase(0, lead.size());
        is_open = true;
      }
    }
    const std::string_view name = std::string_view(pattern).substr(pattern.rfind('/') + 1);
    const auto dot = name.find('.');
    const bool says_something = name.substr(0, dot).find_first_not_of('*') != std::string_view::npos;
    if (dot == std::string_view::npos || !says_something) continue;
    if (name.find(".json") == std::string_view::npos && !is_yaml(name)) continue;
    const auto before = script.find_last_not_of(" \"'", begin == 0 ? 0 : begin - 1);
    const bool is_written = begin > 0 && before != std::string_view::npos && script[before] == '>';
    named.push_back({std::move(pattern), is_written});
  }
  return named;
}

TextSet patterns_of(const std::vector<NamedFile>& files) {
  TextSet patterns;
  for (const auto& file : files) patterns.insert(file.pattern);
  return patterns;
}

}  // namespace bayplan::lint
