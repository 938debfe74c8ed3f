#include "model/variables.hpp"

#include "catch.hpp"
#include "text/read.hpp"

using namespace bayplan;
using model::Dollars;
using model::Variables;

namespace {

const Variables kVariables{
    {"X", "512"}, {"image", "nginx:1"}, {"quote", "a\"b\\c"}, {"lines", "a\nb"}, {"a.b", "dotted"}};

std::string filled(const std::string& text, text::Format format = text::Format::kJson,
                   Dollars dollars = Dollars::kOfTemplate) {
  const auto document = text::read_document(text, {.format = format});
  const auto result = model::fill_in(*document, kVariables, dollars);
  return result ? result->edited.text : "unchanged";
}

}  // namespace

TEST_CASE("every placeholder of the contract takes its value, quoted and bare") {
  for (const char* placeholder : {"${X}", "{{ X }}", "{{X}}", "<X>", "%X%", "__X__", "#{X}#", "$X", "@X@", "$(X)",
                                  "((X))", "%{X}", "@{X}", "%(X)s"}) {
    CAPTURE(placeholder);
    const std::string bare = std::string("{\"memory\": ") + placeholder + ", \"cpu\": 1}";
    CHECK(filled(bare) == "{\"memory\": 512, \"cpu\": 1}");
    const std::string quoted = std::string("{\"memory\": \"") + placeholder + "\"}";
    CHECK(filled(quoted) == "{\"memory\": \"512\"}");
    const std::string yaml = std::string("memory: \"") + placeholder + "\"\n";
    CHECK(filled(yaml, text::Format::kYaml) == "memory: \"512\"\n");
  }
}

TEST_CASE("bare placeholders of YAML take their value") {
  for (const char* placeholder : {"${X}", "{{ X }}", "<X>", "%X%", "__X__", "$X", "@X@"}) {
    CAPTURE(placeholder);
    CHECK(filled(std::string("family: a\nmemory: ") + placeholder + "\ncpu: 1\n", text::Format::kYaml) ==
          "family: a\nmemory: 512\ncpu: 1\n");
  }
}

TEST_CASE("a member without a value where the text ends is left as it is") {
  CHECK(filled("{\"family:\" \"a-${X}\", \"containerDef:") == "{\"family:\" \"a-512\", \"containerDef:");
}

TEST_CASE("names in placeholders") {
  CHECK(model::name_in_placeholder("${X:-256}") == "X");
  CHECK(model::name_in_placeholder("${X-256}") == "X");
  CHECK(model::name_in_placeholder("${X:?unset}").empty());
  CHECK(model::name_in_placeholder("${upper(X)}").empty());
  CHECK(model::name_in_placeholder("{{ .Values.image }}") == "Values.image");
  CHECK(model::name_in_placeholder("{{ X | default(1) }}").empty());
  CHECK(model::name_in_placeholder("{{ must_env `X` }}") == "X");
  CHECK(model::name_in_placeholder("{{ env \"X\" \"256\" }}") == "X");
  CHECK(model::name_in_placeholder("{{ environment }}") == "environment");
  CHECK(model::name_in_placeholder("<your image>").empty());
  CHECK(model::name_in_placeholder("$X") == "X");
  CHECK(model::name_in_placeholder("$").empty());
}

TEST_CASE("values are escaped where they stand inside quotes") {
  CHECK(filled(R"({"a": "${quote}"})") == R"({"a": "a\"b\\c"})");
  CHECK(filled(R"({"a": "-${lines}-"})") == R"({"a": "-a\nb-"})");
  CHECK(filled("a: '${quote}'\n", text::Format::kYaml) == "a: 'a\"b\\c'\n");
  CHECK(filled("a: ${lines}\n", text::Format::kYaml) == "unchanged");
  CHECK(filled("a: |\n  ${lines}\n", text::Format::kYaml) == "unchanged");
}

TEST_CASE("parts of texts and keys are filled in") {
  CHECK(filled(R"({"image": "${image}@${a.b}", "${X}": 1})") == R"({"image": "nginx:1@dotted", "512": 1})");
  CHECK(filled("image: ${image}-x\n", text::Format::kYaml) == "image: nginx:1-x\n");
}

