// Any text as what somebody pasted for `explain`: no crash and no hang; what was recognized stands in the text, and has
// a cause or a rule.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <utility>

#include "fuzz.hpp"
#include "report/explain/explain_report.hpp"

using namespace bayplan;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto rule_data = rules::RuleData::load();
  static const auto sentences = rules::Sentences::load();
  report::Explanation explanation;
  explanation.text = std::string(reinterpret_cast<const char*>(data), size);
  for (auto& answer : sentences.answers_to(explanation.text)) {
    require(!answer.said.empty(), "nothing was said, and understood");
    require(!answer.cause.empty() || !answer.rules.empty(), "an answer that says nothing");
    explanation.answers.push_back({std::move(answer), {}});
  }
  if (explanation.answers.empty()) explanation.nearest = sentences.nearest_to(explanation.text);
  std::ostringstream out;
  report::write_answers_text(out, explanation, rule_data, report::TextOptions{});
  report::write_answers_markdown(out, explanation, rule_data);
  report::write_explain_json(out, explanation);
  return 0;
}
