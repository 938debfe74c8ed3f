#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "placement/engine/filters.hpp"
#include "timeline/base_service.hpp"

namespace bayplan::timeline {

/// Keeps one task on each ACTIVE instance that the constraints allow, before any other service reconciles.
class DaemonService : public Service {
 public:
  using Service::Service;

 private:
  /// The service's tasks on one instance.
  struct OnInstance {
    std::optional<std::uint32_t> newest;  ///< Placed, or without a place and meant for it.
    std::vector<std::uint32_t> old;       ///< Placed, neither stopped nor stopping.
    bool has_stopping = false;
  };

  bool needs_reconcile() const override;
  void reconcile() override;

  std::vector<std::uint32_t> wanted();
  std::map<std::uint32_t, OnInstance> by_instance() const;
  void leave(const std::vector<std::uint32_t>& wanted);
  void start(const std::vector<std::uint32_t>& wanted);
  void start_on(std::uint32_t instance);
  void try_on(std::uint32_t task, std::uint32_t instance);
  void replace(const std::vector<std::uint32_t>& wanted);
  void settle(const std::vector<std::uint32_t>& wanted);
  std::int64_t up() const;  ///< Tasks that are not stopping, without a place too.
  std::int64_t healthy() const;

  std::optional<placement::Filter> filter_;
  OptionalIndex filter_workload_;
  std::size_t filter_profiles_ = 0;                   ///< Profiles that the filter knows.
  std::map<std::uint32_t, std::uint32_t> meant_for_;  ///< Instance of each task without a place.
  bool looks_at_tasks_ = false;
  bool is_leaving_ = false;  ///< Some are on draining instances.
};

}  // namespace bayplan::timeline
