#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lazy.hpp"
#include "capacity/fit.hpp"
#include "capacity/gpu_needs.hpp"
#include "catalog/catalog.hpp"
#include "importers/subject.hpp"
#include "model/task_definition.hpp"
#include "shape/check.hpp"
#include "text/document.hpp"

namespace bayplan::rules {

struct HouseRule;

/// What a file holds, judged by its content.
enum class FileKind : std::uint8_t {
  kTaskDefinition,
  kContainerDefinitions,  ///< A bare list of container definitions, one alone, or a part of one.
  kDescribe,              ///< Output of describe-task-definition.
  kCloudFormation,
  kTerraform,
  kCdk,
  kService,
  kRunTask,
  kCompose,
  kTemplate,  ///< Input of a template engine, which is not read before it is rendered.
  kJsonnet,   ///< Not evaluated, so nothing in it is read.
  kJson5,     ///< Not read: it uses more of JSON5 than comments and trailing commas.
  kUnrecognized,
  kCapacityProvider,
  kCluster,
  kClusterProviders,  ///< The capacity providers of a cluster: put-cluster-capacity-providers.
  kTaskSet,
  kDaemon,
  kDaemonTaskDefinition,
  kExpressService,
};

std::string_view name_of(FileKind kind);       ///< "task-definition", as reports say it.
std::string_view input_called(FileKind kind);  ///< "the input of create-service": what a key belongs to, in messages.

/// The client that will send the file; some refuse what others strip.
enum class DeployClient : std::uint8_t { kAny, kAwsCli, kGithubAction, kTerraform, kCloudFormation, kEcspresso };

/// Who deploys a file, as other files of the project say.
struct Deployment {
  DeployClient client = DeployClient::kAny;
  std::string named_by = {};  ///< "ecspresso.yml", as reports call the file that names it; empty if none does.
  /// Containers whose image is filled in before the file is registered.
  std::set<std::string, std::less<>> images_filled_in = {};
  bool fills_in_all_images = false;
  /// Members that options of an AWS CLI command set (`--family web`), by the input of that command. They override those
  /// of `--cli-input-json`.
  std::map<FileKind, std::set<std::string, std::less<>>> given_members = {};
  /// Words that `sed`, `-replace` of PowerShell or `.replace()` replaces by other values first.
  std::set<std::string, std::less<>> replaced_words = {};
  bool removes_comments = false;  ///< A script takes the comments out of the JSON first.
  /// What is assigned, or deleted, in the file first: `cpu` is the key of any container, `/cpu` the member of the root
  /// at that pointer, in which a container may have its name; with a slash behind it, all that is below as well.
  std::set<std::string, std::less<>> assigned_keys = {};
  /// Parameters of CloudFormation templates whose defaults a command or a file of parameters replaces.
  std::set<std::string, std::less<>> set_parameters = {};

