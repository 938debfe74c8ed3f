// Any bytes as a template, read with values for its placeholders: no crash; the document is still one of the template,
// and all of it lies inside. The first byte chooses: odd is YAML, even JSON.
#include <cstddef>
#include <cstdint>

#include "fuzz.hpp"
#include "model/variables.hpp"
#include "text/read.hpp"

using namespace bayplan;

namespace {

void check_places(const model::FilledText& filled, const std::string& source) {
  std::uint32_t last = 0;
  for (const Span place : filled.places) {
    require(place.begin >= last && place.end > place.begin && place.end <= source.size(), "places out of order");
    last = place.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const model::Variables variables{
      {"X", "512"}, {"Y", "a \"quoted\"\nline: #"}, {"Z", "[{\"name\": \"a\",}]"}, {"x.y", ""}};
  if (size == 0) return 0;
  const auto format = data[0] % 2 == 1 ? text::Format::kYaml : text::Format::kJson;
  const auto document =
      text::read_document(std::string(reinterpret_cast<const char*>(data) + 1, size - 1), {.format = format});
  for (const auto dollars : {model::Dollars::kOfTemplate, model::Dollars::kOfCloudFormation}) {
    auto filled = model::fill_in(*document, variables, dollars);
    if (!filled) continue;
    check_places(*filled, document->source());
    const text::Origin origin{document->shared_source(), filled->edited.offsets, document->faults()};
    const auto read = text::read_document(filled->edited.text, {.format = format, .origin = &origin});
    require(read->source() == document->source(), "another text");
    const auto broken = first_broken_span(*read, true);
    require(broken.empty(), broken);
  }
  return 0;
}
