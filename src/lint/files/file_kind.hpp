#pragma once
#include "rules/context.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// How much a file must look like a task definition, a service or run-task input to be one.
enum class Search : std::uint8_t {
  kNamed,  ///< The user named the file: one member that only a task definition has will do; so will a broken text.
  kFound,  ///< Found in a folder: it must hold container definitions, or little else than members of a request.
};

/// Determines the kind of the document from its content. The file name is used only for empty files and files with
/// syntax errors, such as a file that is being edited.
rules::FileKind kind_of(const text::Document& document, Search search, std::string_view name = {});

/// Whether the name is that of Terraform code, which is neither JSON nor YAML.
bool is_terraform_code(std::string_view name);

/// Whether the text speaks of container definitions, in any spelling of the key.
bool mentions_containers(std::string_view source);

/// The kind of a document of which the user says what it is: that, or its special form (a bare list of containers, a
/// template that CDK made, run-task input).
rules::FileKind kind_as(rules::FileKind given, const text::Document& document);

/// The task definition itself: the inner object of a describe answer, else the root.
text::Value definition_of(const text::Document& document);

/// Whether a file of this kind may be linted: all but those of which nothing is known.
bool is_linted(rules::FileKind kind);

}  // namespace bayplan::lint
