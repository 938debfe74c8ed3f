// A health check in one string. HEALTHCHECK of a Dockerfile: https://docs.docker.com/reference/dockerfile/#healthcheck;
// the form of the console: https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_HealthCheck.html, 2026-11.
#include "rules/container/health_command.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/strings.hpp"
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

/// A line all in quotes would be the name of a program to the shell.
std::optional<HealthCommand> read_shell_line(std::string_view line) {
  if (line.empty()) return std::nullopt;
  const char quote = line.front();
  const bool is_quoted = line.size() > 2 && (quote == '"' || quote == '\'') && line.back() == quote;
  const auto inside = is_quoted ? line.substr(1, line.size() - 2) : line;
  return is_quoted && inside.find(quote) == std::string_view::npos ? shell_command(inside, false)
                                                                   : shell_command(line, true);
}

std::optional<HealthCommand> read_after_shell(const MarkedCommand& marked) {
  if (const auto list = read_written_list(marked.rest)) {
    return list->size() == 1 ? std::optional(shell_command(list->front(), true)) : std::nullopt;
  }
  const bool has_blank = std::any_of(marked.rest.begin(), marked.rest.end(), is_space);
  const bool is_cut_up = marked.has_comma && !has_blank && marked.rest.find(',') != std::string_view::npos;
  return is_cut_up ? std::nullopt : read_shell_line(marked.rest);
}

/// "curl, -f, http://localhost/"
std::optional<HealthCommand> read_arguments(std::string_view text) {
  std::vector<std::string> words;
  for (const auto part : split(text, ',')) {
    if (trim(part).empty()) return std::nullopt;
    words.emplace_back(trim(part));
  }
  if (needs_shell(text)) return shell_command(join(words, " "), false);
  if (words_in(words.front()).size() == 1) return program(std::move(words), true);
  return program(words_in(join(words, " ")), false);
}

std::optional<HealthCommand> read_after_cmd(const MarkedCommand& marked) {
  if (marked.rest.empty()) return std::nullopt;
  if (auto list = read_written_list(marked.rest)) return program(std::move(*list), true);
  if (marked.has_comma && marked.rest.find(',') != std::string_view::npos) return read_arguments(marked.rest);
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
  if (first == "CMD-SHELL")
    return words.size() == 2 ? std::optional(HealthCommand{std::move(words), true}) : std::nullopt;
  return program(std::move(words), false);
}

/// A list that JSON does not know: ['CMD-SHELL', ...].
bool is_broken_list(std::string_view text) {
  return text.starts_with('[') && trim(text.substr(1)).substr(0, 4).find("CMD") != std::string_view::npos;
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

std::optional<HealthCommand> read_health_command(std::string_view text) {
  text = trim(text);
  if (text.empty() || is_broken_list(text)) {
    auto list = read_written_list(text);
    return list ? read_list(std::move(*list)) : std::nullopt;
  }
  if (auto list = read_written_list(text)) return read_list(std::move(*list));
  if (const auto marked = split_marker(text)) return read_marked(*marked);
  if (auto list = read_written_list("[" + std::string(text) + "]"); list && !health_marker(list->front()).empty()) {
    return read_list(std::move(*list));
  }
  const auto words = words_in(text);
  if (lower(words.front()) == "none" && words.size() == 1) return HealthCommand{{"NONE"}, false};
  auto line = read_shell_line(text);
  line->certain = line->certain && lower(words.front()) != "cmd";
  return line;
}

}  // namespace bayplan::rules
