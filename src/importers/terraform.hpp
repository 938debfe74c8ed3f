#pragma once
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "importers/subject.hpp"
#include "shape/request_schemas.hpp"
#include "text/json_reader.hpp"

namespace bayplan::importers {

/// The task definitions, services and capacity providers of Managed Instances of `terraform show -json` (of a plan or
/// of a state; OpenTofu's alike) and of a state file, under their resource addresses, in text order. What a plan knows
/// only after apply is a kPlaceholder; what Terraform writes for an attribute that is not set is absent.
/// Among them are calls of RunTask by targets of EventBridge, schedules and state machines, and jobs of AWS Batch.
/// `taskDefinition` of a service is the address of the definition where the text says which one it is.
std::vector<Subject> read_terraform(const text::Document& plan, const shape::RequestSchemas& schemas,
                                    const Limits& limits = {});
/// The same of the files of a module, for each file: a service may run a definition of another file.
std::vector<std::vector<Subject>> read_terraform(const std::vector<const text::Document*>& files,
                                                 const shape::RequestSchemas& schemas, const Limits& limits);

/// The capacity providers of Managed Instances alone.
std::vector<Subject> managed_instances_of_plan(const text::Document& plan);

/// Whether the name is that of Terraform code, which is neither JSON nor YAML.
bool is_terraform_code(std::string_view name);
/// A file of a module, in Terraform's own syntax or in JSON: `.tf`, `.tf.json`.
bool is_terraform_module_file(std::string_view name);
/// Whether code may call a module of another folder, decided by a look at its bytes.
bool may_call_local_module(std::string_view code);

/// Whether a JSON text is of this kind, decided by a look at its first bytes.
bool begins_like_terraform(std::string_view text);

/// What of a list or object of a plan matters to `read_terraform`: a plan may be a hundred times larger than what it
/// says of ECS. For text::ReadOptions::keep.
text::NodeRetention matters_to_terraform(text::Value value);

/// Retention rule for `infrastructure_of_plan`.
text::NodeRetention matters_to_cluster(text::Value value);

}  // namespace bayplan::importers
