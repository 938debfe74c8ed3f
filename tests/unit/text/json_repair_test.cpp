#include "text/json_repair.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "span_check.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

using namespace bayplan;
using text::FaultKind;
using text::Kind;

namespace {

std::unique_ptr<const text::Document> read(std::string json) {
  return text::read_document(std::move(json), {.format = text::Format::kJson});
}

/// "line:column message" of every fault.
std::vector<std::string> faults(const text::Document& document) {
  std::vector<std::string> result;
  const text::LineIndex lines(document.source());
  for (const auto& fault : document.faults()) {
    const auto place = lines.location(fault.span.begin);
    result.push_back(std::to_string(place.line) + ":" + std::to_string(place.column) + " " + fault.message);
  }
  CHECK(first_broken_span(document).empty());
  return result;
}

using Faults = std::vector<std::string>;

/// The text with the edits of all faults applied.
std::string fixed(const text::Document& document) {
  std::vector<Edit> edits;
  for (const auto& fault : document.faults()) {
    if (fault.fix) edits.insert(edits.end(), fault.fix->edits.begin(), fault.fix->edits.end());
  }
  return text::apply(document.source(), std::move(edits)).text;
}

}  // namespace

TEST_CASE("json repair leaves JSON alone") {
  for (const char* json :
       {R"({"a": [1, -2.5e+3, "x\ny\u00e9\ud83d\ude00", null, true, false, {}, []], "b": {"c": ""}})",
        R"(["{{ ", " }}", "${join(",", x)}", "<%", "%>"])", R"({"a": "{{", "b": "}}", "c": ["{%"], "d": "%}"})",
        "[true, {\"a\": \"b\"}]", "\"x\"", "12", "null", "\t[ \r\n ]\n",
        R"(["}", "]", "//", "#", "...", "${X}", "<X>", "'", "“"])", R"({"a":"b\"c","d\\":"\\"})"}) {
    CAPTURE(json);
    const auto repair = text::repair_json(json);
    CHECK(repair.repaired.text == json);
    CHECK(repair.faults.empty());
    CHECK(repair.placeholders.empty());
  }
}

TEST_CASE("json trailing commas are found and safely fixed") {
  const auto document = read("{\"a\": [1, 2,],\n \"b\": {\"c\": 3,},\n}");
  CHECK(faults(*document) ==
        Faults{"1:12 trailing comma before ']'", "2:14 trailing comma before '}'", "2:16 trailing comma before '}'"});
  CHECK(document->faults()[0].kind == FaultKind::kTrailingComma);
  CHECK(document->faults()[0].fix->safe);
  CHECK(fixed(*document) == "{\"a\": [1, 2],\n \"b\": {\"c\": 3}\n}");
  CHECK(document->root().find("b").find("c").integer() == 3);
  CHECK(written(document->root().find("a")) == "[1, 2,]");
}

TEST_CASE("json comments are found") {
  const auto document = read("// head\n{\"a\": 1, # one\n /* two\n lines */ \"b\": \"http://x # y\" // three\n}\n");
  CHECK(faults(*document) == Faults{"1:1 comments are not allowed in JSON", "2:10 comments are not allowed in JSON",
                                    "4:31 comments are not allowed in JSON"});
  CHECK(document->faults()[0].kind == FaultKind::kComment);
  CHECK(document->root().find("b").text() == "http://x # y");
  CHECK(nlohmann::json::parse(fixed(*document))["a"] == 1);
}

TEST_CASE("json quotes of all kinds are read") {
  const auto curly = read("{“family”: “web”, \"a\": “b\"}");
  CHECK(faults(*curly) == Faults{"1:2 string in typographic quotes (and 2 more)"});
  CHECK(written(curly->root().find("family")) == "“web”");
  CHECK(fixed(*curly) == "{\"family\": \"web\", \"a\": \"b\"}");
  const auto single = read("{'a': 'it\\'s \"x\"', 'b': True, 'c': None}");
  CHECK(single->root().find("a").text() == "it's \"x\"");
  CHECK(single->root().find("b").boolean() == true);
  CHECK(single->root().find("c").is_null());
  const auto inner = read("{\"a\": \"say \"hi\" there\"}");
  CHECK(inner->root().find("a").text() == "say \"hi\" there");
}

