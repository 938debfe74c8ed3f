// A health check in one string. HEALTHCHECK of a Dockerfile: https://docs.docker.com/reference/dockerfile/#healthcheck;
// the form of the console: https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_HealthCheck.html, 2026-11.
#include "rules/container/health_command.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/strings.hpp"
#include "rules/container/program_names.hpp"
#include "rules/file/written_list.hpp"

namespace bayplan::rules {
namespace {

/// "CMD-SHELL", and what follows it.
struct MarkedCommand {
  std::string_view marker;
  bool has_comma = false;
  std::string_view rest;
};

std::optional<MarkedCommand> split_marker(std::string_view text) {
  const auto end = std::min(text.find_first_of(" \t\r\n,"), text.size());
  MarkedCommand result;
  result.rest = trim(text.substr(end));
  result.has_comma = result.rest.starts_with(',');
  if (result.has_comma) result.rest = trim(result.rest.substr(1));
  result.marker = health_marker(text.substr(0, end), result.has_comma);
  return result.marker.empty() ? std::nullopt : std::optional(result);
}

HealthCommand shell_command(std::string_view line, bool certain) {
  return {{"CMD-SHELL", std::string(line)}, certain};
}

HealthCommand program(std::vector<std::string> words, bool certain) {
  words.insert(words.begin(), "CMD");
  return {std::move(words), certain};
}

/// The strings of a list that was written inside a string: as JSON, or with single quotes as Python prints it.
std::optional<std::vector<std::string>> read_quoted_list(std::string_view text) {
  if (text.find_first_of("\"\\") != std::string_view::npos) return read_written_list(text);
  std::string quoted(text);
  std::replace(quoted.begin(), quoted.end(), '\'', '"');
  return read_written_list(quoted);
}

/// "curl http://localhost/, exit 1": whether the comma was meant as || or as a blank is unknown.
bool has_unclear_comma(std::string_view line) {
  return line.find(", ") != std::string_view::npos && line.find_first_of("'\"") == std::string_view::npos;
}

/// A line all in quotes would be the name of a program to the shell.
std::optional<HealthCommand> read_shell_line(std::string_view line) {
  if (line.empty() || has_unclear_comma(line)) return std::nullopt;
  const char quote = line.front();
  const bool is_quoted = line.size() > 2 && (quote == '"' || quote == '\'') && line.back() == quote;
  const auto inside = is_quoted ? line.substr(1, line.size() - 2) : line;
  return is_quoted && inside.find(quote) == std::string_view::npos ? shell_command(inside, false)
                                                                   : shell_command(line, true);
}

/// An option and its value in one argument, of which the program knows nothing: "-f http://localhost/".
bool is_option_with_value(std::string_view word) {
  return word.starts_with('-') && std::any_of(word.begin(), word.end(), is_space);
}

/// "/bin/bash, curl http://localhost/ || exit 1": CMD-SHELL brings its own.
std::vector<std::string> without_shell(std::vector<std::string> words) {
  const std::string name = words.front().substr(words.front().rfind('/') + 1);
  if (words.size() == 2 && (name == "sh" || name == "bash")) words.erase(words.begin());
  return words;
}

/// "curl, -f, http://localhost/". Of "check, a,b" it is open whether "a,b" is one argument.
std::optional<HealthCommand> read_arguments(std::string_view text) {
  std::vector<std::string> words;
  std::size_t blanks = 0;
  for (const auto part : split(text, ',')) {
    if (trim(part).empty()) return std::nullopt;
    words.emplace_back(trim(part));
    blanks += is_space(part.front()) ? 1 : 0;
  }
  if (needs_shell(text)) return shell_command(join(without_shell(words), " "), false);
  const bool is_cut_elsewhere =
      words_in(words.front()).size() > 1 || std::any_of(words.begin(), words.end(), is_option_with_value);
  if (is_cut_elsewhere) return program(words_in(join(words, " ")), false);
  const bool is_even = blanks == 0 || blanks + 1 == words.size();
  return program(std::move(words), is_even);
}

bool holds_option(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with('-'); });
}

HealthCommand as_shell_line(HealthCommand command) {
  command.words.erase(command.words.begin());
  return shell_command(join(command.words, " "), command.certain);
}

std::optional<HealthCommand> read_after_shell(const MarkedCommand& marked) {
  if (const auto list = read_quoted_list(marked.rest)) return shell_command(join(*list, " "), list->size() == 1);
  if (!is_parted_by_commas(marked.rest)) return read_shell_line(marked.rest);
  auto arguments = read_arguments(marked.rest);
  if (!arguments) return std::nullopt;
  // cmd.exe takes commas for blanks by itself: "check.bat,fast" may be meant so.
  arguments->certain = arguments->certain && holds_option(arguments->words);
  return as_shell_line(*arguments);
}

