#include <algorithm>
#include <string_view>

#include "importers/container_list.hpp"
#include "importers/definition_file.hpp"
#include "importers/task_targets.hpp"
#include "importers/terraform.hpp"
#include "lint/files/definition_form.hpp"
#include "lint/files/template_file.hpp"
#include "lint/lint.hpp"
#include "text/read.hpp"
#include "text/template_language.hpp"

namespace bayplan::lint {
namespace {

using rules::FileKind;

/// Keeps of a plan what is of ECS: all of it would take five times its size.
std::unique_ptr<const text::Document> read_large_plan(std::string bytes, text::ReadOptions reading, std::size_t limit) {
  const std::size_t size = bytes.size();
  reading.format = text::Format::kJson;
  reading.keep = importers::matters_to_terraform;
  auto document = text::read_document(std::move(bytes), reading);
  return kind_of(*document, Search::kNamed) == FileKind::kTerraform ? std::move(document)
                                                                    : text::oversized_document(size, limit);
}

FileKind kind_in(const text::Document& document, std::string_view name, Search search, const Options& options) {
  const bool is_reported = options.from && search == Search::kNamed;
  return is_reported ? kind_as(*options.from, document) : kind_of(document, search, name);
}

/// Stands for a text whose placeholders ask for more than is filled in: one fault, no root.
std::unique_ptr<const text::Document> overfilled_document(const text::Document& document, Span placeholder) {
  static_assert(model::kMaxFilledIn == 4u << 20);
  text::Builder builder(document.shared_source(), document.format());
  builder.fault({text::FaultKind::kTooLarge,
                 placeholder,
                 "values of variables exceed 4 MiB here; the rest are not filled in",
                 "use shorter values; the ECS maximum is 65536 bytes",
                 {},
                 {}});
  return std::move(builder).finish();
}

/// Reads the text again with the values that the user gives for its placeholders. Plans and the output of the CDK are
/// no templates any more.
void fill_in(ReadFile& file, Search search, text::ReadOptions reading, const Options& options) {
  if (file.kind == FileKind::kTerraform || file.kind == FileKind::kCdk) return;
  const bool is_template = file.kind == FileKind::kCloudFormation;
  auto filled = model::fill_in(*file.document, options.variables,
                               is_template ? model::Dollars::kOfCloudFormation : model::Dollars::kOfTemplate);
  if (!filled) return;
  file.used_variables = std::move(filled->variables);
  if (filled->beyond) {
    file.document = overfilled_document(*file.document, *filled->beyond);
    return;
  }
  text::Origin origin{file.document->shared_source(), filled->edited.offsets, {}};
  for (const auto& fault : file.document->faults()) {
    if (fault.kind == text::FaultKind::kEncoding) origin.faults.push_back(fault);
  }
  reading.origin = &origin;
  file.document = text::read_document(std::move(filled->edited.text), reading);
  file.kind = kind_in(*file.document, file.file, search, options);
  file.filled_in = std::move(filled->places);
}

bool speaks_of_ecs(std::string_view code) {
  const auto has = [&](std::string_view word) { return code.find(word) != std::string_view::npos; };
  return has("aws_ecs_") || has("container_definitions") || has("ecs_target") || has("ecs_parameters") ||
         has("ecs:runTask") || has("aws_batch_job_definition");
}

/// A file of Terraform code that a search found is of interest if it speaks of ECS, or calls a module that may.
bool may_make_tasks(std::string_view code) {
  const auto has = [&](std::string_view word) { return code.find(word) != std::string_view::npos; };
  return speaks_of_ecs(code) || (has("module") && has("ecs")) || importers::may_call_local_module(code);
}

/// Takes what the run knows of a file of Terraform code, if the bytes are still those of the file.
bool take_from_module(ReadFile& file, std::string_view bytes, const importers::TerraformCodeFiles& around) {
  if (around.modules == nullptr) return false;
  auto module = around.modules->module_of(file.file, around.folder);
  if (!module) return false;
  const auto& own = *module->find_file(file.file);
  if (own.document->source() != bytes) return false;
  file.document = own.document;
  file.subjects = own.subjects;
  for (const auto& [address, places] : own.called) {
    if (auto found = around.modules->in_called_module(places))
      file.in_called_modules.emplace(address, std::move(*found));
  }
  file.used_variables = module->variables.declared;
  file.refused_variables = module->variables.refused;
  file.module = std::move(module);
  return true;
}

}  // namespace

ReadFile read_file(std::string bytes, std::string name, Search search, const Options& options, const Tools& tools,
                   const importers::TerraformCodeFiles& around) {
  ReadFile file{.file = std::move(name)};
  const bool is_code =
      importers::is_terraform_module_file(file.file) && bytes.size() <= options.limits.definition_bytes;
  if (is_code && (search == Search::kNamed || may_make_tasks(bytes))) {
    file.kind = FileKind::kTerraform;
    // A syntax error in code without ECS resources is not reported: versions of Terraform differ in what they accept.
    const bool is_of_ecs = search == Search::kNamed || speaks_of_ecs(bytes);
    const auto leave_broken = [&] {
      if (!is_of_ecs && file.subjects.empty() && !file.document->faults().empty()) file.kind = FileKind::kUnrecognized;
    };
    if (take_from_module(file, bytes, around)) {
      leave_broken();
      note_code_template(file);
      return file;
    }
    const importers::GivenVariables given{options.variables, options.variable_files};
    auto read = importers::read_terraform_code(std::move(bytes), file.file,
                                               {around.files, around.folder, nullptr, &given}, options.limits);
    file.document = std::move(read.document);
    file.used_variables = std::move(read.variables.declared);
    file.refused_variables = std::move(read.variables.refused);
    file.subjects = importers::read_subjects(*file.document, importers::DefinitionForm::kPlan, options.parameters,
                                             tools.schemas, options.limits);
    leave_broken();
    note_code_template(file);
    return file;
  }
  text::ReadOptions reading{.format = text::format_of_name(file.file), .limits = options.limits};
  reading.comments_allowed = text::takes_comments(file.file);
  reading.has_bare_names = is_template_name(file.file);
  const std::size_t limit = options.limits.definition_bytes;
  if (bytes.size() <= limit) {
    file.document = text::read_document(std::move(bytes), reading);
  } else if (importers::begins_like_terraform(bytes)) {
    file.document = read_large_plan(std::move(bytes), reading, limit);
  } else {
    file.document = text::oversized_document(bytes.size(), limit);
  }
  file.kind =
      is_terraform_code(file.file) ? FileKind::kUnrecognized : kind_in(*file.document, file.file, search, options);
  if (!options.variables.empty()) fill_in(file, search, reading, options);
  if (file.kind == FileKind::kContainerDefinitions && importers::is_list_in_other_case(file.document->root()))
    file.document =
        importers::in_ecs_case(*file.document, *tools.schemas.task_definition.get().definition("ContainerDefinition"));
  if (file.kind != FileKind::kTerraform) note_template(file, search);
  const bool may_have_targets = file.kind == FileKind::kRunTask || file.kind == FileKind::kTaskDefinition;
  file.subjects = may_have_targets ? importers::task_targets(*file.document, tools.schemas)
                                   : importers::read_subjects(*file.document, form_of(file.kind), options.parameters,
                                                              tools.schemas, options.limits);
  return file;
}

}  // namespace bayplan::lint
