#pragma once
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"

/// What instance profiles have in common, whether a cluster file or the AWS CLI describes them.
namespace bayplan::capacity {
struct InstanceOffer;
}

namespace bayplan::placement {

inline constexpr std::string_view kSharingCapability = "ecs.capability.gpu-sharing-mps";

InstanceStatus status_named(std::string_view name);  ///< ACTIVE for other texts.

/// Whether ecs.os-type or ecs.os-family says Windows.
bool is_windows(const InstanceProfile& profile);

/// "x86_64" or "arm64": the attribute ecs.cpu-architecture, else what the catalog says of the type; empty if unknown.
std::string architecture_of(const InstanceProfile& profile);

/// Attributes that every agent registers; what is already there stays.
void add_built_in_attributes(InstanceProfile& profile);

/// What the catalog says of the type.
void use_offer(const catalog::InstanceType& type, MiB reserved_memory, InstanceProfile& profile);

/// Turns awsvpcTrunking on or off, with the limits that follow; does nothing where ECS does not support it.
void set_trunking(bool is_on, InstanceProfile& profile);

/// The EBS attachments of the offer alone.
void use_attachments(const capacity::InstanceOffer& offer, InstanceProfile& profile);

/// An instance of the type as the catalog knows it, on Linux and in no zone yet; an error without a place when the
/// catalog lacks the type, or what it registers.
Result<InstanceProfile> profile_of_type(const catalog::Catalog& catalog, const std::string& instance_type);

void use_price(InstanceProfile& profile, const std::string& region);

/// A zone whose prices are not those of the region.
std::optional<Assumption> zone_doubt(const std::string& zone, const std::string& region);
void note_zone(Scenario& scenario, const std::string& zone);

}  // namespace bayplan::placement
