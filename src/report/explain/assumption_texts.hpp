#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::report {

/// What docs/assumptions.md says about an assumption: one row of one of its tables.
struct AssumptionText {
  std::string id;       ///< "tie-file-order"
  std::string section;  ///< Commands whose reports list it: "place", "whatif and sweep".
  std::string meaning;
  std::string settle;  ///< How a user settles it; may be empty.
};

/// Every row, in the order of the page. An assumption of several commands has a row for each that says something else.
std::vector<AssumptionText> assumption_texts();

/// The rows of one id; empty when there is none.
std::vector<AssumptionText> find_assumption(std::string_view id);

/// "docs/assumptions.md#whatif-and-sweep": the page with the row, from the root of the repository.
std::string assumption_page(const AssumptionText& text);

}  // namespace bayplan::report
