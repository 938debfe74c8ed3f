#include "importers/terraform_code.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/path_sandbox.hpp"
#include "base/strings.hpp"
#include "importers/container_list.hpp"
#include "importers/hcl_module.hpp"
#include "importers/published_modules.hpp"
#include "importers/subject_builder.hpp"
#include "importers/task_targets.hpp"
#include "importers/terraform.hpp"
#include "importers/terraform_resources.hpp"
#include "text/edited_text.hpp"
#include "text/encoding.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace bayplan::importers {
namespace {

using text::Fault;
using text::FaultKind;
using text::HclAttribute;
using text::HclBlock;
using text::HclBody;
using text::Kind;
using text::Style;
using ValueKind = HclValue::Kind;

/// Arguments of Terraform itself, which no provider sees.
constexpr std::array<std::string_view, 5> kMetaArguments{"count", "for_each", "depends_on", "provider", "providers"};
constexpr std::array<std::string_view, 4> kMetaBlocks{"lifecycle", "provisioner", "connection", "timeouts"};
constexpr std::size_t kMostSubjects = 1000;
constexpr std::string_view kPlanAdvice = "lint its plan: terraform show -json PLAN > plan.json";

using Names = std::set<std::string, std::less<>>;

/// Attributes that hold JSON as a string: of task definitions, of jobs of AWS Batch, of state machines.
constexpr std::array<std::string_view, 4> kJsonAttributes{"container_definitions", "container_properties",
                                                          "ecs_properties", "definition"};

/// A resource of which something is read.
bool is_read(std::string_view type) {
  return is_ecs_resource(type) || is_cluster_resource(type) || !compared_attribute(type).empty();
}

bool is_unknown_instance(const HclInstance& instance) {
  return instance.key && instance.key->is(ValueKind::kUnknown);
}

/// Writes the tree of one file of the root module.
class TreeWriter {
 public:
  TreeWriter(HclConfiguration& configuration, std::uint32_t file, text::Builder& builder, const Limits& limits)
      : configuration_(configuration), own_(file), builder_(builder), limits_(limits) {}

  struct Written {
    CalledResources called;
    TextsOfResources texts;
    std::vector<std::string> not_read;
  };

  /// Returns what is written of called modules, what other files hold, and which calls are not read.
  Written write_all(HclModule& module) && {
    for (const HclBlock& block : configuration_.source(own_).file.body.blocks) {
      const bool is_resource = block.type == "resource" && block.labels.size() == 2;
      if (is_resource && is_read(block.labels[0])) {
        if (is_override_file(configuration_.source(own_).name))
          // It has parts of resources alone.
          note(block.header, fmt::format("override of \"{}.{}\" is not evaluated", block.labels[0], block.labels[1]));
        else
          write_resource(module, {own_, &block}, block.header, {});
      }
      if (block.type == "module" && block.labels.size() == 1) write_call(module, {own_, &block}, block.header, {});
    }
    return {std::move(called_), std::move(texts_), std::move(not_read_)};
  }

 private:
  /// The `count` or `for_each` of a body, as it is written.
  std::string words_of_count(const HclBody& body, const HclScope& scope) {
    const HclAttribute* count = body.find("count");
    const HclAttribute* given = count != nullptr ? count : body.find("for_each");
    const HclValuePtr value = configuration_.evaluate(given->value, scope);
    return value->is(ValueKind::kUnknown) ? value->text : std::string(given->name);
  }

