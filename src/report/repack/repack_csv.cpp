#include "report/document/csv.hpp"
#include "report/repack/repack_report.hpp"

namespace bayplan::report {

void write_repack_csv(std::ostream& out, const RepackReport& report) {
  CsvWriter csv(out);
  csv.header({"step", "containerInstance", "instanceType", "availabilityZone", "containerInstanceArn",
              "capacityProviderName", "hourlyPrice", "services"});
  const auto& plan = report.plan;
  std::int64_t number = 0;
  for (const auto& step : plan.steps) {
    ++number;
    std::vector<std::string> services;
    for (const auto& moves : step.moves) services.push_back(plan.names[moves.name].name);
    for (const auto index : step.instances) {
      const auto& instance = plan.scenario->instances[index];
      const auto& profile = plan.scenario->profiles[instance.profile];
      csv.number(number).text(instance.id).text(profile.instance_type).text(profile.availability_zone);
      csv.text(profile.arn).text(profile.capacity_provider_name).usd(profile.hourly_price).list(services).end_row();
    }
  }
}

}  // namespace bayplan::report
