// Runs every folder of tests/rules: a bad file gives exactly its .out, a good file gives nothing.
// BAYPLAN_ACCEPT=1 writes the .out files anew instead; read the difference before committing it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "lint/lint.hpp"
#include "report/lint_writer.hpp"
#include "rules/registry.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// The cases of one rule: bad* and good* but for the expected output, in name order.
std::vector<fs::path> cases_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".out") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> rule_folders() {
  std::vector<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(BAYPLAN_SOURCE_DIR "/tests/rules")) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string oneline(const fs::path& file, const std::string& code, const lint::Tools& tools) {
  lint::Options options;
  options.selection.extend_select = {code};
  options.rules.daemon = code == "BAY028";
  const auto report = lint::lint_document(content_of(file), file.filename().string(), options, tools);
  std::ostringstream out;
  report::lint_writer("oneline", out, tools.rule_data)->file(report);
  return out.str();
}

void accept(const fs::path& bad_file, const std::string& output) {
  std::ofstream(fs::path(bad_file).replace_extension(".out"), std::ios::binary) << output;
}

bool has_example(const fs::path& folder, const std::string& prefix) {
  if (!fs::exists(folder)) return false;
  const auto files = cases_of(folder);
  return std::any_of(files.begin(), files.end(),
                     [&](const fs::path& file) { return file.filename().string().rfind(prefix, 0) == 0; });
}

}  // namespace

TEST_CASE("rule cases - bad files give their .out and good files nothing") {
  const lint::Tools tools;
  for (const auto& folder : rule_folders()) {
    const std::string code = folder.filename().string();
    for (const auto& file : cases_of(folder)) {
      const bool is_bad = file.filename().string().rfind("bad", 0) == 0;
      const std::string output = oneline(file, code, tools);
      if (is_bad && std::getenv("BAYPLAN_ACCEPT") != nullptr) accept(file, output);
      const std::string expected = is_bad ? content_of(fs::path(file).replace_extension(".out")) : "";
      INFO(code << "/" << file.filename().string());
      CHECK(output == expected);
      if (is_bad) CHECK(expected.find(" " + code + " ") != std::string::npos);
    }
  }
}

TEST_CASE("rule cases - every rule with a function has a bad and a good example") {
  for (const auto& rule : rules::registry()) {
    const fs::path folder = fs::path(BAYPLAN_SOURCE_DIR "/tests/rules") / rule.code;
    INFO(rule.code);
    CHECK(has_example(folder, "bad"));
    CHECK(has_example(folder, "good"));
  }
}