  /// `around`: the span to report for values that are written in other files. `unknown_count`: what decides how many
  /// instances the module has, if that is unknown.
  void write_resource(HclModule& module, const HclDeclared<HclBlock>& declared, Span around,
                      const std::string& unknown_count) {
    const HclBlock& block = *declared.node;
    const bool is_own = declared.file == own_;
    const Span whole = is_own ? Span{block.type_span.begin, block.body.span.end} : around;
    const HclScope outside{.module = &module, .file = declared.file};
    const auto found = module.code.overridden.find(block.labels[0] + "." + block.labels[1]);
    const Names overridden = found != module.code.overridden.end() ? found->second : Names();
    for (const HclInstance& instance : configuration_.instances(block.body, outside)) {
      if (++written_ > kMostSubjects) {
        if (written_ == kMostSubjects + 1)
          note(is_own ? block.header : around, fmt::format("more than {} resources are not evaluated", kMostSubjects));
        return;
      }
      const HclInstanceBindings own(instance);
      const HclScope scope{.module = &module, .file = declared.file, .bindings = &own.count};
      const std::string address = module.prefix + block.labels[0] + "." + block.labels[1] + instance.index;
      if (module.caller != nullptr) {
        auto& places = called_[address];
        for (const HclModule* one = &module; one->caller != nullptr; one = one->caller)
          places.push_back({one->code.folder, address.substr(one->prefix.size())});
      }
      builder_.key(builder_.keep(address), is_own ? block.header : around);
      builder_.open(Kind::kObject, whole);
      address_ = address;
      // A plan has as many resources as there are instances; code has one, and says that their number is unknown.
      const std::string count_words =
          is_unknown_instance(instance) ? words_of_count(block.body, outside) : unknown_count;
      if (!count_words.empty()) {
        builder_.key(kUnknownCount, is_own ? block.header : around);
        builder_.scalar(Kind::kPlaceholder, Style::kJson, builder_.keep(count_words), is_own ? block.header : around);
      }
      for (const auto& name : overridden) {
        if (is_among(name, kMetaArguments) || is_among(name, kMetaBlocks)) continue;
        const Span header = is_own ? block.header : around;
        builder_.key(builder_.keep(std::string(name_in_plan(name))), header);
        builder_.scalar(Kind::kPlaceholder, Style::kJson, "override", header);
      }
      const std::string_view compared = compared_attribute(block.labels[0]);
      if (compared.empty() || is_cluster_resource(block.labels[0])) {
        write_body(block.body, scope, around, overridden);
      } else if (!overridden.contains(compared)) {
        write_member(block.body, compared, scope, around);
      }
      builder_.close(whole.end);
    }
  }

  /// One argument of a body, or its blocks of one type; nothing else of it is evaluated.
  void write_member(const HclBody& body, std::string_view name, const HclScope& scope, Span around) {
    const HclAttribute* attribute = body.find(name);
    if (attribute != nullptr) return write_attribute(*attribute, scope, around);
    write_blocks(body, name, scope, around);
  }

  /// A plan has the tags of a resource and those of the provider together.
  static std::string_view name_in_plan(std::string_view name) { return name == "tags" ? "tags_all" : name; }

  /// `overridden`: arguments and types of blocks to leave out.
  void write_body(const HclBody& body, const HclScope& scope, Span around, const Names& overridden = {}) {
    for (const HclAttribute& attribute : body.attributes) {
      if (is_among(attribute.name, kMetaArguments) || overridden.contains(attribute.name)) continue;
      write_attribute(attribute, scope, around);
    }
    std::vector<std::string_view> types;
    for (const HclBlock& block : body.blocks) {
      const std::string_view type = type_of_block(block);
      const bool is_new = !is_among(type, kMetaBlocks) && std::find(types.begin(), types.end(), type) == types.end();
      if (!is_new || body.find(type) != nullptr || overridden.contains(type)) continue;
      types.push_back(type);
      write_blocks(body, type, scope, around);
    }
  }

  void write_attribute(const HclAttribute& attribute, const HclScope& scope, Span around) {
    const bool is_own = scope.file == own_;
    const HclValuePtr value = configuration_.evaluate(attribute.value, scope);
    if (value->is(ValueKind::kNull)) return;
    builder_.key(builder_.keep(std::string(name_in_plan(attribute.name))),
                 is_own ? attribute.name_span : place_of(*value, around));
    const Span place = is_own ? attribute.value.span : around;
    if (is_among(attribute.name, kJsonAttributes)) {
      write_json(*value, place, attribute.name);
    } else {
      write(*value, place);
    }
  }

