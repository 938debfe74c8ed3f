#include "lsp/file_uri.hpp"

#include <vector>

#include "base/hexadecimal.hpp"
#include "base/strings.hpp"
#include "report/document/escape.hpp"

namespace bayplan::lsp {
namespace {

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '%' && i + 2 < text.size();
    const auto high = is_escape ? hex_digit(text[i + 1]) : std::nullopt;
    const auto low = is_escape ? hex_digit(text[i + 2]) : std::nullopt;
    if (high && low) {
      decoded += static_cast<char>(*high * 16 + *low);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

}  // namespace

std::optional<std::string> path_of(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!equal_ignoring_case(uri.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  std::string_view rest = uri.substr(kScheme.size());
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view machine = rest.substr(0, slash);
  if (!machine.empty() && !equal_ignoring_case(machine, "localhost")) return std::nullopt;
  std::string path = percent_decoded(rest.substr(slash, rest.find_first_of("?#") - slash));
  if (path.find('\0') != std::string::npos) return std::nullopt;
  return path;
}

std::string to_file_uri(std::string_view path) {
  return report::relative_uri(path);
}

std::string normal_path(std::string_view path) {
  std::vector<std::string> kept;
  for (const auto step : split(path, '/')) {
    if (step.empty() || step == ".") continue;
    if (step != "..") {
      kept.emplace_back(step);
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  return "/" + join(kept, "/");
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.find_last_of("/:\\") + 1);
}

}  // namespace bayplan::lsp