TEST_CASE("json members in a list become one object") {
  const auto document = read("{\"resourceRequirements\": [ \"type\": \"GPU\", \"value\": \"1\" ]}");
  CHECK(faults(*document) == Faults{"1:28 keys in a list without enclosing { }"});
  const auto list = document->root().find("resourceRequirements");
  REQUIRE(list.size() == 1);
  CHECK(list.at(0).find("value").text() == "1");
  CHECK(written(list.at(0)) == "\"type\": \"GPU\", \"value\": \"1\"");
}

TEST_CASE("json snippets of tutorials come out usable") {
  const auto guide = read(R"({
  "containerDefinitions": [
     {
        "memory": 80,
        ...
        "resourceRequirements" : [
            {
               "type" : "GPU",
               "value" : "2"
            }
        ],
     },
  ...
}
)");
  CHECK(faults(*guide) == Faults{"5:9 '...' in place of omitted content (and 1 more)",
                                 "11:10 trailing comma before '}'", "14:1 missing ']' before this '}'"});
  const auto container = guide->root().find("containerDefinitions").at(0);
  CHECK(container.find("memory").integer() == 80);
  CHECK(container.find("resourceRequirements").at(0).find("value").text() == "2");

  const auto fragment = read("“resourceRequirements”: [\n  “type”: “GPU”,\n  “value”: “1”\n],\n");
  CHECK(faults(*fragment).size() == 3);
  CHECK(fragment->root().find("resourceRequirements").at(0).find("type").text() == "GPU");
}

TEST_CASE("json placeholders are values not known yet and no fault") {
  const auto document =
      read("{\"a\": ${MEMORY}, \"b\": <X>, \"c\": {{ x | y(\"z\") }}, \"d\": [%P%, __Q__, ${A}MB], \"e\": \"${S}\"}");
  CHECK(faults(*document).empty());
  const auto root = document->root();
  CHECK(root.find("a").kind() == Kind::kPlaceholder);
  CHECK(root.find("a").text() == "${MEMORY}");
  CHECK(written(root.find("b")) == "<X>");
  CHECK(root.find("c").text() == "{{ x | y(\"z\") }}");
  for (const auto element : root.find("d").children()) CHECK(element.kind() == Kind::kPlaceholder);
  CHECK(root.find("e").is_string());
  CHECK(faults(*read("{\n{% if gpu %}\n\"a\": 1,\n{% endif %}\n\"b\": 2\n}")).empty());
  CHECK(faults(*read("{\n{% if gpu %}\n\"a\": 1,\n{% endif %}\n\"b\": {{ b }}\n}")).empty());
}

TEST_CASE("json numbers and words of other languages are named") {
  const auto document = read(
      "{\"a\": NaN, \"b\": -Infinity, \"c\": 0x1F, \"d\": 007, \"e\": +1, \"f\": .5, \"g\": 1_000, \"h\": 512 MB, "
      "\"i\": 1e999}");
  CHECK(faults(*document) == Faults{"1:7 NaN is not a JSON value", "1:17 -Infinity is not a JSON value",
                                    "1:33 0x1F is not a JSON number", "1:44 007 is not a JSON number",
                                    "1:54 +1 is not a JSON number", "1:63 .5 is not a JSON number",
                                    "1:72 1_000 is not a JSON number", "1:84 unquoted value: 512 MB",
                                    "1:97 number is too large for JSON readers"});
  const auto root = document->root();
  CHECK(root.find("a").kind() == Kind::kPlaceholder);
  CHECK(root.find("c").integer() == 31);
  CHECK(root.find("d").integer() == 7);
  CHECK(document->faults()[3].help == "write 7, or \"007\" if it is text");
  CHECK(root.find("e").integer() == 1);
  CHECK(root.find("g").integer() == 1000);
  CHECK(root.find("h").text() == "512 MB");
}

