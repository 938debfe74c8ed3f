#pragma once
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/assumption.hpp"
#include "report/document/report_document.hpp"
#include "study/why/why.hpp"

/// Sentences of the reports of `why`.
namespace bayplan::report {

/// schemas/why-report.schema.json
void write_why_json(std::ostream& out, const study::Why& why);

/// A row an instance that cannot take the task, in file order.
void write_why_csv(std::ostream& out, const study::Why& why);

/// The answer, the funnel, why there or why nowhere instance by instance, and what would help.
ReportDocument why_document(const study::Why& why);

/// Collects the assumptions of the scenario, then those of the placement.
std::vector<Assumption> collect_assumptions(const study::Why& why);

inline const placement::Scenario& scenario_of(const study::Why& why) {
  return why.trace->scenario();
}

/// "YES web#1 goes to i-0b: ...", "NO  train#3 has no place: 0 of 12 instances have 4 free GPUs"
std::string why_headline(const study::Why& why);

/// "train:3 asks for 4 GPU, 16 vCPU, 120000 MiB; binpack:memory"
std::string asked_for(const study::Why& why);

/// "4 GPUs", "TCP 8080", "attribute:stack == prod": what the check of the step asks for; may be empty.
std::string wanted_by(const study::Why& why, const study::FunnelStep& step);

/// "MemberOf", "RESOURCE:GPU"
std::string check_name(placement::Check check, placement::InstanceStatus status);

/// Why the instance does not take the task, every reason: "1 GPU short; attribute stack is dev, wanted prod".
std::string why_rejected(const study::Why& why, const placement::Rejection& rejection);

/// "i-0a (us-east-1a), 900 MiB short (29100 of 30000 MiB available)"; empty when no instance was close.
std::string closest_match(const study::Why& why);

/// Lists rejections of the instances: the closest matches, or all of them in file order or nearest first.
std::vector<const placement::Rejection*> rejections_to_show(const study::Why& why, bool nearest_only,
                                                            bool nearest_first = false);

/// "of service:web the fewest tasks, 0, in us-east-1a and us-east-1b"
std::string ranked_by(const study::Why& why, const study::Narrowing& narrowing);

/// "one more p3.8xlarge in us-east-2a"
std::string remedy_text(const study::Why& why, const study::Remedy& remedy);

/// "hostPort", "move" ...: a word for programs.
std::string_view remedy_kind(const study::Remedy& remedy);

/// "+$12.24/h", "+$0/h", "price unknown"
std::string remedy_cost(const study::Remedy& remedy);

}  // namespace bayplan::report
