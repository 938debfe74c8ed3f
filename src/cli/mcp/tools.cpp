#include "cli/mcp/tools.hpp"

#include <algorithm>
#include <sstream>

#include "base/file_part.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "cli/options/global_options.hpp"
#include "report/schemas.hpp"

namespace bayplan::cli::mcp {
namespace {

using text::Value;

constexpr std::string_view kTextHelp =
    "Content of a file that is not on the disk. An argument names it '-'; without one it is the first file that is "
    "missing";

/// "launch-type" as "launchType", the name in the API of the npm package.
std::string property_name(std::string_view option) {
  std::string name;
  for (std::size_t i = 0; i < option.size(); ++i) {
    const bool is_start = option[i] == '-' && i + 1 < option.size();
    name += is_start ? std::string(1, static_cast<char>(option[++i] - 'a' + 'A')) : std::string(1, option[i]);
  }
  return name;
}

const CommandRows& command_of(const Tool& tool, const std::vector<CommandRows>& commands) {
  return *std::find_if(commands.begin(), commands.end(), [&](const auto& one) { return one.name == tool.command; });
}

/// An option that a tool offers, by its long name without dashes.
struct OfferedOption {
  std::string_view name;
  const OptionRow* row = nullptr;
};

/// Every option of the command but those that the tool leaves out, so that a new one is offered, too.
std::vector<OfferedOption> offered_options(const Tool& tool, const CommandRows& command) {
  std::vector<OfferedOption> offered;
  for (const OptionRow* row : command.options()) {
    if (row->group == kOptionsOfEveryCommand) continue;
    const auto long_name =
        std::find_if(row->names.begin(), row->names.end(), [](const auto& one) { return one.starts_with("--"); });
    const auto name = std::string_view(*long_name).substr(2);
    if (std::find(tool.left_out.begin(), tool.left_out.end(), name) == tool.left_out.end())
      offered.push_back({name, row});
  }
  return offered;
}

void write_type(JsonWriter& json, std::string_view type, bool is_list) {
  if (!is_list) {
    json.member("type", type);
  } else {
    json.member("type", "array").key("items").begin_object().member("type", type).end_object();
  }
}

void write_option(JsonWriter& json, const OptionRow& row) {
  json.begin_object();
  const bool is_flag = row.kind == OptionRow::Kind::kFlag;
  write_type(json, is_flag ? "boolean" : row.is_integer ? "integer" : "string", row.repeats);
  if (!row.words.empty()) {
    json.key("enum").begin_array();
    for (const auto& word : row.words) json.value(word);
    json.end_array();
  }
  const bool has_form = !is_flag && row.words.empty() && !row.is_integer;
  json.member("description", has_form ? row.value_name + ": " + row.help : row.help).end_object();
}

std::string input_schema(const Tool& tool, const CommandRows& command) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(JsonWriter::Layout::kLine).member("type", "object").key("properties").begin_object();
  for (const auto& input : tool.inputs) {
    json.key(input.name).begin_object();
    write_type(json, "string", input.is_list);
    json.member("description", input.help).end_object();
  }
  if (tool.takes_text)
    json.key("text").begin_object().member("type", "string").member("description", kTextHelp).end_object();
  for (const auto& option : offered_options(tool, command)) {
    json.key(property_name(option.name));
    write_option(json, *option.row);
  }
  json.end_object().key("required").begin_array();
  for (const auto& input : tool.inputs) {
    // A text may be in the place of a file.
    if (input.is_required && !tool.takes_text) json.value(input.name);
  }
  json.end_array().member("additionalProperties", false).end_object();
  return out.str();
}

std::string report_schema(std::string_view name) {
  const auto all = report::schemas();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return on_one_line(found->text);
}

std::string output_schema(const Tool& tool) {
  if (tool.reports.size() == 1) return report_schema(tool.reports.front());
  std::string any;
  for (const auto name : tool.reports) any += (any.empty() ? "" : ",") + report_schema(name);
  return R"({"type":"object","anyOf":[)" + any + "]}";
}

Error wrong(std::string_view name, std::string_view must) {
  return {.message = "argument '" + printable(name) + "' must be " + std::string(must)};
}

/// The texts of a value: of a list, or of one text alone where a list is wanted.
Result<std::vector<std::string>> texts_in(Value value, bool is_list) {
  std::vector<std::string> texts;
  if (value.is_string()) {
    texts.emplace_back(value.text());
  } else if (!is_list || !value.is_array()) {
    return wrong(value.key(), is_list ? "a list of strings" : "a string");
  } else {
    for (const Value one : value.children()) {
      if (!one.is_string()) return wrong(value.key(), "a list of strings");
      texts.emplace_back(one.text());
    }
  }
  return texts;
}

/// The words of an option: --launch-type=EC2, --strict.
Result<std::vector<std::string>> option_words(const OptionRow& row, std::string_view option, Value value) {
  const std::string flag = "--" + std::string(option);
  if (row.kind == OptionRow::Kind::kFlag) {
    const auto is_set = value.boolean();
    if (!is_set) return wrong(value.key(), "true or false");
    return *is_set ? std::vector<std::string>{flag} : std::vector<std::string>{};
  }
  if (row.is_integer) {
    const auto number = value.integer();
    if (!number) return wrong(value.key(), "a whole number");
    return std::vector<std::string>{flag + "=" + std::to_string(*number)};
  }
  auto words = texts_in(value, row.repeats);
  if (!words) return words;
  const auto is_known = [&](const std::string& word) {
    return row.words.empty() || std::find(row.words.begin(), row.words.end(), word) != row.words.end();
  };
  if (!std::all_of(words->begin(), words->end(), is_known))
    return wrong(value.key(), "one of " + join(row.words, ", "));
  for (auto& word : *words) word = flag + "=" + word;
  return words;
}

/// The files that a value may name: web.json of `web.json=2`, of `web=web.json`, of `file://web.json` and of
/// `stack.yaml#Web`.
std::vector<std::string> paths_in(std::string_view value) {
  std::vector<std::string> paths;
  std::vector<std::string_view> parts{value};
  if (const auto equals = value.rfind('='); equals != std::string_view::npos)
    parts.insert(parts.end(), {value.substr(0, equals), value.substr(equals + 1)});
  for (auto part : parts) {
    for (const std::string_view scheme : {"file://", "fileb://"}) {
      if (part.starts_with(scheme)) part.remove_prefix(scheme.size());
    }
    if (part.empty() || part == "-" || part == "/dev/null") continue;
    paths.emplace_back(part);
    if (const auto hash = part.rfind('#'); hash != std::string_view::npos && hash > 0)
      paths.emplace_back(part.substr(0, hash));
  }
  return paths;
}

bool may_name_file(const CommandRows& command, const OptionRow& row) {
  const auto kind = kind_of(command, row);
  return kind == ValueKind::kFile || kind == ValueKind::kFolder || row.value_name.find("TASKDEF") != std::string::npos;
}

}  // namespace