TEST_CASE("json - a number of another language that is too large is told like any other") {
  const auto document = read("{\"a\": 01e610, \"b\": +1e999, \"c\": 5}");
  CHECK(faults(*document) ==
        Faults{"1:7 number is too large for JSON readers", "1:20 number is too large for JSON readers"});
  CHECK(document->root().find("a").kind() == Kind::kPlaceholder);
  CHECK(document->root().find("c").integer() == 5);
}

TEST_CASE("json - a sign inside of a hexadecimal number makes a word of it") {
  const auto document = read("{\"a\": 0x-1F, \"b\": -0x-e, \"c\": -0x1F, \"d\": 0xFFFFFFFFFFFFFFFF}");
  CHECK(document->root().find("a").text() == "0x-1F");
  CHECK(document->root().find("b").text() == "-0x-e");
  CHECK(document->root().find("c").integer() == -31);
  CHECK(document->root().find("d").text() == "18446744073709551615");
}

TEST_CASE("json commas colons quotes and brackets that are missing") {
  const auto document = read("{\"a\": 1 \"b\": 2\n \"c\": [1 2], d: 3, \"e\" 4, \"f\": , \"g\" = 5}");
  CHECK(faults(*document) == Faults{"1:8 missing comma after this value", "1:15 missing comma after this value",
                                    "2:9 missing comma after this value", "2:14 unquoted key: d",
                                    "2:23 missing ':' after this key", "2:31 key has no value",
                                    "2:38 '=' between key and value"});
  CHECK(document->root().find("g").integer() == 5);
  CHECK(document->root().find("f").kind() == Kind::kPlaceholder);
  CHECK(faults(*read("{\"a\": [1, 2}")) == Faults{"1:12 missing ']' before this '}'"});
  CHECK(faults(*read("[{\"a\": 1]")) == Faults{"1:9 missing '}' before this ']'"});
  CHECK(faults(*read("[{\"a\": 1, {\"b\": 2}]")) == Faults{"1:11 missing '}' before this object"});
  CHECK(faults(*read("{\"a\": 1]}")) == Faults{"1:8 unmatched ']'"});
  CHECK(faults(*read("{\"a\": {\"b\": 1")) == Faults{"1:7 unclosed '{'"});
  CHECK(faults(*read("{\"a\": \"x,\n \"b\": 2}")) == Faults{"1:7 unclosed string"});
  CHECK(faults(*read("{,\"a\": 1,, \"b\": 2}")) == Faults{"1:2 unexpected comma", "1:10 unexpected comma"});
}

TEST_CASE("json strings are mended") {
  const auto document = read("{\"a\": \"x\ny\", \"b\": \"t\tt\", \"c\": \"C:\\data\", \"d\": \"\\ud83d\"}");
  CHECK(faults(*document) == Faults{"1:9 unescaped line break in a string (and 1 more)",
                                    "2:25 \\d is not a JSON escape", "2:39 incomplete surrogate pair"});
  CHECK(document->root().find("a").text() == "x\ny");
  CHECK(document->root().find("b").text() == "t\tt");
  CHECK(document->root().find("c").text() == "C:\\data");
}

TEST_CASE("json text around is cut away") {
  CHECK(faults(*read("$ cat x.json\n{\"a\": 1}\n$ ls\n")) ==
        Faults{"1:1 text before the JSON", "3:1 text after the end of the JSON"});
  CHECK(faults(*read("[ec2-user@ip-10-0-0-1 ~]$ cat t\n[{\"a\": 1}]")) == Faults{"1:1 text before the JSON"});
  CHECK(faults(*text::read_document("```json\n{\"a\": 1}\n```\n")) ==
        Faults{"1:1 text before the JSON", "3:1 text after the end of the JSON"});
  CHECK(faults(*read("{\"a\": 1}}")) == Faults{"1:9 unmatched closing bracket"});
  CHECK(faults(*read("{\"a\": 1},\n")) == Faults{"1:9 comma after the end of the JSON"});
  CHECK(faults(*read("")) == Faults{"1:1 file is empty"});
  CHECK(faults(*read("hello world")) == Faults{"1:1 file is not JSON"});
}

TEST_CASE("json that cannot be understood keeps what came before") {
  const auto document = read("{\"a\": 1,\n \"b\": {\"c\": 2 :: 3}, \"d\": 4}");
  CHECK(faults(*document) == Faults{"2:15 unexpected ':', expected ',' or '}' after the value"});
  CHECK(document->root().find("b").find("c").integer() == 2);
  CHECK_FALSE(document->root().find("d"));
}

