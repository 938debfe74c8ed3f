#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "case.hpp"

namespace bayplan::mutation {
namespace {

bool run_test(const std::string& name) {
  static Catch::Session session;  // Catch allows one in a process
  Catch::ConfigData options;
  options.testsOrTags = {"\"" + name + "\""};
  options.abortAfter = 1;
  options.outputFilename = "/dev/null";
  session.useConfigData(options);
  return session.run() == 0;
}

}  // namespace

std::vector<Case> unit_cases() {
  std::vector<Case> cases;
  for (const auto& test : Catch::getRegistryHub().getTestCaseRegistry().getAllTests()) {
    const std::string name = test.name;
    if (name.rfind("rule cases - ", 0) != 0) cases.push_back({name, [name] { return run_test(name); }});
  }
  return cases;
}

}  // namespace bayplan::mutation
