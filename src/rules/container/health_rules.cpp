// healthCheck of a container. Bounds and defaults: RegisterTaskDefinition, HealthCheck, 2026-08.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/container/health_command.hpp"
#include "rules/file/reshape.hpp"
#include "rules/file/written_list.hpp"
#include "rules/integer_range.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

constexpr IntegerRange kInterval{"interval", 5, 300, " seconds", 30};
constexpr IntegerRange kTimeout{"timeout", 2, 60, " seconds", 5};
constexpr IntegerRange kRetries{"retries", 1, 10, "", 3};
constexpr IntegerRange kStartPeriod{"startPeriod", 0, 300, " seconds", 0};

void check_health_range(const Context& ctx, Emitter& emit, const IntegerRange& range) {
  for (const auto& container : ctx.task.container_definitions) {
    check_range(ctx, emit, container.health_check, range);
  }
}

/// Returns the time in seconds; nothing when it is not known or another rule speaks of it.
std::optional<std::int64_t> seconds(const Context& ctx, Emitter& emit, text::Value check, const IntegerRange& range) {
  const auto field = model::integer_field(check, range.key, ctx.placeholders);
  if (!field.present()) return range.fallback;
  if (!emit.knows(field) || !range.holds(*field)) return std::nullopt;
  return *field;
}

/// The first word, unless it is a template as a whole.
std::optional<std::string_view> first_word(const Context& ctx, Emitter& emit, text::Value command) {
  const auto first = model::string_value(command.at(0), ctx.placeholders);
  if (!first.unknown() && !first) return std::nullopt;
  const bool is_template = first.unknown() || ctx.placeholders.find(*first) == *first;
  if (is_template) emit.skip(first.node);
  return is_template ? std::nullopt : first.value;
}

bool is_shell_operator(std::string_view word) {
  return word == "||" || word == "&&" || word == "|" || word == ";";
}

bool holds_word_of_shell(std::string_view word) {
  return word.find_first_of(" |&;<>$") != std::string_view::npos;
}

/// Blanks between the words; before "exit 1" the operator that is required there.
std::string as_line(const std::vector<std::string_view>& words) {
  std::string line;
  std::string_view last = "||";
  for (const auto word : words) {
    if (!line.empty()) line += word.starts_with("exit ") && !is_shell_operator(last) ? " || " : " ";
    line += word;
    last = word;
  }
  return line;
}

/// Words as one list, or as one string for the shell where they hold what only a shell reads. What follows -c is the
/// script of a shell that the words name themselves.
std::string as_command(const std::vector<std::string_view>& words) {
  const bool has_operator = std::any_of(words.begin(), words.end(), is_shell_operator);
  const bool has_script = std::find(words.begin(), words.end(), "-c") != words.end();
  const bool needs_shell =
      has_operator || (!has_script && std::any_of(words.begin(), words.end(), holds_word_of_shell));
  if (needs_shell) return json_list({"CMD-SHELL", as_line(words)});
  std::vector<std::string> list{"CMD"};
  list.insert(list.end(), words.begin(), words.end());
  return json_list(list);
}

std::vector<std::string_view> words_from(text::Value command, std::size_t first) {
  std::vector<std::string_view> words;
  for (std::size_t i = first; i < command.size(); ++i) words.push_back(command.at(i).text());
  return words;
}

/// "cmd" and "CMD_SHELL" were meant to be the words of Docker; empty for others.
std::string_view docker_word(std::string_view written) {
  while (written.ends_with(',')) written.remove_suffix(1);
  if (equal_ignoring_case(written, "none")) return "NONE";
  return equal_ignoring_case(written, "cmd") ? "CMD" : health_marker(written);
}

/// Other than a line or a list in one string.
bool may_name_program(std::string_view word) {
  const bool has_blank = std::any_of(word.begin(), word.end(), is_space);
  return !has_blank && !is_parted_by_commas(word) && !word.starts_with('[');
}

