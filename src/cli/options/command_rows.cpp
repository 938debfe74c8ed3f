#include "cli/options/command_rows.hpp"

#include <algorithm>
#include <iterator>

#include "base/strings.hpp"
#include "cli/options/global_options.hpp"

namespace bayplan::cli {
namespace {

/// Writes down what a command declares; the variables are left alone.
class RecordedOptions : public OptionSet {
 public:
  explicit RecordedOptions(CommandRows& command) : command_(command) {}

  void group(std::string_view title) override { group_ = title; }
  void flag(std::string_view names, bool& /*target*/, std::string_view help) override {
    add(OptionRow::Kind::kFlag, names, {}, help);
  }
  void option(std::string_view names, std::string& /*target*/, std::string_view value_name,
              std::string_view help) override {
    add(OptionRow::Kind::kValue, names, value_name, help);
  }
  void option(std::string_view names, std::optional<std::string>& /*target*/, std::string_view value_name,
              std::string_view help) override {
    add(OptionRow::Kind::kValue, names, value_name, help);
  }
  void option(std::string_view names, std::int64_t& /*target*/, std::string_view value_name,
              std::string_view help) override {
    add(OptionRow::Kind::kValue, names, value_name, help).is_integer = true;
  }
  void option(std::string_view names, std::optional<std::int64_t>& /*target*/, std::string_view value_name,
              std::string_view help) override {
    add(OptionRow::Kind::kValue, names, value_name, help).is_integer = true;
  }
  void repeated(std::string_view names, std::vector<std::string>& /*target*/, std::string_view value_name,
                std::string_view help, bool commas) override {
    auto& row = add(OptionRow::Kind::kValue, names, value_name, help);
    row.repeats = true;
    row.commas = commas;
  }
  void choice(std::string_view names, std::string& /*target*/, std::vector<std::string> words,
              std::string_view help) override {
    auto& row = add(OptionRow::Kind::kValue, names, join(words, "|"), help);
    row.words = std::move(words);
  }
  void positional(std::string_view name, std::vector<std::string>& /*target*/, std::string_view help,
                  bool required) override {
    auto& row = add(OptionRow::Kind::kPositional, name, {}, help);
    row.repeats = true;
    row.required = required;
  }
  void rest(std::vector<std::string>& /*target*/) override { command_.takes_rest = true; }
  void examples(std::string_view text) override { command_.examples = text; }

 private:
  OptionRow& add(OptionRow::Kind kind, std::string_view names, std::string_view value_name, std::string_view help) {
    OptionRow row;
    row.kind = kind;
    for (const auto name : split(names, ',')) row.names.emplace_back(name);
    row.group = group_;
    row.value_name = value_name;
    row.help = help;
    command_.rows.push_back(std::move(row));
    return command_.rows.back();
  }

  CommandRows& command_;
  std::string group_;
};

std::vector<const OptionRow*> rows_like(const std::vector<OptionRow>& rows, bool positional) {
  std::vector<const OptionRow*> found;
  for (const auto& row : rows) {
    if ((row.kind == OptionRow::Kind::kPositional) == positional) found.push_back(&row);
  }
  return found;
}

bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<const OptionRow*> CommandRows::positionals() const {
  return rows_like(rows, true);
}

std::vector<const OptionRow*> CommandRows::options() const {
  return rows_like(rows, false);
}

std::vector<CommandRows> make_rows(const std::vector<std::unique_ptr<Command>>& commands) {
  std::vector<CommandRows> list;
  GlobalOptions unused;
  for (const auto& command : commands) {
    if (command->is_hidden()) continue;
    CommandRows rows{.name = std::string(command->name()), .summary = std::string(command->summary())};
    const auto formats = command->formats();
    std::transform(formats.begin(), formats.end(), std::back_inserter(rows.formats),
                   [](std::string_view format) { return std::string(format); });
    RecordedOptions options(rows);
    command->describe(options);
    describe_global_options(options, unused, *command);
    list.push_back(std::move(rows));
  }
  return list;
}

bool names_files(std::string_view value_name) {
  return is_any(value_name, {"FILE", "PATH", "REPORT.json", "TASKDEF", "TASKDEF=COUNT", "SCENARIO", "SNAPSHOT",
                             "RECORDS", "GRID", "OLD NEW"});
}

ValueKind kind_of(const CommandRows& command, const OptionRow& row) {
  if (!row.words.empty()) return ValueKind::kWord;
  const std::string& name = row.kind == OptionRow::Kind::kPositional ? row.names.front() : row.value_name;
  if (name == "FORMAT[=FILE]") return ValueKind::kFormat;
  if (name == "DIR") return ValueKind::kFolder;
  if (names_files(name)) return ValueKind::kFile;
  if (is_any(name, {"RULE", "CODE=LEVEL", "CODE|TEXT"})) return ValueKind::kRule;
  if (is_any(name, {"GLOB", "TYPE=N", "TYPE=N@AZ,AZ", "TYPES=FACTOR", "OLD=NEW"})) return ValueKind::kInstanceType;
  if (name == "COMMAND") return ValueKind::kCommand;
  if (name == "SHELL") return ValueKind::kShell;
  const bool is_schema = command.name == "schema" && row.kind == OptionRow::Kind::kPositional;
  return is_schema ? ValueKind::kSchema : ValueKind::kText;
}

}  // namespace bayplan::cli
