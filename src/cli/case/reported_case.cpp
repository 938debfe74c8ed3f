#include "cli/case/reported_case.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "base/json_writer.hpp"
#include "base/memory_files.hpp"
#include "base/version.hpp"

namespace bayplan::cli {
namespace {

constexpr std::string_view kOption = "--anonymize";

std::string case_text(const RecordedRun& run, int exit_code) {
  std::ostringstream out;
  {
    JsonWriter json(out);
    json.begin_object().member("schema", "bayplan/case/1").member("version", version()).member("exit", exit_code);
    json.key("command").begin_array(JsonWriter::Layout::kLine);
    for (const auto& word : run.words) json.value(word);
    json.end_array().key("files").begin_object();
    for (const auto& [path, content] : run.files) json.member(path, content);
    json.end_object().end_object();
  }
  out << '\n';
  return out.str();
}

}  // namespace

int run_recorded(const RecordedRun& recorded, const Streams& like) {
  MemoryFiles files(recorded.files);
  const auto input = files.content.find("-");
  std::istringstream in(input == files.content.end() ? std::string() : input->second);
  if (input != files.content.end()) files.content.erase(input);
  std::ostringstream out;
  std::ostringstream err;
  return run(recorded.words, {in, out, err, files, false, false, like.environment, like.clock, like.interrupted});
}

std::optional<Error> write_case(const RecordedRun& run, int exit_code, const std::string& path, Files& files,
                                const std::function<int(const RecordedRun&)>& run_again) {
  const auto replaced = anonymized(run, PublicWords::load());
  const int code = run_again(replaced);
  if (code != exit_code)
    return Error{.message = fmt::format("without its names the run ends with exit code {}, not {}: no case was written",
                                        code, exit_code),
                 .file = path,
                 .help = "The names matter. Please send the inputs in a private report (SECURITY.md)."};
  const auto written = files.write(path, case_text(replaced, exit_code));
  return written ? std::nullopt : std::optional(written.error());
}

std::vector<std::string> without_anonymize(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  const auto end = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (word < end && *word == kOption) {
      if (word + 1 != words.end()) ++word;
    } else if (word >= end || !word->starts_with(std::string(kOption) + "=")) {
      kept.push_back(*word);
    }
  }
  return kept;
}

std::vector<std::string> with_anonymize(const std::vector<std::string>& words) {
  auto all = without_anonymize(words);
  const auto place = std::find(all.begin(), all.end(), "--");
  all.insert(place, {std::string(kOption), "case.json"});
  return all;
}

}  // namespace bayplan::cli