/// What the words mean together; as an edit only where they are one string.
void offer_meaning(Report& report, text::Value command) {
  const auto words = words_from(command, 0);
  const auto meant = read_health_command(join(std::vector<std::string>(words.begin(), words.end()), " "));
  if (!meant) return;
  report.help("use {}", json_list(meant->words));
  if (command.size() > 1 || !meant->certain) return;
  const auto edits = split_element(command.at(0), meant->words);
  if (!edits) return;
  // Docker runs nothing today: the author decides whether tasks may now be found unhealthy.
  for (const auto& edit : *edits) report.fix(edit.span, edit.text, false);
}

/// "CMD-SHELL, curl localhost" as one string of the list.
void report_one_string(Emitter& emit, text::Value command, std::string_view first) {
  auto report = emit.at(command.at(0));
  report.says("CMD or CMD-SHELL must be a separate string, not part of {}; Docker does not run this check",
              json_quoted(first));
  offer_meaning(report, command);
}

/// AWS says two things of a bare program: the API reference that CMD or CMD-SHELL must come first, the developer guide
/// (Fargate and Managed Instances, 2026) that CMD is assumed. Docker alone runs no such check.
void report_bare_program(Report& report, text::Value command, std::string_view first) {
  report
      .says(
          "health check starts with {}, not with CMD or CMD-SHELL; AWS documentation disagrees on whether CMD is "
          "assumed",
          json_quoted(first))
      .help("use {}", as_command(words_from(command, 0)))
      .severity(Severity::kInfo);
}

void check_first_word(Emitter& emit, text::Value command, std::string_view first) {
  if (holds_marker_and_command(first)) return report_one_string(emit, command, first);
  auto report = emit.at(command.at(0));
  const auto meant = docker_word(first);
  if (meant.empty() && may_name_program(first)) return report_bare_program(report, command, first);
  report.says("health check must start with CMD or CMD-SHELL, got {}; Docker does not run this check",
              json_quoted(first));
  if (!meant.empty()) {
    report.help("use {}", json_quoted(meant)).fix(command.at(0).span(), json_quoted(meant), false);
  } else if (command.size() == 1) {
    offer_meaning(report, command);
  } else {
    report.help("use {}", as_command(words_from(command, 0)));
  }
}

/// ["CMD", "CMD-SHELL", "curl ..."], ["CMD-SHELL", "CMD-SHELL curl ..."], ["CMD", "curl,-f,http://localhost/"]: the
/// first word is right, and the second no program. cmd.exe takes commas for blanks.
bool check_second_word(const Context& ctx, Emitter& emit, text::Value command, std::string_view first) {
  const std::string_view second = command.at(1).is_string() ? command.at(1).text() : std::string_view();
  const auto report = [&](const std::string& help) {
    emit.at(command.at(1)).says("no program is named {}", json_quoted(words_in(second).front())).help("use {}", help);
    return true;
  };
  if (second == "CMD-SHELL" && command.size() > 2) return report(as_command(words_from(command, 2)));
  const bool is_marked = second.starts_with("CMD-SHELL") && holds_marker_and_command(second);
  const bool is_cut_by_commas = is_parted_by_commas(second) && !is_windows(ctx);
  if (command.size() > 2 || (!is_marked && !is_cut_by_commas)) return false;
  const auto meant =
      read_health_command(is_marked ? std::string(second) : std::string(first) + ", " + std::string(second));
  return meant && report(json_list(meant->words));
}

