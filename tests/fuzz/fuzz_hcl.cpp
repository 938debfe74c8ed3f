// Any bytes as Terraform code, in its own syntax or in JSON: no crash, no endless evaluation; the tree and its faults
// lie inside the text.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz.hpp"
#include "importers/definition_file.hpp"
#include "importers/terraform_code.hpp"
#include "shape/request_schemas.hpp"

using namespace bayplan;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const shape::RequestSchemas schemas;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  // The first byte chooses the syntax: JSON begins with a brace.
  const auto* const name = bytes.starts_with('{') ? "main.tf.json" : "main.tf";
  const auto document = importers::read_terraform_code(bytes, name, {}).document;
  require(first_broken_fault(*document).empty(), first_broken_fault(*document));
  const auto length = document->source().size();
  for (std::uint32_t i = 0; i < document->node_count(); ++i) {
    const auto value = document->node(i);
    require(value.span().begin <= value.span().end && value.span().end <= length, "outside of the text");
    require(value.key_span().begin <= value.key_span().end && value.key_span().end <= length,
            "a key outside of the text");
  }
  importers::read_subjects(*document, importers::DefinitionForm::kPlan, {}, schemas, {});
  return 0;
}
