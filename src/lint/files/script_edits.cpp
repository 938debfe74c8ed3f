#include "lint/files/script_edits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

bool is_of_name(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

/// Members that only a definition, a service or a call of RunTask has, and no container.
constexpr std::array<std::string_view, 33> kOuterMembers{"family",
                                                         "executionRoleArn",
                                                         "taskRoleArn",
                                                         "networkMode",
                                                         "requiresCompatibilities",
                                                         "runtimePlatform",
                                                         "containerDefinitions",
                                                         "volumes",
                                                         "placementConstraints",
                                                         "ephemeralStorage",
                                                         "tags",
                                                         "pidMode",
                                                         "ipcMode",
                                                         "proxyConfiguration",
                                                         "enableFaultInjection",
                                                         "serviceName",
                                                         "cluster",
                                                         "taskDefinition",
                                                         "desiredCount",
                                                         "launchType",
                                                         "platformVersion",
                                                         "networkConfiguration",
                                                         "loadBalancers",
                                                         "serviceRegistries",
                                                         "capacityProviderStrategy",
                                                         "deploymentConfiguration",
                                                         "deploymentController",
                                                         "schedulingStrategy",
                                                         "placementStrategy",
                                                         "propagateTags",
                                                         "enableECSManagedTags",
                                                         "healthCheckGracePeriodSeconds",
                                                         "overrides"};

/// The steps of a path: `containerDefinitions`, `0`, `cpu`; an index may be empty, `[]`.
struct Path {
  std::vector<std::string_view> steps;
  std::size_t end = 0;  ///< Behind it in the text.
};

/// `.a.b`, `["a"]`, `[0]` and `[]` from `at` on.
Path path_at(std::string_view text, std::size_t at) {
  Path path{{}, at};
  while (path.end < text.size()) {
    std::size_t i = path.end;
    if (text[i] == '.' && i + 1 < text.size() && (is_of_name(text[i + 1]) || text[i + 1] == '"')) {
      const bool is_quoted = text[++i] == '"';
      const std::size_t begin = is_quoted ? ++i : i;
      while (i < text.size() && (is_of_name(text[i]) || (is_quoted && text[i] == '-'))) ++i;
      path.steps.push_back(text.substr(begin, i - begin));
      path.end = std::min(is_quoted ? i + 1 : i, text.size());
    } else if (text[i] == '[' || text.substr(i).starts_with(".[")) {
      i += text[i] == '[' ? 1 : 2;
      const auto close = text.find_first_of("]\n", i);
      if (close == std::string_view::npos || text[close] != ']') break;
      std::string_view step = trim(text.substr(i, close - i));
      while (!step.empty() && std::string_view("\\\"'").find(step.front()) != std::string_view::npos)
        step.remove_prefix(1);
      while (!step.empty() && std::string_view("\\\"'").find(step.back()) != std::string_view::npos)
        step.remove_suffix(1);
      path.steps.push_back(step);
      path.end = close + 1;
    } else {
      break;
    }
  }
  return path;
}

bool is_index(std::string_view step) {
  return step.empty() || !is_letter(step.front());
}

enum class Change { kNone, kUpdate, kReplace };

/// What the operator behind a path does: `=`, `|=`, `+=`, `//=`, `||=`, `??=`; `value` is where the new value begins.
Change change_at(std::string_view text, std::size_t at, std::size_t& value) {
  while (at < text.size() && (text[at] == ' ' || text[at] == ')')) ++at;
  for (const std::string_view sign : {"=", "|=", "+=", "*=", "//=", "||=", "?\?="}) {
    if (!text.substr(at).starts_with(sign)) continue;
    value = at + sign.size();
    const char behind = value < text.size() ? text[value] : '\0';
    if (behind == '=' || behind == '>' || behind == '~') return Change::kNone;
    return sign == "=" ? Change::kReplace : Change::kUpdate;
  }
  return Change::kNone;
}

/// Adds what the assignment to a path settles. The list of containers is put together of what it was, as a rule.
void add_assigned(const Path& path, Change change, std::string_view value, TextSet& keys) {
  auto steps = path.steps;
  if (steps.size() > 1 && steps.front() == "taskDefinition") steps.erase(steps.begin());
  if (steps.empty() || is_index(steps.back())) return;
  const std::string_view line = value.substr(0, value.find('\n'));
  const bool is_new = change == Change::kReplace && line.find(steps.back()) == std::string_view::npos;
  if (steps.front() == "containerDefinitions" && steps.size() > 1) {
    if (steps.size() < 3 || !is_index(steps[1])) return;
    keys.emplace(steps.back());
    if (is_new) keys.insert(std::string(steps.back()) + "/");
    return;
  }
  if (is_index(steps.front())) {
    keys.emplace(steps.back());
    if (is_new) keys.insert(std::string(steps.back()) + "/");
    return;
  }
  std::string pointer;
  for (const auto step : steps) {
    if (is_index(step) && !is_digits(step)) return;
    pointer += "/" + std::string(step);
  }
  if (is_new && pointer != "/containerDefinitions") keys.insert(pointer + "/");
  keys.insert(std::move(pointer));
}

/// The members of an object that is added to the definition: `{family: $f, "cpu": "256", $memory}`.
void add_merged(std::string_view object, TextSet& keys) {
  int depth = 0;
  char quote = '\0';
  bool begins_member = false;
  for (std::size_t i = 0; i < object.size(); ++i) {
    const char c = object[i];
    if (quote == '\0' && depth == 1 && begins_member && (is_of_name(c) || c == '"' || c == '\'' || c == '$')) {
      begins_member = false;
      const std::size_t begin = is_of_name(c) ? i : i + 1;
      std::size_t end = begin;
      while (end < object.size() && is_of_name(object[end])) ++end;
      const std::size_t behind = object.find_first_not_of("\"' ", end);
      const bool is_member = c == '$' || (behind != std::string_view::npos && object[behind] == ':');
      if (is_member && end > begin) {
        keys.insert("/" + std::string(object.substr(begin, end - begin)));
        i = c == '"' || c == '\'' ? end : end - 1;
        continue;
      }
    }
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"') quote = c;
    if (c == '{' || c == '(' || c == '[') ++depth;
    if (c == '}' || c == ')' || c == ']') --depth;
    if (depth == 0) return;
    begins_member = depth == 1 && (c == '{' || c == ',' || (begins_member && is_space(c)));
  }
}

/// Whether what precedes in a program of jq leaves the definition itself: assignments and `del`, one after the other.
bool is_at_definition(std::string_view before) {
  int depth = 0;
  char quote = '\0';
  std::size_t begin = 0;
  std::vector<std::string_view> stages;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const char c = before[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
      continue;
    }
    if (c == '"') quote = c;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0) return false;
    if (c != '|' || depth > 0 || before.substr(i + 1).starts_with('=')) continue;
    stages.push_back(trim(before.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (depth != 0 || quote != '\0' || !trim(before.substr(begin)).empty()) return false;
  return std::all_of(stages.begin(), stages.end(), [](std::string_view stage) {
    return stage.empty() || stage == "." || stage == ".taskDefinition" || stage.starts_with("del(") ||
           stage.find('=') != std::string_view::npos || stage.starts_with(". + {") || stage.starts_with(". * {");
  });
}

/// What a program of jq or yq settles.
void add_edits_of_jq(std::string_view program, TextSet& keys) {
  for (std::size_t at = 0; at < program.size(); ++at) {
    const std::string_view rest = program.substr(at);
    const char before = at == 0 ? ' ' : program[at - 1];
    if (rest.starts_with("del(") && !is_of_name(before)) {
      const auto inner = rest.substr(0, rest.find(')'));
      for (const std::string_view part : split(inner.substr(4), ',')) {
        const std::string_view one = trim(part);
        const Path path = path_at(one, 0);
        const bool is_outer = path.steps.size() == 1 || (path.steps.size() == 2 && path.steps[0] == "taskDefinition");
        if (is_outer && path.end == one.size()) keys.insert("/" + std::string(path.steps.back()));
      }
      at += inner.size();
      continue;
    }
    if (rest.front() != '.' || is_of_name(before) || std::string_view(").]\"?").find(before) != std::string_view::npos)
      continue;
    for (const std::string_view merge : {". + {", ". * {", ". += {", ". *= {", ".+{", ".*{"}) {
      if (rest.starts_with(merge) && is_at_definition(program.substr(0, at)))
        add_merged(rest.substr(merge.size() - 1), keys);
    }
    const Path path = path_at(program, at);
    if (path.steps.empty()) continue;
    std::size_t value = 0;
    const Change change = change_at(program, path.end, value);
    const auto& first = path.steps.front();
    if (change != Change::kNone && (is_among(first, kOuterMembers) || is_at_definition(program.substr(0, at))))
      add_assigned(path, change, program.substr(value), keys);
    at = path.end - 1;
  }
}

/// The words of a command up to its end; quotes may go over lines.
std::vector<std::string_view> words_of_command(std::string_view text, std::size_t& end) {
  std::vector<std::string_view> words;
  constexpr std::size_t kLongest = 6000;
  text = text.substr(0, kLongest);
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && text[at] == ' ') ++at;
    if (at >= text.size() || std::string_view("\n;|&").find(text[at]) != std::string_view::npos) break;
    const std::size_t begin = at;
    while (at < text.size() && std::string_view(" \n;|&").find(text[at]) == std::string_view::npos) {
      if (text[at] == '\\') {
        at += 2;
        continue;
      }
      if (text[at] != '\'' && text[at] != '"') {
        ++at;
        continue;
      }
      std::size_t close = at + 1;
      while (close < text.size() && text[close] != text[at]) close += text[at] == '"' && text[close] == '\\' ? 2 : 1;
      // Of a quote around the command.
      if (close >= text.size()) {
        end = at;
        return words;
      }
      at = close + 1;
    }
    at = std::min(at, text.size());
    words.push_back(text.substr(begin, at - begin));
  }
  end = std::min(at, text.size());
  return words;
}

