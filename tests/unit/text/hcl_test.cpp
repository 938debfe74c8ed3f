#include "text/hcl.hpp"

#include <string>

#include "catch.hpp"

using namespace bayplan;

namespace hcl_test {
namespace {

using Kind = text::HclExpression::Kind;

std::string_view at(std::string_view source, Span span) {
  return source.substr(span.begin, span.length());
}

/// The expression of the first argument.
text::HclExpression value_of(const std::string& source) {
  auto file = text::read_hcl(source);
  REQUIRE(file.faults.empty());
  REQUIRE(file.body.attributes.size() == 1);
  return std::move(file.body.attributes[0].value);
}

Kind kind_of(const std::string& expression) {
  return value_of("a = " + expression).kind;
}

std::string first_fault(const std::string& source) {
  const auto file = text::read_hcl(source);
  return file.faults.empty() ? "" : file.faults[0].message;
}

std::string text_of(const text::HclExpression& expression) {
  std::string text;
  for (const auto& part : expression.parts) text += part.text;
  return text;
}

}  // namespace

TEST_CASE("hcl: each kind of expression is read") {
  CHECK(kind_of("null") == Kind::kNull);
  CHECK(kind_of("true") == Kind::kBoolean);
  CHECK(kind_of("1.5e3") == Kind::kNumber);
  CHECK(kind_of("\"x ${y} z\"") == Kind::kTemplate);
  CHECK(kind_of("var") == Kind::kName);
  CHECK(kind_of("var.a.b") == Kind::kAttribute);
  CHECK(kind_of("var.a[\"b\"]") == Kind::kIndex);
  CHECK(kind_of("var.a.0") == Kind::kIndex);
  CHECK(kind_of("x[*].id") == Kind::kSplat);
  CHECK(kind_of("x.*.id") == Kind::kSplat);
  CHECK(kind_of("f(a, b...)") == Kind::kCall);
  CHECK(kind_of("provider::aws::arn_parse(a)") == Kind::kCall);
  CHECK(kind_of("-a") == Kind::kUnary);
  CHECK(kind_of("!a || b && c == d") == Kind::kBinary);
  CHECK(kind_of("a ? b : c") == Kind::kConditional);
  CHECK(kind_of("[a, b,]") == Kind::kTuple);
  CHECK(kind_of("{ a = 1, b : 2\n (c) = 3 }") == Kind::kObject);
  CHECK(kind_of("[for k, v in x : v if k != \"\"]") == Kind::kForTuple);
  CHECK(kind_of("{ for v in x : v.key => v... }") == Kind::kForObject);
}

TEST_CASE("hcl: operators bind as tightly as the specification says") {
  const auto sum = value_of("a = 1 + 2 * 3");
  CHECK(sum.text == "+");
  CHECK(sum.children[1].text == "*");
  const auto either = value_of("a = x || y && z");
  CHECK(either.text == "||");
  const auto left = value_of("a = 3 - 2 - 1");
  CHECK(left.children[0].text == "-");
}

TEST_CASE("hcl: blocks have labels and bodies, comments of three kinds are passed over") {
  const std::string source = "# one\nresource \"aws_x\" y { // two\n  a = 1 /* three\n */\n  inner {}\n}\n";
  const auto file = text::read_hcl(source);
  CHECK(file.faults.empty());
  REQUIRE(file.body.blocks.size() == 1);
  const auto& block = file.body.blocks[0];
  CHECK(block.labels == std::vector<std::string>{"aws_x", "y"});
  CHECK(at(source, block.header) == "resource \"aws_x\" y");
  REQUIRE(block.body.find("a") != nullptr);
  CHECK(at(source, block.body.find("a")->value.span) == "1");
  CHECK(block.body.blocks.size() == 1);
}

TEST_CASE("hcl: strings decode escapes, and parts know their bytes") {
  const std::string source = R"(a = "x\n\u00e9$${y}%%{z}${ v }")";
  const auto value = value_of(source);
  CHECK(text_of(value) == "x\n\xC3\xA9${y}%{z}");
  CHECK(at(source, value.span) == source.substr(4));
  CHECK(at(source, value.parts.back().span) == "${ v }");
}

TEST_CASE("hcl: a heredoc with a minus loses its common indentation") {
  CHECK(text_of(value_of("a = <<-EOT\n    x\n      y\n\n    z\n  EOT\n")) == "x\n  y\n\nz\n");
  CHECK(text_of(value_of("a = <<EOT\n  x\n  EOT\n")) == "  x\n");
  CHECK(text_of(value_of("a = <<EOT\nno \\n escape\nEOT")) == "no \\n escape\n");
}

TEST_CASE("hcl: directives nest") {
  const auto value = value_of("a = \"%{ for x in y ~}%{ if x }1%{ else }2%{ endif }%{ endfor }\"");
  REQUIRE(value.parts.size() == 1);
  CHECK(value.parts[0].kind == text::HclTemplatePart::Kind::kFor);
  CHECK(value.parts[0].value_name == "x");
  bool has_if = false;
  for (const auto& part : value.parts[0].inner) {
    if (part.kind != text::HclTemplatePart::Kind::kIf) continue;
    has_if = true;
    CHECK(part.inner.size() == 1);
    CHECK(part.otherwise.size() == 1);
  }
  CHECK(has_if);
}

TEST_CASE("hcl: faults name what was expected, and the rest is read") {
  CHECK(first_fault("a = ") == "unexpected end of file, expected an expression");
  CHECK(first_fault("a =\n") == "unexpected end of line, expected an expression");
  CHECK(first_fault("a = 1 b = 2\n") == "unexpected 'b', expected a new line after the argument");
  CHECK(first_fault("a = \"x\n") == "string is not closed on its line");
  CHECK(first_fault("a = <<EOT\nx\n") == "heredoc is not closed");
  CHECK(first_fault("a = 1\na = 2\n") == "argument \"a\" is set twice");
  CHECK(first_fault("x {\n") == "block \"x\" is not closed");
  CHECK(first_fault("a = [1 2]\n") == "unexpected '2', expected ',' or ']'");
  const auto file = text::read_hcl("a = {\n  b = = 1\n}\nx {\n  c = ]\n  d = 4\n}\ne = 5\n");
  CHECK(file.faults.size() == 2);
  REQUIRE(file.body.find("e") != nullptr);
  REQUIRE(file.body.blocks.size() == 1);
  CHECK(file.body.blocks[0].body.find("d") != nullptr);
}

// The verdicts are those of hcl2json 0.21, which uses HashiCorp's parser.
TEST_CASE("hcl: a block on one line has one argument or none, and what follows an item is a new line") {
  for (const char* accepted :
       {"x { a = 1 }\n", "x { a = 1 }", "x { }\n", "x { # c\n a = 1\n}\n", "x { /* c */ a = 1 }\n", "x { a = 1 } # c\n",
        "x { a = [\n1\n] }\n", "x { a = {\n b = 1\n} }\n", "x { /* c\n */ a = 1 }\n", "x {\n a = <<E\nt\nE\n}\n"}) {
    INFO(accepted);
    CHECK(text::read_hcl(accepted).faults.empty());
  }
  for (const char* refused : {"x { y {} }\n",
                              "x { a = 1\n}\n",
                              "x {\n a = 1 }\n",
                              "x {\n y {} }\n",
                              "x {\n y {\n } }\n",
                              "x { a = 1 } y { b = 1 }\n",
                              "x {} y {}\n",
                              "x { a = 1 # c\n}\n",
                              "x { /* c\n */ a = 1\n}\n",
                              "x {\n a = 1 /* c\n */ }\n",
                              "x { a = <<E\nt\nE\n}\n",
                              "x { a = 1, }\n",
                              "x { a = 1; b = 2 }\n",
                              "x { a = 1, b = 2 }\n",
                              "x\n{\n}\n",
                              "x \"l\" { y {} }\n",
                              "x { \"a\" = 1 }\n",
                              "x { a = 1 b = 2 }\n",
                              "x {a=1}}\n",
                              "x { y { a = 1 }\n}\n"}) {
    INFO(refused);
    CHECK(text::read_hcl(refused).faults.size() >= 1);
  }
  CHECK(first_fault("x {\n  y { z {} }\n}\n") == "a block on one line cannot contain a block");
  CHECK(text::read_hcl("x {\n  y { z {} }\n}\n").faults.size() == 1);
  CHECK(first_fault("x { a = 1\n}\n") == "a block with an argument on the line of its { must end there");
  const auto file = text::read_hcl("x { a = 1\n  y { b = 2 } }\nc = 3\n");
  CHECK(file.faults.size() == 1);
  REQUIRE(file.body.blocks.size() == 1);
  CHECK(file.body.blocks[0].body.blocks.size() == 1);
  CHECK(file.body.find("c") != nullptr);
}

TEST_CASE("hcl: nesting is bounded") {
  const auto file = text::read_hcl("a = " + std::string(5000, '[') + "\nb = " + std::string(5000, '-') + "1\n");
  REQUIRE_FALSE(file.faults.empty());
  CHECK(file.faults[0].kind == text::FaultKind::kTooDeep);
  std::string chain = "a = x";
  for (int i = 0; i < 5000; ++i) chain += ".y";
  CHECK_FALSE(text::read_hcl(chain).faults.empty());
}

}  // namespace hcl_test
