#include "base/strings.hpp"
#include "cli/completion/shell_completion.hpp"

namespace bayplan::cli {
namespace {

constexpr std::string_view kBashHead = R"(# bash completion for bayplan; `bayplan completion bash` writes it.

# Offers words, in a list with commas after the last comma. A word that wants more behind it (TYPE=) ends in =.
_bayplan_words() {
  local before="" item=$cur word
  if [[ $1 == list && $cur == *,* ]]; then before="${cur%,*},"; item="${cur##*,}"; fi
  while read -r word; do
    COMPREPLY+=("$before$word")
    [[ $word == *= ]] && compopt -o nospace 2>/dev/null
  done < <(compgen -W "$2" -- "$item")
}

_bayplan_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$cur")
}

)";

constexpr std::string_view kBashFunction = R"(_bayplan() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command="" i
  COMPREPLY=()
  # Where = breaks words, --format=js is three of them.
  if [[ $cur == = ]]; then
    cur=""
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  if [[ $cur == --*=* ]]; then
    prev=${cur%%=*}
    cur=${cur#*=}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      break
    fi
  done
  # Behind -- stands another program's line.
  for ((; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      _bayplan_files -f
      return
    fi
  done
  case "$command:$prev" in
)";

constexpr std::string_view kBashTail = R"(}
complete -F _bayplan bayplan
)";

/// Nothing of it is special between double quotes of a shell: words of ours are letters, digits and `-._=|`.
std::string bash_variable(std::string_view name, const std::vector<std::string>& words) {
  return "_bayplan_" + std::string(name) + "=\"" + join(words, " ") + "\"\n";
}

std::string bash_names_of(const std::vector<CommandRows>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  return join(names, " ");
}

/// The shell's line that completes the value; empty if that is any text.
std::string bash_offer(const std::vector<CommandRows>& commands, const CommandRows& command, const OptionRow& row) {
  const auto words = [&](std::string_view list) {
    return std::string("_bayplan_words ") + (row.commas ? "list" : "one") + " \"" + std::string(list) + "\"";
  };
  const bool wants_more = row.kind == OptionRow::Kind::kValue && row.value_name.find('=') != std::string::npos;
  switch (kind_of(command, row)) {
    case ValueKind::kText:
      return {};
    case ValueKind::kFile:
      return "_bayplan_files -f";
    case ValueKind::kFolder:
      return "_bayplan_files -d";
    case ValueKind::kRule:
      return words(wants_more ? "${_bayplan_rules// /= }=" : "$_bayplan_rules");
    case ValueKind::kInstanceType:
      return words(wants_more ? "${_bayplan_types// /= }=" : "$_bayplan_types");
    case ValueKind::kSchema:
      return words("$_bayplan_schemas");
    case ValueKind::kFormat:
      return words(join(command.formats, " "));
    case ValueKind::kWord:
      return words(join(row.words, " "));
    case ValueKind::kShell:
      return words(join(completion_shells(), " "));
    case ValueKind::kCommand:
      return words(bash_names_of(commands));
  }
  return {};
}

std::string bash_value_cases(const std::vector<CommandRows>& commands, const CommandRows& command) {
  std::string text;
  for (const auto* row : command.options()) {
    if (row->kind == OptionRow::Kind::kFlag) continue;
    std::vector<std::string> patterns;
    for (const auto& name : row->names) patterns.push_back(command.name + ":" + name);
    const auto line = bash_offer(commands, command, *row);
    text += "    " + join(patterns, " | ") + ") " + (line.empty() ? "" : line + "; ") + "return ;;\n";
  }
  return text;
}

std::string bash_all_names(const CommandRows& command) {
  std::vector<std::string> names{"--help"};
  for (const auto* row : command.options()) names.insert(names.end(), row->names.begin(), row->names.end());
  return join(names, " ");
}

std::string bash_positional_case(const std::vector<CommandRows>& commands, const CommandRows& command) {
  std::string text = "    " + command.name + ")\n      if [[ $cur == -* ]]; then\n        _bayplan_words one \"" +
                     bash_all_names(command) + "\"\n";
  const auto positionals = command.positionals();
  const auto line = positionals.empty() ? "" : bash_offer(commands, command, *positionals.front());
  if (!line.empty()) text += "      else\n        " + line + "\n";
  return text + "      fi\n      ;;\n";
}

}  // namespace

std::string bash_completion(const std::vector<CommandRows>& commands, const CompletionWords& words) {
  std::string text(kBashHead);
  text += bash_variable("rules", words.rules) + bash_variable("types", words.types) +
          bash_variable("schemas", words.schemas) + "\n";
  text += kBashFunction;
  for (const auto& command : commands) text += bash_value_cases(commands, command);
  text += "  esac\n  case $command in\n";
  std::vector<std::string> before;
  for (const auto& option : program_options()) {
    for (const auto name : split(option.names, ',')) before.emplace_back(name);
  }
  text += "    '') _bayplan_words one \"" + bash_names_of(commands) + " " + join(before, " ") + "\" ;;\n";
  for (const auto& command : commands) text += bash_positional_case(commands, command);
  return text + "  esac\n" + std::string(kBashTail);
}

}  // namespace bayplan::cli
