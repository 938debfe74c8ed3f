// Remedies of `why` in words.
#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/place/place_words.hpp"
#include "report/why/why_report.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::Remedy;
using study::Why;

namespace {

class WhyChangeWords {
 public:
  WhyChangeWords(const Why& why, const Remedy& remedy)
      : scenario_(why.trace->scenario()), now_(why.snapshot.scenario), why_(why), remedy_(remedy) {}

  std::string operator()(const study::ChangePorts& change) const {
    std::vector<std::string> parts;
    for (const auto& port : change.ports) {
      const auto protocol = port.is_udp ? "UDP" : "TCP";
      parts.push_back(port.to == 0 ? fmt::format("use hostPort 0 (dynamic) instead of {} {}", protocol, port.from)
                                   : fmt::format("use {} port {} instead of {}", protocol, port.to, port.from));
    }
    return join(parts, ", ") + own_revision() + goes_to();
  }

  std::string operator()(const study::ChangeStrategy& change) const {
    std::vector<std::string> names;
    for (const auto workload : change.workloads) names.push_back(scenario_.workloads[workload].name);
    constexpr std::size_t kShown = 3;
    const std::size_t more = names.size() > kShown ? names.size() - kShown : 0;
    names.resize(names.size() - more);
    return fmt::format("use {} for {}{}", strategy_text(change.strategies.front()), join(names, ", "),
                       more > 0 ? fmt::format(" and {} more", more) : "") +
           goes_to();
  }

  std::string operator()(const study::ChangeOrder&) const {
    return "place the largest tasks first (settings.order: largestFirst)" + goes_to();
  }

  std::string operator()(const study::MoveTask& change) const {
    const auto& task = now_.running[change.task];
    return fmt::format("move {} from {} to {}", name(task), id(task.instance), id(change.to)) + goes_to(task.instance);
  }

  std::string operator()(const study::EndTask& change) const {
    const auto& task = now_.running[change.task];
    return fmt::format("wait for {} on {} {}", name(task), id(task.instance), task.stopping ? "to stop" : "to end") +
           goes_to(task.instance);
  }

  std::string operator()(const study::ChangeSize& change) const {
    const auto& asked = why_.trace->workload().requirement;
    std::vector<std::string> parts;
    if (change.memory != asked.memory) parts.push_back(fmt::format("memory {} -> {} MiB", asked.memory, change.memory));
    if (change.cpu != asked.cpu) parts.push_back(fmt::format("cpu {} -> {}", asked.cpu, change.cpu));
    if (change.gpus != asked.gpu_count) parts.push_back(fmt::format("GPU {} -> {}", asked.gpu_count, change.gpus));
    const auto text = join(parts, ", ") + own_revision();
    return remedy_.holders > 1 ? fmt::format("{}: fits {} instances", text, remedy_.holders) : text + goes_to();
  }

  std::string operator()(const study::DropConstraint& change) const {
    const auto& constraint = why_.trace->workload().constraints[change.constraint];
    return (constraint.type == ConstraintType::kDistinctInstance ? "remove distinctInstance"
                                                                 : "remove memberOf " + constraint.source) +
           goes_to();
  }

  std::string operator()(const study::RelaxConstraint& change) const {
    return fmt::format("remove {} from memberOf", change.without) + goes_to();
  }

  std::string operator()(const study::AddZone& change) const {
    return fmt::format("add a subnet in {}", change.availability_zone) + goes_to();
  }

  std::string operator()(const study::AnyProvider&) const {
    return "use launch type EC2 instead of the capacity provider" + goes_to();
  }

  std::string operator()(const study::MakeAvailable& change) const {
    const auto& profile = why_.trace->profile_of(change.instance);
    std::vector<std::string> parts;
    if (profile.status != InstanceStatus::kActive)
      parts.push_back(fmt::format("set {} to ACTIVE", id(change.instance)));
    if (!profile.agent_connected) parts.push_back(fmt::format("connect the agent of {}", id(change.instance)));
    return join(parts, " and ") + goes_to(change.instance);
  }

  std::string operator()(const study::AddAttributes& change) const {
    return fmt::format("add to {} the attribute{} {}", id(change.instance), change.names.size() == 1 ? "" : "s",
                       join(change.names, ", ")) +
           goes_to(change.instance);
  }

  std::string operator()(const study::TurnOnTrunking& change) const {
    return fmt::format("enable awsvpcTrunking for {} and relaunch its instances", change.instance_type) + goes_to();
  }

  std::string operator()(const AddInstances&) const {
    return fmt::format("add {}{}", added_words(remedy_.added),
                       remedy_.at_its_turn && !now_.running.empty() ? ", launched after the rest is placed" : "");
  }

  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }

 private:
  /// "web#3", "0a1b (web:7)"
  static std::string name(const RunningTask& task) {
    const bool says_family = task.id.find('#') != std::string::npos;
    return says_family ? task.id : fmt::format("{} ({})", task.id, task.task_definition);
  }
  /// The change is one of the definition, and others are placed by it too. Missing tasks of the same service are not
  /// others.
  std::string own_revision() const {
    const auto& own = why_.trace->workload();
    const bool is_service = own.kind == placement::WorkloadKind::kService;
    const bool is_shared = std::any_of(scenario_.workloads.begin(), scenario_.workloads.end(), [&](const auto& other) {
      const bool is_same = &other == &own || (is_service && other.group == own.group);
      return !is_same && other.task_definition == own.task_definition;
    });
    return is_shared ? ", in a separate revision" : "";
  }
  const std::string& id(std::uint32_t instance) const { return scenario_.instances[instance].id; }
  std::string goes_to() const { return fmt::format(": placed on {}", id(remedy_.instance)); }
  std::string goes_to(std::uint32_t named) const { return remedy_.instance == named ? "" : goes_to(); }

  const Scenario& scenario_;
  const Scenario& now_;
  const Why& why_;
  const Remedy& remedy_;
};

}  // namespace

std::string remedy_text(const Why& why, const Remedy& remedy) {
  return std::visit(WhyChangeWords(why, remedy), remedy.change);
}

std::string_view remedy_kind(const Remedy& remedy) {
  // In the order of study::ScenarioChange, as far as `why` tries them.
  constexpr std::string_view kKinds[] = {
      "hostPort", "strategy",         "order",    "move",      "wait",     "size",        "constraint",
      "subnet",   "capacityProvider", "instance", "attribute", "trunking", "addInstance", "constraint"};
  static_assert(
      std::is_same_v<std::variant_alternative_t<std::size(kKinds) - 1, study::ScenarioChange>, study::RelaxConstraint>);
  return kKinds[remedy.change.index()];
}

std::string remedy_cost(const Remedy& remedy) {
  return added_cost(remedy.hourly_cost);
}

}  // namespace bayplan::report
