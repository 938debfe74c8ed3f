#pragma once
#include <string>

#include "bayplan/version.hpp"

namespace bayplan::v0 {

/// An assumption of an answer: an estimate, a tie, a choice that ECS does not document. IDs never change;
/// docs/assumptions.md lists them.
struct Assumption {
  std::string id;       ///< "memory-estimated"
  std::string subject;  ///< Instance, type, service ... that it applies to; may be empty.
  std::string text;     ///< One sentence, no period.

  bool operator==(const Assumption&) const = default;
};

}  // namespace bayplan::v0