  /// The blocks of one type, as the list that they are to the provider. None is written where `dynamic` makes none.
  void write_blocks(const HclBody& body, std::string_view type, const HclScope& scope, Span around) {
    bool is_open = false;
    Span last;
    const auto open = [&](const HclBlock& block) {
      last = scope.file == own_ ? Span{block.type_span.begin, std::max(block.body.span.end, block.header.end)} : around;
      if (std::exchange(is_open, true)) return;
      builder_.key(builder_.keep(std::string(type)), scope.file == own_ ? block.type_span : around);
      builder_.open(Kind::kArray, last);
    };
    for (const HclBlock& block : body.blocks) {
      if (type_of_block(block) != type) continue;
      if (block.type != "dynamic") {
        open(block);
        write_block(block.body, last, scope, around);
        continue;
      }
      const HclAttribute* each = block.body.find("for_each");
      const auto content = std::find_if(block.body.blocks.begin(), block.body.blocks.end(),
                                        [](const auto& one) { return one.type == "content"; });
      if (each == nullptr || content == block.body.blocks.end()) continue;
      const HclValuePtr over = configuration_.evaluate(each->value, scope);
      if (!over->is(ValueKind::kList) && !over->is(ValueKind::kObject)) {
        if (over->is(ValueKind::kNull)) continue;
        open(block);
        builder_.scalar(Kind::kPlaceholder, Style::kJson, builder_.keep(placeholder_for(*over)), last);
        continue;
      }
      const HclAttribute* iterator = block.body.find("iterator");
      const std::string name = iterator != nullptr ? iterator->value.text : std::string(type);
      constexpr std::size_t kMostBlocks = 1000;
      for (std::size_t i = 0; i < std::min(over->members.size(), kMostBlocks); ++i) {
        const auto& member = over->members[i];
        const HclValuePtr key =
            over->is(ValueKind::kObject) ? string_value(member.key) : number_value(static_cast<double>(i));
        const HclBinding binding{name, object_value({{"key", {}, key}, {"value", {}, member.value}}), scope.bindings};
        open(block);
        write_block(content->body, last, scope.with(binding), around);
      }
    }
    if (is_open) builder_.close(last.end);
  }

  void write_block(const HclBody& body, Span whole, const HclScope& scope, Span around) {
    if (builder_.depth() >= limits_.depth) return;
    builder_.open(Kind::kObject, whole);
    write_body(body, scope, around);
    builder_.close(whole.end);
  }

  /// Resources of a local module with the inputs of this call.
  void write_call(HclModule& module, const HclDeclared<HclBlock>& call, Span around, const std::string& unknown_count) {
    const HclScope scope{.module = &module, .file = call.file};
    const auto source = source_of_call(*call.node);
    for (const HclInstance& instance : configuration_.instances(call.node->body, scope)) {
      HclModule* const called = configuration_.called_module(module, call.node->labels[0], call, instance);
      if (called == nullptr) {
        if (call.file == own_ && source) note_module(*source, *call.node);
        if (!module.code.is_published)
          not_read_.push_back(
              fmt::format("{}module.{} ({})", module.prefix, call.node->labels[0], source.value_or("")));
        return;
      }
      const std::string count_words =
          is_unknown_instance(instance) ? words_of_count(call.node->body, scope) : unknown_count;
      const bool is_shown = called->shown_at.file == own_;
      const Span shown = is_shown ? called->shown_at.span : around;
      for (const auto& [name, resource] : called->code.resources) {
        if (is_read(resource.node->labels[0])) write_resource(*called, resource, shown, count_words);
      }
      for (const auto& [name, inner] : called->code.calls) write_call(*called, inner, shown, count_words);
    }
  }

