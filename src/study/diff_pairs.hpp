#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "study/diff_side.hpp"

namespace bayplan::study {

/// Which definition of OLD became which of NEW.
struct DefinitionPair {
  std::string name;
  std::optional<std::size_t> before;  ///< Index into DiffSide::definitions; nothing = a new definition.
  std::optional<std::size_t> after;   ///< Nothing = it is gone.
};

/// One definition on each side belong together whatever they are called; of several those of one family do, then those
/// of one name in their templates. In the order of NEW, then what is gone.
std::vector<DefinitionPair> pair_definitions(const DiffSide& before, const DiffSide& after);

}  // namespace bayplan::study
