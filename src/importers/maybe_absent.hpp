#pragma once
#include <optional>

#include "importers/subject.hpp"

namespace bayplan::importers {

/// The subject without the members and elements that code may leave out: what is unknown before a plan may be null,
/// except for attributes of resources. Nothing if there are none. A rule that reports with them and without them is
/// right whatever they come to.
std::optional<Subject> without_maybe_absent(const Subject& subject, const text::Document& file);

}  // namespace bayplan::importers
