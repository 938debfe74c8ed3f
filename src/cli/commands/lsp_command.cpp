#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/io/note_waiting.hpp"
#include "cli/options/command.hpp"
#include "lsp/session.hpp"

namespace bayplan::cli {

/// bayplan lsp
class LspCommand : public Command {
 public:
  std::string_view name() const override { return "lsp"; }
  std::string_view summary() const override { return "Language server for editors: diagnostics, hover, quick fixes"; }
  std::vector<std::string_view> formats() const override { return {}; }  ///< It talks with an editor.
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  bool stdio_ = false;
};

void LspCommand::describe(OptionSet& options) {
  options.flag("--stdio", stdio_,
               "Accepted because many editors pass it: the server always uses standard input and output");
  options.examples(
      "  bayplan lsp\n"
      "  nvim -c 'lua vim.lsp.start({name = \"bayplan\", cmd = {\"bayplan\", \"lsp\"}})' \\\n"
      "    task-definition.json");
}

int LspCommand::run(const GlobalOptions& /*global*/, Streams& io) {
  note_waiting(io, "editors start this server: docs/editors.md");
  return lsp::Session({io.in, io.out, io.files, io.clock}).run();
}

std::unique_ptr<Command> lsp_command() {
  return std::make_unique<LspCommand>();
}

}  // namespace bayplan::cli
