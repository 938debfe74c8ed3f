#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.hpp"
#include "base/lazy.hpp"
#include "base/limits.hpp"
#include "importers/subject.hpp"
#include "importers/terraform_code.hpp"
#include "shape/request_schemas.hpp"
#include "text/document.hpp"

namespace bayplan::importers {

/// A file of a module.
struct TerraformFile {
  std::shared_ptr<const text::Document> document;
  std::vector<Subject> subjects;
  CalledResources called;
  TextsOfResources texts;
  bool is_of_run = false;  ///< The run checks the file and reports what is wrong with it.
};

/// The module of one folder.
struct TerraformModule {
  struct Place {
    std::string_view path;
    const TerraformFile* file = nullptr;
    const Subject* subject = nullptr;
  };
  std::map<std::string, TerraformFile, std::less<>> files = {};        ///< By path.
  std::map<std::string_view, Place, std::less<>> subjects = {};        ///< By address.
  std::multimap<std::string_view, Place, std::less<>> by_family = {};  ///< Task definitions of a known family.
  VariableUse variables = {};

  /// The file that a user names so; null if the module has no such file.
  const TerraformFile* find_file(std::string_view path) const;
  /// The task definition with this address, else the only one of this family; null if there is none.
  const Place* find_definition(std::string_view name) const;
};

/// A resource in a file of a module.
struct SubjectOfModule {
  std::shared_ptr<const TerraformModule> module;
  TerraformModule::Place place;
};

/// The subjects of a tree that `read_terraform_code` made, and of several trees of one module.
std::vector<std::vector<Subject>> subjects_of_code(const std::vector<const text::Document*>& files,
                                                   const shape::RequestSchemas& schemas, const Limits& limits);

/// The Terraform modules of a run. Each file is parsed once, and each module evaluated once, whichever thread asks
/// first; a file of ECS that a run checks stays in memory until the end of the run. Safe to use from several threads.
class TerraformModules {
 public:
  /// `paths`: the files of Terraform code that the run checks, each with the folder that limits what it reads, which
  /// may be empty. `given`: for the variables of modules that the run does not call; must outlive this.
  TerraformModules(const Files& files, std::vector<std::pair<std::string, std::string>> paths,
                   const GivenVariables& given, const shape::RequestSchemas& schemas, const Limits& limits);

  /// The module of the file, null if the file is not there any more.
  std::shared_ptr<const TerraformModule> module_of(const std::string& path, const std::string& sandbox) const;

  /// A resource that a call makes, as the file of the called module has it that the run checks, too: with what holds
  /// for every call. Nothing if there is none.
  std::optional<SubjectOfModule> in_called_module(const std::vector<ResourceOfModule>& places) const;

 private:
  using ModuleKey = std::pair<std::string, std::string>;  ///< Folder and sandbox.

  std::shared_ptr<const HclFolder> load_folder(const std::string& folder) const;
  std::shared_ptr<const TerraformModule> module_in(const ModuleKey& key) const;
  std::shared_ptr<const TerraformModule> evaluate(const ModuleKey& key) const;
  void read_calls();

  const Files& files_;
  const GivenVariables& given_;
  const shape::RequestSchemas& schemas_;
  Limits limits_;
  std::set<std::string, std::less<>> paths_;
  std::map<std::string, ModuleKey, std::less<>> modules_of_run_;  ///< By the absolute path of the folder.
  std::map<std::string, HclInputs, std::less<>> inputs_;          ///< Of folders that are called, by absolute path.

  mutable std::mutex mutex_;
  mutable std::map<ModuleKey, std::shared_ptr<const Lazy<std::shared_ptr<const TerraformModule>>>> modules_;
  mutable std::map<std::string, std::weak_ptr<const Lazy<std::shared_ptr<const HclFolder>>>, std::less<>> folders_;
  mutable std::deque<std::shared_ptr<const Lazy<std::shared_ptr<const HclFolder>>>> recent_;  ///< Kept in memory.
};

}  // namespace bayplan::importers
