#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::rules {

/// The command of a health check: CMD with a program, CMD-SHELL with one line for the shell, or NONE.
struct HealthCommand {
  std::vector<std::string> words;
  bool certain = false;  ///< Nothing else can be meant: may replace what is written.
};

/// Reads a health check that is written in one string: "CMD-SHELL, curl localhost" as the console takes it, "CMD curl
/// localhost" as a Dockerfile has it, "NONE", a JSON list, or the shell line alone. Nothing when its meaning is
/// unclear.
std::optional<HealthCommand> read_health_command(std::string_view text);

/// Whether this one string holds CMD, CMD-SHELL or NONE and more.
bool holds_marker_and_command(std::string_view text);

/// "CMD", "CMD-SHELL" or "NONE" if `word` is one of them or means it ("CMD_SHELL"); else empty. With a comma after it
/// "cmd" is no program of Windows.
std::string_view health_marker(std::string_view word, bool has_comma = false);

/// "curl,-f,http://localhost/": arguments as the console takes them. No shell and no Docker finds a program of that
/// name.
bool is_parted_by_commas(std::string_view line);

/// Blanks alone do not part the arguments of this line: it is written for a shell.
bool needs_shell(std::string_view line);

/// Separated by white space.
std::vector<std::string> words_in(std::string_view line);

}  // namespace bayplan::rules
