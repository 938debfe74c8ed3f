#include "base/strings.hpp"
#include "cli/completion/shell_completion.hpp"

namespace bayplan::cli {
namespace {

constexpr std::string_view kZshHead = R"(#compdef bayplan
# zsh completion for bayplan; `bayplan completion zsh` writes it.

)";

constexpr std::string_view kZshTail = R"(
# Sourced it makes itself known; from a folder of fpath it is the function.
if [[ "${funcstack[1]}" == "_bayplan" ]]; then
  _bayplan "$@"
else
  compdef _bayplan bayplan
fi
)";

/// Escapes a description inside an _arguments specification, where brackets and colons have a meaning.
std::string zsh_described(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (character == '[' || character == ']' || character == ':' || character == '\\') escaped += '\\';
    escaped += character;
  }
  return escaped;
}

std::string zsh_array(std::string_view name, const std::vector<std::string>& words) {
  return "local -a bayplan_" + std::string(name) + "=(" + join(words, " ") + ")\n";
}

/// The action of _arguments behind the value's name; a blank: any text.
std::string zsh_action(const CommandRows& command, const OptionRow& row) {
  const bool wants_more = row.kind == OptionRow::Kind::kValue && row.value_name.find('=') != std::string::npos;
  const auto listed = [&](std::string_view function) {
    return (row.commas ? "_sequence " : "") + std::string(function) + (wants_more ? " -S = -q" : "");
  };
  switch (kind_of(command, row)) {
    case ValueKind::kText:
      return " ";
    case ValueKind::kFile:
      return "_files";
    case ValueKind::kFolder:
      return "_files -/";
    case ValueKind::kRule:
      return listed("_bayplan_rules");
    case ValueKind::kInstanceType:
      return listed("_bayplan_types");
    case ValueKind::kSchema:
      return "_bayplan_schemas";
    case ValueKind::kFormat:
      return "(" + join(command.formats, " ") + ")";
    case ValueKind::kWord:
      return "(" + join(row.words, " ") + ")";
    case ValueKind::kShell:
      return "(" + join(completion_shells(), " ") + ")";
    case ValueKind::kCommand:
      return "_bayplan_commands";
  }
  return " ";
}

/// '(-j --jobs)'{-j+,--jobs=}'[Threads]:N: '
std::string zsh_option_specification(const CommandRows& command, const OptionRow& row) {
  const bool has_value = row.kind == OptionRow::Kind::kValue;
  std::string value;
  if (has_value)
    value = ":" + zsh_described(row.words.empty() ? row.value_name : "word") + ":" + zsh_action(command, row);
  std::vector<std::string> names;
  for (const auto& name : row.names) names.push_back(name + (!has_value ? "" : name.starts_with("--") ? "=" : "+"));
  const std::string exclusion = row.repeats ? "'*'" : "'(" + join(row.names, " ") + ")'";
  const std::string listed = names.size() == 1 ? names.front() : "{" + join(names, ",") + "}";
  return exclusion + listed + "'[" + zsh_described(row.help) + "]" + value + "'";
}

std::string zsh_positional_specification(const CommandRows& command, const OptionRow& row) {
  return "'*:" + zsh_described(row.names.front()) + ":" + zsh_action(command, row) + "'";
}

std::string zsh_command_case(const CommandRows& command) {
  std::string text = "        " + command.name + ")\n          _arguments -s -S";
  text += " \\\n            '(- *)'{-h,--help}'[Print this help]'";
  for (const auto* row : command.options()) text += " \\\n            " + zsh_option_specification(command, *row);
  for (const auto* row : command.positionals())
    text += " \\\n            " + zsh_positional_specification(command, *row);
  return text + "\n          ;;\n";
}

std::string zsh_command_list(const std::vector<CommandRows>& commands) {
  std::string text = "_bayplan_commands() {\n  local -a commands=(\n";
  for (const auto& command : commands) {
    text += "    '" + command.name + ":" + zsh_described(command.summary) + "'\n";
  }
  return text + "  )\n  _describe -t commands 'command' commands\n}\n\n";
}

std::string zsh_word_function(std::string_view name, const std::vector<std::string>& words) {
  return "_bayplan_" + std::string(name) + "() {\n  " + zsh_array(name, words) + "  compadd \"$@\" -a bayplan_" +
         std::string(name) + "\n}\n\n";
}

}  // namespace

std::string zsh_completion(const std::vector<CommandRows>& commands, const CompletionWords& words) {
  std::string text(kZshHead);
  text += zsh_word_function("rules", words.rules) + zsh_word_function("types", words.types) +
          zsh_word_function("schemas", words.schemas) + zsh_command_list(commands);
  text += "_bayplan() {\n  local curcontext=\"$curcontext\" state line\n  typeset -A opt_args\n  _arguments -C";
  for (const auto& option : program_options()) {
    std::vector<std::string> names;
    for (const auto name : split(option.names, ',')) names.emplace_back(name);
    const std::string listed = names.size() == 1 ? names.front() : "{" + join(names, ",") + "}";
    text += " \\\n    '(- *)'" + listed + "'[" + zsh_described(option.help) + "]'";
  }
  text += " \\\n    '1:command:_bayplan_commands' \\\n    '*::argument:->arguments'\n";
  text += "  case $state in\n    arguments)\n      case $words[1] in\n";
  for (const auto& command : commands) text += zsh_command_case(command);
  return text + "      esac\n      ;;\n  esac\n}\n" + std::string(kZshTail);
}

}  // namespace bayplan::cli