/// The files that lines name which set the variable `name`, or which open it: `TASK=$(cat task.json)`,
/// `with open("task.json") as file`; nothing if it comes from ECS.
struct Origin {
  TextSet files;
  bool is_from_ecs = false;
};

constexpr std::array<std::string_view, 4> kAnswers{"describe-task-definition", "describe_task_definition",
                                                   "DescribeTaskDefinition", "describeTaskDefinition"};

bool asks_ecs(std::string_view text) {
  return text.find("describe") != std::string_view::npos || text.find("Describe") != std::string_view::npos;
}

/// Whether the script begins with what ECS has.
bool edits_answers(std::string_view script) {
  return std::any_of(kAnswers.begin(), kAnswers.end(),
                     [&](std::string_view one) { return script.find(one) != std::string_view::npos; });
}

TextSet read_files_in(std::string_view text) {
  std::vector<NamedFile> named = files_named_in(text);
  std::erase_if(named, [](const NamedFile& one) { return one.is_written; });
  return patterns_of(named);
}

/// The lines that set each variable.
class Variables {
 public:
  explicit Variables(std::string_view script) : lines_(split(script, '\n')) {}

  Origin origin_of(std::string_view expression, std::string_view except) const {
    TextSet known{std::string(except)};
    return origin_of(expression, 0, known);
  }

