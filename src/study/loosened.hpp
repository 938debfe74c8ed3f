#pragma once
#include <string>
#include <vector>

#include "placement/scenario.hpp"

namespace bayplan::study {

/// A memberOf constraint that asks for less.
struct Loosened {
  std::string without;  ///< The part that is left out.
  placement::Constraint constraint;
};

/// The constraint without one of the parts that must all hold, for each of them; empty where it is one part.
std::vector<Loosened> loosened(const placement::Constraint& constraint);

}  // namespace bayplan::study
