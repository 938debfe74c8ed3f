#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "case.hpp"

namespace bayplan::mutation {
namespace {

/// As a filter that means this test alone.
std::string escaped(const std::string& name) {
  std::string filter;
  for (const char c : name) {
    if (c == ',' || c == '[' || c == '\\' || c == '"') filter += '\\';
    filter += c;
  }
  return filter;
}

bool run_test(const std::string& name) {
  static Catch::Session session;  // Catch allows one in a process
  Catch::ConfigData options;
  options.testsOrTags = {escaped(name)};
  options.warnings = Catch::WarnAbout::NoTests;
  options.abortAfter = 1;
  options.outputFilename = "/dev/null";
  session.useConfigData(options);
  return session.run() == 0;
}

}  // namespace

std::vector<Case> unit_cases() {
  std::vector<Case> cases;
  for (const auto& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
    if (test.isHidden()) continue;  // as in every other run: whoever wants it names it
    const std::string name = test.name;
    if (name.rfind("rule cases - ", 0) != 0) cases.push_back({name, [name] { return run_test(name); }});
  }
  return cases;
}

}  // namespace bayplan::mutation
