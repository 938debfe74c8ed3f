#include "text/yaml_reader.hpp"

#include "catch.hpp"
#include "span_check.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace yaml_reader_test {

using namespace bayplan;
using text::FaultKind;
using text::Kind;
using text::Style;

namespace {

std::unique_ptr<const text::Document> read(std::string yaml, Limits limits = {}) {
  return text::read_document(std::move(yaml), {.format = text::Format::kYaml, .limits = limits});
}

/// "line:column message" of the only fault, or how many there are.
std::string only_fault(const text::Document& document) {
  if (document.faults().size() != 1) return std::to_string(document.faults().size()) + " faults";
  const auto& fault = document.faults()[0];
  const auto place = text::LineIndex(document.source()).location(fault.span.begin);
  return std::to_string(place.line) + ":" + std::to_string(place.column) + " " + fault.message;
}

std::string only_fault(std::string yaml) {
  return only_fault(*read(std::move(yaml)));
}

}  // namespace

TEST_CASE("yaml spans are exact in block style") {
  const auto document = read(R"(# a comment
family: web   # trailing
cpu: "256"
memory: '0.5 GB'
containerDefinitions:
  - name: nginx
    environment:
    - name: A
      value: it's
    essential: true
  - name: "side\ncar"
    command: [sh, -c, "a b", 3]
)");
  const auto root = document->root();
  REQUIRE(document->faults().empty());
  CHECK(first_broken_span(*document).empty());
  CHECK(written(root.find("family")) == "web");
  CHECK(root.find("family").style() == Style::kPlain);
  CHECK(written(*document, root.find("family").key_span()) == "family");
  CHECK(written(root.find("cpu")) == "\"256\"");
  CHECK(root.find("cpu").text() == "256");
  CHECK(root.find("cpu").style() == Style::kDoubleQuoted);
  CHECK(written(root.find("memory")) == "'0.5 GB'");
  CHECK(root.find("memory").style() == Style::kSingleQuoted);
  const auto first = root.find("containerDefinitions").at(0);
  CHECK(written(first.find("environment")) == "- name: A\n      value: it's");
  CHECK(written(first).substr(0, 11) == "name: nginx");
  CHECK(written(first).substr(written(first).size() - 15) == "essential: true");
  CHECK(first.find("essential").boolean() == true);
  const auto second = root.find("containerDefinitions").at(1);
  CHECK(second.find("name").text() == "side\ncar");
  CHECK(written(second.find("name")) == R"("side\ncar")");
  CHECK(written(second.find("command")) == R"([sh, -c, "a b", 3])");
  CHECK(second.find("command").at(3).integer() == 3);
  CHECK(second.find("command").at(1).pointer() == "/containerDefinitions/1/command/1");
}

TEST_CASE("yaml block and folded scalars have their whole text as span") {
  const auto document = read(
      "a: |\n  one\n\n  two\n\n# note\nb: >-  # c\n    x\n    y\nc: one\n  two\n\n  three\nd: |2\n    deep\n  less\ne: "
      "'q\n  r'\nf: |\n");
  const auto root = document->root();
  REQUIRE(document->faults().empty());
  CHECK(first_broken_span(*document).empty());
  CHECK(root.find("a").text() == "one\n\ntwo\n");
  CHECK(written(root.find("a")) == "|\n  one\n\n  two");
  CHECK(root.find("a").style() == Style::kBlock);
  CHECK(root.find("b").text() == "x y");
  CHECK(written(root.find("b")) == ">-  # c\n    x\n    y");
  CHECK(root.find("c").text() == "one two\nthree");
  CHECK(written(root.find("c")) == "one\n  two\n\n  three");
  CHECK(written(root.find("d")) == "|2\n    deep\n  less");
  CHECK(written(root.find("e")) == "'q\n  r'");
  CHECK(written(root.find("f")) == "|");
}

