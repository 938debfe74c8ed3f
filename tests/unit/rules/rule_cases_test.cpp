// Runs every folder of tests/rules: a bad file gives exactly its .out, a good file gives nothing. A case that is a
// folder is one run over its files, of which what is said of services and run-task input counts.
// BAYPLAN_ACCEPT=1 writes the .out files anew instead; read the difference before committing it.
#include <cstdlib>

#include "catch.hpp"
#include "rules/registry.hpp"
#include "support/in_sources.hpp"
#include "support/rule_cases.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;

bool has_example(const fs::path& folder, const std::string& prefix) {
  if (!fs::exists(folder)) return false;
  const auto files = rule_cases::inputs_of(folder);
  return std::any_of(files.begin(), files.end(),
                     [&](const fs::path& file) { return file.filename().string().rfind(prefix, 0) == 0; });
}

}  // namespace

TEST_CASE("rule cases - bad files give their .out and good files nothing") {
  const lint::Tools tools;
  for (const auto& folder : rule_cases::folders()) {
    const std::string code = folder.filename().string();
    for (const auto& file : rule_cases::inputs_of(folder)) {
      const bool is_bad = rule_cases::is_bad(file);
      const std::string output = rule_cases::output_of(file, code, tools);
      if (is_bad && std::getenv("BAYPLAN_ACCEPT") != nullptr) {
        std::ofstream(rule_cases::output_file_of(file), std::ios::binary) << output;
      }
      const std::string expected = is_bad ? rule_cases::content_of(rule_cases::output_file_of(file)) : "";
      INFO(code << "/" << file.filename().string());
      CHECK(output == expected);
      if (is_bad) CHECK(expected.find(" " + code + " ") != std::string::npos);
    }
  }
}

TEST_CASE("rule cases - every rule with a function has a bad and a good example") {
  for (const auto& rule : rules::registry()) {
    const fs::path folder = fs::path(in_sources("tests/rules")) / rule.code;
    INFO(rule.code);
    CHECK(has_example(folder, "bad"));
    CHECK(has_example(folder, "good"));
  }
}
