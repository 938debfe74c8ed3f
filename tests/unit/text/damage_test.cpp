// Realistic texts cut off and flipped at every byte: whatever is left is read without a crash and with spans in order.
#include "span_check.hpp"
#include "text/read.hpp"

namespace damage_test {

using namespace bayplan;
using text::Format;

namespace {

constexpr std::string_view kStrict = R"({
  "family": "gpu-train",
  "requiresCompatibilities": ["EC2"],
  "containerDefinitions": [
    {"name": "train\n\u00e9", "image": "repo/train:1", "memory": 8192, "essential": true,
     "resourceRequirements": [{"type": "GPU", "value": "2"}], "environment": [{"name": "A", "value": ""}], "x": null, "y": -1.5e3}
  ]
}
)";

constexpr std::string_view kLenient = R"($ cat x.json
{ // note
  'family': “web”, cpu: 0x100, "memory": ${MEMORY},
  "containerDefinitions": [ { "name": <X>, ... "resourceRequirements": [ "type": "GPU", "value": "1", ] }, ],
  "a": True, "b" 2 /* c */ "c": "say "hi" \d", "d": {{ x }}, "e": [1 2}
)";

constexpr std::string_view kYaml = R"(family: gpu-train # note
base: &base {cpu: 1, list: [a, "b", 'it''s']}
containerDefinitions:
  - name: "train\n"
    script: |
      one
       two
    folded: >-
      x
      y
    image: !Sub repo/${X}
    empty:
    other: *base
  - <<: *base
    ? memory
    : 0x1F
  - !Sub |
    {
    }
)";

constexpr std::string_view kTemplate = R"(family: {{ family }}
{% if gpu %}
memory: ${MEMORY}
{% endif %}
ports: [{{ a }}, <B>]
text: "x: {{ y }}"
)";

void check(std::string content, Format format, std::size_t place) {
  const auto document = text::read_document(std::move(content), {.format = format});
  const auto& source = document->source();
  const bool is_expanded = document->format() == Format::kYaml && source.find('*') != std::string::npos;
  const std::string broken = first_broken_span(*document, is_expanded);
  if (broken.empty()) return;
  CAPTURE(place, source);
  FAIL_CHECK(broken);
}

}  // namespace

TEST_CASE("every prefix of a text is read in order") {
  const auto [content, format] = GENERATE(table<std::string_view, Format>(
      {{kStrict, Format::kJson}, {kLenient, Format::kJson}, {kYaml, Format::kYaml}, {kTemplate, Format::kYaml}}));
  for (std::size_t length = 0; length <= content.size(); ++length)
    check(std::string(content.substr(0, length)), format, length);
  SUCCEED();
}

TEST_CASE("every flipped byte of a text is read in order") {
  const auto [content, format] = GENERATE(table<std::string_view, Format>(
      {{kStrict, Format::kJson}, {kLenient, Format::kJson}, {kYaml, Format::kYaml}, {kTemplate, Format::kYaml}}));
  for (std::size_t i = 0; i < content.size(); ++i) {
    for (const char mask : {'\x01', '\x04', '\x10', '\x20', '\x40', '\x80', content[i]}) {
      std::string flipped(content);
      flipped[i] = static_cast<char>(flipped[i] ^ mask);
      check(std::move(flipped), format, i);
    }
  }
  SUCCEED();
}

TEST_CASE("every byte left out or doubled is read in order") {
  const auto [content, format] = GENERATE(table<std::string_view, Format>(
      {{kStrict, Format::kJson}, {kLenient, Format::kJson}, {kYaml, Format::kYaml}, {kTemplate, Format::kYaml}}));
  for (std::size_t i = 0; i < content.size(); ++i) {
    check(std::string(content).erase(i, 1), format, i);
    check(std::string(content).insert(i, 1, content[i]), format, i);
  }
  SUCCEED();
}

}  // namespace damage_test
