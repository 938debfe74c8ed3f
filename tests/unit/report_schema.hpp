#pragma once
#include <string>

#include "base/files.hpp"
#include "catch.hpp"
#include "model/placeholder.hpp"
#include "shape/check.hpp"
#include "support/in_sources.hpp"
#include "text/read.hpp"

namespace bayplan {

/// Fails the test for each place at which the JSON is not as the published schema says: "whatif-report".
inline void check_against_schema(const std::string& json, const std::string& schema_name) {
  const auto text = DiskFiles().read(in_sources("schemas/") + schema_name + ".schema.json", 1 << 20);
  REQUIRE(text.ok());
  const auto schema = shape::Schema::load(*text);
  INFO((schema.ok() ? "" : schema.error().message));
  REQUIRE(schema.ok());
  const auto document = text::read_document(json);
  for (const auto& finding : shape::check(*schema, document->root(), model::Placeholders()))
    FAIL_CHECK(finding.node.pointer() << ": " << shape::name_of(finding.problem) << " " << finding.key);
}

}  // namespace bayplan
