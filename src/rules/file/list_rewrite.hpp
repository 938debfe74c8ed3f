#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/finding.hpp"
#include "model/placeholder.hpp"
#include "shape/check.hpp"

namespace bayplan::rules {

/// How a value would look as what the schema wants.
struct Rewrite {
  std::string text;         ///< JSON, members as the API spells them.
  bool complete = false;    ///< Says all that the value said: may replace it.
  std::vector<Edit> edits;  ///< That write it into the file; empty where the text around it does not allow that.
};

/// Who spells the members of objects in the file.
enum class MemberSpelling : std::uint8_t { kApi, kCloudFormation };

/// Rewrites a value as the expected list (or list element), for `Problem::kNotAList`; nothing when what was meant
/// is unknown. For an element the edits rewrite all scalars of the list: they are one finding.
std::optional<Rewrite> as_list(const shape::ShapeFinding& finding, const model::Placeholders& placeholders,
                               MemberSpelling spelling);

/// Rewrites a map as one object per member, for `Problem::kMapInList`.
std::optional<Rewrite> as_elements(const shape::ShapeFinding& finding, MemberSpelling spelling);

/// Rewrites a value as the expected object, for `Problem::kWrongType`: a list of names and values as a map, the command
/// of a health check as a health check, a list of one as what it holds.
std::optional<Rewrite> as_object(const shape::ShapeFinding& finding, MemberSpelling spelling);

}  // namespace bayplan::rules
