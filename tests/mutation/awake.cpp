// The program itself with a mutant awake: BAYPLAN_MUTANT names it. For the golden cases.
#include <cstdlib>

#include "mutation.hpp"

namespace bayplan::mutation {
namespace {

Number chosen() {
  const char* text = std::getenv("BAYPLAN_MUTANT");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

}  // namespace

State state{chosen()};

}  // namespace bayplan::mutation
