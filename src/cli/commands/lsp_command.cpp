#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/command.hpp"
#include "lsp/session.hpp"

namespace bayplan::cli {

/// bayplan lsp
class LspCommand : public Command {
 public:
  std::string_view name() const override { return "lsp"; }
  std::string_view summary() const override {
    return "Serve an editor: findings while typing, hover, completion, fixes";
  }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  bool stdio_ = false;
};

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

std::unique_ptr<Command> lsp_command() {
  return std::make_unique<LspCommand>();
}

}  // namespace bayplan::cli