/// ["CMD", "curl -f http://localhost/ || exit 1"]: Docker looks for a program of that whole name. A Windows path may
/// hold blanks.
void check_program(Emitter& emit, text::Value command) {
  const std::string_view program = command.at(1).is_string() ? command.at(1).text() : std::string_view();
  const auto words = words_from(command, 1);
  if (program.find(' ') != std::string_view::npos && program.find('\\') == std::string_view::npos) {
    auto report = emit.at(command.at(1));
    report.says("CMD runs a program named {} without a shell, so the container never becomes HEALTHY",
                json_quoted(program));
    if (command.size() == 2) {
      // With an operator of the shell in it nothing else can be meant, and today the check always fails.
      const auto parts = words_in(program);
      const bool is_certain = std::any_of(parts.begin(), parts.end(), is_shell_operator);
      report.help("use \"CMD-SHELL\" instead of \"CMD\"").fix(command.at(0).span(), "\"CMD-SHELL\"", is_certain);
    } else {
      report.help("use {}", json_list({"CMD-SHELL", as_line(words)}));
    }
    return;
  }
  const auto found = std::find_if(words.begin(), words.end(), is_shell_operator);
  if (found == words.end()) return;
  const auto place = 1 + static_cast<std::size_t>(found - words.begin());
  emit.at(command.at(place))
      .says("CMD does not use a shell, so {} is an argument of {}", json_quoted(*found), json_quoted(program))
      .help("use {}", json_list({"CMD-SHELL", as_line(words)}));
}

bool is_blank_string(text::Value word) {
  return word.is_string() && trim(word.text()).empty();
}

void check_command(const Context& ctx, Emitter& emit, text::Value command) {
  if (command.size() == 0) {
    emit.at(command)
        .says("health check command is empty")
        .help("use for example [\"CMD-SHELL\", \"curl -f http://localhost/ || exit 1\"], or delete healthCheck");
    return;
  }
  const auto first = first_word(ctx, emit, command);
  if (!first || *first == "NONE") return;
  const bool is_shell = *first == "CMD-SHELL";
  if (!is_shell && *first != "CMD") {
    check_first_word(emit, command, *first);
  } else if (command.size() == 1 || (command.size() == 2 && is_blank_string(command.at(1)))) {
    emit.at(command.at(0)).says("health check has no command after {}", *first).help("add the command");
  } else if (check_second_word(ctx, emit, command, *first)) {
    return;
  } else if (is_shell && command.size() > 2) {
    const bool has_both = command.at(1).text() == "CMD";
    emit.at(command.at(2))
        .says("CMD-SHELL runs only the string after it; this one is ignored")
        .help("use {}", as_command(words_from(command, has_both ? 2 : 1)));
  } else if (!is_shell) {
    check_program(emit, command);
  }
}

void health_command(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value check = container.health_check;
    const text::Value command = check ? check.find("command") : text::Value();
    if (command && command.is_array()) check_command(ctx, emit, command);
  }
}

void health_interval(const Context& ctx, Emitter& emit) {
  check_health_range(ctx, emit, kInterval);
}
void health_timeout(const Context& ctx, Emitter& emit) {
  check_health_range(ctx, emit, kTimeout);
}
void health_retries(const Context& ctx, Emitter& emit) {
  check_health_range(ctx, emit, kRetries);
}
void health_start_period(const Context& ctx, Emitter& emit) {
  check_health_range(ctx, emit, kStartPeriod);
}

void health_timeout_over_interval(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value check = container.health_check;
    if (!check || !check.is_object()) continue;
    const auto timeout = seconds(ctx, emit, check, kTimeout);
    const auto interval = seconds(ctx, emit, check, kInterval);
    if (!timeout || !interval || *timeout <= *interval) continue;
    const text::Value stated = check.find("timeout") ? check.find("timeout") : check.find("interval");
    emit.at(stated)
        .says("health check timeout {} exceeds its interval {}", *timeout, *interval)
        .help("use a timeout of {} or less to detect an unhealthy container sooner", *interval);
  }
}

}  // namespace

std::span<const Rule> health_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY710", kTaskDefinition, health_command},      {"BAY711", kTaskDefinition, health_interval},
      {"BAY712", kTaskDefinition, health_timeout},      {"BAY713", kTaskDefinition, health_retries},
      {"BAY714", kTaskDefinition, health_start_period}, {"BAY715", kTaskDefinition, health_timeout_over_interval},
  };
  return kRules;
}

}  // namespace bayplan::rules
