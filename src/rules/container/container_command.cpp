// command and entryPoint: one item an argument, and no shell unless it is called.
#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/container/program_names.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using model::StringField;

/// Whether a shell reads what follows the items, or may: an item that is not known could call one.
bool calls_shell(const model::List<StringField>& items) {
  return std::any_of(items.begin(), items.end(),
                     [](const StringField& item) { return !item || is_shell(*item) || takes_command_line(*item); });
}

/// "python app.py", not "C:\Program Files\app.exe" or a sentence in brackets.
bool is_command_line(std::string_view text) {
  constexpr std::string_view kOfPrograms = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+@";
  text = trim(text);
  if (text.find('\n') != std::string_view::npos) return false;  // a script, or a file that the program is given
  const auto word = first_word(text);
  const bool has_name = word.find_first_not_of("./-+@_") != std::string_view::npos;
  return word.size() < text.size() && has_name && word.find_first_not_of(kOfPrograms) == std::string_view::npos;
}

/// "-jar app.jar": two arguments, unlike "--title=two words".
bool is_flag_with_value(std::string_view text) {
  return text.starts_with("-") && first_word(text).find('=') == std::string_view::npos;
}

/// The words of a line, as a shell separates them: quotes hold words together.
std::vector<std::string> unquoted_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool is_word = false;
  for (const char c : line) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote == 0 ? c : '\0';
      is_word = true;
    } else if (c == ' ' && quote == 0) {
      if (is_word) words.push_back(std::move(word));
      word.clear();
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (is_word) words.push_back(std::move(word));
  return words;
}

/// The items as they were meant; through a shell where only a shell can read the line.
std::string as_items(std::string_view line) {
  constexpr std::size_t kLongest = 80;
  const bool is_option = line.starts_with('-');
  if (is_option && (line.size() > kLongest || line.find_first_of("\\`&|;<>(){}*?~#\n") != std::string_view::npos))
    return "one item for each word";
  if (is_option) {
    std::vector<std::string> items;
    for (const auto& word : unquoted_words(line)) items.push_back(json_quoted(word));
    return "[" + join(items, ", ") + "]";
  }
  if (line.size() > kLongest) return R"(["sh", "-c", "..."])";
  if (line.find_first_of("'\"\\$`&|;<>(){}*?~#\n") != std::string_view::npos) {
    return R"(["sh", "-c", )" + json_quoted(line) + "]";
  }
  std::vector<std::string> items;
  for (const auto word : split(line, ' ')) {
    if (!word.empty()) items.push_back(json_quoted(word));
  }
  return "[" + join(items, ", ") + "]";
}

/// The only item of the list, if it is a line of several words.
const StringField* lone_line(const model::List<StringField>& items, Emitter& emit) {
  if (items.size() != 1 || !emit.knows(items[0]) || !is_command_line(*items[0])) return nullptr;
  return &items[0];
}

void check_entry_point(const ContainerDefinition& container, Emitter& emit) {
  const auto* line = lone_line(container.entry_point, emit);
  if (line == nullptr) return;
  emit.at(*line)
      .says("entryPoint is a single item, so the runtime looks for a program named {}", json_quoted(trim(**line)))
      .help("use {}", as_items(trim(**line)));
}

/// Redis makes a line of its configuration of each argument that begins with "--" and those behind it: "--appendonly
/// yes" may be one argument or two. https://github.com/redis/redis/blob/7.2/src/server.c, main
bool is_line_of_redis(const ContainerDefinition& container, std::string_view line) {
  if (!container.image || !line.starts_with("--") || line.find(" --") != std::string_view::npos) return false;
  const std::string_view name = std::string_view(*container.image).substr(container.image->rfind('/') + 1);
  return name.starts_with("redis") || name.starts_with("valkey");
}

