#include "lint/files/deployers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/name_words.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "lint/files/folder_search.hpp"
#include "lint/files/named_files.hpp"
#include "lint/files/script_edits.hpp"
#include "text/read.hpp"

namespace bayplan::lint {
namespace {

using rules::DeployClient;
using text::Value;

constexpr std::string_view kWorkflows = ".github/workflows";
/// Without their owner: a copy of an action in the account of a company has its name.
constexpr std::string_view kRenderAction = "/amazon-ecs-render-task-definition@";
/// Where the scripts of a folder lie.
constexpr std::array<std::string_view, 8> kScriptPlaces{"",       "scripts", "script",    "bin",
                                                        "deploy", "ci",      ".circleci", kWorkflows};
constexpr std::string_view kDeployAction = "/amazon-ecs-deploy-task-definition@";

/// ecspresso.yml, ecspresso-prod.yaml; config.yaml was the name until version 2.
bool is_ecspresso_name(std::string_view name) {
  if (name == "config.yaml" || name == "config.yml") return true;
  return (is_yaml(name) || name.ends_with(".json")) && lower(name).find("ecspresso") != std::string::npos;
}

std::string_view scalar_text(Value object, std::string_view key) {
  const Value value = object && object.is_object() ? object.find(key) : Value();
  return value && (value.is_string() || value.kind() == text::Kind::kPlaceholder) ? value.text() : std::string_view();
}

std::string folder_above(std::string_view folder) {
  const auto slash = folder.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(folder.substr(0, slash));
}

/// The folders whose files may name one in `folder`, the nearest first.
std::vector<std::string> folders_around(const std::string& folder, const Files& files) {
  std::vector<std::string> folders{folder};
  while (!files.exists(inside(folders.back(), ".git"))) {
    if (folders.back() == "/" || folders.back().front() != '/') {
      const std::string here = files.absolute(".");
      const bool is_below = folder == here || folder.starts_with(here == "/" ? here : here + "/");
      std::erase_if(folders,
                    [&](const std::string& one) { return one != folder && (!is_below || one.size() < here.size()); });
      break;
    }
    folders.push_back(folder_above(folders.back()));
  }
  return folders;
}

/// The pattern of a file whose whole name a workflow takes from a variable.
constexpr std::string_view kAnyFile = "*";

/// `${{ env.NAME }}` and `${{ steps.ID.outputs.task-definition }}` as far as the workflow itself says what they are.
class WorkflowValues {
 public:
  explicit WorkflowValues(std::vector<Value> environments) : environments_(std::move(environments)) {}

  void set_output(std::string_view step, std::string value) {
    if (!step.empty()) outputs_.insert_or_assign(std::string(step), std::move(value));
  }

  /// Nothing for what is known only when the workflow runs.
  std::optional<std::string> resolve(std::string_view given) const {
    const std::string_view value = trim(given);
    if (value.find("${{") == std::string_view::npos)
      return value.empty() ? std::nullopt : std::optional(std::string(value));
    if (!value.starts_with("${{") || !value.ends_with("}}") || value.find("${{", 3) != std::string_view::npos)
      return std::nullopt;
    const std::string_view expression = trim(value.substr(3, value.size() - 5));
    if (expression.starts_with("env.")) {
      for (const Value environment : environments_) {
        if (const auto found = scalar_text(environment, expression.substr(4)); !found.empty()) return resolve(found);
      }
    }
    if (expression.starts_with("steps.") && expression.ends_with(".outputs.task-definition")) {
      const auto output = outputs_.find(expression.substr(6, expression.find('.', 6) - 6));
      if (output != outputs_.end()) return output->second;
    }
    return std::nullopt;
  }

  /// The name of a file as a glob pattern: `*` replaces each expression whose value only a run of the workflow has.
  /// Nothing for the output of a step that the workflow itself does not tell.
  std::optional<std::string> file_name(std::string_view given) const {
    std::string name;
    for (std::string_view rest = trim(given); !rest.empty();) {
      const auto begin = std::min(rest.find("${{"), rest.size());
      const auto end = rest.find("}}", begin);
      name += rest.substr(0, begin);
      if (end == std::string_view::npos) {
        name += rest.substr(begin);
        break;
      }
      const auto expression = rest.substr(begin, end + 2 - begin);
      const auto value = resolve(expression);
      if (!value && expression.find("steps.") != std::string_view::npos) return std::nullopt;
      name += value ? *value : std::string(kAnyFile);
      rest.remove_prefix(end + 2);
    }
    return name.empty() ? std::nullopt : std::optional(std::move(name));
  }

