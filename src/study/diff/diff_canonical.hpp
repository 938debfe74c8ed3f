#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "study/diff/diff_meaning.hpp"
#include "text/document.hpp"

namespace bayplan::study {

/// The value in one way of writing: members sorted, defaults left out, lists sorted whose order means nothing. Two
/// values mean the same exactly when these texts are the same; empty when the value says nothing. `owner` is the member
/// or list that the value's own members belong to (for a scalar: of the object that holds it).
std::string canonical(text::Value value, std::string_view owner, const DefinitionFacts& facts);

/// Whether ECS would do the same without it.
bool says_nothing(text::Value value, std::string_view owner, const DefinitionFacts& facts);

/// Members of an object that count: of a key given twice the last, as the service reads it.
std::vector<text::Value> members_of(text::Value object);

}  // namespace bayplan::study