  /// Says once that a module was not read, if its source speaks of ECS.
  void note_module(const std::string& source, const HclBlock& call) {
    const Span header = call.header;
    const std::string constraint = text_in_call(call, "version");
    const auto published = find_published_module(source, constraint);
    if (published.is_ambiguous)
      return note(
          header,
          fmt::format("module \"{}\" is not read: its version is open, and inputs differ between versions", source));
    if (!published.name.empty())
      return note(header, fmt::format("version \"{}\" of module \"{}\" is not read, only versions {}",
                                      version_in_call(source, constraint), source, published.known_versions));
    const std::string folded = lower(source);
    if (folded.find("ecs") == std::string::npos && folded.find("fargate") == std::string::npos) return;
    note(header, fmt::format("module \"{}\" is not read", source));
  }

  void note(Span place, std::string what) {
    builder_.fault({FaultKind::kNotEvaluated, place, std::move(what), std::string(kPlanAdvice), {}, {}});
  }

  /// Where a value is written in the file, else the place of what refers to it.
  Span place_of(const HclValue& value, Span around) const {
    if (value.place.file == own_) return value.place.span;
    return value.via.file == own_ ? value.via.span : around;
  }

  void write(const HclValue& value, Span around) {
    const Span place = place_of(value, around);
    switch (value.kind) {
      case ValueKind::kUnknown:
        return builder_.scalar(Kind::kPlaceholder, Style::kJson, builder_.keep(value.text), place);
      case ValueKind::kNull:
        return builder_.scalar(Kind::kNull, Style::kJson, "null", place);
      case ValueKind::kBoolean:
        return builder_.scalar(Kind::kBoolean, Style::kJson, value.boolean ? "true" : "false", place);
      case ValueKind::kNumber:
        return builder_.scalar(to_integer(value.text) ? Kind::kInteger : Kind::kNumber, Style::kJson,
                               builder_.keep(value.text), place);
      case ValueKind::kString:
        return builder_.scalar(Kind::kString, Style::kJson, builder_.keep(value.text), place);
      case ValueKind::kList:
      case ValueKind::kObject: {
        const bool is_object = value.is(ValueKind::kObject);
        if (builder_.depth() >= limits_.depth)
          return builder_.scalar(Kind::kPlaceholder, Style::kJson, "expression", place);
        builder_.open(is_object ? Kind::kObject : Kind::kArray, place);
        for (const auto& member : value.members) {
          if (is_object)
            builder_.key(builder_.keep(member.key),
                         member.key_place.file == own_ ? member.key_place.span : place_of(*member.value, place));
          write(*member.value, place);
        }
        builder_.close(place.end);
        return;
      }
    }
  }

  using Encoded = std::map<std::string, HclValuePtr, std::less<>>;  ///< By the placeholder in its place.

  /// What the JSON of an attribute says: the value that jsonencode was given, or the text read.
  void write_json(const HclValue& value, Span around, std::string_view attribute) {
    const Span place = place_of(value, around);
    if (value.encoded) return write(*value.encoded, place);
    if (!value.is(ValueKind::kString)) return write(value, around);
    const auto unknown = [&] {
      builder_.scalar(Kind::kPlaceholder, Style::kJson, builder_.keep(std::string(attribute)), place);
    };
    const HclSource* source = value.pieces_file != HclPlace::kNoFile && !value.pieces.empty()
                                  ? &configuration_.source(value.pieces_file)
                                  : nullptr;
    const bool is_own = source != nullptr && value.pieces_file == own_;
    const bool is_text = value.place.is_known() && configuration_.is_text_file(value.place.file);
    if (is_text && attribute == "container_definitions")
      texts_.emplace(address_, configuration_.source(value.place.file).name);
    // What jsonencode made inside of the text is read as a placeholder, and copied with its own places.
    auto pieces = value.pieces;
    Encoded encoded;
    for (HclPiece& piece : pieces) {
      if (!piece.encoded) continue;
      const std::string mark = fmt::format("${{encoded_{}}}", encoded.size());
      piece.text = mark;
      encoded.emplace(mark, piece.encoded);
    }
    text::ReadOptions reading{.format = text::Format::kJson, .limits = limits_};
    std::unique_ptr<const text::Document> json;
    if (is_own) {
      const text::EditedText edited = in_file(*source->text, pieces);
      const text::Origin origin{source->text, edited.offsets, {}};
      reading.origin = &origin;
      json = text::read_document(edited.text, reading);
    } else {
      std::string whole;
      for (const HclPiece& piece : pieces) whole += piece.text;
      json = text::read_document(encoded.empty() ? value.text : whole, reading);
    }
    const auto loses_text = [](const Fault& fault) { return fault.kind == FaultKind::kJsonSyntax; };
    const auto& faults = json->faults();
    // What a value adds may be what is missing.
    if (!json->root() || (!value.is_whole && std::any_of(faults.begin(), faults.end(), loses_text))) {
      if (value.is_whole && is_own) {
        for (Fault fault : faults) add_fault(std::move(fault), {});
      }
      return unknown();
    }
    for (const Fault& fault : faults) {
      // Terraform accepts it, and the file that holds the text shows where it is.
      if (is_own || fault.kind != FaultKind::kDuplicateKey)
        add_fault(fault, is_own ? std::nullopt : std::optional(place));
    }
    copy(json->root(), is_own ? std::nullopt : std::optional(place), encoded);
  }