 private:
  Origin origin_of(std::string_view expression, int depth, TextSet& known) const {
    Origin origin{read_files_in(expression), asks_ecs(expression)};
    constexpr int kDeepest = 3;
    constexpr std::size_t kMostWords = 40;
    if (!origin.files.empty() || origin.is_from_ecs || depth == kDeepest) return origin;
    for (std::size_t at = 0; at < expression.size();) {
      const std::size_t begin = at;
      while (at < expression.size() && is_of_name(expression[at])) ++at;
      const auto word = expression.substr(begin, at - begin);
      if (at == begin) ++at;
      if (word.empty() || is_digit(word.front()) || known.size() == kMostWords) continue;
      if (!known.emplace(word).second) continue;
      for (const std::string_view line : lines_) {
        const auto set = set_by(line, word);
        if (!set) continue;
        auto inner = origin_of(*set, depth + 1, known);
        origin.files.merge(inner.files);
        origin.is_from_ecs |= inner.is_from_ecs;
      }
    }
    return origin;
  }

  /// What the line gives the variable.
  static std::optional<std::string_view> set_by(std::string_view line, std::string_view name) {
    for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
      const auto behind = line.substr(at + name.size());
      const char before = at == 0 ? ' ' : line[at - 1];
      if (is_of_name(before) || before == '.' || before == '-') continue;
      const auto sign = behind.find_first_not_of(' ');
      const bool is_opened = line.substr(0, at).ends_with(" as ") && behind.starts_with(':');
      if (is_opened) return line.substr(0, at);
      if (sign == std::string_view::npos || std::string_view("=:").find(behind[sign]) == std::string_view::npos)
        continue;
      if (behind.substr(sign).starts_with("==") || behind.substr(sign).starts_with("=>")) continue;
      return behind.substr(sign);
    }
    return std::nullopt;
  }

  std::vector<std::string_view> lines_;
};

