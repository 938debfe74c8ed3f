#include "report/document/style.hpp"

namespace bayplan::report {

std::string Style::wrap(std::string_view code, std::string_view text) const {
  if (!colored_ || text.empty()) return std::string(text);
  std::string result = "\x1b[";
  ((result += code) += 'm') += text;
  return result += "\x1b[0m";
}

std::string Style::of(Severity severity, std::string_view text) const {
  switch (severity) {
    case Severity::kError:
      return wrap("1;31", text);
    case Severity::kWarning:
      return wrap("1;33", text);
    case Severity::kInfo:
      return wrap("1;34", text);
    case Severity::kStyle:
      return wrap("1;36", text);
  }
  return std::string(text);
}

std::string Style::answer(std::string_view text) const {
  constexpr std::size_t kWord = 3;
  const auto word = text.substr(0, kWord);
  return bold(word == "NO " ? red(word) : green(word)) + std::string(text.substr(kWord));
}

bool wants_color(std::string_view choice, bool is_terminal, const char* (*environment)(const char* name)) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  const auto set = [&](const char* name) {
    const char* value = environment ? environment(name) : nullptr;
    return value != nullptr && *value != '\0';
  };
  if (set("NO_COLOR")) return false;
  if (set("FORCE_COLOR")) return true;
  const char* term = environment ? environment("TERM") : nullptr;
  return is_terminal && !(term != nullptr && std::string_view(term) == "dumb");
}

}  // namespace bayplan::report
