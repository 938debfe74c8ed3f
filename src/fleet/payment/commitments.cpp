#include "fleet/payment/commitments.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "base/strings.hpp"

namespace bayplan::fleet {

namespace {

__extension__ using Wide = __int128;

std::string_view family_in(std::string_view instance_type) {
  return instance_type.substr(0, instance_type.find('.'));
}

/// What is paid for usage that a commitment covers, rounded up: a bound on the rest stays one.
NanoUsd payment_for(NanoUsd usage, std::int64_t discount_millionths) {
  return static_cast<NanoUsd>((Wide{usage} * (kWholeShare - discount_millionths) + kWholeShare - 1) / kWholeShare);
}

/// Indexes in the order in which AWS applies them.
std::vector<std::size_t> order_of_application(const std::vector<Commitment>& commitments) {
  std::vector<std::size_t> order(commitments.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto& first = commitments[a];
    const auto& second = commitments[b];
    if (first.type != second.type) return first.type < second.type;
    return first.discount_millionths > second.discount_millionths;
  });
  return order;
}

/// Hours as the commitments see them: a number of instances of each reserved type, and sums by family.
struct Pools {
  struct Hour {
    std::int64_t hours = 1;
    std::vector<NanoUsd> by_family;
    NanoUsd total = 0;
    std::vector<std::int64_t> reserved;  ///< By commitment: instances of its type, of Savings Plans 0.
    std::vector<NanoUsd> price;          ///< By commitment: the On-Demand price of such an instance.
    NanoUsd other = 0;
  };
  std::vector<Hour> hours;
  std::vector<std::size_t> order;   ///< Of application.
  std::vector<std::size_t> family;  ///< By commitment: index into Hour::by_family; of Compute Savings Plans unused.
};

class PoolBuilder {
 public:
  explicit PoolBuilder(const std::vector<Commitment>& commitments) : commitments_(commitments) {
    pools_.order = order_of_application(commitments);
    for (const auto& one : commitments) pools_.family.push_back(position_of(family_in(one.covers)));
  }

  void add(const HourlyDemand& demand) {
    Pools::Hour hour{demand.hours, {}, 0, {}, {}, demand.other * kNanoUsdPerMicroUsd};
    hour.reserved.resize(commitments_.size());
    hour.price.resize(commitments_.size());
    std::map<std::size_t, NanoUsd> by_family;
    for (const auto& running : demand.instances) {
      const NanoUsd price = running.hourly_price * kNanoUsdPerMicroUsd;
      by_family[position_of(family_in(running.instance_type))] += price * running.count;
      hour.total += price * running.count;
      for (std::size_t i = 0; i < commitments_.size(); ++i) {
        if (commitments_[i].type != CommitmentType::kReservedInstances ||
            commitments_[i].covers != running.instance_type)
          continue;
        hour.reserved[i] += running.count;
        hour.price[i] = price;
      }
    }
    hour.by_family.resize(positions_.size());
    for (const auto& [family, amount] : by_family) hour.by_family[family] = amount;
    pools_.hours.push_back(std::move(hour));
  }

  Pools finish() && {
    for (auto& hour : pools_.hours) hour.by_family.resize(positions_.size());
    return std::move(pools_);
  }

 private:
  std::size_t position_of(std::string_view family) {
    return positions_.emplace(std::string(family), positions_.size()).first->second;
  }