/// The files that an edit is of. If the text does not lead to one, it is the only one that the script reads; what the
/// script makes of a file, it made of one of those that it names.
TextSet files_of(Origin origin, std::string_view script) {
  if (origin.is_from_ecs) return {};
  const auto all = files_named_in(script);
  TextSet made, read;
  for (const auto& one : all) (one.is_written ? made : read).insert(one.pattern);
  if (origin.files.empty()) {
    for (const auto& one : made) read.erase(one);
    return read.size() == 1 && !edits_answers(script) ? read : TextSet();
  }
  const bool is_made =
      std::all_of(origin.files.begin(), origin.files.end(), [&](const std::string& one) { return made.contains(one); });
  return is_made && !edits_answers(script) ? patterns_of(all) : std::move(origin.files);
}

constexpr std::array<std::string_view, 4> kOptionsOfTwo{"--arg", "--argjson", "--slurpfile", "--rawfile"};

/// `jq '.family = $f | .cpu = $c' task.json > made.json`, `cat task.json | jq ...`, `echo "$TASK" | jq ...`.
void add_jq(std::string_view script, const Variables& variables, std::vector<ScriptEdit>& edits) {
  for (const std::string_view tool : {"jq", "yq"}) {
    for (auto at = script.find(tool); at != std::string_view::npos; at = script.find(tool, at + 1)) {
      const char before = at == 0 ? ' ' : script[at - 1];
      const auto behind = script.substr(at + tool.size());
      if (is_of_name(before) || std::string_view("-./").find(before) != std::string_view::npos ||
          !behind.starts_with(' '))
        continue;
      std::size_t end = 0;
      ScriptEdit edit;
      std::string rest;
      std::string_view previous;
      int values = 0;  // of an option, to pass over
      for (const std::string_view word : words_of_command(behind, end)) {
        if (values > 0) {
          --values;
          continue;
        }
        if (is_among(word, kOptionsOfTwo)) values = 2;
        const bool is_quoted = word.size() > 1 && (word.front() == '\'' || word.front() == '"');
        const auto inner = is_quoted ? word.substr(1, word.size() - (word.back() == word.front() ? 2 : 1)) : word;
        const std::size_t known = edit.keys.size();
        if (word.front() != '-') add_edits_of_jq(inner, edit.keys);
        const bool is_output = previous.starts_with('>') && previous.find_first_not_of('>') == std::string_view::npos;
        if (edit.keys.size() == known && !is_output && word.front() != '>') rest += " " + std::string(word);
        previous = word;
      }
      if (edit.keys.empty()) continue;
      // What it is piped from, back to the begin of the line or of those that end with a pipe.
      std::size_t begin = at;
      while (begin > 0) {
        if (script[begin - 1] == '\n' && !trim(script.substr(0, begin - 1)).ends_with('|')) break;
        if (script[begin - 1] == ';' || script.substr(0, begin).ends_with("&&")) break;
        --begin;
      }
      Origin origin = variables.origin_of(rest, {});
      if (origin.files.empty() && !origin.is_from_ecs)
        origin = variables.origin_of(script.substr(begin, at - begin), {});
      edit.files = files_of(std::move(origin), script);
      if (!edit.files.empty()) edits.push_back(std::move(edit));
    }
  }
}

