#include "cli/schema_command.hpp"

#include <algorithm>
#include <ostream>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "report/schemas.hpp"

namespace bayplan::cli {

void SchemaCommand::describe(OptionSet& options) {
  options.positional("NAME", names_, "Name of a schema; see --list", false);
  options.flag("--list", list_, "List the names");
  options.examples(
      "  bayplan schema --list\n"
      "  bayplan schema task-definition > task-definition.schema.json");
}

int SchemaCommand::run(const GlobalOptions&, Streams& io) {
  const auto schemas = report::schemas();
  std::vector<std::string_view> known;
  for (const auto& schema : schemas) known.push_back(schema.name);
  if (list_) {
    for (const auto name : known) io.out << name << '\n';
    return kClean;
  }
  if (names_.size() != 1) {
    return fail(io, {.message = "schema wants one name", .help = "It is " + one_of(known) + "."});
  }
  const auto found = std::find(known.begin(), known.end(), names_.front());
  if (found == known.end()) {
    const auto near = nearest(names_.front(), known);
    return fail(io, {.message = "unknown schema '" + names_.front() + "'" +
                                (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                     .help = "It is " + one_of(known) + "."});
  }
  io.out << schemas[static_cast<std::size_t>(found - known.begin())].text;
  return kClean;
}

}  // namespace bayplan::cli