 private:
  std::vector<Value> environments_;  ///< The innermost first.
  std::map<std::string, std::string, std::less<>> outputs_;
};

constexpr std::string_view kPackage = "package.json";

/// The keys of the container that the other inputs of the render action give new values; where its name is not known,
/// of any. https://github.com/aws-actions/amazon-ecs-render-task-definition, action.yml
TextSet keys_rendered(Value inputs, const std::optional<std::string>& container) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kInputs{
      {{"log-configuration-log-driver", "logConfiguration"},
       {"log-configuration-options", "logConfiguration"},
       {"command", "command"},
       {"env-files", "environmentFiles"},
       {"secrets", "secrets"}}};
  TextSet keys;
  for (const auto& [input, key] : kInputs) {
    if (trim(scalar_text(inputs, input)).empty()) continue;
    const std::string path = (container ? "/containerDefinitions/" + *container + "/" : "") + std::string(key);
    keys.insert(path);
    keys.insert(path + "/");
  }
  return keys;
}

/// Makefiles, shell and Python scripts, pipelines, and guides that show the commands of a deployment.
bool is_script_name(std::string_view name) {
  const std::string folded = lower(name);
  for (const std::string_view end :
       {".sh", ".bash", ".zsh", ".fish", ".bat", ".cmd", ".mk", ".py", ".rb", ".ps1", ".groovy"}) {
    if (folded.ends_with(end)) return true;
  }
  for (const std::string_view begin :
       {"makefile", "justfile", "jenkinsfile", "rakefile", "readme", "buildspec", ".gitlab-ci", "bitbucket-pipelines",
        ".travis", "azure-pipelines", "samconfig", "taskfile.y"}) {
    if (folded.starts_with(begin)) return true;
  }
  return folded == kPackage;
}

/// A script whose name does not say so: `deploy` that begins with `#!/usr/bin/env bash`.
bool begins_like_script(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const auto names = [&](std::string_view program) { return line.find(program) != std::string_view::npos; };
  return line.starts_with("#!") && (names("sh") || names("python") || names("ruby") || names("make") || names("node"));
}

/// The commands in `"scripts": {...}` of package.json, as a shell gets them.
std::string commands_of_package(std::string_view text) {
  std::string commands;
  const auto document = text::read_document(std::string(text), {.format = text::Format::kJson});
  const Value root = document->root();
  const Value scripts = root && root.is_object() ? root.find("scripts") : Value();
  if (!scripts || !scripts.is_object()) return commands;
  for (const Value script : scripts.children()) {
    if (script.is_string()) commands.append(script.text()).append("\n");
  }
  return commands;
}

/// What Terraform code takes of JSON files.
constexpr std::string_view kTerraformCode = ".tf";

/// JavaScript, of which the assignments alone are read.
bool is_code_name(std::string_view name) {
  const std::string folded = lower(name);
  constexpr std::array<std::string_view, 4> kEnds{".js", ".mjs", ".cjs", ".ts"};
  return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return folded.ends_with(end); });
}

/// Joins each line that ends with a backslash, in batch files with a caret, with the next one.
std::string with_joined_lines(std::string_view text) {
  std::string joined;
  joined.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t eol = text[at] != '\\' && text[at] != '^'            ? at
                            : at + 1 < text.size() && text[at + 1] == '\r' ? at + 2
                                                                           : at + 1;
    if (eol > at && eol < text.size() && text[eol] == '\n') {
      joined += ' ';
      at = eol;
    } else {
      joined += text[at];
    }
  }
  return joined;
}

/// `.containerDefinitions[0].image = $image` of jq and JavaScript, `container["image"] = ...` of Python.
bool assigns_image(std::string_view script) {
  for (const std::string_view member : {".image", "[\"image\"]", "['image']", "[\\\"image\\\"]", ".[\"image\"]"}) {
    for (auto at = script.find(member); at != std::string_view::npos; at = script.find(member, at + 1)) {
      std::size_t after = at + member.size();
      while (after < script.size() && (script[after] == ' ' || script[after] == ')')) ++after;
      const auto rest = script.substr(after);
      if (rest.starts_with("|=") || (rest.starts_with('=') && !rest.starts_with("=="))) return true;
    }
  }
  return false;
}

/// `--task-role-arn` gives taskRoleArn.
std::string member_of_option(std::string_view option) {
  std::string member;
  for (std::size_t at = 2; at < option.size(); ++at) {
    const bool begins_word = option[at] == '-' && at + 1 < option.size();
    if (begins_word) ++at;
    member +=
        begins_word && option[at] >= 'a' && option[at] <= 'z' ? static_cast<char>(option[at] - 'a' + 'A') : option[at];
  }
  return member;
}

/// task-definition-dev.json and task-definition-prod.json, task.json and task-prod.json: what one workflow deploys, the
/// other one takes in the same way.
bool is_of_other_stage(std::string_view name, std::string_view other) {
  auto words = words_in_name(name), others = words_in_name(other);
  if (words.size() < others.size()) words.swap(others);
  if (words.size() > others.size() + 1) return false;
  if (words.size() > others.size()) {
    const auto at = std::mismatch(others.begin(), others.end(), words.begin()).second;
    words.erase(at);
    return words == others;
  }
  std::size_t different = 0;
  for (std::size_t i = 0; i < words.size(); ++i) different += words[i] == others[i] ? 0 : 1;
  return different == 1 && words.size() > 2 && words.back() == others.back();
}

/// Whether a script names the file. Folders in the script are ignored: it may change its working directory first.
bool matches_file_name(const TextSet& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
    return glob_matches(pattern.substr(pattern.rfind('/') + 1), name);
  });
}