/// A variable that is read from JSON, and the expression.
struct Loaded {
  std::string name;
  std::string_view expression;
};

std::vector<Loaded> loaded_in(std::string_view script) {
  static const Pattern load = own_pattern(
      R"((?P<name>[A-Za-z_]\w*)[ \t]*(?::[ \t]*[\w.\[\], ]+)?=\s*[^=\n;]*(?:json\.loads?|JSON\.(?:parse|load_file|load)|)"
      R"(yaml\.(?:safe_)?load|require|ConvertFrom-Json|readJSON)\b)");
  constexpr std::size_t kMost = 50;
  std::vector<Loaded> loaded;
  for (std::size_t from = 0;;) {
    const auto found = load.find(script, from);
    if (!found || loaded.size() == kMost) return loaded;
    // To the end of the line, or of its parentheses.
    std::size_t end = found->begin;
    int depth = 0;
    constexpr std::size_t kLongest = 600;
    for (; end < script.size() && end < found->begin + kLongest; ++end) {
      if (script[end] == '(') ++depth;
      if (script[end] == ')') --depth;
      if (script[end] == '\n' && depth <= 0) break;
      if (script[end] == ';' && depth <= 0) break;
    }
    const auto sign = script.find('=', found->begin);
    loaded.push_back({found->groups.at("name"), script.substr(sign, std::max(end, sign) - sign)});
    from = std::max(found->end, found->begin + 1);
  }
}

bool opens(char c) {
  return c == '(' || c == '[' || c == '{';
}
bool closes(char c) {
  return c == ')' || c == ']' || c == '}';
}

/// What is between the brackets around a position: the members of an object, or the arguments of a call.
std::string_view brackets_around(std::string_view script, std::size_t at) {
  constexpr std::size_t kLongest = 4000;
  std::size_t begin = at;
  for (int depth = 0; begin > 0 && at - begin < kLongest; --begin) {
    const char c = script[begin - 1];
    if (depth == 0 && opens(c)) break;
    depth += closes(c) ? 1 : opens(c) ? -1 : 0;
  }
  if (begin == 0 || at - begin == kLongest || script[begin - 1] == '[') return {};
  std::size_t end = at;
  for (int depth = 0; end < script.size() && end - begin < kLongest; ++end) {
    if (depth == 0 && closes(script[end])) return script.substr(begin, end - begin);
    depth += opens(script[end]) ? 1 : closes(script[end]) ? -1 : 0;
  }
  return {};
}

/// A member of an object or an argument with a name: `"family": f`, `family=f`, `family`.
struct Member {
  std::string_view name;
  std::string_view value;  ///< Empty if the name alone is written.
};

std::vector<Member> members_between(std::string_view brackets) {
  std::vector<Member> members;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= brackets.size(); ++i) {
    const char c = i < brackets.size() ? brackets[i] : ',';
    depth += opens(c) ? 1 : closes(c) ? -1 : 0;
    if (c != ',' || depth != 0) continue;
    auto part = brackets.substr(begin, i - begin);
    begin = i + 1;
    const auto first = part.find_first_not_of(" \t\r\n\"'");
    if (first == std::string_view::npos || !is_letter(part[first])) continue;
    part.remove_prefix(first);
    const auto name = part.substr(0, std::find_if_not(part.begin(), part.end(), is_of_name) - part.begin());
    const auto sign = part.find_first_not_of(" \t\r\n\"'", name.size());
    const bool has_value = sign != std::string_view::npos && (part[sign] == ':' || part[sign] == '=');
    if (has_value || sign == std::string_view::npos)
      members.push_back({name, has_value ? part.substr(sign + 1) : std::string_view()});
  }
  return members;
}

