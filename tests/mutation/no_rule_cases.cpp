#include "case.hpp"

namespace bayplan::mutation {

std::vector<Case> rule_cases() {
  return {};
}

}  // namespace bayplan::mutation