/// Whether a pattern matches `path` relative to `folder`, where the script is, or to a folder above it up to `root`.
bool matches_path(const TextSet& patterns, const std::string& folder, const std::string& root, std::string_view path) {
  for (std::string base = folder; base.starts_with(root); base = folder_above(base)) {
    if (path.starts_with(base + "/")) {
      const auto below = path.substr(base.size() + 1);
      const auto depth = std::count(below.begin(), below.end(), '/');
      if (std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
            return std::count(pattern.begin(), pattern.end(), '/') == depth && glob_matches(pattern, below);
          }))
        return true;
    }
    if (base == root) break;
  }
  return false;
}

/// A command of the AWS CLI that takes a file as `--cli-input-json`.
struct CliCommand {
  rules::FileKind input = rules::FileKind::kTaskDefinition;
  std::string_view text;  ///< From its name to the end of the command.
};

std::vector<CliCommand> cli_commands_in(std::string_view script) {
  constexpr std::pair<std::string_view, rules::FileKind> kCommands[] = {
      {"ecs register-task-definition", rules::FileKind::kTaskDefinition},
      {"ecs create-service", rules::FileKind::kService},
      {"ecs run-task", rules::FileKind::kRunTask}};
  std::vector<CliCommand> commands;
  for (const auto& [name, input] : kCommands) {
    for (auto at = script.find(name); at != std::string_view::npos; at = script.find(name, at + 1))
      commands.push_back({input, script.substr(at, script.find_first_of("\n|;", at) - at)});
  }
  return commands;
}

/// Whether the search text of a replacement is specific enough for a placeholder: at least four letters, digits, `_`,
/// `-` or signs around a name that mean nothing in a pattern (`#VERSION#`, `@IMAGE@`), with a letter among them.
bool is_word_to_replace(std::string_view word) {
  constexpr std::size_t kShortest = 4;
  constexpr std::string_view kSigns = "_-#@%:<>{}~";
  const auto is_part = [&](char c) { return is_letter(c) || is_digit(c) || kSigns.find(c) != std::string_view::npos; };
  return word.size() >= kShortest && std::all_of(word.begin(), word.end(), is_part) &&
         std::any_of(word.begin(), word.end(), is_letter);
}

/// The words that commands of `sed` replace: `s|IMAGE|$IMAGE|`. A pattern with other signs may match anything.
TextSet words_of_sed(std::string_view line) {
  TextSet words;
  if (line.find("sed ") == std::string_view::npos) return words;
  for (std::size_t at = 1; at + 2 < line.size(); ++at) {
    const bool begins = line[at] == 's' && std::string_view(" \"';").find(line[at - 1]) != std::string_view::npos;
    const char delimiter = line[at + 1];
    if (!begins || std::string_view("|/#,@~!%").find(delimiter) == std::string_view::npos) continue;
    const auto end = line.find(delimiter, at + 2);
    if (end == std::string_view::npos || line.find(delimiter, end + 1) == std::string_view::npos) continue;
    const auto word = line.substr(at + 2, end - at - 2);
    if (is_word_to_replace(word)) words.emplace(word);
  }
  return words;
}

/// `-replace 'IMAGE', $image` of PowerShell and `.replace("IMAGE", image)` of Python, PowerShell and Groovy.
TextSet words_of_replace(std::string_view line) {
  TextSet words;
  const std::string folded = lower(line);
  for (auto at = folded.find("replace"); at != std::string::npos; at = folded.find("replace", at + 1)) {
    if (at == 0 || (line[at - 1] != '-' && line[at - 1] != '.')) continue;
    const auto begin = line.find_first_not_of(" (", at + std::string_view("replace").size());
    if (begin == std::string_view::npos || (line[begin] != '"' && line[begin] != '\'')) continue;
    const auto end = line.find(line[begin], begin + 1);
    if (end == std::string_view::npos || !trim(line.substr(end + 1)).starts_with(',')) continue;
    const auto word = line.substr(begin + 1, end - begin - 1);
    if (is_word_to_replace(word)) words.emplace(word);
  }
  return words;
}

/// The keys to which a script assigns values in a definition: `.containerDefinitions[0].cpu = $cpu` and
/// `.logConfiguration.options["awslogs-group"] |= $group` of jq, `task["containerDefinitions"][0]["cpu"] = cpu`.
TextSet keys_assigned_in(std::string_view script) {
  constexpr std::string_view kPath = ".[]\"'\\*-_";
  TextSet keys;
  for (auto at = script.find("ontainerDefinitions"); at != std::string_view::npos;
       at = script.find("ontainerDefinitions", at + 1)) {
    std::size_t end = at;
    const auto is_part = [&](char c) { return is_letter(c) || is_digit(c) || kPath.find(c) != std::string_view::npos; };
    while (end < script.size() && is_part(script[end])) ++end;
    const std::string_view behind = trim(script.substr(end, std::string_view(" |= ").size()));
    if (!behind.starts_with("|=") && (!behind.starts_with('=') || behind.starts_with("=="))) continue;
    std::string_view path = script.substr(at, end - at);
    while (!path.empty() && std::string_view("]\"'\\").find(path.back()) != std::string_view::npos)
      path.remove_suffix(1);
    const auto before = path.find_last_of(".[]\"'\\*");
    const std::string_view key = before == std::string_view::npos ? std::string_view() : path.substr(before + 1);
    if (!key.empty() && std::any_of(key.begin(), key.end(), is_letter)) keys.emplace(key);
  }
  return keys;
}

