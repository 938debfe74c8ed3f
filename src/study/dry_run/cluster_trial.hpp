#pragma once
#include <cstdint>
#include <string_view>

#include "study/dry_run/call_trial.hpp"

namespace bayplan::study {

/// Calls that start no tasks themselves: they stop one, or change the cluster, its capacity providers and what else
/// runs tasks.
class ClusterTrial : public CallTrial {
 public:
  using CallTrial::CallTrial;

 private:
  void try_call() override;
  void stop_task();
  void update_provider();
  void put_providers();
  void accept();
  void place_replacement(const StoppedTask& stopped);
  void note_scaling(std::string_view provider, bool was_managed);
  void tell(std::string id, std::string subject, std::string text);
  bool load_cluster();
};

}  // namespace bayplan::study
