#pragma once
#include <memory>

#include "cli/options/command.hpp"

/// Every command, each in a file of its own: a struct of options and a run.
namespace bayplan::cli {

std::unique_ptr<Command> lint_command();
std::unique_ptr<Command> fit_command();
std::unique_ptr<Command> place_command();
std::unique_ptr<Command> why_command();
std::unique_ptr<Command> whatif_command();
std::unique_ptr<Command> repack_command();
std::unique_ptr<Command> replay_command();
std::unique_ptr<Command> diff_command();
std::unique_ptr<Command> sweep_command();
std::unique_ptr<Command> fleet_command();
std::unique_ptr<Command> dry_run_command();
std::unique_ptr<Command> collect_command();
std::unique_ptr<Command> explain_command();
std::unique_ptr<Command> rules_command();
std::unique_ptr<Command> catalog_command();
std::unique_ptr<Command> schema_command();
std::unique_ptr<Command> completion_command();
std::unique_ptr<Command> list_options_command();
std::unique_ptr<Command> lsp_command();
std::unique_ptr<Command> man_command();
std::unique_ptr<Command> mcp_command();

}  // namespace bayplan::cli