/// Whether the script deals with definitions or services of ECS.
bool is_about_ecs(std::string_view script) {
  constexpr std::array<std::string_view, 9> kSigns{"ontainerDefinitions", "ontainer-definitions", "ask-definition",
                                                   "ask_definition",      "askDefinition",        "create-service",
                                                   "update-service",      "create_service",       "CreateService"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [&](std::string_view sign) { return script.find(sign) != std::string_view::npos; });
}

bool is_of_parameter(char c) {
  return is_letter(c) || is_digit(c);
}

/// The parameters of templates to which commands, workflows, configurations and files of parameters give values:
/// `--parameter-overrides Cpu=512`, `ParameterKey=Cpu,ParameterValue=512`, `"ParameterKey": "Cpu"`.
TextSet parameters_set_in(std::string_view script) {
  constexpr std::string_view kKey = "ParameterKey";
  std::size_t begin = script.size();
  for (const std::string_view word :
       {std::string_view("parameter-overrides"), std::string_view("parameter_overrides"), kKey})
    begin = std::min(begin, script.find(word));
  TextSet names;
  for (std::size_t at = begin; at < script.size(); ++at) {
    if (!is_letter(script[at])) continue;
    const bool is_whole = at == 0 || std::string_view(" \t\n\"',=").find(script[at - 1]) != std::string_view::npos;
    const std::size_t first = at;
    while (at < script.size() && is_of_parameter(script[at])) ++at;
    const std::string_view word = script.substr(first, at - first);
    const std::string_view behind = script.substr(at);
    if (word == kKey) {
      const auto name = behind.substr(std::min(behind.find_first_not_of("\"' :="), behind.size()));
      const auto end = std::find_if_not(name.begin(), name.end(), is_of_parameter);
      if (end != name.begin()) names.emplace(name.begin(), end);
    } else if (is_whole && behind.starts_with('=') && !behind.starts_with("==") && word != "ParameterValue") {
      names.emplace(word);
    }
  }
  return names;
}

/// A file of parameters for a template, of the AWS CLI or CodePipeline, `"ParameterKey": "Cpu"` or `{"Parameters":
/// {...}}`, by the name of its folder and its own.
/// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/continuous-delivery-codepipeline-cfn-artifacts.html
bool is_file_of_parameters(std::string_view folder_and_name) {
  const std::string folded = lower(folder_and_name);
  return folded.ends_with(".json") &&
         (folded.find("param") != std::string::npos || folded.find("config") != std::string::npos);
}

/// config/prod/web.yaml, which Sceptre reads.
bool may_be_stack_config(std::string_view folder, std::string_view name) {
  return is_yaml(name) && (std::string(folder) + "/").find("/config/") != std::string::npos;
}

/// The parameters of a template, and the template, in a configuration of Sceptre, whose templates are in `templates`.
/// https://docs.sceptre-project.org/latest/docs/stack_config.html
struct StackConfig {
  TextSet templates;
  TextSet parameters;
};

StackConfig read_stack_config(const std::string& content) {
  StackConfig config;
  if (content.find("parameters:") == std::string::npos || content.find("template") == std::string::npos) return config;
  const auto document = text::read_document(content, {.format = text::Format::kYaml});
  const Value root = document->root();
  const Value parameters = root && root.is_object() ? root.find("parameters") : Value();
  if (!parameters || !parameters.is_object()) return config;
  const Value written = root.find("template");
  const auto path = written && written.is_object() ? scalar_text(written, "path") : scalar_text(root, "template_path");
  if (path.empty()) return config;
  config.templates = {std::string(path), "templates/" + std::string(path)};
  for (const Value parameter : parameters.children()) config.parameters.emplace(parameter.key());
  return config;
}

TextSet parameters_in_file(const std::string& content) {
  if (content.find("Parameter") == std::string::npos) return {};
  TextSet names = parameters_set_in(content);
  const auto document = text::read_document(content, {.format = text::Format::kJson});
  const Value root = document->root();
  const Value values = root && root.is_object() && !root.find("Resources") ? root.find("Parameters") : Value();
  if (!values || !values.is_object()) return names;
  for (const Value value : values.children()) names.emplace(value.key());
  return names;
}

/// A filter of lines with `//` (which is no part of a URL), or a program that takes comments out of JSON.
bool removes_comments(std::string_view line) {
  static const Pattern ways = own_pattern(
      R"(\bsed\s[^|:]*\\/\\/[^|]*/d\b|\bgrep\s+(?:-\w+\s+)*-\w*v\w*\s+(?:-\w+\s+)*['"]?[^'":|]*//|)"
      R"((?i:startswith)\(['"]//|\b(?:strip-json-comments|jsonminify|commentjson)\b|(?:^|[\s;|&(])json5\s)");
  return ways.matches_part(line);
}

