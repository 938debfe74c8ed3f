#include "support/rule_cases.hpp"

#include <memory>

#include "case.hpp"

namespace bayplan::mutation {

std::vector<Case> rule_cases() {
  const auto tools = std::make_shared<lint::Tools>();
  std::vector<Case> cases;
  for (const auto& folder : bayplan::rule_cases::folders()) {
    const std::string code = folder.filename().string();
    for (const auto& file : bayplan::rule_cases::inputs_of(folder)) {
      const bool is_bad = bayplan::rule_cases::is_bad(file);
      const auto expected =
          is_bad ? bayplan::rule_cases::content_of(bayplan::rule_cases::output_file_of(file)) : std::string();
      cases.push_back({code + "/" + file.filename().string(), [tools, file, code, expected] {
                         return bayplan::rule_cases::output_of(file, code, *tools) == expected;
                       }});
    }
  }
  return cases;
}

}  // namespace bayplan::mutation
