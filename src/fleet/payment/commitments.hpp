#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"

/// What instances cost hour by hour: commitments, On-Demand, and what no commitment covers.
namespace bayplan::fleet {

/// Named as in Cost Explorer (SupportedSavingsPlansType; GetReservationPurchaseRecommendation has no such name).
enum class CommitmentType : std::uint8_t { kReservedInstances, kEc2InstanceSavingsPlan, kComputeSavingsPlan };
inline constexpr std::array<std::string_view, 3> kCommitmentTypes = {"RESERVED_INSTANCES", "EC2_INSTANCE_SP",
                                                                     "COMPUTE_SP"};
std::string_view name_of(CommitmentType type);   ///< "COMPUTE_SP": a word for programs.
std::string_view title_of(CommitmentType type);  ///< "Compute Savings Plan"

/// Discounts are in millionths: a million is the whole price.
inline constexpr std::int64_t kWholeShare = 1'000'000;

/// What is paid each hour, used or not, for a lower price of what it covers.
struct Commitment {
  CommitmentType type = CommitmentType::kComputeSavingsPlan;
  /// The instance family of an EC2 Instance Savings Plan ("c6a"), the instance type of Reserved Instances; empty:
  /// every type.
  std::string covers;
  std::int64_t discount_millionths = 0;  ///< What is saved of the On-Demand price: 280,000 is 28 %. Below a million.
  MicroUsd instance_price = 0;           ///< Reserved Instances: the On-Demand price of one.
  /// Micro-USD an hour of a Savings Plan, or the number of Reserved Instances; nothing: the cheapest is sought.
  std::optional<std::int64_t> amount;
};

/// Commitments are sought in steps of this many micro-USD an hour: AWS takes no more than five decimals of a USD
/// (CreateSavingsPlan, commitment).
inline constexpr MicroUsd kCommitmentStep = 10;

/// Instances of one type that run in an hour, at their On-Demand price.
struct RunningInstances {
  std::string instance_type;
  std::int64_t count = 0;
  MicroUsd hourly_price = 0;  ///< Of one.
};

/// What runs in each of some hours that are alike.
struct HourlyDemand {
  std::int64_t hours = 1;
  std::vector<RunningInstances> instances;
  MicroUsd other = 0;  ///< An hour, covered by no commitment: Spot Instances, surplus CPU credits.
};

/// What one hour costs.
struct HourlyBill {
  NanoUsd committed = 0;              ///< Paid for all commitments, used or not.
  NanoUsd unused = 0;                 ///< The part of it that covers nothing.
  NanoUsd on_demand = 0;              ///< What no commitment covers, at the On-Demand price.
  NanoUsd other = 0;                  ///< HourlyDemand::other
  std::vector<NanoUsd> used = {};     ///< By commitment, the part of its payment that covers something.
  std::vector<NanoUsd> covered = {};  ///< By commitment, the On-Demand price of what it covers.

  NanoUsd total() const { return committed + on_demand + other; }
};

/// What is paid for the commitment each hour.
NanoUsd hourly_payment(const Commitment& commitment, std::int64_t amount);

/// The usage, at On-Demand prices, that a Savings Plan of the amount covers each hour.
NanoUsd covered_usage(const Commitment& plan, std::int64_t amount);

/// Applies commitments as AWS does: Reserved Instances, then EC2 Instance Savings Plans, then Compute Savings Plans, of
/// one kind the highest discount first (Savings Plans user guide, "Understanding how Savings Plans apply to your
/// usage"). A Savings Plan of C USD covers usage of C / (1 - discount) at On-Demand prices. Reserved Instances cover
/// their own type alone: those of a region cover other sizes of a family too, so AWS may bill less, never more.
/// Every commitment has an amount.
HourlyBill bill(const HourlyDemand& demand, const std::vector<Commitment>& commitments);

/// Hours whose fleets cost at least so much at On-Demand prices.
struct BoundedHours {
  std::int64_t hours = 1;
  MicroUsd lower_bound = 0;  ///< An hour, On-Demand.
};

bool covers(const Commitment& commitment, std::string_view instance_type);

/// The least amount with which the commitment covers all that it can of what runs.
std::int64_t amount_for_all(const Commitment& commitment, const HourlyDemand& demand);

/// At most this many commitments without an amount.
inline constexpr std::size_t kMostSought = 2;

/// The commitments with the amounts that make all hours together cost least; of equal ones the smaller. At most
/// kMostSought have none.
std::vector<Commitment> cheapest_commitments(const std::vector<HourlyDemand>& demand,
                                             std::vector<Commitment> commitments);

/// No fleets that cost at least that much On-Demand, with whatever amounts of the commitments that have none, cost less
/// in the mean of all hours: each commitment is taken to cover every instance, and what is sought to have the highest
/// discount. Amounts may be fractions.
NanoUsd least_mean_cost(const std::vector<BoundedHours>& hours, const std::vector<Commitment>& commitments);

/// The mean of all hours, rounded to the nearest.
NanoUsd mean_cost(const std::vector<HourlyDemand>& demand, const std::vector<Commitment>& commitments);

}  // namespace bayplan::fleet
