#include "rules/container/program_names.hpp"

#include <array>
#include <string>

#include "base/ascii.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {

std::string_view first_word(std::string_view text) {
  text = trim(text);
  return text.substr(0, text.find_first_of(" \t\n"));
}

std::string program_name(std::string_view text) {
  const auto word = first_word(text);
  std::string name = lower(word.substr(word.find_last_of("/\\") + 1));
  if (name.ends_with(".exe")) name.resize(name.size() - 4);
  return name;
}

bool is_shell(std::string_view argument) {
  constexpr std::array<std::string_view, 10> kShells{"sh",  "bash", "ash",     "dash", "zsh",
                                                     "ksh", "cmd",  "busybox", "pwsh", "powershell"};
  const std::string name = program_name(argument);
  return is_among(name, kShells);
}

bool takes_command_line(std::string_view option) {
  const std::string flag = lower(option);
  if (flag == "/c" || flag == "-command") return true;
  return flag.size() > 1 && flag.size() < 5 && flag.front() == '-' && flag[1] != '-' && flag.back() == 'c';
}

}  // namespace bayplan::rules
