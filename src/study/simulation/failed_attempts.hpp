#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "placement/model/outcome.hpp"

namespace bayplan::study {

/// Which tasks could not be placed since the cluster last changed, so that none like them is tried again, and why.
class FailedAttempts {
 public:
  FailedAttempts(std::size_t classes, std::size_t workloads) : failed_at_(classes), call_failed_at_(workloads) {}

  /// Something has changed that may make room.
  void note_change() { version_ = ++changes_; }
  std::uint64_t changes() const { return changes_; }
  std::uint64_t version() const { return version_; }
  /// All changes since then were undone.
  void return_to(std::uint64_t version) { version_ = version; }

  bool has_failed(std::uint32_t task_class) const { return failed_at_[task_class] == version_; }
  void add(std::uint32_t task_class) { failed_at_[task_class] = version_; }
  /// The number of tasks of a RunTask call that is placed as a whole.
  bool has_call_failed(std::uint32_t workload, std::size_t count) const {
    const auto& last = call_failed_at_[workload];
    return last.version == version_ && count > last.would_fit;
  }
  void add_call(std::uint32_t workload, std::size_t would_fit) { call_failed_at_[workload] = {version_, would_fit}; }

  bool explains() const { return explains_; }
  /// Rows of all explanations.
  std::int64_t rows() const { return rows_; }
  void explain(std::uint32_t task_class, placement::Failure failure) {
    rows_ += static_cast<std::int64_t>(failure.instances.size());
    failures_.insert_or_assign(task_class, std::move(failure));
  }
  /// The tasks of a call failed because one of the class found no instance.
  void explain_call(const std::vector<std::uint32_t>& tasks, std::uint32_t task_class, std::size_t would_fit) {
    const auto failure = failures_.find(task_class);
    if (failure == failures_.end()) return;
    failure->second.would_fit = static_cast<std::int64_t>(would_fit);
    for (const std::uint32_t task : tasks) decisive_class_[task] = task_class;
  }
  const placement::Failure* find_failure(std::uint32_t task, std::uint32_t task_class) const {
    const auto decisive = decisive_class_.find(task);
    const auto found = failures_.find(decisive == decisive_class_.end() ? task_class : decisive->second);
    return found == failures_.end() ? nullptr : &found->second;
  }

  void start(bool explains) { explains_ = explains; }
  void forget() {
    failures_.clear();
    decisive_class_.clear();
    rows_ = 0;
    note_change();
  }

 private:
  struct FailedCall {
    std::uint64_t version = 0;
    std::size_t would_fit = 0;
  };

  std::uint64_t version_ = 1;  ///< What tasks find is the same at the same version.
  std::uint64_t changes_ = 1;
  std::vector<std::uint64_t> failed_at_;    ///< One entry per class: the version.
  std::vector<FailedCall> call_failed_at_;  ///< One entry per workload.
  bool explains_ = false;
  std::int64_t rows_ = 0;
  std::map<std::uint32_t, placement::Failure> failures_;   ///< Keyed by class.
  std::map<std::uint32_t, std::uint32_t> decisive_class_;  ///< Keyed by task of a call.
};

}  // namespace bayplan::study