TEST_CASE("yaml empty values stand just after their colon or dash") {
  const auto document = read("a:\nb: # none\nc: {d: , e, f: }\ng:\n  -\n  - ~\nh: null\ni: &x\n");
  const auto root = document->root();
  REQUIRE(document->faults().empty());
  CHECK(first_broken_span(*document).empty());
  CHECK(root.find("a").is_null());
  CHECK(root.find("a").span() == Span{2, 2});
  CHECK(root.find("b").span() == Span{5, 5});
  CHECK(root.find("c").find("d").span() == Span{19, 19});
  CHECK(root.find("c").find("e").span() == Span{23, 23});
  CHECK(root.find("c").find("f").span() == Span{27, 27});
  CHECK(root.find("g").at(0).span() == Span{36, 36});
  CHECK(written(root.find("g").at(1)) == "~");
  CHECK(written(root.find("h")) == "null");
  CHECK(root.find("i").span().length() == 0);
}

TEST_CASE("yaml plain scalars follow the core schema") {
  const auto kind_of = [](const std::string& scalar) { return read("x: " + scalar)->root().find("x").kind(); };
  for (const char* text : {"~", "null", "Null", "NULL"}) CHECK(kind_of(text) == Kind::kNull);
  for (const char* text : {"true", "True", "TRUE", "false", "FALSE"}) CHECK(kind_of(text) == Kind::kBoolean);
  for (const char* text : {"0", "-12", "+3", "0777", "0o17", "0x1F", "9223372036854775807"})
    CHECK(kind_of(text) == Kind::kInteger);
  for (const char* text : {"1.5", "-.5", "1.", "1e3", ".inf", "-.INF", ".nan", "9223372036854775808"})
    CHECK(kind_of(text) == Kind::kNumber);
  for (const char* text : {"yes", "no", "on", "Off", "y", "1_000", "12:30:45", "2024-01-01", "tRUE", "nULL", ".", "+",
                           "0x", "1e", "e3", "--1", "\"1\"", "'true'"}) {
    CHECK(kind_of(text) == Kind::kString);
  }
  CHECK(read("x: 0x1F")->root().find("x").integer() == 31);
  CHECK(read("x: 0o17")->root().find("x").integer() == 15);
  CHECK(read("x: 0777")->root().find("x").integer() == 777);
  CHECK(read("x: +7")->root().find("x").integer() == 7);
  CHECK(read("x: !!str 12")->root().find("x").kind() == Kind::kString);
  CHECK(read("x: !!int \"12\"")->root().find("x").kind() == Kind::kInteger);
}

TEST_CASE("yaml tags are kept and stand outside of the span") {
  const auto document =
      read("a: !Ref Cluster\nb: !Sub \"x-${Y}\"\nc: !Join\n  - ','\n  - [a]\nd: !GetAtt [a, b]\ne: &q !Ref\n  z\n");
  const auto root = document->root();
  REQUIRE(document->faults().empty());
  CHECK(first_broken_span(*document).empty());
  CHECK(root.find("a").tag() == "!Ref");
  CHECK(written(root.find("a")) == "Cluster");
  CHECK(root.find("b").tag() == "!Sub");
  CHECK(written(root.find("b")) == "\"x-${Y}\"");
  CHECK(root.find("c").tag() == "!Join");
  CHECK(written(root.find("c")) == "- ','\n  - [a]");
  CHECK(written(root.find("d")) == "[a, b]");
  CHECK(written(root.find("e")) == "z");
}

TEST_CASE("yaml aliases and merge keys are expanded") {
  const auto document = read(R"(base: &base {cpu: 1, memory: 2}
more: &more
  memory: 3
  image: x
same: *base
one:
  memory: 9
  <<: *base
two:
  <<: [*more, *base]
  name: n
)");
  const auto root = document->root();
  REQUIRE(document->faults().empty());
  CHECK(written(root.find("same")) == "{cpu: 1, memory: 2}");
  CHECK(root.find("same").find("cpu").integer() == 1);
  CHECK(root.find("one").find("memory").integer() == 9);
  CHECK(root.find("one").find("cpu").integer() == 1);
  CHECK(root.find("one").size() == 2);
  CHECK(root.find("two").find("memory").integer() == 3);
  CHECK(root.find("two").find("cpu").integer() == 1);
  CHECK(root.find("two").size() == 4);
  CHECK(first_broken_span(*document, true).empty());
}

TEST_CASE("yaml with two byte order marks is refused, for the library counts neither") {
  const auto document = read(
      "\xEF\xBB\xBF\xEF\xBB\xBF"
      "a: 1\nb: 2\n");
  CHECK(
      document->source().starts_with("\xEF\xBB\xBF"
                                     "a"));
  CHECK_FALSE(document->root());
  REQUIRE_FALSE(document->faults().empty());
  CHECK(document->faults().front().message == "second byte order mark");
  CHECK(read("\xEF\xBB\xBF"
             "a: 1\n")
            ->root()
            .find("a"));
}

