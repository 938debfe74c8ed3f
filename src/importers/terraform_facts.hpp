#pragma once
#include <map>
#include <string_view>

#include "importers/subject.hpp"
#include "importers/terraform_resources.hpp"

namespace bayplan::importers {

using ResourcesByText = std::multimap<std::string_view, const TerraformResource*>;

/// The one resource that a reference means, of those by plain address; nothing when several may be meant.
const TerraformResource* only_meant(const ResourcesByText& known, std::string_view reference);

/// Notes what rules compare of the resources that a service or a capacity provider of code refers to: the type of a
/// target group, the types of the DNS records of a service of Cloud Map, whether an Auto Scaling group protects its
/// instances. `known`: resources with a `compared_attribute`, by plain address.
void note_facts(const ResourcesByText& known, Subject& subject);

}  // namespace bayplan::importers
