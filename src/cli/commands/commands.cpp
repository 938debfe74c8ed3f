#include "cli/commands/commands.hpp"

namespace bayplan::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  for (const auto make :
       {lint_command,    fit_command,   place_command,       why_command,    whatif_command,     repack_command,
        replay_command,  diff_command,  sweep_command,       fleet_command,  dry_run_command,    collect_command,
        explain_command, rules_command, catalog_command,     schema_command, completion_command, lsp_command,
        mcp_command,     man_command,   list_options_command}) {
    commands.push_back(make());
  }
  return commands;
}

}  // namespace bayplan::cli
