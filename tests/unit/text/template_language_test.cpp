// Statements of template languages: where they end, which branch stays, and what is none.
#include "text/template_language.hpp"

#include "catch.hpp"
#include "text/read.hpp"

namespace {

using namespace bayplan;

/// What is left of a text without its statements.
std::string without_statements(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text::template_statement_length(text, at);
    text.erase(at, length);
    if (length == 0) ++at;
  }
  return text;
}

}  // namespace

TEST_CASE("template statements - of several branches the first stays") {
  CHECK(without_statements("{% if a %}1{% elif b %}2{% else %}3{% endif %}4") == "14");
  CHECK(without_statements("{% if a %}1{% else %}{% if b %}2{% else %}3{% endif %}4{% endif %}5") == "15");
  CHECK(without_statements("{{ if a }}1{{ else if b }}2{{ else }}{{ range c }}3{{ end }}{{ end }}4") == "14");
  CHECK(without_statements("{{#a}}1{{/a}}{{^a}}2{{#b}}3{{/b}}{{/a}}4") == "14");
  CHECK(without_statements("{{#if a}}1{{else}}2{{/if}}{{#each b}}3{{^}}4{{/each}}5") == "135");
  CHECK(without_statements("<% if a %>1<% elsif b %>2<% else %>3<% end %>4") == "14");
  CHECK(without_statements("<% a.each do |b| %>1<% end %><% if (a) { %>2<% } else { %>3<% } %>4") == "124");
  CHECK(without_statements("%{ if a ~}1%{~ else }2%{ endif }%{ for b in c }3%{ endfor }") == "13");
}

TEST_CASE("template statements - an else that nothing ends takes nothing with it") {
  CHECK(without_statements("1{% else %}2") == "12");
  CHECK(without_statements("{{ else }}" + std::string(20000, 'x') + "{{ end }}") == std::string(20000, 'x'));
}

TEST_CASE("template statements - values and what programs print are none") {
  for (const std::string text :
       {"{{ name }}", "{{ .Values.end }}", "{{ ending }}", "{{ block }}", "{{ template.image }}", "{{{ raw }}}",
        "%{http_code}", "<%= x %>", "<%% x %>", "${x}", "{# \"a\": 1 # x", "{{ if", "<NAME>"}) {
    CAPTURE(text);
    CHECK(text::template_statement_length(text, 0) == 0);
  }
}

TEST_CASE("template statements - the text behind them tells its format") {
  const std::string json = "\n  {\"family\": \"web\", \"cpu\": 1}\n";
  const std::string yaml = "\nfamily: web\ncpu: 1\n";
  for (const std::string head :
       {"{# note #}", "{# over\nlines #}", "{% set a = 1 %}", "{%- set a = {\"b\": 1,\n\"c\": 2} %}", "{{/* note */}}",
        "{{- $x := 1 -}}", "<% a = 1 %>", "<%# a %>", "%{ if a }", "{{! note }}", "{{!-- a\nb --}}", "{{#if x}}"}) {
    for (const auto format : {std::optional<text::Format>(), std::optional(text::Format::kJson)}) {
      CAPTURE(head, format.has_value());
      const auto document = text::read_document(head + json, {.format = format});
      CHECK(document->faults().empty());
      CHECK(document->root().find("cpu").integer() == 1);
    }
    for (const auto format : {std::optional<text::Format>(), std::optional(text::Format::kYaml)}) {
      CAPTURE(head, format.has_value());
      const auto document = text::read_document(head + yaml, {.format = format});
      CHECK(document->faults().empty());
      CHECK(document->root().find("cpu").integer() == 1);
    }
    CHECK_FALSE(text::template_language(head + json, text::Format::kJson).empty());
    CHECK_FALSE(text::template_language(head + yaml, text::Format::kYaml).empty());
  }
}

TEST_CASE("template language - strings and plain placeholders make no template") {
  CHECK(text::template_language(R"({"a": "{% if %}", "b": ${X}, "c": {{ x }}, "d": <NAME>})", text::Format::kJson)
            .empty());
  CHECK(text::template_language(R"([{{"name": 1}}])", text::Format::kJson).empty());
  CHECK(text::template_language("a: {{ x }}\nb: ${X} {% if %}\n", text::Format::kYaml).empty());
  CHECK(text::template_language("a: |\n  {% if %}\n\n  {{ x }}\nb: 1\n", text::Format::kYaml).empty());
  CHECK_FALSE(text::template_language("a: |\n  x\nb: 1\n{% if %}\n", text::Format::kYaml).empty());
  CHECK(text::template_language("a: 1\n{{ include \"b\" . }}\n", text::Format::kYaml) == "template");
  CHECK(text::template_language("{\"a\": ${jsonencode(\n[])}}", text::Format::kJson) == "Terraform template");
  CHECK(text::template_language(" ${\n  jsonencode(\n    [{ \"name\": a }]\n  )\n}\n", text::Format::kYaml) ==
        "Terraform template");
  CHECK(text::template_language("${X}: 1\n", text::Format::kYaml).empty());
  CHECK(text::is_jsonnet("a.jsonnet", "{}"));
  CHECK(text::is_jsonnet("a.json", "// a note\nlocal a = 1;\n{}"));
  CHECK_FALSE(text::is_jsonnet("a.yaml", "local: a\n"));
}
