#include "cli/commands/catalog_command.hpp"
#include "cli/commands/collect_command.hpp"
#include "cli/commands/completion_command.hpp"
#include "cli/commands/diff_command.hpp"
#include "cli/commands/dry_run_command.hpp"
#include "cli/commands/explain_command.hpp"
#include "cli/commands/fit_command.hpp"
#include "cli/commands/fleet_command.hpp"
#include "cli/commands/lint_command.hpp"
#include "cli/commands/lsp_command.hpp"
#include "cli/commands/man_command.hpp"
#include "cli/commands/place_command.hpp"
#include "cli/commands/repack_command.hpp"
#include "cli/commands/schema_command.hpp"
#include "cli/commands/sweep_command.hpp"
#include "cli/commands/whatif_command.hpp"
#include "cli/commands/why_command.hpp"
#include "cli/options/command.hpp"

namespace bayplan::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<LintCommand>());
  commands.push_back(std::make_unique<FitCommand>());
  commands.push_back(std::make_unique<PlaceCommand>());
  commands.push_back(std::make_unique<WhyCommand>());
  commands.push_back(std::make_unique<WhatIfCommand>());
  commands.push_back(std::make_unique<RepackCommand>());
  commands.push_back(std::make_unique<DiffCommand>());
  commands.push_back(std::make_unique<SweepCommand>());
  commands.push_back(std::make_unique<FleetCommand>());
  commands.push_back(std::make_unique<DryRunCommand>());
  commands.push_back(std::make_unique<CollectCommand>());
  commands.push_back(std::make_unique<ExplainCommand>());
  commands.push_back(std::make_unique<CatalogCommand>());
  commands.push_back(std::make_unique<SchemaCommand>());
  commands.push_back(std::make_unique<CompletionCommand>());
  commands.push_back(std::make_unique<LspCommand>());
  commands.push_back(std::make_unique<ManCommand>());
  return commands;
}

}  // namespace bayplan::cli
