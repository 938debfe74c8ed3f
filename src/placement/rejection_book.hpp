#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "placement/checks.hpp"
#include "placement/ledger.hpp"

namespace bayplan::placement {

/// Which checks every instance fails for the tasks of one workload and capacity provider, read from the ledger and kept
/// from one failure to the next: only instances that changed since are looked at again. So `verify` looks at
/// failures in full whatever the size of the cluster.
class RejectionBook {
 public:
  RejectionBook(Ledger& ledger, std::size_t instances, std::uint32_t workload, std::string_view provider);

  /// Brings the book up to what is booked; returns how many instances were looked at.
  std::size_t catch_up();

  CheckSet failed(std::uint32_t instance) const { return failed_[instance]; }
  const RejectedCounts& counts() const { return counts_; }
  /// An instance that fails nothing.
  std::optional<std::uint32_t> that_fits() const;
  /// The first failed check that comes latest, of those that can be closest; nothing when none can.
  std::optional<Check> latest_first() const;

 private:
  void count(std::uint32_t instance, std::int64_t change);
  void look_at(std::uint32_t instance);

  Ledger& ledger_;
  std::uint32_t workload_;
  std::string_view provider_;
  std::vector<CheckSet> failed_;  ///< By instance.
  RejectedCounts counts_;
  std::array<std::int64_t, kCheckCount> firsts_{};  ///< Of instances that can be closest.
  std::int64_t fitting_ = 0;
  std::size_t seen_ = 0;  ///< Of the changes.
  bool is_new_ = true;
};

/// Neither out of service nor of another capacity provider.
bool can_be_closest(CheckSet failed);

}  // namespace bayplan::placement