void check_command(const ContainerDefinition& container, Emitter& emit) {
  if (calls_shell(container.entry_point)) return;
  const auto* line = lone_line(container.command, emit);
  if (line == nullptr || is_shell(**line)) return;
  if (is_line_of_redis(container, trim(**line))) return;
  if (!container.entry_point.empty() && !is_flag_with_value(**line)) return;  // may well be one argument
  auto report = emit.at(*line);
  // No program has a name that begins with a hyphen: these are options for the image's entry point.
  if (!container.entry_point.empty() || trim(**line).starts_with('-')) {
    report.says("command is a single item, so the program gets {} as one argument", json_quoted(trim(**line)));
  } else {
    report.says(
        "command is a single item, so the runtime looks for a program named {} unless the image's entry point is a "
        "shell",
        json_quoted(trim(**line)));
  }
  report.help("use {}", as_items(trim(**line)));
}

bool is_shell_operator(std::string_view item) {
  constexpr std::array<std::string_view, 12> kOperators{"&&", "||", "|",  "&",    ";",    "<",
                                                        ">",  ">>", "2>", "2>&1", "1>&2", ">&2"};
  return is_among(item, kOperators);
}

/// "| grep x", "&& run", "a && b": an operator with words around it, in one item.
bool holds_shell_operator(std::string_view item) {
  const auto words = split(item, ' ');
  return words.size() > 1 && std::any_of(words.begin(), words.end(), [](std::string_view word) {
           return word == "&&" || word == "||" || word == "|" || word == ">>" || word == "2>&1";
         });
}

/// $NAME or ${NAME}, and nothing else.
bool is_variable(std::string_view item) {
  if (item.size() < 2 || item.front() != '$') return false;
  auto name = item.substr(1);
  if (name.front() == '{' && name.back() == '}') name = name.substr(1, name.size() - 2);
  const bool is_number = !name.empty() && is_digit(name.front());
  return !name.empty() && !is_number &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
             std::string_view::npos;
}

/// Whether values elsewhere are filled in later: then $NAME in a command may be too.
bool holds_placeholders(const Context& ctx) {
  for (std::uint32_t i = 0; i < ctx.document.node_count(); ++i) {
    const text::Value value = ctx.document.node(i);
    if (ctx.placeholders.holds(value) && !model::is_shell_text(value)) return true;
  }
  return false;
}

/// The first item that only a shell would understand, and none is called before it. `fills_in`: whether $NAME may be
/// filled in before ECS sees it.
const StringField* shell_syntax(const std::vector<const StringField*>& items, const Lazy<bool>& fills_in) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const StringField& item = *items[i];
    if (!item || is_shell(*item) || takes_command_line(*item)) return nullptr;
    if (is_variable(*item) && !fills_in.get()) return &item;
    // cut -d | and find -exec ... ; mean what they say.
    const bool is_value_of_flag = i > 0 && (*items[i - 1])->starts_with("-");
    const bool ends_exec = *item == ";" && program_name(**items[0]) == "find";
    if (is_shell_operator(*item) && !is_value_of_flag && !ends_exec) return &item;
    if (items.size() > 1 && holds_shell_operator(*item) && !is_value_of_flag) return &item;
  }
  return nullptr;
}

void command_one_string(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    check_entry_point(container, emit);
    check_command(container, emit);
  }
}

void command_shell_syntax(const Context& ctx, Emitter& emit) {
  const Lazy<bool> fills_in([&] { return holds_placeholders(ctx); });
  for (const auto& container : ctx.task.container_definitions) {
    std::vector<const StringField*> items;
    for (const auto& item : container.entry_point) items.push_back(&item);
    for (const auto& item : container.command) items.push_back(&item);
    const auto* item = shell_syntax(items, fills_in);
    if (item == nullptr) continue;
    emit.at(*item)
        .says("{} is shell syntax, but no shell runs it; the program gets it as plain text", **item)
        .help(R"(use ["sh", "-c", "..."] with the whole line as one item)");
  }
}

}  // namespace

std::span<const Rule> container_command_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY222", kTaskDefinition, command_one_string},
      {"BAY223", kTaskDefinition, command_shell_syntax},
  };
  return kRules;
}

}  // namespace bayplan::rules
