#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "catalog/catalog.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/payment/commitments.hpp"
#include "placement/model/scenario.hpp"

/// What a scenario and the flags of `fleet` say of payment: `commitments`, `extras`, --commitment.
namespace bayplan::study {

struct StatedCommitment {
  fleet::Commitment commitment;
  std::int64_t years = 0;  ///< Its term, 1 or 3; 0 where it is not stated.
};

/// The root volume of each instance.
struct RootVolume {
  std::int64_t gib = 0;
  bool is_default_size = false;  ///< That of the ECS-optimized AMI.
  std::string volume_type = "gp3";
  std::optional<NanoUsd> price;  ///< Of a GB-month; nothing: that of the region.
};

/// Public IPv4 addresses.
struct PublicAddresses {
  std::int64_t per_instance = 1;
  std::int64_t count = 0;        ///< In addition to those of the instances: load balancers, NAT gateways.
  std::optional<NanoUsd> price;  ///< Of an hour; nothing: that of the region.
};

struct PaymentTerms {
  std::vector<StatedCommitment> commitments;
  std::optional<RootVolume> root_volume;
  std::optional<PublicAddresses> public_addresses;

  bool is_stated() const { return !commitments.empty() || root_volume || public_addresses; }
};

struct LoadedTerms {
  PaymentTerms terms;
  std::vector<Error> errors;  ///< With their places.
};

/// `flags`: --commitment TYPE[:FAMILY or INSTANCE TYPE]=DISCOUNT[@AMOUNT], in addition to those of the file.
LoadedTerms load_payment_terms(const placement::Scenario& scenario, const std::vector<std::string>& flags,
                               const fleet::Market& market, const catalog::Catalog& catalog);

}  // namespace bayplan::study
