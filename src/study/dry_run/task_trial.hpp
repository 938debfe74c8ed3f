#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "study/dry_run/call_trial.hpp"

namespace bayplan::study {

/// Calls that start tasks: RunTask, StartTask, CreateService, UpdateService.
class TaskTrial : public CallTrial {
 public:
  using CallTrial::CallTrial;

 private:
  void try_call() override;
  scenario::LoadedScenario load() const;
  bool find_service();
  void fail_without_services();
  bool check_replaceable(const placement::RunningService& service);
  std::optional<CallRefusal> refusal_before_placing();
  std::vector<std::string_view> named_instances() const;
  void simulate_rollout();
  /// The cluster with its services, of which one is set as the call leaves it; nothing where that is not known.
  std::optional<placement::Scenario> scenario_of_rollout() const;
  void note_rollout_not_simulated();
  bool check_simulated();
  void refuse_or_fail(std::vector<Error> errors);
  bool takes_default_of_fargate();
  std::optional<CallRefusal> refusal_of_fargate_call(const placement::RunningService* service) const;
  void start_on_fargate(std::string by);
  bool lacks_count() const;
  void start_on_instances();
  void place();
};

}  // namespace bayplan::study
