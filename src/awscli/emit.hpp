#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "awscli/shorthand.hpp"
#include "shape/schema.hpp"
#include "text/document.hpp"

/// What is in the arguments -> nodes of the request's document. Offsets are moved by `shift`, to where the text
/// is in the document's source.
namespace bayplan::awscli {

/// The elements of a list, or the members of an object; of those with the same key the last, as the AWS CLI reads JSON.
std::vector<text::Value> effective_children(text::Value value);

/// Copies a value and what counts of all that it holds; nothing is judged.
void emit_copy(text::Builder& builder, text::Value value, std::uint32_t shift);

/// Takes a fault, at a byte of the document's source.
using Refuse = std::function<void(std::uint32_t at, std::string message, std::string help)>;

/// Texts become numbers, booleans and lists where the model wants them, as the AWS CLI does (awscli/shorthand.py,
/// BackCompatVisitor).
void emit_shorthand(text::Builder& builder, const ShorthandValue& value, const shape::Rule* rule, std::uint32_t shift,
                    const Refuse& refuse);

/// "5", " 5", "+5" and "1_000" are integers to Python, and so to the AWS CLI.
void emit_integer(text::Builder& builder, std::string_view written, Span span, const Refuse& refuse);

}  // namespace bayplan::awscli
