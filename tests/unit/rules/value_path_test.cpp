#include "rules/house/value_path.hpp"

#include "catch.hpp"

namespace value_path_test {

using namespace bayplan;

namespace {

/// "containerDefinitions *each* image"; the words of an error behind "error: ".
std::string steps(std::string_view text) {
  const auto path = rules::parse_value_path(text);
  if (!path) return "error: " + path.error().message + "; " + path.error().help;
  std::string words = path->is_from_root ? "$" : "";
  for (const auto& step : path->steps) {
    words += words.empty() ? "" : " ";
    const bool is_named = step.kind == rules::PathStep::Kind::kNamed;
    words += step.kind == rules::PathStep::Kind::kEachOne ? "*each*" : is_named ? "'" + step.name + "'" : step.name;
  }
  return words;
}

}  // namespace

TEST_CASE("a path of a house rule has keys, names, and every element") {
  CHECK(steps("family") == "family");
  CHECK(steps("containerDefinitions[*].image") == "containerDefinitions *each* image");
  CHECK(steps("containerDefinitions[web].portMappings[8080].hostPort") ==
        "containerDefinitions 'web' portMappings '8080' hostPort");
  CHECK(steps("dockerLabels[\"com.example/[team]\"]") == "dockerLabels 'com.example/[team]'");
  CHECK(steps("dockerLabels[\"*\"]") == "dockerLabels '*'");
  CHECK(steps("$.networkMode") == "$ networkMode");
}

TEST_CASE("a path of a house rule that names nothing says what is wrong") {
  const auto is_refused = [](std::string_view text, std::string_view why) {
    CAPTURE(text, steps(text));
    return steps(text).starts_with("error: ") && steps(text).find(why) != std::string::npos;
  };
  CHECK(is_refused("", "a key is missing"));
  CHECK(is_refused("a..b", "a key is missing"));
  CHECK(is_refused("a.", "a key is missing"));
  CHECK(is_refused("a[0]", "is an index"));
  CHECK(is_refused("a[", "missing ']'"));
  CHECK(is_refused("a[\"b]", "missing ']'"));
  CHECK(is_refused("a[]", "empty brackets"));
  CHECK(is_refused("a[*]b", "join keys with dots"));
  CHECK(is_refused("*.image", "is not a key"));
  CHECK(is_refused("a.$.b", "is not a key"));
}

}  // namespace value_path_test
