#include "base/strings.hpp"
#include "cli/completion/shell_completion.hpp"

namespace bayplan::cli {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string escaped = "'";
  for (const char character : text) {
    if (character == '\'' || character == '\\') escaped += '\\';
    escaped += character;
  }
  return escaped + "'";
}

std::string fish_word_function(std::string_view name, const std::vector<std::string>& words) {
  return "function __bayplan_" + std::string(name) + "\n    printf '%s\\n' " + join(words, " ") + "\nend\n\n";
}

/// Writes the values that `complete` offers for the option.
std::string fish_values(const CommandRows& command, const OptionRow& row) {
  const bool wants_more = row.kind == OptionRow::Kind::kValue && row.value_name.find('=') != std::string::npos;
  const auto listed = [&](std::string_view function) {
    std::string call = "(__bayplan_" + std::string(function) + (wants_more ? " | string replace -r '$' '='" : "") + ")";
    if (row.commas) call = "(__fish_append , " + call + ")";
    return " -x -a " + fish_quoted(call);
  };
  switch (kind_of(command, row)) {
    case ValueKind::kText:
      return " -x";
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kFolder:
      return " -x -a " + fish_quoted("(__fish_complete_directories)");
    case ValueKind::kRule:
      return listed("rules");
    case ValueKind::kInstanceType:
      return listed("types");
    case ValueKind::kSchema:
      return listed("schemas");
    case ValueKind::kCommand:
      return listed("commands");
    case ValueKind::kShell:
      return " -x -a " + fish_quoted(join(completion_shells(), " "));
    case ValueKind::kFormat:
      return " -x -a " + fish_quoted(join(command.formats, " "));
    case ValueKind::kWord:
      return " -x -a " + fish_quoted(join(row.words, " "));
  }
  return " -x";
}

std::string fish_line_of(const CommandRows& command, const OptionRow& row) {
  std::string line = "complete -c bayplan -n '__fish_seen_subcommand_from " + command.name + "'";
  for (const auto& name : row.names) line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (row.kind == OptionRow::Kind::kValue) line += fish_values(command, row);
  return line + " -d " + fish_quoted(row.help) + "\n";
}

std::string fish_positional_line(const CommandRows& command, const OptionRow& row) {
  const auto kind = kind_of(command, row);
  if (kind == ValueKind::kText) return {};
  std::string what = fish_values(command, row);
  what = what.substr(what.find(' ', 1));  // a positional requires nothing behind it
  return "complete -c bayplan -n '__fish_seen_subcommand_from " + command.name + "'" + what + "\n";
}

}  // namespace

std::string fish_completion(const std::vector<CommandRows>& commands, const CompletionWords& words) {
  std::string text = "# fish completion for bayplan; `bayplan completion fish` writes it.\n\n";
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  text += fish_word_function("commands", names) + fish_word_function("rules", words.rules) +
          fish_word_function("types", words.types) + fish_word_function("schemas", words.schemas);
  text += "complete -c bayplan -f\n";
  for (const auto& option : program_options()) {
    text += "complete -c bayplan -n __fish_use_subcommand";
    for (const auto name : split(option.names, ','))
      text += name.starts_with("--") ? " -l " + std::string(name.substr(2)) : " -s " + std::string(name.substr(1));
    text += " -d " + fish_quoted(option.help) + "\n";
  }
  for (const auto& command : commands) {
    text += "complete -c bayplan -n __fish_use_subcommand -a " + command.name + " -d " + fish_quoted(command.summary) +
            "\n";
  }
  for (const auto& command : commands) {
    text += "\n";
    text +=
        "complete -c bayplan -n '__fish_seen_subcommand_from " + command.name + "' -s h -l help -d 'Print this help'\n";
    for (const auto* row : command.options()) text += fish_line_of(command, *row);
    for (const auto* row : command.positionals()) text += fish_positional_line(command, *row);
  }
  return text;
}

}  // namespace bayplan::cli