  /// A container without a name, or with a placeholder in it, may be any of those that are filled in.
  bool fills_in_image(std::string_view container) const {
    const bool is_name = !container.empty() && container.find_first_of("$<>{}%#@ ") == std::string_view::npos;
    return fills_in_all_images || images_filled_in.contains(container) || (!is_name && !images_filled_in.empty());
  }
  /// Whether a script assigns the value at the pointer.
  bool assigns(std::string_view pointer) const;
  /// Whether it gives a new value to an object or a list around the pointer.
  bool replaces_around(std::string_view pointer) const;
};

/// What the user says in addition to the file.
struct Options {
  DeployClient deploy_with = DeployClient::kAny;
  std::optional<model::Compatibility> launch_type;  ///< When the file does not say.
  bool strict_unknown = false;                      ///< Unresolved placeholders are findings.
  bool is_update = false;                           ///< A capacity provider is updated, not created.
  bool daemon = false;                              ///< The file is meant for RegisterDaemonTaskDefinition.
  std::vector<std::string> types;                   ///< Globs of the instance types that tasks run on; empty: any.
  capacity::FitOptions instances;                   ///< How these are set up.
  capacity::NeedsByName needs;                      ///< What config or scenario say, in addition to the labels.
  std::vector<std::shared_ptr<const HouseRule>> house_rules = {};  ///< Rules of the team, from its config.
};

struct Platform;

/// False for a bare list of containers and for a text that broke off: the rest of the task may be elsewhere, so its
/// absence means nothing.
inline bool sees_task(FileKind kind, bool is_whole) {
  return kind != FileKind::kContainerDefinitions && is_whole;
}

/// All that a rule sees of one file. A rule reads; it never keeps a reference.
struct Context {
  const text::Document& document;
  text::Value root;  ///< The definition itself: inside a describe answer the inner object; else the root.
  FileKind kind = FileKind::kTaskDefinition;
  bool is_whole = true;    ///< The text was read to its end: what is absent is absent.
  bool is_answer = false;  ///< What ECS answered: it filled it in, and took it once.
  std::string_view file;   ///< The name in reports; its ending shows .jsonc.
  const model::TaskDefinition& task;
  const model::Placeholders& placeholders;
  const Options& options;
  DeployClient client = DeployClient::kAny;  ///< What sends it: of a template or plan always the same, else an option.
  /// ecspresso reads null as absent, drops an empty list of tags and writes empty strings and zeros for what is not
  /// set. https://github.com/kayac/ecspresso, register.go and README.md
  bool is_for_ecspresso = false;
  const Deployment& deployment;                         ///< Its client is that above.
  std::span<const importers::ResourceFact> facts = {};  ///< What a template says of resources that values refer to.
  const Lazy<catalog::Catalog>& catalog;                ///< Loading costs some 10 ms: ask last.
  const Lazy<shape::Schema>& schema;  ///< Schema of the file: that of a task definition, a service or run-task.
  const Lazy<std::vector<shape::ShapeFinding>>& shape;  ///< What the schema says of `root`, in text order.
  const Lazy<Platform>& platform;                       ///< Asked once a container by some rules: it reads every image.

  bool targets(model::Compatibility compatibility) const { return task.targets(compatibility); }
  bool is_describe() const { return kind == FileKind::kDescribe; }
  bool is_service() const {
    return kind == FileKind::kService || kind == FileKind::kRunTask || kind == FileKind::kTaskSet;
  }
  /// A whole task definition, or containers of one.
  bool is_definition() const {
    return kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe || kind == FileKind::kContainerDefinitions;
  }
  /// A whole list of containers, as `jsonencode` and `containerDefinitions` of Terraform take it; one container alone
  /// or a part of one is none.
  bool is_container_list() const { return kind == FileKind::kContainerDefinitions && root.is_array(); }
  bool sees_task() const { return rules::sees_task(kind, is_whole); }
};

/// The AWS provider of Terraform reads containers into types of its own, capitals aside, and drops every other key. A
/// bare list of containers is written for it as a rule, and so is one container in a template (.tpl, .tftpl).
/// https://github.com/hashicorp/terraform-provider-aws/issues/43217
bool is_dropped_by_terraform(const Context& ctx, text::Value member);
/// What a message says of such a key; empty for others.
std::string_view dropped_words(const Context& ctx, text::Value member);

/// What the file says of the resource that `value` refers to; null where it is not known.
const importers::ResourceFact* find_fact(std::span<const importers::ResourceFact> facts, text::Value value,
                                         std::string_view property);

/// Whether ecspresso will send the file: by its configuration that names it (then it is the `client`), by the name that
/// `ecspresso init` gives it (ecs-task-def.json, ecs-service-def.json), or by functions of its templates in the
/// `source`. Searches the whole source, so it is asked once a file.
bool is_for_ecspresso(DeployClient client, std::string_view file, std::string_view source);

}  // namespace bayplan::rules
