#include "report/place/placement_assumptions.hpp"

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::report {

namespace {

using placement::PlacementFact;

/// "p3.2xlarge", "3 types"
std::string name_types(const std::vector<std::string>& types) {
  return types.size() == 1 ? types.front() : count_of(static_cast<std::int64_t>(types.size()), "type");
}

Assumption assumption_of(const PlacementFact& fact) {
  using Kind = PlacementFact::Kind;
  const auto subject = fact.names.empty() ? std::string() : fact.names.front();
  const auto seed = static_cast<std::uint64_t>(fact.count);
  switch (fact.kind) {
    case Kind::kMemoryMeasured:
      return {"memory-estimated", name_types(fact.names),
              "memory measured on one instance, within 1% (5% below 2 GiB)"};
    case Kind::kMemoryOfSibling:
      return {"memory-estimated", name_types(fact.names),
              "memory measured on a type with the same memory, processor and generation, within 1%"};
    case Kind::kMemoryModeled:
      return {"memory-estimated", name_types(fact.names),
              "memory estimated by a model of the type's class, within 2% (5% below 2 GiB)"};
    case Kind::kGpuMemoryEstimated:
      return {"gpu-memory-estimated", name_types(fact.names),
              "a shared GPU is assumed to offer 93% of its memory; gpuMemory sets it"};
    case Kind::kCurrentAgent:
      return {"current-agent", {}, "instances that list no capabilities count as having those of a current agent"};
    case Kind::kArchitectureNotStated:
      return {"architecture-not-stated", subject, "no cpuArchitecture given: arm64 and x86_64 both count"};
    case Kind::kSubjectNotStated:
      return {"constraint-subject-not-stated", subject,
              "instances whose description omits it do not satisfy a comparison with it, "
              "though every registered instance has it"};
    case Kind::kPolicy:
      return {"placement-policy", subject, "a policy of the literature chooses the instances; ECS does not offer it"};
    case Kind::kRandomSeed:
      return {"random-seed", {}, fmt::format("RunTask without a strategy places at random (seed {})", seed)};
    case Kind::kZoneSpreadSecondKey:
      return {"zone-spread-second-key", subject,
              "spreads over zones only; within a zone the instance with the fewest of its tasks is "
              "chosen, as in the ECS default"};
    case Kind::kSpreadAttributeAbsent:
      return {"spread-attribute-absent", subject,
              fmt::format("{} without it; they count as one additional group", count_of(fact.count, "instance"))};
    case Kind::kSpreadAttributeNowhere:
      return {"spread-attribute-absent", subject,
              "no instance has it, so it spreads nothing; " +
                  (fact.names.size() > 1 ? fmt::format("did you mean {}?", fact.names[1])
                                         : std::string("check the spelling, or add it to the instances"))};
    case Kind::kZoneUnknown:
      return {"zone-unknown", subject, "has no Availability Zone; it is assumed to be in one that the subnets allow"};
    case Kind::kTieDrawn:
      return {
          "tie-drawn",
          {},
          fmt::format("ties after the last strategy are broken at random (seed {}); ECS does not document its choice",
                      seed)};
    case Kind::kTieOfScores:
      return {"tie-file-order",
              {},
              fmt::format("instances with the same score: the first in file order ({})", count_of(fact.count, "tie"))};
    case Kind::kTieFileOrder:
      return {"tie-file-order",
              {},
              fmt::format("ties go to the first instance in file order ({}); ECS does not document its choice",
                          count_of(fact.count, "tie"))};
    case Kind::kAllOrNothing:
      return {"all-or-nothing", subject,
              "all or none of the tasks are placed; ECS has no such API call: RunTask starts what fits"};
    case Kind::kClosestInstance:
      return {"closest-instance",
              {},
              "the closest instance is the one that passed the most checks before failing; ECS does not "
              "document its choice"};
    case Kind::kGpuEventText:
      return {
          "gpu-event-text",
          {},
          "no service event for a lack of GPUs or Neuron devices was found in public; its wording follows the others"};
  }
  return {};
}

}  // namespace

std::vector<Assumption> placement_assumptions(const std::vector<PlacementFact>& facts) {
  std::vector<Assumption> assumptions;
  for (const auto& fact : facts) assumptions.push_back(assumption_of(fact));
  return assumptions;
}

}  // namespace bayplan::report
