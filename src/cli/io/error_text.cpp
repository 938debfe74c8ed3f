#include "cli/io/error_text.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::cli {

namespace {

constexpr std::string_view kSuggestion = "did you mean ";

/// A program at the beginning of what is to be typed; no word of English.
bool is_program(std::string_view word) {
  return word == "bayplan" || word == "aws" || word == "terraform";
}

/// Whether the last word is something to paste, which a full stop would spoil: `attribute:zone`, `m5.large`.
bool ends_in_code(std::string_view text) {
  const auto word = text.substr(text.rfind(' ') + 1);
  return !std::all_of(word.begin(), word.end(),
                      [](char c) { return is_letter(c) || c == '-' || c == '\'' || c == ')'; });
}

/// "name a file in it" as "Name a file in it."
std::string as_sentence(std::string text) {
  const auto first = std::string_view(text).substr(0, text.find_first_of(" ,:"));
  if (std::all_of(first.begin(), first.end(), is_lower) && !is_program(first))
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (text.find(": ") == std::string::npos && text.find(' ') != std::string::npos && !ends_in_code(text)) text += '.';
  return text;
}

/// Broken to fit; a command to paste stays whole, in a line of its own where it has to.
std::string fitting_help(const std::string& help) {
  constexpr std::size_t kIndent = 2;
  auto colon = std::string::npos;
  for (const std::string_view command : {": bayplan ", ": aws ", ": curl "})
    colon = std::min(colon, help.find(command));
  const bool fits = display_width(help) + kIndent <= report::text_columns();
  if (fits || colon == std::string::npos) return report::wrapped(help, kIndent);
  return report::wrapped(help.substr(0, colon + 1), kIndent) + "\n    " + help.substr(colon + 2);
}

/// FILE:LINE:COLUMN: of the error. The beginning of an option's value is no place that helps.
std::string place_text(const Error& error) {
  if (error.file.empty()) return {};
  std::string text = printable(error.file);
  const bool is_option = error.file.starts_with("--") && error.line == 1 && error.column == 1;
  if (error.line > 0 && !is_option) (text += ':') += std::to_string(error.line);
  if (error.column > 0 && !is_option) (text += ':') += std::to_string(error.column);
  return text + ": ";
}

}  // namespace

std::string error_text(const Error& error) {
  std::string text = "bayplan: " + place_text(error) + printable(error.message);
  std::string help = printable(error.help);
  const auto end = help.find('?');
  if (lower(help).starts_with(kSuggestion) && end != std::string::npos) {
    const auto name = help.substr(kSuggestion.size(), end - kSuggestion.size());
    const bool is_bare = name.find_first_of(" '\"") == std::string::npos;
    text += fmt::format(fmt::runtime(is_bare ? "; {}'{}'?" : "; {}{}?"), kSuggestion, name);
    help = std::string(trim(std::string_view(help).substr(end + 1)));
  }
  text += '\n';
  if (!help.empty()) ((text += "  ") += fitting_help(as_sentence(std::move(help)))) += '\n';
  return text;
}

}  // namespace bayplan::cli
