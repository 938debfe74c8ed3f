#include "placement/rejection_book.hpp"

#include <algorithm>

namespace bayplan::placement {

bool can_be_closest(CheckSet failed) {
  return !failed.has(Check::kStatus) && !failed.has(Check::kCapacityProvider);
}

RejectionBook::RejectionBook(Ledger& ledger, std::size_t instances, std::uint32_t workload, std::string_view provider)
    : ledger_(ledger), workload_(workload), provider_(provider), failed_(instances) {}

void RejectionBook::count(std::uint32_t instance, std::int64_t change) {
  const CheckSet failed = failed_[instance];
  if (failed.empty()) {
    fitting_ += change;
    return;
  }
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (failed.has(static_cast<Check>(i))) counts_.by_check[i] += change;
  }
  if (failed.has(Check::kStatus)) {
    counts_.by_status[static_cast<std::size_t>(ledger_.profile(instance).status)] += change;
  }
  if (can_be_closest(failed)) firsts_[static_cast<std::size_t>(failed.first())] += change;
}

void RejectionBook::look_at(std::uint32_t instance) {
  const CheckSet failed = ledger_.failing(workload_, instance, provider_);
  if (failed == failed_[instance]) return;
  count(instance, -1);
  failed_[instance] = failed;
  count(instance, 1);
}

std::size_t RejectionBook::catch_up() {
  const auto& changes = ledger_.changes();
  const std::size_t fresh = changes.size() - seen_;
  const bool all = is_new_ || fresh > failed_.size() / 4;  // one pass in order is faster than many leaps
  if (is_new_) fitting_ = static_cast<std::int64_t>(failed_.size());
  is_new_ = false;
  for (std::uint32_t instance = 0; all && instance < failed_.size(); ++instance) look_at(instance);
  for (std::size_t i = seen_; !all && i < changes.size(); ++i) look_at(changes[i]);
  seen_ = changes.size();
  return all ? failed_.size() : fresh;
}

std::optional<std::uint32_t> RejectionBook::that_fits() const {
  if (fitting_ == 0) return std::nullopt;
  const auto found = std::find_if(failed_.begin(), failed_.end(), [](CheckSet failed) { return failed.empty(); });
  return static_cast<std::uint32_t>(found - failed_.begin());
}

std::optional<Check> RejectionBook::latest_first() const {
  for (std::size_t i = kCheckCount; i-- > 0;) {
    if (firsts_[i] > 0) return static_cast<Check>(i);
  }
  return std::nullopt;
}

}  // namespace bayplan::placement
