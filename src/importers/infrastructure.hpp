#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "importers/agent_settings.hpp"
#include "importers/cloudformation_template.hpp"
#include "text/document.hpp"

/// What a template or plan says of the instances of ECS clusters, before it is settled which of them are meant.
/// Neutral: CloudFormation and Terraform are read into it, and clusters.hpp makes a cluster of it.
namespace bayplan::importers {

/// A value that a file may give.
struct Fact {
  text::Value at;    ///< Absent when the file does not give it.
  std::string text;  ///< When it is known.
  bool is_known = false;
  std::string expression;  ///< Expression of a value that is not known: "!Ref GPUInstanceType".
  std::string help;        ///< What makes it known; may be empty.

  explicit operator bool() const { return static_cast<bool>(at); }
};

/// One way in which instances of a group may be launched.
struct LaunchChoice {
  Fact instance_type;
  Fact weight;  ///< Units of the group's size that one instance counts; absent = 1.
};

/// Where instances of a group may be: a zone, or a subnet whose zone is not known.
struct GroupZone {
  std::string zone;        ///< Empty when not known.
  std::string expression;  ///< The expression in the file if the value is not known: "!Ref SubnetIds".
};

/// An Auto Scaling group, or one EC2 instance.
struct DeclaredGroup {
  std::string name;  ///< Logical id or address.
  text::Value node;
  bool is_instance = false;
  std::optional<Fact> unknown_count;  ///< How many of the group there are is unknown: `count` of Terraform code.
  Fact desired;
  Fact minimum;
  std::string_view desired_key;  ///< The key as the file spells it: "DesiredCapacity".
  std::string_view minimum_key;
  std::optional<Fact> unknown_launch;  ///< What it launches is not in the file.
  std::vector<LaunchChoice> launch_choices;
  bool chooses_by_requirements = false;  ///< Attribute-based selection: the types are not named.
  std::vector<GroupZone> zones;
  std::string
      image;  ///< The AMI, or the name in Systems Manager of one that AWS keeps up to date; empty when not known.
  bool has_unread_user_data = false;
  AgentSettings agent;
  std::vector<std::string> clusters_referred;  ///< Names of declared clusters that its user data refers to.
  std::string unknown_condition;               ///< It is made under a condition that is not known.
};

struct DeclaredShare {
  std::string provider;
  std::int64_t base = 0;
  std::int64_t weight = 0;
};

struct DeclaredProvider {
  std::string name;           ///< The name in the file.
  std::string provider_name;  ///< The name in ECS, or the name in the file if the stack generates it.
  std::string group;          ///< The group's name in the file; empty when it is not there.
  bool scales = false;
  bool is_managed_instances = false;
};

struct DeclaredCluster {
  std::string name;          ///< The name in the file.
  std::string cluster_name;  ///< The name in ECS; empty if the stack generates it.
  text::Value node;
  std::vector<std::string> providers;  ///< Each has its name in the file or its name in ECS.
  std::vector<DeclaredShare> default_strategy;
};

struct Infrastructure {
  std::string_view file_kind;         ///< "template", "plan", "Terraform code".
  std::vector<DeclaredGroup> groups;  ///< Listed in text order.
  std::vector<std::string> left_out;  ///< Groups under a false condition: "Workers (condition IsProduction is false)".
  std::vector<DeclaredProvider> providers;
  std::vector<DeclaredCluster> clusters;
  std::vector<std::string> services;
  std::string region;               ///< That the file itself states; may be empty.
  bool asks_for_region = false;     ///< Some value depends on the region that was said from outside.
  bool has_macros = false;          ///< A macro makes resources that are not known here.
  bool has_zones_by_order = false;  ///< Zones were named by their order in the region.

  bool has_managed_instances() const {
    return std::any_of(providers.begin(), providers.end(), [](const auto& one) { return one.is_managed_instances; });
  }
};

/// The clusters, capacity providers and instances of a template: Auto Scaling groups with their launch templates or
/// launch configurations, and EC2 instances. What a condition leaves out is not among them.
Infrastructure infrastructure_of_template(const text::Document& document, const ParameterValues& parameters);

/// The clusters, capacity providers and instances of `terraform show -json` (of a plan or a state) or of a state file:
/// aws_autoscaling_group with its aws_launch_template or aws_launch_configuration, and aws_instance. Links between
/// resources are found by their ids, and where a plan knows no ids yet by what its configuration refers to.
Infrastructure infrastructure_of_plan(const text::Document& document);

/// The same of the files of a module of Terraform code (`read_terraform_code`). What is unknown stays a fact that is
/// not known, with the option that would settle it.
Infrastructure infrastructure_of_code(const std::vector<const text::Document*>& files, const std::string& region);

}  // namespace bayplan::importers
