#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "placement/filters.hpp"
#include "study/inquiry.hpp"
#include "study/snapshot.hpp"

namespace bayplan::study {

/// What is known of the tasks that run in a snapshot: how they were asked for, and where else they could be.
class HostedTasks {
 public:
  HostedTasks(const Inquiry& inquiry, const Snapshot& snapshot);

  /// How the running task was asked for: by its workload, else by its definition and its group's constraints. Null when
  /// its definition is not known, or when it takes less than the definition says.
  const placement::Workload* request_of(std::uint32_t running);

  /// The first instance in file order, but for its own, that would take the running task as things stand; nothing when
  /// none would.
  std::optional<std::uint32_t> other_instance_for(std::uint32_t running);

 private:
  /// Tasks that were asked for alike.
  struct Kind {
    placement::Workload request;
    std::string provider;  ///< Of the instances that they run on.
    bool is_searched = false;
    std::vector<std::uint32_t> refuges;  ///< The first two.
  };
  Kind* kind_of(std::uint32_t running);
  void search(Kind& kind);
  std::optional<placement::Workload> described(const placement::RunningTask& task) const;

  const Inquiry& inquiry_;
  const Snapshot& snapshot_;
  /// By workload, or by definition and group, and by provider; null: nothing is known.
  std::map<std::tuple<std::string, std::string, std::string>, std::unique_ptr<Kind>> kinds_;
  std::map<std::string, std::uint32_t, std::less<>> definitions_;
};

}  // namespace bayplan::study
