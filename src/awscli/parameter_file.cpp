#include "awscli/parameter_file.hpp"

namespace bayplan::awscli {
namespace {

constexpr std::string_view kText = "file://";
constexpr std::string_view kBinary = "fileb://";

bool is_name_char(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

const char* value_of(Variable variable, std::string_view name) {
  return variable == nullptr || name.empty() ? nullptr : variable(std::string(name).c_str());
}

/// "~/x"; the home of other users is not looked up.
std::string with_home(std::string_view path, Variable variable) {
  const bool is_home = path == "~" || path.starts_with("~/");
  const char* home = is_home ? value_of(variable, "HOME") : nullptr;
  return home == nullptr ? std::string(path) : home + std::string(path.substr(1));
}

/// $NAME and ${NAME}; what is not set stays as it is.
std::string with_variables(std::string_view path, Variable variable) {
  std::string filled;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] != '$') {
      filled += path[i];
      continue;
    }
    const bool in_braces = i + 1 < path.size() && path[i + 1] == '{';
    const std::size_t begin = i + (in_braces ? 2 : 1);
    std::size_t end = begin;
    while (end < path.size() && (in_braces ? path[end] != '}' : is_name_char(path[end]))) ++end;
    const bool is_closed = !in_braces || end < path.size();
    const char* value = is_closed ? value_of(variable, path.substr(begin, end - begin)) : nullptr;
    if (value == nullptr) {
      filled += path[i];
      continue;
    }
    filled += value;
    i = in_braces ? end : end - 1;
  }
  return filled;
}

}  // namespace

std::optional<ParameterFile> parameter_file(std::string_view text, Variable variable) {
  const bool is_binary = text.starts_with(kBinary);
  if (!is_binary && !text.starts_with(kText)) return std::nullopt;
  const std::string_view path = text.substr(is_binary ? kBinary.size() : kText.size());
  return ParameterFile{with_variables(with_home(path, variable), variable), is_binary};
}

}  // namespace bayplan::awscli