/// Whether a value is the member of the variable that has its own name: `cpu: task.cpu`. With `||` it need not be.
bool is_taken_from(std::string_view variable, const Member& member) {
  for (const std::string_view other : {"||", "??", " or "}) {
    if (member.value.find(other) != std::string_view::npos) return false;
  }
  for (auto at = member.value.find(variable); at != std::string_view::npos; at = member.value.find(variable, at + 1)) {
    const Path path = path_at(member.value, at + variable.size());
    if (!path.steps.empty() && path.steps.front() == member.name) return true;
  }
  return false;
}

/// Where a request begins that takes the variable at a position as a whole, `{...task, family: f}`, or its containers,
/// `register_task_definition(family=f, containerDefinitions=task["containerDefinitions"])`.
std::optional<std::size_t> request_that_takes(std::string_view script, std::size_t at, std::size_t behind) {
  constexpr std::string_view kContainers = "containerDefinitions";
  const auto before = script.substr(0, at);
  const bool is_whole =
      behind < script.size() && std::string_view(",})\n ").find(script[behind]) != std::string_view::npos;
  if (is_whole && before.ends_with("...")) return at - std::string_view("...").size();
  if (is_whole && before.ends_with("**")) return at - std::string_view("**").size();
  const Path path = path_at(script, behind);
  if (path.steps.size() != 1 || path.steps.front() != kContainers) return std::nullopt;
  const auto line = before.substr(before.rfind('\n') + 1);
  const auto key = line.rfind(kContainers);
  if (key == std::string_view::npos) return std::nullopt;
  const auto sign = line.find_first_not_of(" \"'", key + kContainers.size());
  const bool is_key = sign != std::string_view::npos && (line[sign] == ':' || line[sign] == '=');
  return is_key ? std::optional(at - line.size() + key) : std::nullopt;
}

/// The members that a request gets besides those of the variable.
void add_request(std::string_view brackets, std::string_view variable, TextSet& keys) {
  for (const Member& member : members_between(brackets)) {
    if (is_taken_from(variable, member)) continue;
    const std::string pointer = "/" + std::string(member.name);
    keys.insert(pointer);
    if (member.name != "containerDefinitions") keys.insert(pointer + "/");
  }
}

/// `task["family"] = f`, `task.family = f`, `task.pop("revision")`, `delete task.revision`, `{...task, family: f}`.
void add_assignments(std::string_view script, const Variables& variables, std::vector<ScriptEdit>& edits) {
  for (const auto& [name, expression] : loaded_in(script)) {
    ScriptEdit edit;
    for (auto at = script.find(name); at != std::string_view::npos; at = script.find(name, at + 1)) {
      const char before = at == 0 ? ' ' : script[at - 1];
      const bool is_spread = script.substr(0, at).ends_with("...");
      if (is_of_name(before) || (before == '.' && !is_spread) || before == '"' || before == '\'') continue;
      const auto behind = script.substr(at + name.size());
      if (behind.starts_with(".pop(\"") || behind.starts_with(".pop('") || behind.starts_with(".delete(\"") ||
          behind.starts_with(".delete('")) {
        const auto key = behind.substr(behind.find('(') + 2);
        edit.keys.insert("/" + std::string(key.substr(0, key.find_first_of("\"'"))));
        continue;
      }
      if (behind.starts_with(".update({")) {
        add_merged(behind.substr(behind.find('{')), edit.keys);
        continue;
      }
      if (const auto request = request_that_takes(script, at, at + name.size()))
        add_request(brackets_around(script, *request), name, edit.keys);
      const Path path = path_at(script, at + name.size());
      if (path.steps.empty()) continue;
      const auto ahead = trim(script.substr(at < 10 ? 0 : at - 10, std::min<std::size_t>(at, 10)));
      if ((ahead.ends_with("del") || ahead.ends_with("delete")) && path.steps.size() == 1) {
        edit.keys.insert("/" + std::string(path.steps.front()));
        continue;
      }
      std::size_t value = 0;
      const Change change = change_at(script, path.end, value);
      if (change != Change::kNone) add_assigned(path, change, script.substr(value), edit.keys);
    }
    if (edit.keys.empty()) continue;
    edit.files = files_of(variables.origin_of(expression, name), script);
    if (!edit.files.empty()) edits.push_back(std::move(edit));
  }
}

