#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "importers/hcl_folder.hpp"
#include "importers/hcl_value.hpp"
#include "importers/hcl_variables.hpp"
#include "text/document.hpp"
#include "text/hcl.hpp"

namespace bayplan::importers {

/// A block or argument of a module, and the file that holds it.
template <class Node>
struct HclDeclared {
  std::uint32_t file = 0;
  const Node* node = nullptr;
};

/// The code of a module: all files of Terraform code of one folder.
struct HclModuleCode {
  std::string folder;
  /// Stands for a published module: variables that it does not declare and members that are not set are null.
  bool is_published = false;
  std::vector<std::uint32_t> files = {};  ///< Numbers of its files, in the order of their names.
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

/// The type of a block, also of one that `dynamic` makes.
std::string_view type_of_block(const text::HclBlock& block);

/// The text of `source` of a call; nothing if it is not known.
std::optional<std::string> source_of_call(const text::HclBlock& call);
/// The text of another argument of a call, "" if it is absent or not known.
std::string text_in_call(const text::HclBlock& call, std::string_view argument);
/// The source if it is the path of a folder.
std::optional<std::string> local_source_of_call(const text::HclBlock& call);

/// A module with its inputs.
struct HclModule {
  const HclModuleCode& code;
  std::string prefix;                 ///< "" or "module.web.": the prefix of the addresses inside.
  const HclModule* caller = nullptr;  ///< Null for the root module.
  HclPlace shown_at = {};             ///< Of a published module: where the user's code writes what it is given.
  bool has_unknown_inputs = false;    ///< Of a published module: any variable may be set.
  std::map<std::string, HclValuePtr, std::less<>> inputs = {};
  std::map<std::string, HclValuePtr, std::less<>> variables = {};  ///< Those that were evaluated.
  std::map<std::string, HclValuePtr, std::less<>> locals = {};     ///< Those that were evaluated.
  std::set<std::string, std::less<>> running = {};                 ///< What is being evaluated.
  std::map<std::string, std::unique_ptr<HclModule>, std::less<>> children = {};
  std::map<std::string, HclValuePtr, std::less<>> counted_calls = {};  ///< Calls with count or for_each, evaluated.
  std::map<std::string, HclValuePtr, std::less<>> resources = {};      ///< Resources as expressions refer to them.
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

/// An instance of a resource block.
struct HclResource {
  HclModule* module = nullptr;
  HclDeclared<text::HclBlock> block;
  HclInstance instance;
};

/// What `each` and `count` mean in the block of an instance.
struct HclInstanceBindings {
  explicit HclInstanceBindings(const HclInstance& instance);
  HclInstanceBindings(const HclInstanceBindings&) = delete;
  HclInstanceBindings& operator=(const HclInstanceBindings&) = delete;

  HclBinding each;
  HclBinding count;  ///< The innermost of both.
};

/// The parsed code of a folder; null if it is none.
using LoadHclFolder = std::function<std::shared_ptr<const HclFolder>(const std::string& folder)>;

/// Who gives the variables of a root module their values.
struct HclInputs {
  /// Names that some call of the module sets: their values differ from call to call.
  std::set<std::string, std::less<>> set_by_callers = {};
  const GivenVariables* given = nullptr;  ///< Null without values from the user.
};

/// Evaluates the expressions of a root module and of the modules that it calls. What it reads lies in one folder or
/// below; what it makes is bounded. What is not known before a plan is a value of kind kUnknown.
class HclConfiguration {
 public:
  /// `files`: null to read nothing but what `load_folder` has. `sandbox`: nothing outside of this folder is read.
  HclConfiguration(const Files* files, std::string sandbox, LoadHclFolder load_folder, const Limits& limits)
      : files_(files), sandbox_(std::move(sandbox)), load_folder_(std::move(load_folder)), limits_(limits) {}

  /// The module whose files are those of the folder. Called once, first.
  const HclModuleCode& load_root(const std::string& folder, const HclInputs& inputs);
  /// What became of the values that the user gives. `root`: the module that `load_root` loaded.
  VariableUse use_of(const GivenVariables& given, HclModule& root);

  /// Each file of the root module may take as many steps.
  void begin_file() { left_ = kMostSteps; }