std::string on_one_line(std::string_view json) {
  std::string line;
  line.reserve(json.size());
  bool is_indent = false;
  for (const char c : json) {
    const bool is_break = c == '\n' || c == '\r';
    if (is_break || (is_indent && c == ' ')) {
      is_indent = true;
      continue;
    }
    is_indent = false;
    line += c;
  }
  return line;
}

const std::vector<Tool>& tools() {
  constexpr std::string_view kScenario =
      "Scenario file (cluster, services and tasks, YAML or JSON), or a CloudFormation template or Terraform plan";
  constexpr std::string_view kDefinitions =
      "Task definitions, CloudFormation templates or Terraform plans, JSON or YAML; FILE#NAME is one of a file";
  static const std::vector<Tool> all{
      {"lint",
       "lint",
       {{"files", "Files, and folders, which are searched (default: the first folder of the client)", true}},
       {"init", "show-config", "test-rules", "create-baseline", "add-ignores", "statistics", "exit-zero", "fix", "diff",
        "unsafe-fixes", "changed", "changed-since", "watch", "show-files", "jobs"},
       {"lint-report"},
       true},
      {"fit", "fit", {{"files", kDefinitions, true, true}}, {}, {"fit-report"}, true},
      {"place",
       "place",
       {{"scenario", kScenario}},
       {"placement-strategy", "write-scenario", "wide", "sort", "where"},
       {"place-report"},
       true},
      {"why",
       "why",
       {{"task",
         "The task: a file (FILE#NAME: a definition of a template or plan), or a definition or service of the "
         "scenario or cluster"},
        {"scenario", kScenario}},
       {"placement-strategy"},
       {"why-report"},
       true},
      {"whatif",
       "whatif",
       {{"scenario", kScenario}},
       {"placement-strategy"},
       {"whatif-report", "whatif-timeline-report"},
       true},
      {"fleet",
       "fleet",
       {{"scenario", "Services and tasks, YAML or JSON, or a template or plan; no cluster is required"}},
       {"wide", "sort", "where", "jobs"},
       {"fleet-report"},
       true},
      {"diff",
       "diff",
       {{"old", "Task definition, template, plan or folder of them before the change; /dev/null is nothing", false,
         true},
        {"new", "The same after the change", false, true}},
       {},
       {"diff-report"},
       true},
      {"dry_run",
       "dry-run",
       {{"command",
         "The AWS CLI command as one line, or its words, one item each: "
         "[\"aws\", \"ecs\", \"run-task\", \"--cluster\", \"prod\", ...]",
         true, true}},
       {},
       {"dry-run-report"}},
      {"explain",
       "explain",
       {{"messages",
         "Codes, names or groups of rules, IDs of assumptions, or one message of ECS, the AWS CLI or a driver", true,
         true, false}},
       {"all"},
       {"explain-report"}},
      {"catalog",
       "catalog",
       {{"types", "Instance types: g4dn.*, p3.8xlarge (default: all)", true, false, false}},
       {"wide"},
       {"catalog-report"}},
  };
  return all;
}

