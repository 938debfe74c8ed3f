#pragma once
#include <memory>
#include <string>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "importers/subject.hpp"
#include "shape/schema.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// What of the disk belongs to a file of Terraform code.
struct TerraformCodeFiles {
  const Files* files = nullptr;  ///< Null for a text without files around it.
  std::string folder = {};       ///< Nothing outside of it is read. Empty: the folder of the file.
};

/// Reads Terraform code as the tree of what its resources come to: an object of text::Format::kHcl with one member for
/// each ECS resource that the file makes, under its address, with the attributes that the provider would be given. What
/// is known only in a plan is a kPlaceholder, or a text that holds `${X}`. Values stand where the file writes them;
/// those that it takes from other files, where it refers to them. Container definitions are a list, whatever wrote
/// them as JSON. The other files of the module, what they read with `file` and `templatefile`, and modules below the
/// folder are read, too.
std::unique_ptr<const text::Document> read_terraform_code(std::string bytes, const std::string& path,
                                                          const TerraformCodeFiles& around, const Limits& limits = {});

/// Returns the subject with scalars in the types of ECS: Terraform converts `cpu = 256` and `"true"` to those of the
/// provider. What is inside of container definitions is JSON, which it does not convert.
Subject in_types_of_provider(Subject subject, const text::Document& file, const shape::Schema& schema);

}  // namespace bayplan::importers