/// The call of jsondecode that ends at `end`; empty if something else does.
std::string_view jsondecode_before(std::string_view code, std::size_t end) {
  int depth = 0;
  for (std::size_t at = end; at-- > 0;) {
    if (code[at] == ')') ++depth;
    if (code[at] == '(') --depth;
    if (depth > 0) continue;
    const bool is_call = depth == 0 && code[at] == '(' && code.substr(0, at).ends_with("jsondecode");
    return is_call ? code.substr(at, end - at) : std::string_view();
  }
  return {};
}

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// The arguments of the call of jsondecode that a local value is: `task = jsondecode(...)`.
std::string_view jsondecode_of_local(std::string_view code, std::string_view name) {
  constexpr std::string_view kCall = "jsondecode(";
  for (auto at = code.find(name); at != std::string_view::npos && !name.empty(); at = code.find(name, at + 1)) {
    if (at > 0 && !is_space(code[at - 1]) && code[at - 1] != '{') continue;
    auto behind = without_blanks_before(code.substr(at + name.size()));
    if (!behind.starts_with('=')) continue;
    behind = without_blanks_before(behind.substr(1));
    if (!behind.starts_with(kCall)) continue;
    behind.remove_prefix(kCall.size());
    int depth = 1;
    std::size_t end = 0;
    for (; end < behind.size() && depth > 0; ++end) depth += behind[end] == '(' ? 1 : behind[end] == ')' ? -1 : 0;
    return behind.substr(0, end);
  }
  return {};
}

/// Bundles of JavaScript have lines of any length.
bool is_written_by_hand(std::string_view script) {
  constexpr std::size_t kLargest = 100u << 10;
  constexpr std::size_t kLongestLine = 5000;
  if (script.size() > kLargest) return false;
  const auto lines = split(script, '\n');
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) { return line.size() <= kLongestLine; });
}

}  // namespace

std::vector<ScriptEdit> edits_in(std::string_view script) {
  std::vector<ScriptEdit> edits;
  if (!is_written_by_hand(script)) return edits;
  const Variables variables(script);
  add_jq(script, variables, edits);
  add_assignments(script, variables, edits);
  return edits;
}

CodeReads reads_of_code(std::string_view code) {
  CodeReads reads;
  constexpr std::string_view kLocal = "local.";
  if (code.find("container_definitions") == std::string_view::npos || !is_written_by_hand(code)) return reads;
  for (const std::string_view member : {".containerDefinitions", "[\"containerDefinitions\"]"}) {
    for (auto at = code.find(member); at != std::string_view::npos; at = code.find(member, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && (is_of_name(code[begin - 1]) || code[begin - 1] == '.')) --begin;
      const auto value = code.substr(begin, at - begin);
      const auto call = value.starts_with(kLocal) ? jsondecode_of_local(code, value.substr(kLocal.size()))
                                                  : jsondecode_before(code, at);
      reads.containers_alone.merge(read_files_in(call));
    }
  }
  static const Pattern merge = own_pattern(R"(\bmerge\(\s*[\w.]+\s*,\s*\{[^}]*\b"?image"?\s*[=:])");
  if (!merge.matches_part(code)) return reads;
  constexpr std::string_view kDecode = "jsondecode(";
  for (auto at = code.find(kDecode); at != std::string_view::npos; at = code.find(kDecode, at + 1)) {
    const auto rest = code.substr(at + kDecode.size());
    reads.with_image.merge(read_files_in(rest.substr(0, rest.find('\n'))));
  }
  return reads;
}

}  // namespace bayplan::lint