TEST_CASE("yaml that only the library cannot read is not called wrong") {
  const std::string ours = "bayplan cannot read this anchored text in a list, although YAML allows it";
  CHECK(only_fault("a:\n  - &x |\n    text\n    more\n") == "3:5 " + ours);
  CHECK(only_fault("a:\r\n  - &x |\r\n\r\n   text\r\n") == "4:4 " + ours);
  CHECK(only_fault("- &x one\n  two\n") == "2:3 " + ours);
  CHECK(read("a:\n  - &x |\n     text\n")->faults().empty());
  CHECK(only_fault("a:\n  - &x |\n     text\n   - b\n").find(ours) == std::string::npos);
  CHECK(only_fault("a:\n  - b: 1\n   c: 2\n").find(ours) == std::string::npos);
  CHECK(only_fault("a:\n  - &x\n    b: 1\n   c: 2\n").find(ours) == std::string::npos);
}

TEST_CASE("yaml alias bombs and cycles end in one fault") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    for (int k = 0; k < 8; ++k) bomb += ", " + alias;
    bomb += "]\n";
  }
  const auto document = read(bomb);
  REQUIRE(document->faults().size() == 1);
  CHECK(document->faults()[0].kind == FaultKind::kAliasExpansion);
  CHECK(document->node_count() < 200'000);
  CHECK(only_fault("a: &a [1, *a]") == "1:11 recursive alias");
  CHECK(only_fault("a: &x {b: *x}") == "1:11 recursive alias");
  CHECK(only_fault("a: &x {<<: *x}") == "1:12 recursive alias");

  std::string merges = "a0: &a0 {}\n";
  for (int i = 1; i < 60; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    merges += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {<<: [" + alias + ", " + alias + "]}\n";
  }
  CHECK(read(merges)->faults().size() == 1);
}

TEST_CASE("yaml faults stand where the mistake is") {
  CHECK(only_fault("a: 1\na: 2\n") == "2:1 duplicate key \"a\"");
  CHECK(only_fault("a: 1\n---\nb: 2\n") == "2:1 second YAML document");
  CHECK(only_fault("a: 1\n---\n") == "2:1 second YAML document");
  CHECK(only_fault("- a\nb: 1\n") == "2:1 content outside of the list or object above");
  CHECK(only_fault("a: \"x\nb: 1\n") == "1:4 unclosed quote");
  CHECK(only_fault("a: 'x\nb: 1") == "1:4 unclosed quote");
  CHECK(only_fault("a: [1, 2\nb: 3\n") == "1:4 unclosed '['");
  CHECK(only_fault("a: {b: [1]\n") == "1:4 unclosed '{'");
  CHECK(only_fault("a:\n\tb: 1\n") == "2:1 tab used for indentation");
  CHECK(only_fault("? [x]\n: 1\n") == "1:3 a list or map cannot be a key");
  CHECK(only_fault("a: b: c\n") == "1:5 unexpected ':'");
  CHECK(only_fault("a: @x\n") == "1:4 a value cannot start with this character");
  CHECK(only_fault("a: *nope\n") == "1:4 undefined anchor");
  CHECK(only_fault("a: 1\n}\n") == "2:1 unmatched closing bracket");
  CHECK(only_fault(std::string("a: \x04\nb: 1")) == "1:4 control character is not allowed in YAML");
  CHECK(only_fault("a: \"\\ud83d\\ude00\"") == "1:5 \\u escape is not a valid character");
  CHECK(only_fault("a: <<: b") != "0 faults");
}

TEST_CASE("yaml legal forms give no fault") {
  for (const char* yaml : {"%YAML 1.2\n---\na: 1\n...\n", "---\na: 1\n", "# only a comment\n", "", "a: 1\n...\n",
                           "a: 1\r\nb: 2\r\n", "? a\n: 1\n", "- - 1\n  - 2\n-\n  a: 1\n"}) {
    CAPTURE(yaml);
    const auto document = read(yaml);
    CHECK(document->faults().empty());
    CHECK(first_broken_span(*document).empty());
  }
  CHECK_FALSE(read("")->root());
}

