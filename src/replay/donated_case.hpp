#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "replay/judge.hpp"
#include "replay/recorded_cluster.hpp"

namespace bayplan::replay {

/// One disagreement that a user sends: the records that reproduce it, with nothing that identifies the account.
struct DonatedCase {
  std::string records;               ///< JSON lines that `bayplan replay` reads.
  Ruling ruling;                     ///< What they must give again.
  std::vector<std::string> secrets;  ///< Names of the account that must not be in `records`.
};

/// Makes the case of the placement that `ruling` is about, in the cluster at this time. An allow-list: sizes,
/// resources, ports, GPUs, instance types, strategies, states and counts are written, everything else is renamed or
/// left out. The checks other than resources become one attribute each, so that expressions, attributes and subnets
/// need not be written. Orders that may decide ties stay: of files, ARNs, EC2 ids, registration times and zones. An
/// error if the case needs something that cannot be written so.
Result<DonatedCase> make_donated_case(RecordedCluster& cluster, std::uint32_t task_class, std::string_view provider,
                                      std::uint32_t chosen, const Ruling& ruling);

/// Replays the records of the case: nothing if they give the same ruling and hold no name of the account, else why not.
std::optional<Error> check_donated_case(const DonatedCase& donated, const catalog::Catalog& catalog);

}  // namespace bayplan::replay
