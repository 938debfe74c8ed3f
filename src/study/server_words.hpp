#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "lint/lint.hpp"
#include "rules/sentences.hpp"
#include "text/document.hpp"

namespace bayplan::study {

/// The sentence with which ECS was seen to refuse what the finding tells, with the names and numbers of `request`;
/// nothing where no answer is on record, or where it names something that the finding does not.
std::optional<std::string> server_words(const rules::Sentences& sentences, const lint::LintFinding& finding,
                                        text::Value request);

}  // namespace bayplan::study
