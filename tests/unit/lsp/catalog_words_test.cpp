#include "lsp/catalog_words.hpp"

#include "catch.hpp"

namespace {

using namespace bayplan::lsp;
using Wants = ExpressionPlace::Wants;

}  // namespace

TEST_CASE("lsp expressions - what may come next") {
  CHECK(place_in_expression("").wants == Wants::kSubject);
  CHECK(place_in_expression("attr").wants == Wants::kSubject);
  CHECK(place_in_expression("attr").word == 4);
  CHECK(place_in_expression("attribute:").wants == Wants::kAttribute);
  CHECK(place_in_expression("attribute:ecs.i").word == 5);
  CHECK(place_in_expression("attribute:ecs.instance-type ").wants == Wants::kNothing);
  CHECK(place_in_expression("attribute:ecs.instance-type == ").wants == Wants::kInstanceType);
  CHECK(place_in_expression("attribute:ecs.instance-type =~ g4dn").word == 4);
  CHECK(place_in_expression("attribute:ecs.instance-type in [p3.2xlarge, p").wants == Wants::kInstanceType);
  CHECK(place_in_expression("attribute:ecs.os-type == ").wants == Wants::kNothing);
  CHECK(place_in_expression("attribute:ecs.os-type == linux && ").wants == Wants::kSubject);
  CHECK(place_in_expression("attribute:a == b and attribute:ecs.instance-type != p").wants == Wants::kInstanceType);
}
