#include "scenario/live_daemons.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/constraints.hpp"
#include "placement/model/name_some.hpp"
#include "query/query.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement
namespace {

using model::DescribedService;

/// The instances that the service's constraints allow. A constraint that cannot be read, or that depends on tasks,
/// allows none: which daemon tasks are missing is then unknown.
class DaemonCoverage {
 public:
  DaemonCoverage(const Scenario& scenario, const DescribedService& service) {
    for (const auto& text : service.member_of) {
      auto parsed = query::parse(text);
      if (!parsed.expression) {
        is_known_ = false;
      } else {
        add(std::make_shared<const query::Expression>(std::move(*parsed.expression)));
      }
    }
    for (const auto& definition : scenario.task_definitions) {
      if (definition.name != service.task_definition) continue;
      for (const auto& constraint : definition.constraints) {
        if (constraint.expression) add(constraint.expression);
      }
    }
  }

  bool covers(const InstanceProfile& profile) const {
    if (!is_known_ || profile.status != InstanceStatus::kActive || !profile.agent_connected) return false;
    const ProfileView view(profile, nullptr, nullptr);
    return std::all_of(expressions_.begin(), expressions_.end(),
                       [&](const auto& expression) { return expression->holds(view); });
  }

 private:
  void add(std::shared_ptr<const query::Expression> expression) {
    is_known_ &= !expression->depends_on_tasks();
    expressions_.push_back(std::move(expression));
  }

  std::vector<std::shared_ptr<const query::Expression>> expressions_;
  bool is_known_ = true;
};

bool has_task_of(const Scenario& scenario, std::uint32_t instance, const std::string& group) {
  const auto tasks = scenario.running_on(instance);
  return std::any_of(tasks.begin(), tasks.end(),
                     [&](const RunningTask& task) { return task.group == group && !task.stopping; });
}

}  // namespace

void note_daemons(Scenario& scenario, LiveNotes& notes, const std::vector<WithOrigin<DescribedService>>& services) {
  for (const auto& found : services) {
    const auto& service = found.what;
    if (!service.is_daemon) continue;
    const std::string group = "service:" + service.name;
    for (auto& task : scenario.running) task.daemon |= task.group == group;
    const DaemonCoverage coverage(scenario, service);
    std::vector<std::uint32_t> without;
    for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
      const auto& profile = scenario.profiles[scenario.instances[i].profile];
      if (coverage.covers(profile) && !has_task_of(scenario, i, group)) without.push_back(i);
    }
    if (without.empty()) continue;
    notes.add("instance-without-daemon", name_some(scenario, without),
              fmt::format("{} no task of the daemon service {}; ECS will start one as soon as there is room",
                          without.size() == 1 ? "has" : "have", service.name));
  }
}

}  // namespace bayplan::scenario