  const std::vector<Commitment>& commitments_;
  std::map<std::string, std::size_t, std::less<>> positions_;
  Pools pools_;
};

Pools pools_of(const std::vector<HourlyDemand>& demand, const std::vector<Commitment>& commitments) {
  PoolBuilder builder(commitments);
  for (const auto& hour : demand) builder.add(hour);
  return std::move(builder).finish();
}

/// What each commitment covers of one hour, to `note(commitment, amount)`; the rest is returned.
template <class Note>
NanoUsd apply(const Pools& pools, const Pools::Hour& hour, const std::vector<Commitment>& commitments,
              std::vector<NanoUsd>& by_family, std::vector<std::int64_t>& reserved, Note note) {
  by_family = hour.by_family;
  reserved = hour.reserved;
  NanoUsd total = hour.total;
  for (const std::size_t i : pools.order) {
    const auto& one = commitments[i];
    NanoUsd covered = 0;
    if (one.type == CommitmentType::kReservedInstances) {
      const auto count = std::min(reserved[i], *one.amount);
      covered = count * hour.price[i];
      for (const std::size_t other : pools.order) {
        if (commitments[other].covers == one.covers) reserved[other] -= count;
      }
      by_family[pools.family[i]] -= covered;
    } else if (one.type == CommitmentType::kEc2InstanceSavingsPlan) {
      NanoUsd& left = by_family[pools.family[i]];
      covered = std::min(left, covered_usage(one, *one.amount));
      left -= covered;
    } else {
      covered = std::min(total, covered_usage(one, *one.amount));
    }
    total -= covered;
    note(i, covered);
  }
  return total;
}

NanoUsd payment_of_all(const std::vector<Commitment>& commitments) {
  NanoUsd sum = 0;
  for (const auto& one : commitments) sum += hourly_payment(one, *one.amount);
  return sum;
}

/// What all hours together cost; every commitment has an amount.
Wide total_cost(const Pools& pools, const std::vector<Commitment>& commitments) {
  Wide sum = 0;
  const NanoUsd committed = payment_of_all(commitments);
  std::vector<NanoUsd> by_family;
  std::vector<std::int64_t> reserved;
  for (const auto& hour : pools.hours) {
    const NanoUsd left = apply(pools, hour, commitments, by_family, reserved, [](std::size_t, NanoUsd) {});
    sum += Wide{committed + left + hour.other} * hour.hours;
  }
  return sum;
}

std::int64_t steps_for(NanoUsd usage, std::int64_t discount_millionths) {
  const NanoUsd step = kCommitmentStep * kNanoUsdPerMicroUsd;
  return (payment_for(usage, discount_millionths) + step - 1) / step;
}

/// The largest amount that can be of use, in units of `unit_of`.
std::int64_t largest_amount(const Pools& pools, const Commitment& one, std::size_t index) {
  NanoUsd usage = 0;
  std::int64_t instances = 0;
  for (const auto& hour : pools.hours) {
    const bool is_for_family = one.type == CommitmentType::kEc2InstanceSavingsPlan;
    usage = std::max(usage, is_for_family ? hour.by_family[pools.family[index]] : hour.total);
    instances = std::max(instances, hour.reserved[index]);
  }
  return one.type == CommitmentType::kReservedInstances ? instances : steps_for(usage, one.discount_millionths);
}

std::int64_t unit_of(const Commitment& one) {
  return one.type == CommitmentType::kReservedInstances ? 1 : kCommitmentStep;
}

/// The smallest argument of a convex function of 0 to `most` with the least value.
std::int64_t least_argument(std::int64_t most, const std::function<Wide(std::int64_t)>& value) {
  std::int64_t low = 0;
  std::int64_t high = most;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (value(middle) <= value(middle + 1)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Sets the amounts of `sought`, from `position` on, to the cheapest: costs are convex in all amounts together, so the
/// least over the later ones is convex in the earlier one.
Wide seek(const Pools& pools, const std::vector<std::size_t>& sought, std::size_t position,
          std::vector<Commitment>& commitments) {
  if (position == sought.size()) return total_cost(pools, commitments);
  const std::size_t index = sought[position];
  auto& one = commitments[index];
  const auto cost_of = [&](std::int64_t units) {
    one.amount = units * unit_of(one);
    return seek(pools, sought, position + 1, commitments);
  };
  return cost_of(least_argument(largest_amount(pools, one, index), cost_of));
}

/// The rest of the hours when `usage` is bought at a discount in each, which all hours pay for.
Wide cost_with(const std::vector<BoundedHours>& rest, std::int64_t all, NanoUsd usage, std::int64_t discount) {
  // Rounded down: this is part of a bound.
  Wide sum = Wide{usage} * (kWholeShare - discount) / kWholeShare * all;
  for (const auto& one : rest) sum += Wide{std::max<NanoUsd>(0, one.lower_bound - usage)} * one.hours;
  return sum;
}

}  // namespace

std::string_view name_of(CommitmentType type) {
  return kCommitmentTypes[static_cast<std::size_t>(type)];
}

std::string_view title_of(CommitmentType type) {
  switch (type) {
    case CommitmentType::kReservedInstances:
      return "Reserved Instances";
    case CommitmentType::kEc2InstanceSavingsPlan:
      return "EC2 Instance Savings Plan";
    case CommitmentType::kComputeSavingsPlan:
      return "Compute Savings Plan";
  }
  return {};
}

NanoUsd hourly_payment(const Commitment& commitment, std::int64_t amount) {
  if (commitment.type != CommitmentType::kReservedInstances) return amount * kNanoUsdPerMicroUsd;
  return payment_for(commitment.instance_price * kNanoUsdPerMicroUsd, commitment.discount_millionths) * amount;
}

NanoUsd covered_usage(const Commitment& plan, std::int64_t amount) {
  return static_cast<NanoUsd>(Wide{hourly_payment(plan, amount)} * kWholeShare /
                              (kWholeShare - plan.discount_millionths));
}

bool covers(const Commitment& commitment, std::string_view instance_type) {
  switch (commitment.type) {
    case CommitmentType::kReservedInstances:
      return instance_type == commitment.covers;
    case CommitmentType::kEc2InstanceSavingsPlan:
      return family_in(instance_type) == commitment.covers;
    case CommitmentType::kComputeSavingsPlan:
      return true;
  }
  return false;
}

std::int64_t amount_for_all(const Commitment& commitment, const HourlyDemand& demand) {
  std::int64_t instances = 0;
  NanoUsd usage = 0;
  for (const auto& running : demand.instances) {
    if (!covers(commitment, running.instance_type)) continue;
    instances += running.count;
    usage += running.hourly_price * running.count * kNanoUsdPerMicroUsd;
  }
  if (commitment.type == CommitmentType::kReservedInstances) return instances;
  return steps_for(usage, commitment.discount_millionths) * unit_of(commitment);
}

HourlyBill bill(const HourlyDemand& demand, const std::vector<Commitment>& commitments) {
  const auto pools = pools_of({demand}, commitments);
  HourlyBill result;
  result.used.resize(commitments.size());
  result.covered.resize(commitments.size());
  result.committed = payment_of_all(commitments);
  result.other = demand.other * kNanoUsdPerMicroUsd;
  std::vector<NanoUsd> by_family;
  std::vector<std::int64_t> reserved;
  result.on_demand =
      apply(pools, pools.hours.front(), commitments, by_family, reserved, [&](std::size_t i, NanoUsd covered) {
        result.covered[i] = covered;
        const NanoUsd payment = hourly_payment(commitments[i], *commitments[i].amount);
        result.used[i] = std::min(payment, payment_for(covered, commitments[i].discount_millionths));
      });
  result.unused = result.committed - std::accumulate(result.used.begin(), result.used.end(), NanoUsd{0});
  return result;
}

std::vector<Commitment> cheapest_commitments(const std::vector<HourlyDemand>& demand,
                                             std::vector<Commitment> commitments) {
  std::vector<std::size_t> sought;
  for (std::size_t i = 0; i < commitments.size(); ++i) {
    if (!commitments[i].amount) sought.push_back(i);
  }
  const auto pools = pools_of(demand, commitments);
  seek(pools, sought, 0, commitments);
  return commitments;
}

NanoUsd least_mean_cost(const std::vector<BoundedHours>& hours, const std::vector<Commitment>& commitments) {
  const auto all = std::accumulate(hours.begin(), hours.end(), std::int64_t{0},
                                   [](std::int64_t sum, const auto& one) { return sum + one.hours; });
  if (all == 0) return 0;
  NanoUsd paid = 0;
  NanoUsd covered = 0;
  std::int64_t discount = 0;
  for (const auto& one : commitments) {
    if (!one.amount) {
      discount = std::max(discount, one.discount_millionths);
      continue;
    }
    const NanoUsd payment = hourly_payment(one, *one.amount);
    paid += payment;
    covered += one.type == CommitmentType::kReservedInstances ? one.instance_price * kNanoUsdPerMicroUsd * *one.amount
                                                              : covered_usage(one, *one.amount) + 1;
  }
  std::vector<BoundedHours> rest;  // in nano-USD
  for (const auto& one : hours)
    rest.push_back({one.hours, std::max<NanoUsd>(0, one.lower_bound * kNanoUsdPerMicroUsd - covered)});
  std::sort(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return a.lower_bound < b.lower_bound; });
  // Usage is worth buying at a discount up to what runs in more than (1 - discount) of the hours.
  NanoUsd usage = 0;
  std::int64_t above = all;
  for (const auto& one : rest) {
    if (discount == 0 || Wide{above} * kWholeShare <= Wide{all} * (kWholeShare - discount)) break;
    usage = one.lower_bound;
    above -= one.hours;
  }
  return paid + static_cast<NanoUsd>(cost_with(rest, all, usage, discount) / all);
}

NanoUsd mean_cost(const std::vector<HourlyDemand>& demand, const std::vector<Commitment>& commitments) {
  std::int64_t hours = 0;
  for (const auto& one : demand) hours += one.hours;
  if (hours == 0) return 0;
  return static_cast<NanoUsd>((total_cost(pools_of(demand, commitments), commitments) + hours / 2) / hours);
}

}  // namespace bayplan::fleet
