#include "cli/catalog_command.hpp"
#include "cli/collect_command.hpp"
#include "cli/command.hpp"
#include "cli/completion_command.hpp"
#include "cli/diff_command.hpp"
#include "cli/dry_run_command.hpp"
#include "cli/explain_command.hpp"
#include "cli/fit_command.hpp"
#include "cli/fleet_command.hpp"
#include "cli/lint_command.hpp"
#include "cli/lsp_command.hpp"
#include "cli/man_command.hpp"
#include "cli/place_command.hpp"
#include "cli/repack_command.hpp"
#include "cli/schema_command.hpp"
#include "cli/sweep_command.hpp"
#include "cli/whatif_command.hpp"
#include "cli/why_command.hpp"

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