TEST_CASE("yaml keeps what was read before a fault") {
  const auto document = read("family: web\ncpu: 256\nmemory: [1, 2\n");
  CHECK(document->faults().size() == 1);
  CHECK(document->root().find("cpu").integer() == 256);
  CHECK(first_broken_span(*document).empty());
}

TEST_CASE("yaml depth has a limit") {
  const auto document = read(std::string(300, '[') + std::string(300, ']'));
  CHECK(only_fault(*document) == "1:201 nested deeper than 200 levels");
  CHECK(read(std::string(199, '[') + std::string(199, ']'))->faults().empty());
  CHECK(read(std::string(20000, '['))->faults().at(0).kind == FaultKind::kTooDeep);
}

TEST_CASE("yaml templates become placeholders") {
  const auto document = read(R"(family: {{ family }}
cpu: ${CPU}
memory: <MEMORY>
{% if gpu %}
image: {{ repo }}:{{ tag | default("x") }}
{% endif %}
ports: [{{ a }}, ${B}]
- : 1
)");
  const auto clean = read(R"(family: {{ family }}
cpu: ${CPU}
memory: <MEMORY>
{% if gpu %}
image: {{ repo }}:{{ tag | default("x") }}
{% endif %}
ports: [{{ a }}, ${B}]
text: |
  {{ kept }}
)");
  CHECK(document->faults().size() == 1);
  REQUIRE(clean->faults().empty());
  CHECK(first_broken_span(*clean).empty());
  const auto root = clean->root();
  CHECK(root.find("family").kind() == Kind::kPlaceholder);
  CHECK(root.find("family").text() == "{{ family }}");
  CHECK(root.find("cpu").kind() == Kind::kPlaceholder);
  CHECK(root.find("memory").kind() == Kind::kPlaceholder);
  CHECK(root.find("image").text() == R"({{ repo }}:{{ tag | default("x") }})");
  CHECK(root.find("ports").at(0).text() == "{{ a }}");
  CHECK(root.find("ports").at(1).kind() == Kind::kPlaceholder);
  CHECK(root.find("text").text() == "{{ kept }}\n");
}

TEST_CASE("yaml block text keeps what looks like a template, and ends where it ends") {
  const auto document = read(R"(- name: {{ a }}
  text: |
    {{ kept }}
    cat x |
      {% if y %}
    tail
  image: {{ b }}
- >-
 {{ c }}
- {{ d }}
{{ include "more" . }}
)");
  REQUIRE(document->faults().empty());
  const auto root = document->root();
  CHECK(root.at(0).find("text").text() == "{{ kept }}\ncat x |\n  {% if y %}\ntail\n");
  CHECK(root.at(0).find("image").text() == "{{ b }}");
  CHECK(root.at(1).text() == "{{ c }}");
  CHECK(root.at(2).text() == "{{ d }}");
  CHECK(root.size() == 3);
}

TEST_CASE("yaml tagged blocks in lists are read though the library refuses them") {
  const auto document = read("a: !If\n  - x\n  - !Sub |\n    {\n      y\n    }\n  - z\nb: 1\n");
  REQUIRE(document->faults().empty());
  CHECK(first_broken_span(*document).empty());
  const auto block = document->root().find("a").at(1);
  CHECK(block.tag() == "!Sub");
  CHECK(block.text() == "{\n  y\n}\n");
  CHECK(written(block) == "|\n    {\n      y\n    }");
  CHECK(document->root().find("a").at(2).text() == "z");
  CHECK(document->root().find("b").integer() == 1);
}

TEST_CASE("yaml tag that ends at a letter outside of ASCII") {
  const auto document = read("a: !!int5\xEF\xBF\xBD \"3\nb: \"x\n");
  CHECK(first_broken_span(*document).empty());
  CHECK_FALSE(document->faults().empty());
}

TEST_CASE("yaml keys that begin with a colon do not hide the missing value before them") {
  const auto document = read("? memory\n:!0x1F : 2\n");
  const auto root = document->root();
  REQUIRE(root.size() == 2);
  CHECK(root.at(0).is_null());
  CHECK(root.at(0).span() == Span{8, 8});
  CHECK(root.at(1).key() == ":!0x1F");
  CHECK(written(*document, root.at(1).key_span()) == ":!0x1F");
}

