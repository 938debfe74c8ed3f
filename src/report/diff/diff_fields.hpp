#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "report/diff/diff_report.hpp"

namespace bayplan::report {

/// What became of a field: "changed", "added", "removed"; a word for programs too.
std::string_view kind_of(const study::FieldChange& change);

/// "+ containerDefinitions[web].environment[LR]"; `+` was not there, `-` is not there any more.
std::string field_words(const study::FieldChange& change);

/// What one side says, quoted where it could be misread, and whether a placeholder stands there; a long text is cut in
/// the middle unless `whole`.
std::string side_words(const study::FieldSide& side, bool whole);

/// Where it stands in NEW; of what is removed, in OLD.
std::string place_of(const DiffTold& told, const study::DefinitionDiff& diff, const study::FieldChange& change);

/// Where one side says it; nothing when it does not.
std::optional<DiffTold::Place> place_before(const DiffTold& told, const study::DefinitionDiff& diff,
                                            const study::FieldChange& change);
std::optional<DiffTold::Place> place_after(const DiffTold& told, const study::DefinitionDiff& diff,
                                           const study::FieldChange& change);

}  // namespace bayplan::report
