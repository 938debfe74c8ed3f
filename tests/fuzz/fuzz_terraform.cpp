// Any bytes as a plan or state: no crash; subjects lie inside the text, each node has its origin and a pointer,
// whether all of the text is kept or only what matters.
#include <cstddef>
#include <cstdint>

#include "fuzz.hpp"
#include "importers/terraform.hpp"
#include "shape/request_schemas.hpp"
#include "text/read.hpp"

using namespace bayplan;

namespace {

void check_subject(const importers::Subject& subject, const text::Document& file) {
  const auto& document = *subject.document;
  require(!document.root() || subject.origins.size() == document.node_count(), "a node without origin");
  require(first_broken_fault(document).empty(), first_broken_fault(document));
  for (std::uint32_t i = 0; i < document.node_count(); ++i) {
    const auto value = document.node(i);
    require(subject.origins[i] < file.node_count(), "an origin that is no node");
    require(value.span().begin <= value.span().end && value.span().end <= file.source().size(), "outside of the text");
    require(value.key_span().begin <= value.key_span().end && value.key_span().end <= file.source().size(),
            "a key outside of the text");
    if (i % 16 != 0) continue;  // a pointer costs a walk
    importers::pointer_in_file(subject, file, value.pointer());
    importers::pointer_in_file(subject, file, value.pointer() + "/memory");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const shape::RequestSchemas schemas;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const auto& keep : {text::RetentionRule(), text::RetentionRule(importers::matters_to_terraform)}) {
    const auto document = text::read_document(bytes, {.format = text::Format::kJson, .keep = keep});
    for (const auto& subject : importers::read_terraform(*document, schemas)) check_subject(subject, *document);
  }
  return 0;
}