void add_members(std::string_view options, TextSet& members) {
  for (const std::string_view word : split(options, ' ')) {
    const auto option = word.substr(0, word.find('='));
    if (option.starts_with("--") && option.size() > 2) members.insert(member_of_option(option));
  }
}

/// Those of options in the command, and in an array of the shell that it gets: `ARGS=(--cpu 256)`, `"${ARGS[@]}"`.
TextSet members_set_by(const CliCommand& command, std::string_view script) {
  static const Pattern array = own_pattern(R"(\$\{(?P<name>\w+)\[[@*]\]\})");
  TextSet members;
  add_members(command.text, members);
  for (auto used = array.find(command.text); used; used = array.find(command.text, used->end)) {
    for (const std::string_view sign : {"=(", "+=("}) {
      const std::string set = used->groups.at("name") + std::string(sign);
      for (auto at = script.find(set); at != std::string_view::npos; at = script.find(set, at + 1)) {
        const bool is_name = at == 0 || is_space(script[at - 1]) || script[at - 1] == ';';
        std::string options(script.substr(at + set.size(), script.find(')', at) - at - set.size()));
        std::replace_if(options.begin(), options.end(), is_space, ' ');
        if (is_name) add_members(options, members);
      }
    }
  }
  return members;
}

}  // namespace

void add_deployment(const rules::Deployment& from, rules::Deployment& to) {
  if (to.named_by.empty()) to.named_by = from.named_by;
  if (to.client == DeployClient::kAny) to.client = from.client;
  to.fills_in_all_images = to.fills_in_all_images || from.fills_in_all_images;
  to.images_filled_in.insert(from.images_filled_in.begin(), from.images_filled_in.end());
  for (const auto& [input, members] : from.given_members)
    to.given_members[input].insert(members.begin(), members.end());
  to.replaced_words.insert(from.replaced_words.begin(), from.replaced_words.end());
  to.removes_comments |= from.removes_comments;
  to.assigned_keys.insert(from.assigned_keys.begin(), from.assigned_keys.end());
  to.set_parameters.insert(from.set_parameters.begin(), from.set_parameters.end());
}

rules::Deployment Deployers::find(const std::string& path) const {
  rules::Deployment deployment;
  const std::string absolute = files_.absolute(path);
  const auto folders = folders_around(folder_above(absolute), files_);
  for (const auto& folder : folders) {
    for (const auto& use : uses_in(folder)) {
      if (use.path == absolute || use.matches(absolute, folder)) add_deployment(use.deployment, deployment);
    }
  }
  const auto name = absolute.substr(absolute.rfind('/') + 1);
  // No file names it, so `named_by` stays empty.
  for (const auto& folder : folders) {
    for (const auto& use : uses_in(folder)) {
      const bool is_beside = !use.path.empty() && folder_above(use.path) == folder_above(absolute);
      if (deployment.client != DeployClient::kAny || !is_beside || use.is_service) continue;
      if (is_of_other_stage(name, use.path.substr(use.path.rfind('/') + 1))) deployment.client = use.deployment.client;
    }
  }
  for (const auto& folder : folders) {
    for (const std::string_view place : kScriptPlaces) {
      for (const auto& completion : completions_in(place.empty() ? folder : inside(folder, std::string(place)))) {
        const bool is_script = completion.deployment.client != DeployClient::kTerraform;
        if (is_script && matches_file_name(completion.files, name)) add_deployment(completion.deployment, deployment);
      }
    }
  }
  const rules::Deployment* code = nullptr;
  for (const auto& around : folders) {
    for (const auto& [folder, completion] : completions_below(around)) {
      if (!matches_path(completion->files, folder, folders.back(), absolute)) continue;
      const bool is_code = completion->deployment.client == DeployClient::kTerraform;
      if (is_code) code = &completion->deployment;
      if (!is_code) add_deployment(completion->deployment, deployment);
    }
  }
  // What a command or a workflow sends as it is has to be whole, whatever code reads of it.
  const auto is_named = [&] { return deployment.client != DeployClient::kAny || !deployment.named_by.empty(); };
  if (code != nullptr && !is_named()) add_deployment(*code, deployment);
  // A workflow that takes the name from a variable deploys what nothing else names.
  for (const auto& folder : folders) {
    for (const auto& use : uses_in(folder)) {
      if (use.pattern == kAnyFile && !is_named()) add_deployment(use.deployment, deployment);
    }
  }
  return deployment;
}

rules::Deployment Deployers::find_for_template(const std::string& path) const {
  for (const auto& folder : folders_around(folder_above(files_.absolute(path)), files_)) {
    for (const auto& use : uses_in(folder)) {
      if (use.path.empty() && use.pattern.empty()) return use.deployment;
    }
  }
  return {};
}

bool Deployers::Use::matches(const std::string& absolute, const std::string& folder) const {
  if (pattern.empty() || pattern == kAnyFile || !absolute.starts_with(folder + "/")) return false;
  const auto below = std::string_view(absolute).substr(folder.size() + 1);
  return std::count(below.begin(), below.end(), '/') == std::count(pattern.begin(), pattern.end(), '/') &&
         glob_matches(pattern, below);
}