/// "/bin/sh -c curl -f x || exit 1": what follows -c is the script and one argument, unless it is quoted.
std::optional<HealthCommand> read_script(std::string_view line) {
  const auto words = words_in(line);
  if (words.size() < 3 || !is_shell(words[0]) || !takes_command_line(words[1])) return std::nullopt;
  const auto after_shell = trim(trim(line).substr(words[0].size()));
  const auto script = trim(after_shell.substr(words[1].size()));
  if (script.starts_with('\'') || script.starts_with('"')) return std::nullopt;
  return program({words[0], words[1], std::string(script)}, true);
}

std::optional<HealthCommand> read_after_cmd(const MarkedCommand& marked) {
  if (marked.rest.empty()) return std::nullopt;
  if (auto list = read_quoted_list(marked.rest)) return program(std::move(*list), true);
  if (marked.has_comma && marked.rest.find(',') != std::string_view::npos) return read_arguments(marked.rest);
  if (auto script = read_script(marked.rest)) return script;
  if (needs_shell(marked.rest)) return shell_command(marked.rest, !marked.has_comma);
  return program(words_in(marked.rest), true);
}

std::optional<HealthCommand> read_marked(const MarkedCommand& marked) {
  if (marked.marker == "CMD-SHELL") return read_after_shell(marked);
  if (marked.marker == "CMD") return read_after_cmd(marked);
  return marked.rest.empty() ? std::optional(HealthCommand{{"NONE"}, true}) : std::nullopt;
}

std::optional<HealthCommand> read_list(std::vector<std::string> words) {
  const auto& first = words.front();
  if (words.size() == 1) {
    auto command = read_health_command(first);
    // A word without a marker may be filled in with one.
    if (command) command->certain = command->certain && split_marker(trim(first)).has_value();
    return command;
  }
  if (first == "CMD") return HealthCommand{std::move(words), true};
  if (first == "CMD-SHELL") {
    const bool is_one_line = words.size() == 2;
    return as_shell_line({std::move(words), is_one_line});
  }
  return program(std::move(words), false);
}

}  // namespace

std::string_view health_marker(std::string_view word, bool has_comma) {
  for (const std::string_view marker : {"CMD", "CMD-SHELL", "NONE"}) {
    if (word == marker) return marker;
  }
  const std::string low = lower(word);
  if (low == "cmd-shell" || low == "cmd_shell" || low == "cmdshell") return "CMD-SHELL";
  return low == "cmd" && has_comma ? "CMD" : std::string_view();
}

bool needs_shell(std::string_view line) {
  return line.find_first_of("'\"`$&|;<>()*?\\\n") != std::string_view::npos;
}

std::vector<std::string> words_in(std::string_view line) {
  std::vector<std::string> words;
  while (!(line = trim(line)).empty()) {
    const auto end = std::find_if(line.begin(), line.end(), is_space) - line.begin();
    words.emplace_back(line.substr(0, static_cast<std::size_t>(end)));
    line.remove_prefix(static_cast<std::size_t>(end));
  }
  return words;
}

bool holds_marker_and_command(std::string_view text) {
  const auto marked = split_marker(trim(text));
  return marked && !marked->rest.empty();
}

bool is_parted_by_commas(std::string_view line) {
  const auto end = line.find_first_of(", \t\r\n");
  const bool is_comma = end != std::string_view::npos && end > 0 && line[end] == ',';
  return is_comma && std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
           return is_letter(c) || is_digit(c) || std::string_view("_-./").find(c) != std::string_view::npos;
         });
}

std::optional<HealthCommand> read_health_command(std::string_view text) {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  if (auto list = read_quoted_list(text)) return read_list(std::move(*list));
  if (const auto marked = split_marker(text)) return read_marked(*marked);
  if (auto list = read_quoted_list("[" + std::string(text) + "]"); list && list->size() > 1) {
    return read_list(std::move(*list));
  }
  if (text.starts_with('[') && text.substr(1, 5).find("CMD") != std::string_view::npos) return std::nullopt;
  if (is_parted_by_commas(text)) return read_arguments(text);
  const auto words = words_in(text);
  if (lower(words.front()) == "none" && words.size() == 1) return HealthCommand{{"NONE"}, false};
  auto line = read_shell_line(text);
  if (line) line->certain = line->certain && lower(words.front()) != "cmd";
  return line;
}

}  // namespace bayplan::rules
