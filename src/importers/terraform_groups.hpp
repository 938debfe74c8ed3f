#pragma once
#include "importers/instance_groups.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// The clusters, capacity providers and instances of `terraform show -json` (of a plan or a state) or of a state file:
/// aws_autoscaling_group with its aws_launch_template or aws_launch_configuration, and aws_instance. Links between
/// resources are found by their ids, and where a plan knows no ids yet by what its configuration refers to.
Infrastructure infrastructure_of_plan(const text::Document& document);

}  // namespace bayplan::importers
