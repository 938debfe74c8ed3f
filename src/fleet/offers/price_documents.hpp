#pragma once
#include <string_view>

#include "base/limits.hpp"
#include "fleet/offers/price_rows.hpp"
#include "text/document.hpp"
#include "text/json_reader.hpp"

/// Price files in JSON, as AWS gives them out.
namespace bayplan::fleet {

/// Returns the string member `key` of the object; empty when there is none or it is not a string.
std::string_view string_member(text::Value object, std::string_view key);

/// What of a price list in JSON is of use: on-demand prices of Linux instances with shared tenancy in the region, rates
/// of Fargate and fees of Managed Instances.
text::RetentionRule keep_of_price_list(const std::string& region);

/// A document of which `keep_of_price_list` kept what matters; false when it is neither index.json of AmazonEC2 or
/// AmazonECS nor what `aws pricing get-products` gives.
bool read_price_list(text::Value root, const Limits& limits, PriceRows& rows);

/// False when it is not what `aws ec2 describe-spot-price-history` gives.
bool read_spot_history(text::Value root, PriceRows& rows);

}  // namespace bayplan::fleet