  HclValuePtr evaluate(const text::HclExpression& expression, const HclScope& scope);
  /// The instances that `count` or `for_each` make; one with an unknown key where they are not known.
  std::vector<HclInstance> instances(const text::HclBody& body, const HclScope& scope);
  /// A called module whose code lies in the folder; null when it is not read.
  HclModule* called_module(HclModule& caller, std::string_view name, const HclDeclared<text::HclBlock>& call,
                           const HclInstance& instance);
  const HclSource& source(std::uint32_t file) const { return *sources_[file]; }
  /// Whether `file` or `templatefile` read it.
  bool is_text_file(std::uint32_t file) const { return templates_.contains(source(file).name); }
  /// What was found while evaluating, in the files of the root module.
  const std::vector<text::Fault>& faults_in(std::uint32_t file) const { return faults_.at(file); }

 private:
  HclValuePtr compute(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr reference(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr named(std::vector<const text::HclExpression*>& steps, const text::HclExpression& root,
                    const HclScope& scope);
  HclValuePtr variable(HclModule& module, const std::string& name);
  HclValuePtr local(HclModule& module, const std::string& name, const HclScope& scope, Span from);
  HclValuePtr output(HclModule& module, const std::string& name);
  HclValuePtr counted_call(HclModule& module, const std::string& name, const HclDeclared<text::HclBlock>& call);
  void take_inputs(HclModule& module, const HclDeclared<text::HclBlock>& call, const HclScope& scope);
  HclValuePtr resource(HclModule& module, const std::string& name, const HclDeclared<text::HclBlock>& block);
  HclValuePtr configured(const HclResource& resource, const std::string& address, const std::string& attribute);
  HclValuePtr rendered(HclModule& module, const HclDeclared<text::HclBlock>& block);
  HclValuePtr step(const HclValue& value, const text::HclExpression& step, const HclScope& scope);
  HclValuePtr step_of_origin(const HclValue& value, const text::HclExpression& step, const HclScope& scope);
  HclValuePtr binary(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr conditional(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr call(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr read_text(const text::HclExpression& expression, const HclScope& scope, bool is_template);
  HclValuePtr object(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr for_all(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr string(const std::vector<text::HclTemplatePart>& parts, const HclScope& scope);
  HclValuePtr unknown(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr variable_behind(const text::HclExpression& expression, const HclScope& scope);
  HclValuePtr converted(HclValuePtr value, const text::HclExpression& type, const HclScope& scope);

  const HclModuleCode* load(const std::string& folder);
  const HclModuleCode* code_of_call(const HclModule& caller, const text::HclBlock& call);
  void add_folder(HclModuleCode& code, const std::shared_ptr<const HclFolder>& folder);
  void add_file(HclModuleCode& code, std::uint32_t file);
  void override_code(HclModuleCode& code, std::uint32_t file);
  std::uint32_t add_source(HclSource source);
  void read_values(HclModuleCode& code, const std::vector<std::string>& names, bool has_var_files);
  std::optional<std::uint32_t> read_file_of_values(const std::string& path);
  void take_given(HclModuleCode& code, const GivenVariables& given);
  HclValuePtr value_on_command_line(const text::HclBlock& variable, const std::string& text);
  Error error_at(std::uint32_t file, Span span, std::string message, std::string help) const;
  std::optional<std::string> path_inside(const std::string& folder, std::string_view relative) const;
  bool spend(std::size_t amount, const text::HclExpression& expression, const HclScope& scope);
  void fault(text::FaultKind kind, const HclScope& scope, Span span, std::string message, std::string help);

  static constexpr std::size_t kMostSteps = 2'000'000;

  const Files* files_;
  std::string sandbox_;
  LoadHclFolder load_folder_;
  Limits limits_;
  std::string root_folder_;
  std::vector<std::shared_ptr<const HclSource>> sources_;
  std::map<std::string, HclModuleCode, std::less<>> codes_;
  std::map<std::string, std::uint32_t, std::less<>> templates_;  ///< By path.
  std::vector<std::vector<text::Fault>> faults_;                 ///< By file of the root module.
  std::uint32_t depth_ = 0;
  std::size_t left_ = kMostSteps;
};

}  // namespace bayplan::importers