TEST_CASE("json duplicate keys are found in repaired text too") {
  const auto document = read("{// note\n\"cpu\": 1,\n\"cpu\": 2,}");
  REQUIRE(document->faults().size() == 3);
  CHECK(document->faults()[1].kind == FaultKind::kDuplicateKey);
  CHECK(written(*document, document->faults()[1].span) == "\"cpu\"");
  CHECK(document->faults()[1].related.at(0).span == Span{9, 14});
}

TEST_CASE("json of every depth is refused with one message") {
  const auto document = read(std::string(300, '[') + std::string(300, ']'));
  CHECK(faults(*document) == Faults{"1:201 nested deeper than 200 levels"});
  CHECK(faults(*read(std::string(199, '[') + "1," + std::string(199, ']'))).size() == 1);
}

TEST_CASE("json bare keys with backslashes become keys") {
  const auto repair = text::repair_json(R"({ke\y: 1, a\u00e9: 2, "b": 3})");
  CAPTURE(repair.repaired.text);
  const auto json = nlohmann::json::parse(repair.repaired.text, nullptr, false);
  REQUIRE_FALSE(json.is_discarded());
  CHECK(json.size() == 3);
  CHECK(json["b"] == 3);
}

TEST_CASE("json closings that are missing are put in from the inside out") {
  for (const auto& [text, wanted] : std::vector<std::pair<std::string, std::string>>{
           {R"({"r": ["type": [1 })", R"({"r": [{"type": [1]}]})"},
           {R"({"a": [{"b": [1 , }]})", R"({"a": [{"b": [1]}]})"},
           {R"([["a": {"b": 1 ], 2])", R"([[{"a": {"b": 1}}], 2])"},
       }) {
    const auto repair = text::repair_json(text);
    CAPTURE(text, repair.repaired.text);
    CHECK(nlohmann::json::parse(repair.repaired.text, nullptr, false) == nlohmann::json::parse(wanted));
  }
}

TEST_CASE("json members behind an object that closes too early are one mistake") {
  const auto document = read("{\"a\": [{\"b\": 1}, \"c\": 2, \"d\": 3}], \"e\": 4}");
  CHECK(faults(*document) == Faults{"1:18 keys in a list without enclosing { }"});
  CHECK(document->root().find("a").size() == 2);
  CHECK(document->root().find("e").text() == "4");
  // Without an object before them, or with no end of the list behind the brace, a bracket is missing.
  CHECK(faults(*read("{\"a\": [\"c\": 2}, \"e\": 4}")).size() > 1);
  CHECK(faults(*read("{\"a\": [{\"b\": 1}, \"c\": 2}, \"e\": 4}")).size() > 1);
}

TEST_CASE("a bare word that says fill me in is a value not known yet") {
  for (const char* word : {"REPLACE_ME", "REPLACE_WITH_MEMORY", "CHANGE_ME"}) {
    const auto document = bayplan::text::read_document(std::string("{\"a\": ") + word + ", \"b\": 1}");
    CHECK(document->root().find("a").kind() == bayplan::text::Kind::kPlaceholder);
    CHECK(document->faults().empty());
  }
  CHECK_FALSE(bayplan::text::read_document("{\"a\": REPLACED}")->faults().empty());
}

TEST_CASE("a template expression with quotes of its own ends no string") {
  const auto document =
      read(R"({"a": "x-{{ env "A" }}", "b": ["<%= ENV["B"] %>", "${c == "" ? "d" : "e"}"], "f": "{% if "g" %}h"})");
  CHECK(document->faults().empty());
  CHECK(document->root().find("a").text() == R"(x-{{ env "A" }})");
  CHECK(document->root().find("b").at(1).text() == R"(${c == "" ? "d" : "e"})");
  CHECK(document->root().size() == 3);
  CHECK(faults(*read(R"({"a": "an "odd" word"})")) ==
        Faults{"1:11 unescaped quote in a string", "1:15 unescaped quote in a string"});
}
