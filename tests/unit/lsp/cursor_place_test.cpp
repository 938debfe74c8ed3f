#include "lsp/cursor_place.hpp"

#include "catch.hpp"

namespace {

using namespace bayplan::lsp;
using Kind = CursorPlace::Kind;

/// `^` in the text is the cursor. "containerDefinitions/*/name" is a path.
struct Seen {
  CursorPlace place;
  std::string text;

  std::string path() const {
    std::string path;
    for (const auto& step : place.path) path += (path.empty() ? "" : "/") + (step.is_element ? "*" : step.key);
    return path;
  }
  std::string word() const { return text.substr(place.word.begin, place.word.length()); }
};

Seen look(std::string text, bool is_yaml) {
  const auto cursor = text.find('^');
  text.erase(cursor, 1);
  const auto offset = static_cast<std::uint32_t>(cursor);
  return {is_yaml ? place_in_yaml(text, offset) : place_in_json(text, offset), text};
}

Seen json(std::string text) {
  return look(std::move(text), false);
}

Seen yaml(std::string text) {
  return look(std::move(text), true);
}

Seen hcl(std::string text) {
  const auto cursor = text.find('^');
  text.erase(cursor, 1);
  return {place_in_hcl(text, static_cast<std::uint32_t>(cursor)), text};
}

using Keys = std::set<std::string>;

}  // namespace

TEST_CASE("lsp cursor place - keys of JSON, however broken") {
  for (const std::string text :
       {R"({"family": "web", "^})", R"({"family": "web", "^"})", R"({"family": "web", ^})", R"({"family": "web",^)",
        "{\"family\": \"web\",\n  \"^\n}", "{\"family\": \"web\"\n  \"^", R"({^ "family": "web"})",
        R"({"^" "family": "web"})", "{\n  \"^\n  \"family\": \"web\"\n}", R"({"family": "web", mem^})"}) {
    INFO(text);
    const auto seen = json(text);
    CHECK(seen.place.kind == Kind::kKey);
    CHECK(seen.path().empty());
    CHECK(seen.place.present == Keys{"family"});
  }
}

TEST_CASE("lsp cursor place - what a completed key takes the place of") {
  auto seen = json(R"({"containerDefinitions": [{"name": "a", "mem^ory": 5}]})");
  CHECK(seen.path() == "containerDefinitions/*");
  CHECK(seen.word() == "\"memory\"");
  CHECK(seen.place.typed == "mem");
  CHECK(seen.place.has_colon);
  CHECK(seen.place.present == Keys{"name"});
  CHECK(seen.place.root_keys == Keys{"containerDefinitions"});

  seen = json(R"({"containerDefinitions": [{"name": "a", "mem^ }], "family": "web"})");
  CHECK(seen.word() == "\"mem");
  CHECK(seen.place.root_keys == Keys{"containerDefinitions", "family"});
  CHECK_FALSE(seen.place.wants_comma);

  seen = json("{\"mem^\n \"family\": \"web\"}");
  CHECK(seen.word() == "\"mem");
  CHECK(seen.place.wants_comma);
  CHECK(seen.place.present == Keys{"family"});
  CHECK_FALSE(seen.place.lacks_comma);
}

TEST_CASE("lsp cursor place - the member before lacks its comma") {
  CHECK(json("{\"family\": \"web\"\n  \"mem^\"\n}").place.lacks_comma == 16);
  CHECK(json("{\"family\": \"web\" // a name\n  \"mem^").place.lacks_comma == 16);
  CHECK(json("{\"volumes\": []\n  mem^\n}").place.lacks_comma == 14);
  CHECK_FALSE(json("{\"family\": \"web\",\n  \"mem^\"\n}").place.lacks_comma);
  CHECK_FALSE(json("{\n  \"mem^\"\n  \"family\": \"web\"\n}").place.lacks_comma);
}

TEST_CASE("lsp cursor place - values of JSON") {
  auto seen = json(R"({"networkMode": ^})");
  CHECK(seen.place.kind == Kind::kValue);
  CHECK(seen.path() == "networkMode");
  CHECK(seen.word().empty());
  seen = json(R"({"networkMode": "aw^s", "cpu": 5})");
  CHECK(seen.word() == "\"aws\"");
  CHECK(seen.place.typed == "aw");
  seen = json("{\"networkMode\": \"aw^\n}");
  CHECK(seen.word() == "\"aw");
  CHECK(json(R"({"requiresCompatibilities": ["EC2", "^"]})").path() == "requiresCompatibilities/*");
  CHECK(json(R"({"requiresCompatibilities": [^)").path() == "requiresCompatibilities/*");
  seen = json(R"({"containerDefinitions": [{"essential": tr^ue}]})");
  CHECK(seen.path() == "containerDefinitions/*/essential");
  CHECK(seen.word() == "true");
  seen = json("{\"networkMode\": ^\n \"cpu\": 5}");
  CHECK(seen.place.kind == Kind::kValue);
  CHECK(seen.place.wants_comma);
}

