#include "base/strings.hpp"
#include "cli/completion/shell_completion.hpp"

namespace bayplan::cli {
namespace {

constexpr std::string_view kPowershellHead =
    R"(# PowerShell completion for bayplan; `bayplan completion powershell` writes it.
# Windows PowerShell 5.1 and PowerShell 7. Where it offers nothing, PowerShell itself offers files.

Register-ArgumentCompleter -Native -CommandName 'bayplan', 'bayplan.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

)";

/// Entries are hashtables: Names, Help, and the values of an option.
constexpr std::string_view kPowershellTail = R"(
    # One entry of the list that PowerShell shows. A word that wants more behind it (TYPE=) ends in =.
    function New-Completion($text, $shown, $kind, $help) {
        [System.Management.Automation.CompletionResult]::new($text, $shown, $kind, $(if ($help) { $help } else { $shown }))
    }
    # Words of an option's value, in a list with commas after the last comma; $prefix is what stands before them.
    function Get-Words($entry, $word, $prefix) {
        $before = ''
        $item = $word
        if ($entry.Commas -and $word.Contains(',')) {
            $before = $word.Substring(0, $word.LastIndexOf(',') + 1)
            $item = $word.Substring($word.LastIndexOf(',') + 1)
        }
        $end = if ($entry.More) { '=' } else { '' }
        foreach ($one in $entry.Words) {
            if ($one.StartsWith($item, [System.StringComparison]::OrdinalIgnoreCase)) {
                New-Completion "$prefix$before$one$end" "$one$end" 'ParameterValue' ''
            }
        }
    }

    $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { $_.Extent.Text })
    $earlier = @($elements | Select-Object -Skip 1)
    if ($wordToComplete -ne '' -and $earlier.Count -gt 0) { $earlier = @($earlier | Select-Object -SkipLast 1) }
    if ($earlier -contains '--') { return }  # Behind -- stands another program's line.
    $command = $earlier | Where-Object { -not $_.StartsWith('-') } | Select-Object -First 1

    if (-not $command) {
        foreach ($entry in $commands) {
            foreach ($name in $entry.Names) {
                if ($name.StartsWith($wordToComplete)) { New-Completion $name $name 'ParameterValue' $entry.Help }
            }
        }
        return
    }
    $entries = @($options[$command])
    # --format=js, or the value behind its option.
    if ($wordToComplete -match '^(--[^=]+=)(.*)$') {
        $prefix = $Matches[1]
        $value = $Matches[2]
        $entry = $entries | Where-Object { $_.Names -contains $prefix.TrimEnd('=') } | Select-Object -First 1
        if ($entry) { Get-Words $entry $value $prefix }
        return
    }
    $previous = $earlier | Select-Object -Last 1
    $entry = $entries | Where-Object { $_.Value -and $_.Names -contains $previous } | Select-Object -First 1
    if ($entry) {
        Get-Words $entry $wordToComplete ''
        return
    }
    if ($wordToComplete.StartsWith('-')) {
        foreach ($entry in $entries) {
            foreach ($name in $entry.Names) {
                if ($name.StartsWith($wordToComplete)) { New-Completion $name $name 'ParameterName' $entry.Help }
            }
        }
        return
    }
    foreach ($entry in @($arguments[$command])) {
        if ($entry) { Get-Words $entry $wordToComplete '' }
    }
}
)";

/// Nothing is special between single quotes but they themselves.
std::string powershell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char character : text) {
    if (character == '\'') quoted += '\'';
    quoted += character;
  }
  return quoted + "'";
}

std::string powershell_list(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const auto& word : words) quoted.push_back(powershell_quoted(word));
  return "@(" + join(quoted, ", ") + ")";
}

/// Half a thousand words are read faster as one text.
std::string powershell_words(std::string_view name, const std::vector<std::string>& words) {
  return "    $" + std::string(name) + " = " + powershell_quoted(join(words, " ")) + ".Split(' ')\n";
}

/// The values to suggest; empty if the value is a file, which PowerShell completes itself, or has no fixed set.
std::string powershell_value(const CommandRows& command, const OptionRow& row) {
  const bool wants_more = row.kind == OptionRow::Kind::kValue && row.value_name.find('=') != std::string::npos;
  const std::string more = std::string(wants_more ? "; More = $true" : "") + (row.commas ? "; Commas = $true" : "");
  switch (kind_of(command, row)) {
    case ValueKind::kText:
    case ValueKind::kFile:
    case ValueKind::kFolder:
      return {};
    case ValueKind::kRule:
      return "; Words = $rules" + more;
    case ValueKind::kInstanceType:
      return "; Words = $types" + more;
    case ValueKind::kSchema:
      return "; Words = $schemas";
    case ValueKind::kFormat:
      return "; Words = " + powershell_list(command.formats);
    case ValueKind::kWord:
      return "; Words = " + powershell_list(row.words);
    case ValueKind::kShell:
      return "; Words = " + powershell_list(completion_shells());
    case ValueKind::kCommand:
      return "; Words = @($commands | ForEach-Object { $_.Names })";
  }
  return {};
}

std::string powershell_entry(const std::vector<std::string>& names, std::string_view help, const std::string& more) {
  return "@{ Names = " + powershell_list(names) + "; Help = " + powershell_quoted(help) + more + " }";
}

}  // namespace

std::string powershell_completion(const std::vector<CommandRows>& commands, const CompletionWords& words) {
  std::string text(kPowershellHead);
  text += powershell_words("rules", words.rules) + powershell_words("types", words.types) +
          powershell_words("schemas", words.schemas);
  text += "    $commands = @(\n";
  for (const auto& command : commands)
    text += "        " + powershell_entry({command.name}, command.summary, "") + "\n";
  for (const auto& option : program_options()) {
    std::vector<std::string> names;
    for (const auto name : split(option.names, ',')) names.emplace_back(name);
    text += "        " + powershell_entry(names, option.help, "") + "\n";
  }
  text += "    )\n    $options = @{\n";
  for (const auto& command : commands) {
    text += "        " + powershell_quoted(command.name) + " = @(\n            " +
            powershell_entry({"-h", "--help"}, "Print this help", "") + "\n";
    for (const auto* row : command.options()) {
      const bool has_value = row->kind == OptionRow::Kind::kValue;
      const auto more = has_value ? "; Value = $true" + powershell_value(command, *row) : "";
      text += "            " + powershell_entry(row->names, row->help, more) + "\n";
    }
    text += "        )\n";
  }
  text += "    }\n    $arguments = @{\n";
  for (const auto& command : commands) {
    for (const auto* row : command.positionals()) {
      const auto value = powershell_value(command, *row);
      if (!value.empty()) text += "        " + powershell_quoted(command.name) + " = @{ " + value.substr(2) + " }\n";
    }
  }
  return text + "    }\n" + std::string(kPowershellTail);
}

}  // namespace bayplan::cli