  /// The text that the pieces make, with the way back to the file.
  static text::EditedText in_file(std::string_view text, const std::vector<HclPiece>& pieces) {
    std::vector<Edit> edits;
    std::uint32_t at = 0;
    for (const HclPiece& piece : pieces) {
      if (piece.span.begin > at) edits.push_back({{at, piece.span.begin}, ""});
      if (!piece.is_copy) edits.push_back({piece.span, piece.text});
      at = std::max(at, piece.span.end);
    }
    edits.push_back({{at, static_cast<std::uint32_t>(text.size())}, ""});
    return text::apply(text, std::move(edits));
  }

  void add_fault(Fault fault, std::optional<Span> place) {
    fault.fix.reset();  // A fix in JSON's spelling may not fit the string that holds it.
    if (place) {
      fault.span = *place;
      fault.related.clear();
    }
    builder_.fault(std::move(fault));
  }

  void copy(text::Value value, std::optional<Span> place, const Encoded& encoded) {
    const Span span = place.value_or(value.span());
    const auto inner = value.kind() == Kind::kPlaceholder ? encoded.find(value.text()) : encoded.end();
    if (inner != encoded.end()) return write(*inner->second, span);
    if (!value.is_object() && !value.is_array())
      return builder_.scalar(value.kind(), value.style(), builder_.keep(std::string(value.text())), span);
    if (builder_.depth() >= limits_.depth) return builder_.scalar(Kind::kPlaceholder, Style::kJson, "expression", span);
    builder_.open(value.kind(), span);
    for (const text::Value child : value.children()) {
      if (value.is_object()) builder_.key(builder_.keep(std::string(child.key())), place.value_or(child.key_span()));
      copy(child, place, encoded);
    }
    builder_.close(span.end);
  }

  HclConfiguration& configuration_;
  std::uint32_t own_;  ///< Number of the file.
  text::Builder& builder_;
  const Limits& limits_;
  CalledResources called_;
  TextsOfResources texts_;
  std::string address_;  ///< Of the resource that is written.
  std::vector<std::string> not_read_;
  std::size_t written_ = 0;
};

/// The region of the default provider.
std::string region_of(HclConfiguration& configuration, HclModule& module) {
  for (const std::uint32_t file : module.code.files) {
    for (const HclBlock& block : configuration.source(file).file.body.blocks) {
      const bool is_default =
          block.type == "provider" && block.labels.size() == 1 && block.labels[0] == "aws" && !block.body.find("alias");
      const HclAttribute* region = is_default ? block.body.find("region") : nullptr;
      if (region == nullptr) continue;
      return text_of(*configuration.evaluate(region->value, {.module = &module, .file = file})).value_or("");
    }
  }
  return {};
}

}  // namespace