TEST_CASE("what is the shell's, escaped, unknown or part of a word stays") {
  CHECK(filled(R"j({"command": ["echo $X ${X} $(X)"], "healthCheck": {"command": ["CMD", "$X"]}})j") == "unchanged");
  CHECK(filled(R"({"command": ["echo {{ X }}"]})") == R"({"command": ["echo 512"]})");
  CHECK(filled(R"({"command": "${X}"})") == R"({"command": "512"})");
  CHECK(filled(R"({"a": "$$X $${X} a__X__b ${Y}"})") == "unchanged");
}

TEST_CASE("in a template of CloudFormation the dollars are not ours") {
  CHECK(filled(R"({"a": "${X} {{ X }}"})", text::Format::kJson, Dollars::kOfCloudFormation) == R"({"a": "${X} 512"})");
}

TEST_CASE("an alias of YAML is filled in once") {
  CHECK(filled("a: &x ${X}\nb: *x\n", text::Format::kYaml) == "a: &x 512\nb: *x\n");
}

TEST_CASE("what is filled in points to the text as it was") {
  const std::string source = R"({"family": "a-${X}-long", "memory": ${X}, "b": [1]})";
  const auto document = text::read_document(source, {.format = text::Format::kJson});
  const auto result = model::fill_in(*document, kVariables);
  REQUIRE(result);
  CHECK(result->variables == std::set<std::string, std::less<>>{"X"});
  REQUIRE(result->places.size() == 2);
  CHECK(source.substr(result->places[1].begin, result->places[1].length()) == "${X}");
  const text::Origin origin{document->shared_source(), result->edited.offsets, {}};
  const auto read = text::read_document(result->edited.text, {.format = text::Format::kJson, .origin = &origin});
  CHECK(read->source() == source);
  const auto at = [&](Span span) { return source.substr(span.begin, span.length()); };
  CHECK(read->root().find("family").text() == "a-512-long");
  CHECK(at(read->root().find("family").span()) == "\"a-${X}-long\"");
  CHECK(read->root().find("memory").integer() == 512);
  CHECK(at(read->root().find("memory").span()) == "${X}");
  CHECK(at(read->root().find("b").key_span()) == "\"b\"");
  CHECK(read->faults().empty());
}

TEST_CASE("a fix of the text survives where it touches no value that was filled in") {
  const auto fixes_of = [](const std::string& source) {
    const auto document = text::read_document(source, {.format = text::Format::kJson});
    const auto result = model::fill_in(*document, Variables{{"X", "long, long"}});
    REQUIRE(result);
    const text::Origin origin{document->shared_source(), result->edited.offsets, {}};
    const auto read = text::read_document(result->edited.text, {.format = text::Format::kJson, .origin = &origin});
    std::vector<std::string> seen;
    for (const auto& fault : read->faults()) {
      seen.push_back(fault.fix ? source.substr(fault.fix->edits.at(0).span.begin, 1) : "none");
    }
    return seen;
  };
  CHECK(fixes_of(R"({"a": "${X}", "b": [1,],})") == std::vector<std::string>{",", ","});
  CHECK(fixes_of(R"({"a": ${X}})").at(0) == "none");
}

TEST_CASE("values fill a text up to a limit, and the placeholder beyond it is named") {
  const auto document = text::read_document(
      R"({"a": "${LONG}", "b": "${LONG}", "c": "${LAST}", "d": "${LONG} ${LATER}"})", {.format = text::Format::kJson});
  const auto fill = [&](std::size_t last) {
    const Variables variables{
        {"LONG", std::string(model::kMaxFilledIn / 4, 'x')}, {"LAST", std::string(last, 'x')}, {"LATER", "x"}};
    auto result = model::fill_in(*document, variables);
    REQUIRE(result);
    return *std::move(result);
  };
  const auto all = fill((model::kMaxFilledIn / 4) - 1);  // and one byte of LATER
  CHECK_FALSE(all.beyond);
  CHECK(all.places.size() == 5);
  CHECK(all.edited.text.size() > model::kMaxFilledIn);
  const auto too_much = fill(model::kMaxFilledIn / 4);
  REQUIRE(too_much.beyond);
  CHECK(document->source().substr(too_much.beyond->begin, too_much.beyond->length()) == "${LATER}");
  CHECK(too_much.edited.text.empty());
  // Of what is not filled in any more it is still told that it was asked for.
  const auto early = fill(model::kMaxFilledIn);
  REQUIRE(early.beyond);
  CHECK(document->source().substr(early.beyond->begin, early.beyond->length()) == "${LAST}");
  CHECK(early.variables == std::set<std::string, std::less<>>{"LAST", "LATER", "LONG"});
}
