#include "report/timeline/numbered_names.hpp"

#include <algorithm>
#include <string>

#include "catch.hpp"

using bayplan::report::NumberedNames;

TEST_CASE("numbered names are drawn together by name") {
  NumberedNames names;
  for (const int number : {3, 1, 2, 5}) names.add("train", number);
  names.add("web", 2);
  CHECK(names.text() == "train#1-3,5 web#2");
}

TEST_CASE("numbered names - without a number three are named") {
  NumberedNames names;
  for (const char* id : {"i-1", "i-2", "i-3", "i-4", "i-5"}) names.add_unnumbered(id);
  CHECK(names.text() == "i-1 i-2 i-3 and 2 more");
}

TEST_CASE("numbered names - very many are cut, and counted") {
  NumberedNames names;
  for (int number = 0; number < 1000; number += 2) names.add("train", number);
  const auto text = names.text();
  CHECK(text.substr(0, 12) == "train#0,2,4,");
  CHECK(text.size() < 80);
  const auto shown = std::count(text.begin(), text.end(), ',') + 1;
  CHECK(text.find(" and " + std::to_string(500 - shown) + " more") != std::string::npos);
}
