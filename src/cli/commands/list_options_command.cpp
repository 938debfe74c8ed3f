#include <memory>
#include <ostream>

#include "base/json_writer.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/options/command.hpp"
#include "cli/options/command_rows.hpp"

namespace bayplan::cli {

/// bayplan list-options: the options of all commands with the kinds of their values, for programs. scripts/npm writes
/// the TypeScript types of the npm package from it. Not in the list of commands.
class ListOptionsCommand : public Command {
 public:
  std::string_view name() const override { return "list-options"; }
  std::string_view summary() const override { return "Print the options of all commands as JSON"; }
  std::vector<std::string_view> formats() const override { return {"json"}; }
  bool is_hidden() const override { return true; }
  void describe(OptionSet& options) override {
    options.examples("  bayplan list-options\n  bayplan list-options --output json=options.json");
  }
  int run(const GlobalOptions& global, Streams& io) override;
};

namespace {

std::string_view kind_name(const OptionRow& row) {
  if (row.kind == OptionRow::Kind::kFlag) return "flag";
  if (!row.words.empty()) return "choice";
  return row.is_integer ? "integer" : "text";
}

void write_option(JsonWriter& json, const OptionRow& row) {
  json.begin_object();
  json.key("names").begin_array(JsonWriter::Layout::kLine);
  for (const auto& name : row.names) json.value(name);
  json.end_array();
  json.member("kind", kind_name(row));
  json.member_or_null("value", row.value_name);
  json.key("choices").begin_array(JsonWriter::Layout::kLine);
  for (const auto& word : row.words) json.value(word);
  json.end_array();
  json.member("repeats", row.repeats).member("help", row.help);
  json.end_object();
}

}  // namespace

int ListOptionsCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  return write_outputs(*outputs, io, [](std::string_view, std::ostream& out, bool) {
    JsonWriter json(out);
    json.begin_object().key("commands").begin_array();
    for (const auto& command : make_rows(all_commands())) {
      json.begin_object().member("name", command.name).key("options").begin_array();
      for (const auto* row : command.options()) write_option(json, *row);
      json.end_array().end_object();
    }
    json.end_array().end_object();
  });
}

std::unique_ptr<Command> list_options_command() {
  return std::make_unique<ListOptionsCommand>();
}

}  // namespace bayplan::cli