bool Deployers::name_as_service(const std::string& path) const {
  const std::string absolute = files_.absolute(path);
  for (const auto& folder : folders_around(folder_above(absolute), files_)) {
    const auto& uses = uses_in(folder);
    const auto names_it = [&](const Use& use) { return use.path == absolute && use.is_service; };
    if (std::any_of(uses.begin(), uses.end(), names_it)) return true;
  }
  return false;
}

const std::vector<Deployers::Use>& Deployers::uses_in(const std::string& folder) const {
  const std::lock_guard lock(mutex_);
  const auto known = by_folder_.find(folder);
  if (known != by_folder_.end()) return known->second;
  // Nothing is looked for in the root of the file system, where no project is.
  if (folder.empty() || folder == "/") return by_folder_.emplace(folder, std::vector<Use>()).first->second;
  std::vector<Use> uses;
  const auto add_all = [&](std::vector<Use> more) { std::move(more.begin(), more.end(), std::back_inserter(uses)); };
  if (const auto names = files_.list(folder)) {
    // `ecspresso --config NAME` accepts any name; in a folder of many files, reading all of them takes too long.
    constexpr std::size_t kMostRead = 30;
    const bool reads_all = std::count_if(names->begin(), names->end(), is_yaml) <= std::ptrdiff_t{kMostRead};
    for (const auto& name : *names) {
      if (is_ecspresso_name(name) || (reads_all && is_yaml(name))) add_all(read_ecspresso(folder, name));
    }
  }
  const std::string workflows = inside(folder, std::string(kWorkflows));
  if (files_.is_folder(workflows)) {
    if (const auto names = files_.list(workflows)) {
      // One that is switched off, deploy.yml.disabled, says who deployed the file.
      for (const auto& name : *names) add_all(read_workflow(folder, name));
    }
  }
  return by_folder_.emplace(folder, std::move(uses)).first->second;
}

const std::vector<Deployers::CompletionElsewhere>& Deployers::completions_below(const std::string& top) const {
  {
    const std::lock_guard lock(mutex_);
    const auto known = completions_below_.find(top);
    if (known != completions_below_.end()) return known->second;
  }
  std::vector<std::string> folders;
  if (!top.empty() && top != "/") folders.push_back(top);
  // The upper ones first: a project keeps its scripts there, and a repository may have any number of folders.
  constexpr std::size_t kMostFolders = 300;
  std::vector<CompletionElsewhere> found;
  for (std::size_t at = 0; at < folders.size(); ++at) {
    const std::string folder = folders[at];
    for (const auto& completion : completions_in(folder)) found.push_back({folder, &completion});
    const auto names = files_.list(folder);
    if (!names) continue;
    for (const auto& name : *names) {
      if (folders.size() == kMostFolders) break;
      const bool may_have_scripts = !is_tool_folder(name) && (!name.starts_with('.') || name == ".github");
      const std::string inner = inside(folder, name);
      if (may_have_scripts && files_.is_folder(inner)) folders.push_back(inner);
    }
  }
  const std::lock_guard lock(mutex_);
  return completions_below_.emplace(top, std::move(found)).first->second;
}

const std::vector<Deployers::Completion>& Deployers::completions_in(const std::string& folder) const {
  const std::lock_guard lock(mutex_);
  const auto known = completions_by_folder_.find(folder);
  if (known != completions_by_folder_.end()) return known->second;
  std::vector<Completion> completions;
  constexpr std::size_t kMostRead = 30;
  constexpr std::size_t kLargest = 256u << 10;
  const bool has_scripts = !folder.empty() && folder != "/" && files_.is_folder(folder);
  const auto place = *std::find_if(kScriptPlaces.rbegin(), kScriptPlaces.rend(), [&](std::string_view one) {
    return one.empty() || folder.ends_with("/" + std::string(one));
  });
  const bool has_pipelines = place == kWorkflows || place == ".circleci";
  const auto names = has_scripts ? files_.list(folder) : Result<std::vector<std::string>>(std::vector<std::string>());
  std::size_t read = 0;
  std::size_t parameter_files = 0;
  std::size_t code_files = 0;
  std::size_t terraform_files = 0;
  std::size_t others = 0;  // of names without an extension
  for (const auto& name : names ? *names : std::vector<std::string>()) {
    const bool has_parameters = is_file_of_parameters(folder.substr(folder.rfind('/') + 1) + "/" + name);
    const bool is_script = is_script_name(name) || (has_pipelines && is_yaml(name));
    const bool is_terraform = name.ends_with(kTerraformCode);
    const bool is_code = is_code_name(name);
    const bool may_be_script = !is_script && name.find('.') == std::string::npos;
    const bool is_config = !is_script && may_be_stack_config(folder, name);
    std::size_t& count = is_terraform                  ? terraform_files
                         : is_code                     ? code_files
                         : may_be_script               ? others
                         : has_parameters || is_config ? parameter_files
                                                       : read;
    const bool is_read = is_terraform || is_script || may_be_script || is_code || has_parameters || is_config;
    if (!is_read || count == kMostRead) continue;
    if (!may_be_script) ++count;
    const auto text = files_.read(inside(folder, name), kLargest);
    if (text && may_be_script) ++count;  // a folder has such a name, too
    if (!text || (may_be_script && !begins_like_script(*text))) continue;
    if (is_terraform) {
      auto reads = reads_of_code(*text);
      const rules::Deployment alone{.client = DeployClient::kTerraform, .named_by = name};
      if (!reads.containers_alone.empty()) completions.push_back({std::move(reads.containers_alone), alone});
      if (!reads.with_image.empty())
        completions.push_back({std::move(reads.with_image), {.fills_in_all_images = true}});
      continue;
    }
    if (has_parameters) {
      // It does not say which template they are for: one that has parameters of these names.
      auto set = parameters_in_file(*text);
      if (!set.empty()) completions.push_back({{"*"}, {.set_parameters = std::move(set)}});
      continue;
    }
    if (is_config) {
      auto config = read_stack_config(*text);
      completions.push_back({std::move(config.templates), {.set_parameters = std::move(config.parameters)}});
      continue;
    }
    auto own = read_script(name == kPackage ? commands_of_package(*text) : *text,
                           place.empty() ? name : inside(std::string(place), name), is_code);
    std::move(own.begin(), own.end(), std::back_inserter(completions));
  }
  return completions_by_folder_.emplace(folder, std::move(completions)).first->second;
}