TEST_CASE("lsp cursor place - nothing is typed there") {
  for (const std::string text : {"^", "{} ^", "{\"a\"^}", "{\"a\": 1 ^}", "// {\"^", "{ /* \"^ */ }", "{ # ^\n }"}) {
    INFO(text);
    CHECK(json(text).place.kind == Kind::kNone);
  }
  CHECK(json("{\"a\": [1, 2] ^").place.kind == Kind::kNone);
  CHECK(json("]}{^").place.kind == Kind::kKey);
}

TEST_CASE("lsp cursor place - keys of YAML by their indentation") {
  const std::string text =
      "family: web\ncontainerDefinitions:\n  - name: app\n    image: nginx\n    portMappings:\n      - containerPort: "
      "80\n";
  auto seen = yaml(text + "^");
  CHECK(seen.place.kind == Kind::kKey);
  CHECK(seen.path().empty());
  CHECK(seen.place.present == Keys{"family", "containerDefinitions"});
  seen = yaml(text + "    ^");
  CHECK(seen.path() == "containerDefinitions/*");
  CHECK(seen.place.present == Keys{"name", "image", "portMappings"});
  seen = yaml(text + "        ^");
  CHECK(seen.path() == "containerDefinitions/*/portMappings/*");
  CHECK(seen.place.present == Keys{"containerPort"});
  seen = yaml(text + "  - ^");
  CHECK(seen.path() == "containerDefinitions/*");
  CHECK(seen.place.present.empty());
  CHECK(seen.place.begins_element);
  CHECK(seen.place.indent == 2);
  seen = yaml(text + "  ^");
  CHECK(seen.path() == "containerDefinitions");
  seen = yaml("family: web\n^\ncpu: 5\n");
  CHECK(seen.place.present == Keys{"family", "cpu"});
}

TEST_CASE("lsp cursor place - half a key of YAML") {
  auto seen = yaml("containerDefinitions:\n- name: app\n  mem^\n  image: nginx\nfamily: web\n");
  CHECK(seen.place.kind == Kind::kKey);
  CHECK(seen.path() == "containerDefinitions/*");
  CHECK(seen.word() == "mem");
  CHECK(seen.place.present == Keys{"name", "image"});
  CHECK(seen.place.root_keys == Keys{"containerDefinitions", "family"});
  seen = yaml("fam^ily: web\r\ncpu: 5\r\n");
  CHECK(seen.word() == "family");
  CHECK(seen.place.has_colon);
  CHECK(seen.place.present == Keys{"cpu"});
}

TEST_CASE("lsp cursor place - values of YAML") {
  auto seen = yaml("networkMode: aw^s # as\n");
  CHECK(seen.place.kind == Kind::kValue);
  CHECK(seen.path() == "networkMode");
  CHECK(seen.word() == "aws");
  CHECK(seen.place.typed == "aw");
  seen = yaml("networkMode:^\n");
  CHECK(seen.place.wants_blank);
  seen = yaml("requiresCompatibilities:\n  - FA^\n");
  CHECK(seen.place.begins_element);
  CHECK(seen.path() == "requiresCompatibilities/*");
  CHECK(seen.word() == "FA");
  seen = yaml("containerDefinitions:\n  - name: web\n    essential: ^\n    image: nginx\n");
  CHECK(seen.path() == "containerDefinitions/*/essential");
  seen = yaml("placementConstraints:\n- expression: \"attribute:^\"\n");
  CHECK(seen.place.is_quoted);
  CHECK(seen.place.typed == "attribute:");
}

TEST_CASE("lsp cursor place - flow style inside YAML") {
  auto seen = yaml("containerDefinitions:\n  - {name: app, ^}\nfamily: web\n");
  CHECK(seen.place.kind == Kind::kKey);
  CHECK(seen.path() == "containerDefinitions/*");
  CHECK(seen.place.present == Keys{"name"});
  CHECK(seen.place.root_keys == Keys{"containerDefinitions", "family"});
  CHECK(yaml("requiresCompatibilities: [EC2, ^]\n").path() == "requiresCompatibilities/*");
  CHECK(yaml("containerDefinitions: [\n  {name: a,\n   ^\n  }]\n").path() == "containerDefinitions/*");
}

