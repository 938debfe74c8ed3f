#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bayplan::study {

/// A list whose elements change and are changed back at the cost of what was touched: the first edit of an element
/// notes its value. Elements are added at the end only.
template <class T>
class Journaled {
 public:
  /// What was changed between two commits.
  struct Journal {
    std::vector<std::pair<std::uint32_t, T>> before;  ///< Listed in the order of the first edits.
    std::uint32_t size = 0;
  };

  Journaled() = default;
  explicit Journaled(std::vector<T> values) : values_(std::move(values)) { start_journal(); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(values_.size()); }
  const T& operator[](std::uint32_t i) const { return values_[i]; }
  const std::vector<T>& values() const { return values_; }

  T& edit(std::uint32_t i) {
    if (i < journal_.size && entry_[i] == 0) {
      journal_.before.emplace_back(i, values_[i]);
      entry_[i] = static_cast<std::uint32_t>(journal_.before.size());
    }
    return values_[i];
  }
  void push_back(T value) { values_.push_back(std::move(value)); }

  /// Elements that there were at the last commit.
  std::uint32_t committed_size() const { return journal_.size; }
  /// Elements of those that were edited since, with their values at the last commit.
  const std::vector<std::pair<std::uint32_t, T>>& edited() const { return journal_.before; }
  bool is_edited(std::uint32_t i) const { return i < journal_.size && entry_[i] != 0; }
  /// Returns the value at the last commit; `i` must be below `committed_size()`.
  const T& before(std::uint32_t i) const { return entry_[i] == 0 ? values_[i] : journal_.before[entry_[i] - 1].second; }

  /// Undoes everything since the last commit.
  void rollback() {
    for (auto& [i, before] : journal_.before) {
      values_[i] = std::move(before);
      entry_[i] = 0;
    }
    journal_.before.clear();
    values_.resize(journal_.size);
  }

  /// Keeps everything since the last commit; `revert` undoes it.
  Journal commit() {
    for (const auto& edit : journal_.before) entry_[edit.first] = 0;
    Journal committed = std::move(journal_);
    start_journal();
    return committed;
  }
  /// Reverts the last commit that is not reverted yet; nothing may have been edited since.
  void revert(Journal committed) {
    for (auto& [i, before] : committed.before) values_[i] = std::move(before);
    values_.resize(committed.size);
    start_journal();
  }

 private:
  void start_journal() {
    journal_ = {{}, size()};
    entry_.resize(values_.size());
  }

  std::vector<T> values_;
  std::vector<std::uint32_t>
      entry_;  ///< One entry per element: its position in the journal, from 1; 0 when it has none.
  Journal journal_;
};

}  // namespace bayplan::study