TEST_CASE("yaml tags of nothing do not take the quoted key of the next line") {
  const auto document = read("a: !\n\"x\": 1\nb: !\n! y: 2\n");
  const auto root = document->root();
  REQUIRE(root.size() == 4);
  CHECK(root.at(0).text().empty());
  CHECK(root.at(0).span() == Span{4, 4});
  CHECK(written(*document, root.at(1).key_span()) == "\"x\"");
  CHECK(root.at(2).text().empty());
  CHECK(root.at(2).span() == Span{16, 16});
  CHECK(written(*document, root.at(3).key_span()) == "y");
}

TEST_CASE("tokens that YAML takes for a comment or cannot begin a value with are placeholders") {
  for (const char* token : {"#{X}#", "%X%", "@X@"}) {
    const auto document = bayplan::text::read_document(
        std::string("a: ") + token + "\nb: [" + token + ", 1]\nc: d # {X}\n", {.format = bayplan::text::Format::kYaml});
    CAPTURE(token);
    CHECK(document->faults().empty());
    CHECK(document->root().find("a").kind() == bayplan::text::Kind::kPlaceholder);
    CHECK(document->root().find("a").text() == token);
    CHECK(document->root().find("b").at(0).kind() == bayplan::text::Kind::kPlaceholder);
    CHECK(document->root().find("c").text() == "d");
  }
  const auto comment = bayplan::text::read_document("a: 1 #{X}#\nb: 2\n", {.format = bayplan::text::Format::kYaml});
  CHECK(comment->root().find("a").integer() == 1);
}

TEST_CASE("yaml reader - an empty block scalar takes no line that is not indented deeper") {
  const std::string text =
      "list:\n  - name: |\n?     key\n: 1\nb: |\n  t\nc:\n  |\n  own\nd:\n  - |\n   e\n  - |\n  - >-\n\n   f\n";
  const auto document = bayplan::text::read_document(text, {.format = bayplan::text::Format::kYaml});
  const auto root = document->root();
  REQUIRE(root);
  const auto source = [&](bayplan::text::Value value) {
    return document->source().substr(value.span().begin, value.span().length());
  };
  CHECK(source(root.find("list").at(0).find("name")) == "|");
  CHECK(root.find("key").integer() == 1);
  CHECK(source(root.find("b")) == "|\n  t");
  CHECK(source(root.find("c")) == "|\n  own");
  CHECK(source(root.find("d").at(0)) == "|\n   e");
  CHECK(source(root.find("d").at(1)) == "|");
  CHECK(source(root.find("d").at(2)) == ">-\n\n   f");
}

TEST_CASE("yaml reader - an anchor without a value leaves the next key its text") {
  for (const std::string key : {"~-", "null key", "&b ~"}) {
    CAPTURE(key);
    const std::string text = "x: &a\n" + key + ": 1\ny: &c ~\n";
    const auto document = bayplan::text::read_document(text, {.format = bayplan::text::Format::kYaml});
    CHECK(document->faults().empty());
    CHECK(first_broken_span(*document).empty());
    CHECK(document->root().find("x").span() == Span{5, 5});
    const bayplan::Span tilde = document->root().find("y").span();
    CHECK(document->source().substr(tilde.begin, tilde.length()) == "~");
  }
}

TEST_CASE("yaml reader - a tagged map that is broken off at its first key lies inside its parent") {
  for (const std::string text : {": !\n ? {:", "a: !\n ? {:", "a: !x &y\n\n ? [{:"}) {
    CAPTURE(text);
    const auto document = bayplan::text::read_document(text, {.format = bayplan::text::Format::kYaml});
    CHECK(document->faults().size() == 1);
    CHECK(first_broken_span(*document).empty());
  }
}

TEST_CASE("yaml reader - a key without a word leaves the next key its tilde") {
  const std::string text = "a:\n  - b: 5\n    ?\n~ k: 1\n";
  const auto document = bayplan::text::read_document(text, {.format = bayplan::text::Format::kYaml});
  const auto root = document->root();
  REQUIRE(root);
  CHECK(root.find("~ k").integer() == 1);
  CHECK(document->source().substr(root.find("~ k").key_span().begin, 3) == "~ k");
  CHECK(root.find("a").at(0).find("b").integer() == 5);
}

}  // namespace yaml_reader_test