TEST_CASE("lsp cursor place - texts and comments of YAML are left alone") {
  CHECK(yaml("# fam^\n").place.kind == Kind::kNone);
  CHECK(yaml("family: web # ^\n").place.kind == Kind::kNone);
  CHECK(yaml("command: |\n  echo\n  mem^\n").place.kind == Kind::kNone);
  CHECK(yaml("command: >-\n  echo\nmem^\n").place.kind == Kind::kKey);
}

TEST_CASE("lsp cursor place - a scan ends on every text, wherever the cursor stands") {
  const std::string text = "{\"a\": [{\"b\": 'c'}, \"d\n - e: {f: [\"}]\n  g: |\n   h\n\t- - i:\n--- # j\n\"k\\";
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    for (std::uint32_t cursor = 0; cursor <= text.size() - begin; ++cursor) {
      for (const auto& place : {place_in_json(text.substr(begin), cursor), place_in_yaml(text.substr(begin), cursor)}) {
        if (place.kind == Kind::kNone) continue;
        CHECK(place.word.begin <= cursor);
        CHECK(cursor <= place.word.end);
        CHECK(place.word.end <= text.size() - begin);
      }
    }
  }
}

TEST_CASE("lsp cursor place - arguments and blocks of Terraform code") {
  auto seen = hcl("resource \"aws_ecs_service\" \"web\" {\n  name = \"a\" # {\n  net^\n}\n");
  CHECK(seen.place.kind == Kind::kKey);
  CHECK(seen.path() == "resource/aws_ecs_service/web");
  CHECK(seen.word() == "net");
  CHECK(seen.place.present == Keys{"name"});
  CHECK_FALSE(seen.place.has_colon);
  seen = hcl("resource \"aws_ecs_service\" \"web\" {\n  load_balancer {\n    cont^ainer_name = \"a\"\n  }\n}\n");
  CHECK(seen.path() == "resource/aws_ecs_service/web/load_balancer");
  CHECK(seen.word() == "container_name");
  CHECK(seen.place.has_colon);
}

TEST_CASE("lsp cursor place - values of Terraform code, however broken") {
  for (const std::string text :
       {"a {\n  b = \"x^\"\n}", "a {\n  b = \"x^\n  c = 1\n}", "a {\n  b = \"x^",
        "a {\n  z = \"${f(\"}\")}\"\n  b = \"x^\"\n}", "a {\n  z = <<-E\n    } {\n    E\n  b = \"x^\"\n}",
        "a {\n  z = /* } */ [1, 2]\n  b = \"x^\"\n}"}) {
    INFO(text);
    const auto seen = hcl(text);
    CHECK(seen.place.kind == Kind::kValue);
    CHECK(seen.path() == "a/b");
    CHECK(seen.place.typed == "x");
  }
  CHECK(hcl("a {\n  b = [\"x\", ^]\n}").path() == "a/b/*");
  CHECK(hcl("a {\n  b = jsonencode([{ c = 1, d^ }])\n}").path() == "a/b/*");
  CHECK(hcl("a {\n  b = jsonencode([{ c = { d : ^ } }])\n}").path() == "a/b/*/c/d");
  CHECK(hcl("a {\n  b = <<E\n[{\"c\": \"^\"}]\nE\n}").path() == "a/b/*/c");
}

TEST_CASE("lsp cursor place - texts in texts of Terraform code, however deep") {
  CHECK(hcl("a {\n  z = \"${\"${\"}\"}\"}\"\n  b = \"x^\"\n}").path() == "a/b");
  std::string text = "a {\n  z = ";
  for (int i = 0; i < 300'000; ++i) text += "\"${";
  CHECK(hcl(text + "\n  b = \"x^\"\n}").path() == "a/b");
}

TEST_CASE("lsp cursor place - nothing in comments, references and heredocs of text") {
  for (const std::string text : {"a {\n  # ^\n}", "a {\n  b = var.^\n}", "a {\n  b = \"${v^}\"\n}",
                                 "a {\n  b = <<E\ntext ^\nE\n}", "a {\n  b = 1^2\n}"}) {
    INFO(text);
    CHECK(hcl(text).place.kind == Kind::kNone);
  }
}