const Tool* find_tool(std::string_view name) {
  const auto found = std::find_if(tools().begin(), tools().end(), [&](const Tool& tool) { return tool.name == name; });
  return found == tools().end() ? nullptr : &*found;
}

std::string list_tools(const std::vector<CommandRows>& commands) {
  std::string list;
  for (const auto& tool : tools()) {
    const auto& command = command_of(tool, commands);
    std::ostringstream head;
    JsonWriter json(head);
    json.begin_object(JsonWriter::Layout::kLine).member("name", tool.name).member("description", command.summary);
    json.key("annotations").begin_object().member("readOnlyHint", true).member("openWorldHint", false).end_object();
    json.end_object();
    std::string text = head.str();
    text.pop_back();
    list += (list.empty() ? "" : ",") + text + R"(,"inputSchema":)" + input_schema(tool, command) +
            R"(,"outputSchema":)" + output_schema(tool) + "}";
  }
  return R"({"tools":[)" + list + "]}";
}

Result<ToolCall> read_call(const Tool& tool, Value arguments, const std::vector<CommandRows>& commands) {
  const auto& command = command_of(tool, commands);
  const auto offered = offered_options(tool, command);
  ToolCall call{.tool = &tool, .words = {std::string(tool.command)}};
  std::vector<std::vector<std::string>> inputs(tool.inputs.size());
  bool has_text = false;
  if (arguments) {
    for (const Value value : arguments.children()) {
      const std::string_view name = value.key();
      const auto input =
          std::find_if(tool.inputs.begin(), tool.inputs.end(), [&](const Input& one) { return one.name == name; });
      const auto option = std::find_if(offered.begin(), offered.end(),
                                       [&](const OfferedOption& one) { return property_name(one.name) == name; });
      if (input != tool.inputs.end()) {
        auto texts = texts_in(value, input->is_list);
        if (!texts) return texts.error();
        inputs[static_cast<std::size_t>(input - tool.inputs.begin())] = std::move(*texts);
      } else if (option != offered.end()) {
        const OptionRow& row = *option->row;
        auto words = option_words(row, option->name, value);
        if (!words) return words.error();
        const std::size_t before = option->name.size() + 3;  // --NAME=
        for (const auto& word : *words) {
          if (!may_name_file(command, row)) continue;
          for (auto& path : paths_in(std::string_view(word).substr(std::min(before, word.size()))))
            call.paths.push_back(std::move(path));
        }
        call.words.insert(call.words.end(), words->begin(), words->end());
      } else if (name == "text" && tool.takes_text) {
        if (!value.is_string()) return wrong(name, "a string");
        call.text = value.text();
        has_text = true;
      } else {
        std::vector<std::string> known;
        for (const auto& one : tool.inputs) known.emplace_back(one.name);
        if (tool.takes_text) known.emplace_back("text");
        for (const auto& one : offered) known.push_back(property_name(one.name));
        return Error{.message = "unknown argument '" + printable(name) + "' of " + std::string(tool.name),
                     .help = "Its arguments are " + join(known, ", ")};
      }
    }
  }

  const auto names_text = [](const std::string& word) {
    return word == "-" || word.starts_with("-=") || word.ends_with("=-") || word.find("=-=") != std::string::npos;
  };
  const auto any_names_text = [&] {
    return std::any_of(call.words.begin(), call.words.end(), names_text) ||
           std::any_of(inputs.begin(), inputs.end(),
                       [&](const auto& values) { return std::any_of(values.begin(), values.end(), names_text); });
  };
  if (tool.takes_text) {
    if (has_text && !any_names_text()) {
      const auto missing =
          std::find_if(inputs.begin(), inputs.end(), [](const auto& values) { return values.empty(); });
      if (missing == inputs.end())
        return Error{.message = "no argument names the 'text'", .help = "Name it '-' in place of a file."};
      missing->push_back("-");
    }
    if (!has_text && any_names_text())
      return Error{.message = "'-' names the argument 'text', which is missing",
                   .help = "Pass the content of the file as 'text'."};
  }

  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Input& input = tool.inputs[i];
    if (input.is_required && inputs[i].empty())
      return Error{.message = "missing argument '" + std::string(input.name) + "'"};
    if (!input.is_file) continue;
    for (const auto& value : inputs[i]) {
      // Of an AWS CLI command, only what is marked as one is a file.
      if (command.takes_rest && value.find("file://") == std::string::npos &&
          value.find("fileb://") == std::string::npos)
        continue;
      for (auto& path : paths_in(value)) call.paths.push_back(std::move(path));
    }
  }
  call.words.insert(call.words.end(), {"--output=json", "--output=text=" + std::string(kTextReport), "--"});
  for (auto& values : inputs) call.words.insert(call.words.end(), values.begin(), values.end());
  return call;
}

}  // namespace bayplan::cli::mcp
