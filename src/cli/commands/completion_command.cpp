#include <algorithm>
#include <memory>
#include <ostream>
#include <set>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "catalog/catalog.hpp"
#include "cli/commands/commands.hpp"
#include "cli/completion/shell_completion.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "report/schemas.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::cli {

/// bayplan completion bash|zsh|fish|powershell
class CompletionCommand : public Command {
 public:
  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override { return "Print the completion script for bash, zsh, fish or PowerShell"; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> shells_;
};
namespace {

CompletionWords words() {
  CompletionWords words;
  const auto data = rules::RuleData::load();
  std::set<std::string> groups;
  std::vector<std::string> ids;
  for (const auto& row : data.rows()) {
    if (!row.implemented) continue;
    words.rules.emplace_back(row.code);
    ids.emplace_back(row.id);
    groups.emplace(row.group);
  }
  words.rules.insert(words.rules.end(), ids.begin(), ids.end());
  words.rules.insert(words.rules.end(), groups.begin(), groups.end());
  const auto catalog = catalog::Catalog::load();
  for (const auto& type : catalog.types()) words.types.push_back(type.name);
  for (const auto& schema : report::schemas()) words.schemas.emplace_back(schema.name);
  return words;
}

std::string script(std::string_view shell) {
  const auto commands = make_rows(all_commands());
  if (shell == "bash") return bash_completion(commands, words());
  if (shell == "zsh") return zsh_completion(commands, words());
  return shell == "fish" ? fish_completion(commands, words()) : powershell_completion(commands, words());
}

}  // namespace

std::vector<std::string> completion_shells() {
  return {"bash", "zsh", "fish", "powershell"};
}

std::vector<ProgramOption> program_options() {
  return {{"-h,--help", "Print this help (also: bayplan help)"},
          {"-V,--version", "Print the version and the dates of the built-in data"}};
}

void CompletionCommand::describe(OptionSet& options) {
  options.positional("SHELL", shells_, "bash, zsh, fish or powershell", true);
  options.examples(
      "  # in ~/.bashrc:\n"
      "  source <(bayplan completion bash)\n"
      "  # in a folder of zsh's fpath:\n"
      "  bayplan completion zsh > _bayplan\n"
      "  # in ~/.config/fish/completions:\n"
      "  bayplan completion fish > bayplan.fish\n"
      "  # in the file that $PROFILE of PowerShell names:\n"
      "  bayplan completion powershell > bayplan-completion.ps1");
}

int CompletionCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  const auto names = completion_shells();
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (shells_.size() != 1)
    return fail(io, {.message = "completion takes one shell, not " + std::to_string(shells_.size()),
                     .help = "Write: bayplan completion bash, zsh, fish or powershell"});
  if (std::find(known.begin(), known.end(), shells_.front()) == known.end()) {
    const auto near =
        shells_.front() == "pwsh" ? std::optional<std::string_view>("powershell") : nearest(shells_.front(), known);
    return fail(io, {.message = "no completions for '" + shells_.front() + "'" +
                                (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                     .help = "Write: bayplan completion bash, zsh, fish or powershell"});
  }
  Stats stats(global.stats, io);
  stats.phase("report");
  const auto text = script(shells_.front());
  const int code = write_outputs(*outputs, io, [&](std::string_view, std::ostream& out, bool) { out << text; });
  stats.print();
  return code;
}

std::unique_ptr<Command> completion_command() {
  return std::make_unique<CompletionCommand>();
}

}  // namespace bayplan::cli
