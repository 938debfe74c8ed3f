#pragma once
#include <string>

#include "bayplan/version.hpp"

namespace bayplan::v0 {

/// Something that an answer takes for granted: an estimate, a tie, a choice where ECS is silent. Ids are fixed and
/// listed in docs/assumptions.md.
struct Assumption {
  std::string id;       ///< "memory-estimated"
  std::string subject;  ///< Instance, type, service ... that it is about; may be empty.
  std::string text;     ///< One sentence, no full stop.

  bool operator==(const Assumption&) const = default;
};

}  // namespace bayplan::v0