std::vector<Deployers::Completion> Deployers::read_script(std::string_view text, const std::string& named_by,
                                                          bool is_code) {
  if (is_code && !is_about_ecs(text)) return {};
  const std::string script = with_joined_lines(text);
  std::vector<Completion> completions;
  const bool is_of_ecs = script.find("containerDefinitions") != std::string::npos ||
                         script.find("register-task-definition") != std::string::npos;
  if (is_of_ecs && assigns_image(script)) {
    rules::Deployment deployment{.named_by = named_by, .fills_in_all_images = true};
    // The step that deploys names the output of this step, so the client is not known from the name of the file.
    if (script.find(kDeployAction) != std::string::npos) deployment.client = DeployClient::kGithubAction;
    completions.push_back({patterns_of(files_named_in(script)), std::move(deployment)});
  }
  if (auto keys = keys_assigned_in(script); is_of_ecs && !keys.empty())
    completions.push_back({patterns_of(files_named_in(script)), {.assigned_keys = std::move(keys)}});
  if (is_about_ecs(script)) {
    for (auto& edit : edits_in(script))
      completions.push_back({std::move(edit.files), {.assigned_keys = std::move(edit.keys)}});
  }
  if (is_code) return completions;
  if (auto parameters = parameters_set_in(script); !parameters.empty()) {
    auto templates = patterns_of(files_named_in(script));
    if (templates.empty()) templates = {"template.yaml", "template.yml"};  // what the SAM CLI takes by itself
    completions.push_back({std::move(templates), {.set_parameters = std::move(parameters)}});
  }
  // Each command that replaces words names its file, or gets it from a command before it.
  for (const std::string_view line : split(script, '\n')) {
    auto words = words_of_sed(line);
    words.merge(words_of_replace(line));
    const bool no_comments = removes_comments(line);
    if (words.empty() && !no_comments) continue;
    auto named = files_named_in(line);
    if (named.empty()) named = files_named_in(script);
    completions.push_back({patterns_of(named), {.replaced_words = std::move(words), .removes_comments = no_comments}});
  }
  const auto commands = cli_commands_in(script);
  if (commands.empty()) return completions;
  const auto in_script = files_named_in(script);
  TextSet made;
  for (const auto& file : in_script) {
    if (file.is_written) made.insert(file.pattern);
  }
  struct Inputs {
    TextSet patterns;
    bool may_be_any = false;  ///< Of the files that the script names.
  };
  // By kind of input, and then by the members that commands add to it.
  std::map<rules::FileKind, std::map<TextSet, Inputs>> by_kind;
  for (const auto& command : commands) {
    auto& inputs = by_kind[command.input][members_set_by(command, script)];
    const TextSet named = patterns_of(files_named_in(command.text));
    // The input may be in a variable, `$(cat task.json)`, or made by the script: `sed ... task.json > made.json`.
    inputs.may_be_any |= std::includes(made.begin(), made.end(), named.begin(), named.end());
    inputs.patterns.insert(named.begin(), named.end());
  }
  for (auto& [kind, by_members] : by_kind) {
    // A guide shows a command for one of its files and lets the reader repeat it for the others.
    const bool is_like_all = by_members.size() == 1;
    for (auto& [members, inputs] : by_members) {
      if (members.empty()) continue;
      auto patterns = inputs.may_be_any || is_like_all ? patterns_of(in_script) : std::move(inputs.patterns);
      completions.push_back({std::move(patterns), {.named_by = named_by, .given_members = {{kind, members}}}});
    }
  }
  return completions;
}

