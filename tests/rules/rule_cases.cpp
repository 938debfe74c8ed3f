// Runs the cases of rules: a bad file gives exactly its .out, a good file gives nothing, and there are both. A case
// that is a folder is one run over its files, of which what is said of services and run-task input counts.
//   rule_cases BAY113...
// BAYPLAN_ACCEPT=1 writes the .out files; read the difference before committing it.
#include <cstdlib>
#include <iostream>

#include "support/rule_cases.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;

/// Returns what is wrong with one case; nothing for most.
std::string fault_of(const fs::path& file, const std::string& code, const lint::Tools& tools) {
  const std::string output = rule_cases::output_of(file, code, tools);
  if (!rule_cases::is_bad(file)) return output.empty() ? "" : "findings in a good file:\n" + output;
  if (std::getenv("BAYPLAN_ACCEPT") != nullptr)
    std::ofstream(rule_cases::output_file_of(file), std::ios::binary) << output;
  const std::string expected = rule_cases::content_of(rule_cases::output_file_of(file));
  if (output != expected) return "expected:\n" + expected + "got:\n" + output;
  return expected.find(" " + code + " ") == std::string::npos ? "a bad file without this rule:\n" + output : "";
}

std::vector<std::string> faults_of_rule(const std::string& code, const lint::Tools& tools) {
  const fs::path folder = fs::path(in_sources("tests/rules")) / code;
  if (!fs::is_directory(folder)) return {code + ": has no cases"};
  std::vector<std::string> faults;
  int bad = 0, good = 0;
  for (const auto& file : rule_cases::inputs_of(folder)) {
    ++(rule_cases::is_bad(file) ? bad : good);
    const auto fault = fault_of(file, code, tools);
    if (!fault.empty()) faults.push_back(code + "/" + file.filename().string() + ": " + fault);
  }
  if (bad == 0 || good == 0) faults.push_back(code + ": needs a bad and a good case");
  return faults;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: rule_cases CODE...\n";
    return 2;
  }
  const lint::Tools tools;
  int failed = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& fault : faults_of_rule(arguments[i], tools)) {
      std::cerr << fault << '\n';
      ++failed;
    }
  }
  return failed > 0 ? 1 : 0;
}
