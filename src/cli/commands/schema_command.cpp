#include <algorithm>
#include <memory>
#include <ostream>
#include <sstream>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "report/editor_schema.hpp"
#include "report/schemas.hpp"

namespace bayplan::cli {

/// bayplan schema NAME|--list
class SchemaCommand : public Command {
 public:
  std::string_view name() const override { return "schema"; }
  std::string_view summary() const override { return "Print the JSON Schema of a file that bayplan reads or writes"; }
  /// The format of a schema is JSON; --list prints text.
  std::vector<std::string_view> formats() const override { return {"json"}; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> names_;
  bool list_ = false;
};
namespace {

std::string published(const report::Schema& schema) {
  if (!report::takes_placeholders(schema)) return std::string(schema.text);
  std::ostringstream text;
  report::write_editor_schema(text, schema);
  return text.str();
}

}  // namespace

void SchemaCommand::describe(OptionSet& options) {
  options.positional("NAME", names_, "Name of a schema; without one, lists the names", false);
  options.flag("--list", list_, "List the names (default without NAME)");
  options.examples(
      "  bayplan schema                          # the names\n"
      "  bayplan schema task-definition > task-definition.schema.json");
}

int SchemaCommand::run(const GlobalOptions& global, Streams& io) {
  const bool lists = list_ || names_.empty();
  const auto outputs = parse_outputs(global, lists ? std::vector<std::string_view>{"text"} : formats());
  if (!outputs) return fail(io, outputs.error());
  Stats stats(global.stats, io);
  stats.phase("report");
  const auto print = [&](std::string_view text) {
    const int code = write_outputs(*outputs, io, [&](std::string_view, std::ostream& out, bool) { out << text; });
    stats.print();
    return code;
  };
  const auto schemas = report::schemas();
  std::vector<std::string_view> known;
  for (const auto& schema : schemas) known.push_back(schema.name);
  if (lists) {
    std::string names;
    for (const auto name : known) (names += name) += '\n';
    return print(names);
  }
  if (names_.size() != 1) {
    return fail(io, {.message = "schema takes one name, not " + std::to_string(names_.size()),
                     .help = "'bayplan schema' lists the names."});
  }
  const auto found = std::find(known.begin(), known.end(), names_.front());
  if (found == known.end()) {
    // schemas/scenario.schema.json, scenario.yaml: the name of a file that has the schema.
    const std::string_view word = std::string_view(names_.front()).substr(names_.front().rfind('/') + 1);
    const auto near = nearest_or_containing(word.substr(0, word.find('.')), known);
    return fail(io, {.message = "unknown schema '" + names_.front() + "'" +
                                (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                     .help = "'bayplan schema' lists the names."});
  }
  return print(published(schemas[static_cast<std::size_t>(found - known.begin())]));
}

std::unique_ptr<Command> schema_command() {
  return std::make_unique<SchemaCommand>();
}

}  // namespace bayplan::cli