EvaluatedModule evaluate_terraform_module(const TerraformRoot& root, const Limits& limits) {
  HclConfiguration configuration(root.files, root.sandbox, root.load_folder, limits);
  HclModule module{configuration.load_root(root.folder, root.inputs), ""};
  struct Writing {
    std::uint32_t file;
    text::Builder builder;
    CalledResources called;
    TextsOfResources texts;
  };
  std::vector<Writing> all;
  EvaluatedModule result;
  for (const std::uint32_t file : module.code.files) {
    configuration.begin_file();
    const HclSource& source = configuration.source(file);
    const auto end = static_cast<std::uint32_t>(source.text->size());
    text::Builder builder(source.text, text::Format::kHcl);
    builder.open(Kind::kObject, {0, end});
    auto written = TreeWriter(configuration, file, builder, limits).write_all(module);
    builder.close(end);
    for (auto& call : written.not_read) result.not_read.push_back(std::move(call));
    for (const Fault& fault : source.text_faults) builder.fault(fault);
    for (const Fault& fault : source.file.faults) builder.fault(fault);
    all.push_back({file, std::move(builder), std::move(written.called), std::move(written.texts)});
  }
  configuration.begin_file();
  result.region = region_of(configuration, module);
  if (root.inputs.given != nullptr) result.variables = configuration.use_of(*root.inputs.given, module);
  // Evaluating a file may find faults in others.
  for (Writing& one : all) {
    for (const Fault& fault : configuration.faults_in(one.file)) one.builder.fault(fault);
    result.trees.push_back({path_in(root.folder, configuration.source(one.file).name), std::move(one.builder).finish(),
                            std::move(one.called), std::move(one.texts)});
  }
  return result;
}

TerraformText read_terraform_code(std::string bytes, const std::string& path, const TerraformCodeFiles& around,
                                  const Limits& limits) {
  const std::string folder = folder_around(path);
  const std::string name = path.substr(path.rfind('/') + 1);
  HclSource own = parse_hcl(name, std::move(bytes), limits);
  const auto code = read_hcl_folder(around.files, folder, limits, &own);
  const auto load = [&](const std::string& wanted) {
    return wanted == folder ? code : read_hcl_folder(around.files, wanted, limits);
  };
  auto module = evaluate_terraform_module(
      {around.files, around.folder.empty() ? folder : around.folder, folder, load, {.given = around.given}}, limits);
  const auto found = std::find_if(module.trees.begin(), module.trees.end(),
                                  [&](const TerraformTree& one) { return one.path == path_in(folder, name); });
  return {found->document, std::move(module.variables)};
}

const TerraformTree* tree_of(const std::vector<TerraformTree>& trees, const text::Document& document) {
  const auto found = std::find_if(trees.begin(), trees.end(), [&](const TerraformTree& tree) {
    return &tree.document->source() == &document.source();
  });
  return found == trees.end() ? nullptr : &*found;
}

bool is_terraform_module(const Files& files, const std::string& path) {
  if (!files.is_folder(path)) return is_terraform_module_file(path);
  const auto names = files.list(path);
  return names && std::any_of(names->begin(), names->end(), is_terraform_module_file);
}

std::string folder_of_module(const Files& files, const std::string& path) {
  std::string folder = files.is_folder(path) ? path : folder_around(path);
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  return folder;
}

