#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "importers/hcl_module.hpp"
#include "importers/subject.hpp"
#include "shape/schema.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

class TerraformModules;

/// What of the disk belongs to a file of Terraform code.
struct TerraformCodeFiles {
  const Files* files = nullptr;               ///< Null for a text without files around it.
  std::string folder = {};                    ///< Nothing outside of it is read. Empty: the folder of the file.
  const TerraformModules* modules = nullptr;  ///< Those of the run; null for a text of its own.
  const GivenVariables* given = nullptr;      ///< Null without values from the user.
};

/// A resource of a called module, as the module that holds it, or one that calls that module, names it.
struct ResourceOfModule {
  std::string folder;
  std::string address;
};

/// By address: what the calls of a file make, with their names in the called modules, the innermost module first.
using CalledResources = std::map<std::string, std::vector<ResourceOfModule>, std::less<>>;

/// By address: the file whose text is the JSON of the containers, as `file` and `templatefile` name it.
using TextsOfResources = std::map<std::string, std::string, std::less<>>;

/// Terraform code as the tree of what its resources come to: an object of text::Format::kHcl with one member for
/// each ECS resource that the file makes, under its address, with the attributes that the provider would be given. What
/// is known only in a plan is a kPlaceholder, or a text that holds `${X}`. Values are reported where the file writes
/// them; those that it takes from other files, where it refers to them. Container definitions are a list, whatever
/// wrote them as JSON. The other files of the module, what they read with `file` and `templatefile`, and modules below
/// the folder are read, too.
struct TerraformTree {
  std::string path;
  std::shared_ptr<const text::Document> document;
  CalledResources called = {};
  TextsOfResources texts = {};
};

/// The tree of the file that a document shares its text with; null if it is of none of them.
const TerraformTree* tree_of(const std::vector<TerraformTree>& trees, const text::Document& document);

struct TerraformRoot {
  const Files* files;  ///< Null to read nothing but what `load_folder` has.
  std::string sandbox;
  std::string folder;
  LoadHclFolder load_folder;
  HclInputs inputs;
};

struct EvaluatedModule {
  std::vector<TerraformTree> trees;  ///< One of each of its files, in the order of their names.
  VariableUse variables;
  std::string region = {};                 ///< That its provider states; empty if it states none that is known.
  std::vector<std::string> not_read = {};  ///< Calls of modules that are not read: "module.vpc (source)".
};

EvaluatedModule evaluate_terraform_module(const TerraformRoot& root, const Limits& limits);

/// Whether a path is Terraform code: a file of a module, or a folder with such files.
bool is_terraform_module(const Files& files, const std::string& path);

/// The folder of the module that a file or folder of Terraform code is.
std::string folder_of_module(const Files& files, const std::string& path);

/// The module of a file or folder, for commands that need all that it makes: Terraform runs folders, not files.
struct TerraformInput {
  EvaluatedModule module;
  std::vector<Error> errors;  ///< Syntax errors, and values of variables that Terraform rejects.
};

TerraformInput read_terraform_module(const Files& files, const std::string& path, const GivenVariables& given,
                                     const Limits& limits);

/// The option that makes an expression of a root module known, "--var size=VALUE"; empty if it is not a variable.
std::string variable_option(std::string_view expression);

/// One text, with the other files of its folder.
struct TerraformText {
  std::shared_ptr<const text::Document> document;
  VariableUse variables;
};

TerraformText read_terraform_code(std::string bytes, const std::string& path, const TerraformCodeFiles& around,
                                  const Limits& limits = {});

/// Returns the subject with scalars in the types of ECS: Terraform converts `cpu = 256` and `"true"` to those of the
/// provider. What is inside of container definitions is JSON, which it does not convert.
Subject in_types_of_provider(Subject subject, const text::Document& file, const shape::Schema& schema);

}  // namespace bayplan::importers
