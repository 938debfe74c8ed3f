#pragma once
#include <cstdint>
#include <string_view>

#include "lint/lint.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// A kind of file that another tool reads, although parts of it look like input of ECS.
struct ForeignKind {
  std::string_view name;  ///< "AWS Copilot manifest", as in "is an AWS Copilot manifest".
  std::string_view
      advice;  ///< What to do instead: "lint its template: copilot svc package > stack.yaml"; may be empty.
};

/// Told by content alone; nothing for a file that may be of ECS. A file with container definitions is of ECS, whatever
/// else it holds, unless it is the syntax of the API reference.
const ForeignKind* foreign_kind(const text::Document& document);

/// The line, from 1, where the second document of a JSON file begins that has an object of its own on every line; 0 for
/// all other files, and for a file with a single object, which is read without a fault.
std::uint32_t second_json_line(const text::Document& document);

/// "Request Syntax" or "Response Syntax" of the API reference: `"cpu": number, "essential": boolean, "name": "string"`.
bool is_syntax_of_api(const text::Document& document);

/// A template of CloudFormation, or one resource of it.
bool is_template(text::Value root);
/// A Compose file; its first version had the services at the root.
bool is_compose(text::Value root);

/// Names what a file is that is not linted: "Compose file". A search may not have read the file to its end.
std::string_view what_it_is(const FileReport& report);

}  // namespace bayplan::lint