TerraformInput read_terraform_module(const Files& files, const std::string& path, const GivenVariables& given,
                                     const Limits& limits) {
  TerraformInput input;
  if (!files.is_folder(path)) {
    // Of a folder, files that cannot be read are left out; a file that the user names is needed.
    if (const auto bytes = files.read(path, limits.definition_bytes); !bytes) {
      input.errors.push_back(bytes.error());
      if (input.errors.back().file.empty()) input.errors.back().file = path;
      return input;
    }
  }
  const std::string folder = folder_of_module(files, path);
  const auto load = [&](const std::string& wanted) { return read_hcl_folder(&files, wanted, limits); };
  input.module = evaluate_terraform_module({&files, folder, folder, load, {.given = &given}}, limits);
  if (input.module.trees.empty())
    input.errors.push_back({.message = "none of its Terraform code can be read", .file = path});
  for (const TerraformTree& tree : input.module.trees) {
    for (const Fault& fault : tree.document->faults()) {
      // What is not evaluated is unknown, and what JSON has twice was read as Go's decoder reads it.
      const bool is_harmless = fault.kind == FaultKind::kNotEvaluated || fault.kind == FaultKind::kComment ||
                               fault.kind == FaultKind::kTrailingComma || fault.kind == FaultKind::kDuplicateKey ||
                               fault.kind == FaultKind::kEncoding;
      if (is_harmless) continue;
      const auto place = text::LineIndex(tree.document->source()).location(fault.span.begin);
      input.errors.push_back({fault.message, tree.path, place.line, place.column, fault.help});
    }
  }
  input.errors.insert(input.errors.end(), input.module.variables.refused.begin(), input.module.variables.refused.end());
  return input;
}

std::string variable_option(std::string_view expression) {
  constexpr std::string_view kVariable = "var.";
  const auto at = expression.starts_with("${") ? 2U : 0U;
  if (!expression.substr(at).starts_with(kVariable)) return {};
  const auto name = expression.substr(at + kVariable.size());
  const auto end = std::find_if_not(name.begin(), name.end(),
                                    [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; });
  return fmt::format("--var {}=VALUE", std::string(name.begin(), end));
}

namespace {

void copy_in_types(text::Value value, const shape::Rule* rule, const Subject& subject, bool converts,
                   SubjectBuilder& builder) {
  const std::uint32_t origin = subject.origins.at(value.index());
  if (value.is_object() || value.is_array()) {
    const shape::Rule* own = converts ? rule_for(value.kind(), rule) : nullptr;
    builder.open(value.kind(), value.span(), origin);
    for (const text::Value child : value.children()) {
      const shape::Rule* inner = own == nullptr ? nullptr : own->elements;
      if (value.is_object()) {
        builder.key(child.key(), child.key_span());
        const shape::Member* member = own == nullptr ? nullptr : own->find(child.key());
        inner = member != nullptr ? member->rule : own == nullptr ? nullptr : own->others;
      }
      copy_in_types(child, inner, subject, converts && child.key() != "containerDefinitions", builder);
    }
    return builder.close();
  }
  Kind kind = value.kind();
  if (rule != nullptr && converts) {
    const bool is_number = kind == Kind::kInteger || kind == Kind::kNumber || kind == Kind::kBoolean;
    if (is_number && rule->types.only(Kind::kString)) kind = Kind::kString;
    if (kind == Kind::kString && rule->types.has(Kind::kInteger) && !rule->types.has(Kind::kString) &&
        to_integer(value.text()))
      kind = Kind::kInteger;
    const bool is_boolean = value.text() == "true" || value.text() == "false";
    if (kind == Kind::kString && rule->types.only(Kind::kBoolean) && is_boolean) kind = Kind::kBoolean;
  }
  builder.scalar(kind, value.text(), value.span(), origin);
}

}  // namespace

Subject in_types_of_provider(Subject subject, const text::Document& file, const shape::Schema& schema) {
  const text::Value root = subject.document->root();
  // States of a state machine (their members are in Pascal case) and jobs of Batch are written as JSON, in which
  // Terraform converts no values.
  const bool is_json = subject.spelling == Spelling::kPascalCase || is_made_by_batch(subject);
  if (!root || is_json) return subject;
  SubjectBuilder builder(file);
  for (const Fault& fault : subject.document->faults()) builder.fault(fault);
  copy_in_types(root, &schema.root(), subject, true, builder);
  Subject typed = std::move(builder).finish(subject.kind, subject.name, subject.spelling);
  typed.facts = std::move(subject.facts);  // The nodes keep their numbers.
  return typed;
}

}  // namespace bayplan::importers
