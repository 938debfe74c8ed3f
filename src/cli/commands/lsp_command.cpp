#include "cli/commands/lsp_command.hpp"

#include "lsp/session.hpp"

namespace bayplan::cli {

void LspCommand::describe(OptionSet& options) {
  options.flag("--stdio", stdio_, "Talk over standard input and output, which it does anyway: many editors pass this");
  options.examples(
      "  bayplan lsp\n"
      "  nvim -c 'lua vim.lsp.start({name = \"bayplan\", cmd = {\"bayplan\", \"lsp\"}})' \\\n"
      "    task-definition.json");
}

int LspCommand::run(const GlobalOptions& global, Streams& io) {
  if (!global.outputs.empty()) {
    return fail(io, {.message = "lsp writes no report", .help = "leave out --output; editors start it by themselves"});
  }
  return lsp::Session({io.in, io.out, io.files, io.clock}).run();
}

}  // namespace bayplan::cli
