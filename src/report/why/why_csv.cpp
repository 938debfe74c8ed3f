#include "placement/explain/ecs_words.hpp"
#include "report/document/csv.hpp"
#include "report/why/why_report.hpp"

namespace bayplan::report {

void write_why_csv(std::ostream& out, const study::Why& why) {
  CsvWriter csv(out);
  csv.header({"containerInstance", "instanceType", "availabilityZone", "reasons", "text"});
  const auto& scenario = scenario_of(why);
  for (const auto* rejection : rejections_to_show(why, false)) {
    const auto& instance = scenario.instances[rejection->instance];
    const auto& profile = scenario.profiles[instance.profile];
    std::vector<std::string> reasons;
    for (const auto check : rejection->failed.list()) reasons.push_back(placement::reason_text(check, profile.status));
    csv.text(instance.id).text(profile.instance_type).text(profile.availability_zone).list(reasons);
    csv.text(why_rejected(why, *rejection)).end_row();
  }
}

}  // namespace bayplan::report
