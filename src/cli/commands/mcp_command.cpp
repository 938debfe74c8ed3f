#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/io/note_waiting.hpp"
#include "cli/mcp/session.hpp"
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan mcp
class McpCommand : public Command {
 public:
  std::string_view name() const override { return "mcp"; }
  std::string_view summary() const override {
    return "Model Context Protocol server: the commands as tools for agents";
  }
  std::vector<std::string_view> formats() const override { return {}; }  ///< It talks with a client.
  void describe(OptionSet& options) override {
    options.examples(
        "  bayplan mcp\n"
        "  claude mcp add bayplan -- bayplan mcp\n"
        "  code --add-mcp '{\"name\": \"bayplan\", \"command\": \"bayplan\", \"args\": [\"mcp\"]}'");
  }
  int run(const GlobalOptions& /*global*/, Streams& io) override {
    note_waiting(io, "agents start this server: claude mcp add bayplan -- bayplan mcp");
    return mcp::Session(io).run();
  }
};

std::unique_ptr<Command> mcp_command() {
  return std::make_unique<McpCommand>();
}

}  // namespace bayplan::cli