// https://github.com/kayac/ecspresso, "Configuration file": paths are relative to the file.
std::vector<Deployers::Use> Deployers::read_ecspresso(const std::string& folder, const std::string& name) const {
  auto bytes = files_.read(inside(folder, name), limits_.definition_bytes);
  if (!bytes || bytes->find("_definition") == std::string::npos) return {};
  const auto document =
      text::read_document(std::move(*bytes), {.format = text::format_of_name(name), .limits = limits_});
  std::vector<Use> uses;
  for (const std::string_view key : {"task_definition", "service_definition"}) {
    const auto named = scalar_text(document->root(), key);
    if (named.empty() || scalar_text(document->root(), "service").empty()) continue;
    if (!is_ecspresso_name(name) && scalar_text(document->root(), "cluster").empty()) continue;
    uses.push_back({.path = files_.absolute(inside(folder, std::string(named))),
                    .deployment = {.client = DeployClient::kEcspresso, .named_by = name},
                    .is_service = key == "service_definition"});
  }
  return uses;
}

// https://github.com/aws-actions/amazon-ecs-render-task-definition: the action writes the image of one container into a
// copy of the file, which a second step may render for another container. Paths are relative to the repository.
std::vector<Deployers::Use> Deployers::read_workflow(const std::string& folder, const std::string& name) const {
  const std::string relative = inside(std::string(kWorkflows), name);
  auto bytes = files_.read(inside(folder, relative), limits_.definition_bytes);
  if (!bytes) return {};
  const bool has_actions = bytes->find("/amazon-ecs-") != std::string::npos;
  if (!has_actions && bytes->find("/.github/workflows/") == std::string::npos) return {};
  const auto document = text::read_document(std::move(*bytes), {.format = text::Format::kYaml, .limits = limits_});
  const Value root = document->root();
  const Value jobs = root && root.is_object() ? root.find("jobs") : Value();
  if (!jobs || !jobs.is_object()) return {};
  std::map<std::string, rules::Deployment> by_file;
  bool deploys_other_files = false;  // known, or made, only when the workflow runs
  for (const Value job : jobs.children()) {
    if (!job.is_object()) continue;
    WorkflowValues values({job.find("env"), root.find("env")});
    // A workflow of another repository, most often with the actions above, gets the name of the file as an input.
    const Value given_to_workflow = job.find("uses") ? job.find("with") : Value();
    if (given_to_workflow && given_to_workflow.is_object()) {
      for (const Value input : given_to_workflow.children()) {
        const auto file = input.is_string() ? values.file_name(input.text()) : std::nullopt;
        if (!file || *file == kAnyFile || (!is_yaml(*file) && !file->ends_with(".json"))) continue;
        add_deployment({.client = DeployClient::kGithubAction, .named_by = relative, .fills_in_all_images = true},
                       by_file[*file]);
      }
    }
    const Value steps = job.find("steps");
    if (!steps || !steps.is_array()) continue;
    for (const Value step : steps.children()) {
      const auto uses = scalar_text(step, "uses");
      const bool renders = uses.find(kRenderAction) != std::string_view::npos;
      if (!renders && uses.find(kDeployAction) == std::string_view::npos) continue;
      const Value inputs = step.find("with");
      const auto given = scalar_text(inputs, "task-definition");
      const auto file = values.file_name(given);
      if (!given.empty() && !renders) {
        const bool is_partly_known = file && *file != kAnyFile && file->find(kAnyFile) != std::string::npos;
        deploys_other_files = deploys_other_files ||
                              (!is_partly_known && (!file || !files_.exists(files_.absolute(inside(folder, *file)))));
      }
      if (!file) continue;
      rules::Deployment& deployment = by_file[*file];
      deployment.named_by = relative;
      if (!renders) {
        deployment.client = DeployClient::kGithubAction;
        continue;
      }
      values.set_output(scalar_text(step, "id"), *file);
      const auto container = values.resolve(scalar_text(inputs, "container-name"));
      deployment.assigned_keys.merge(keys_rendered(inputs, container));
      if (container) deployment.images_filled_in.insert(*container);
      deployment.fills_in_all_images = deployment.fills_in_all_images || !container;
    }
  }
  std::vector<Use> uses;
  rules::Deployment of_template{.client = DeployClient::kGithubAction, .named_by = relative};
  for (auto& [file, deployment] : by_file) {
    // An artifact may pass a file that one job renders to the deploy action of another job under another name.
    if (deploys_other_files) deployment.client = DeployClient::kGithubAction;
    if (file.find(kAnyFile) != std::string::npos) {
      uses.push_back({.pattern = file, .deployment = std::move(deployment)});
      continue;
    }
    std::string path = files_.absolute(inside(folder, file));
    if (!files_.exists(path)) add_deployment(deployment, of_template);
    uses.push_back({.path = std::move(path), .deployment = std::move(deployment)});
  }
  if (!deploys_other_files) return uses;
  // A step before makes the file: `jq ... base.json > task.json`, an action with `input: template.json`.
  TextSet registered;
  for (const auto& command : cli_commands_in(document->source()))
    registered.merge(patterns_of(files_named_in(command.text)));
  for (const auto& pattern : patterns_of(files_named_in(document->source()))) {
    std::string path = files_.absolute(inside(folder, pattern));
    if (!by_file.contains(pattern) && !registered.contains(pattern) && files_.exists(path))
      uses.push_back({.path = std::move(path), .deployment = of_template});
  }
  uses.push_back({.deployment = std::move(of_template)});
  return uses;
}

}  // namespace bayplan::lint
