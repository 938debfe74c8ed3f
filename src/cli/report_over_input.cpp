#include "cli/report_over_input.hpp"

#include <algorithm>

#include "cli/outputs.hpp"

namespace bayplan::cli {
namespace {

/// A word as the files that it may name: web.json of `web.json=2`, of `file://web.json` and of `--key=file://web.json`.
std::vector<std::string> files_named_by(const std::string& word) {
  std::vector<std::string> names{word};
  if (const auto equals = word.rfind('='); equals != std::string::npos)
    names.insert(names.end(), {word.substr(0, equals), word.substr(equals + 1)});
  for (auto& name : names) {
    for (const std::string_view scheme : {"file://", "fileb://"}) {
      if (name.starts_with(scheme)) name.erase(0, scheme.size());
    }
  }
  return names;
}

bool names_file(const std::vector<std::string>& words, const std::string& file, const Files& files) {
  const std::string wanted = files.absolute(file);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    const auto names = files_named_by(word);
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return !name.empty() && files.exists(name) && files.absolute(name) == wanted;
    });
  });
}

}  // namespace

std::optional<Error> report_over_input(const ParsedLine& parsed, const Files& files) {
  if (parsed.command->name() == "lint") return std::nullopt;
  const auto outputs = parse_outputs(parsed.global, parsed.command->formats());
  if (!outputs) return std::nullopt;  // the command says why
  for (const auto& output : *outputs) {
    const std::string& file = output.file;
    if (file.empty() || is_of_system(file) || !files.exists(file) || files.is_folder(file)) continue;
    if (names_file(parsed.input_words, file, files))
      return Error{.message = "is an input: a report would take its place", .file = file};
  }
  return std::nullopt;
}

}  // namespace bayplan::cli
