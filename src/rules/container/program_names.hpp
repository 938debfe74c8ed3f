#pragma once
#include <string>
#include <string_view>

/// Programs that commands, entry points and health checks call.
namespace bayplan::rules {

std::string_view first_word(std::string_view text);

/// The program that the first word of an argument names, without path and in lower case: "sh" of "/bin/sh", "cmd" of
/// "C:\\Windows\\cmd.exe".
std::string program_name(std::string_view text);

/// Whether the first word of an argument names a shell.
bool is_shell(std::string_view argument);

/// Whether an option of a shell says that a command line follows: -c, -lc, -Command, /c.
bool takes_command_line(std::string_view option);

}  // namespace bayplan::rules
