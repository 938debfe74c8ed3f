#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "importers/hcl_value.hpp"
#include "text/document.hpp"
#include "text/hcl.hpp"

namespace bayplan::importers {

/// A file that was read: Terraform code, a template, or values of variables. `HclPlace::file` is its number.
struct HclSource {
  std::string path;
  std::shared_ptr<const std::string> text;
  text::HclFile file = {};       ///< Of Terraform code.
  text::HclTemplate parts = {};  ///< Of a template.
};

/// A block or argument of a module, and the file that holds it.
template <class Node>
struct HclDeclared {
  std::uint32_t file = 0;
  const Node* node = nullptr;
};

/// The code of a module: all `.tf` files of one folder.
struct HclModuleCode {
  std::string folder;
  std::map<std::string, HclDeclared<text::HclAttribute>, std::less<>> locals = {};
  std::map<std::string, HclDeclared<text::HclBlock>, std::less<>> variables = {};
  std::map<std::string, HclDeclared<text::HclBlock>, std::less<>> outputs = {};
  std::map<std::string, HclDeclared<text::HclBlock>, std::less<>> calls = {};
  std::map<std::string, HclDeclared<text::HclBlock>, std::less<>> data = {};       ///< By "type.name".
  std::map<std::string, HclDeclared<text::HclBlock>, std::less<>> resources = {};  ///< By "type.name".
  std::map<std::string, HclValuePtr, std::less<>> given = {};  ///< Values of variables in `*.tfvars` files.
  /// By "type.name" of a resource: the arguments and blocks that override files replace.
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> overridden = {};
};

/// "override.tf", "main_override.tf": Terraform merges its blocks into those of the other files (language
/// documentation, files/override).
bool is_override_file(std::string_view path);

/// The type of a block, also of one that `dynamic` makes.
std::string_view type_of_block(const text::HclBlock& block);

/// A module with its inputs.
struct HclModule {
  const HclModuleCode& code;
  std::string prefix;  ///< "" or "module.web.": the prefix of the addresses inside.
  bool is_root = true;
  std::map<std::string, HclValuePtr, std::less<>> inputs = {};
  std::map<std::string, HclValuePtr, std::less<>> locals = {};  ///< Those that were evaluated.
  std::set<std::string, std::less<>> running = {};              ///< What is being evaluated.
  std::map<std::string, std::unique_ptr<HclModule>, std::less<>> children = {};
};

/// A variable that is in scope besides those of the module: the iterator of a `for` expression or `dynamic` block.
struct HclBinding {
  std::string_view name;
  HclValuePtr value;
  const HclBinding* outer = nullptr;
};

/// What the names of an expression mean.
struct HclScope {
  HclModule* module = nullptr;  ///< Null in a template file, which sees its own variables alone.
  std::uint32_t file = 0;
  const HclBinding* bindings = nullptr;
  HclValuePtr splat_item = nullptr;

  HclScope with(const HclBinding& binding) const {
    HclScope inner = *this;
    inner.bindings = &binding;
    return inner;
  }
};

/// An instance of a resource or module: one, or those of `count` and `for_each`.
struct HclInstance {
  std::string index;          ///< "", "[0]" or `["blue"]`.
  HclValuePtr key = nullptr;  ///< Null without count and for_each.
  HclValuePtr value = nullptr;
};

/// Reads modules and evaluates their expressions. What it reads lies in one folder or below; what it makes is bounded.
/// What is not known before a plan is a value of kind kUnknown.
class HclConfiguration {
 public:
  /// `files`: null to read nothing but the first source. `folder`: nothing outside of it is read.
  HclConfiguration(const Files* files, std::string folder, const Limits& limits)
      : files_(files), folder_(std::move(folder)), limits_(limits) {}

  /// The module of the file, which is source 0: the file and the others of its folder.
  const HclModuleCode& load_root(std::string path, std::shared_ptr<const std::string> text);

  HclValuePtr evaluate(const text::HclExpression& expression, const HclScope& scope);
  /// The instances that `count` or `for_each` make; one with an unknown key where they are not known.
  std::vector<HclInstance> instances(const text::HclBody& body, const HclScope& scope);
  /// A called module whose code lies in the folder; null when it is not read.
  HclModule* called_module(HclModule& caller, std::string_view name, const HclDeclared<text::HclBlock>& call,
                           const HclInstance& instance);
  /// The text of `source` of a call; nothing if it is not known.
  std::optional<std::string> source_of_call(const text::HclBlock& call) const;

  const HclSource& source(std::uint32_t file) const { return sources_[file]; }
  std::vector<text::Fault> take_faults() { return std::move(faults_); }  ///< Found in source 0 while evaluating.

 private:
  HclValuePtr compute(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr reference(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr named(std::vector<const text::HclExpression*>& steps, const text::HclExpression& root,
                    const HclScope& scope);
  HclValuePtr variable(HclModule& module, const std::string& name);
  HclValuePtr local(HclModule& module, const std::string& name, const HclScope& scope, Span from);
  HclValuePtr output(HclModule& module, const std::string& name);
  HclValuePtr configured(HclModule& module, const HclDeclared<text::HclBlock>& block, std::string_view attribute);
  HclValuePtr rendered(HclModule& module, const HclDeclared<text::HclBlock>& block);
  HclValuePtr step(const HclValue& value, const text::HclExpression& step, const HclScope& scope);
  HclValuePtr binary(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr conditional(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr call(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr read_text(const text::HclExpression& expression, const HclScope& scope, bool is_template);
  HclValuePtr object(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr for_all(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr string(const std::vector<text::HclTemplatePart>& parts, const HclScope& scope);
  HclValuePtr unknown(const text::HclExpression& expression, const HclScope& scope) const;
  HclValuePtr converted(HclValuePtr value, const text::HclExpression& type, const HclScope& scope);

  const HclModuleCode* load(const std::string& folder);
  void add_file(HclModuleCode& code, std::uint32_t file);
  std::uint32_t add_source(std::string path, std::shared_ptr<const std::string> text);
  std::optional<std::uint32_t> read_source(std::string path);  ///< Nothing if the file cannot be read.
  void override_code(HclModuleCode& code, std::uint32_t file);
  void add_folder(HclModuleCode& code, const std::vector<std::string>& names);
  void read_values(HclModuleCode& code, const std::vector<std::string>& names);
  std::optional<std::string> path_inside(const std::string& folder, std::string_view relative) const;
  bool spend(std::size_t amount, const text::HclExpression& expression, const HclScope& scope);
  void fault(text::FaultKind kind, const HclScope& scope, Span span, std::string message, std::string help);

  const Files* files_;
  std::string folder_;
  Limits limits_;
  std::deque<HclSource> sources_;
  std::map<std::string, HclModuleCode, std::less<>> codes_;
  std::map<std::string, std::uint32_t, std::less<>> read_;  ///< Templates by path.
  std::vector<text::Fault> faults_;
  std::uint32_t depth_ = 0;
  std::size_t left_ = 2'000'000;
};

}  // namespace bayplan::importers
