#include "base/file_part.hpp"

#include <map>
#include <string>

#include "base/memory_files.hpp"
#include "catch.hpp"

using namespace bayplan;

namespace {

std::string split(const std::string& text) {
  const MemoryFiles files(std::map<std::string, std::string>{
      {"stack.yaml", ""}, {"odd#name.yaml", ""}, {"a#b", ""}, {"a#b#c", ""}, {"C:/stacks/web.yaml", ""}});
  const auto part = parse_file_part(text, files);
  return part.file + " | " + part.name;
}

}  // namespace

TEST_CASE("file part: what follows the number sign is a name in the file") {
  CHECK(split("stack.yaml") == "stack.yaml | ");
  CHECK(split("stack.yaml#Web") == "stack.yaml | Web");
  CHECK(split("C:/stacks/web.yaml#Web") == "C:/stacks/web.yaml | Web");
  CHECK(split("stack.yaml#aws_ecs_task_definition.web[\"#1\"]") == "stack.yaml | aws_ecs_task_definition.web[\"#1\"]");
}

TEST_CASE("file part: the longest path that exists is the file") {
  CHECK(split("odd#name.yaml") == "odd#name.yaml | ");
  CHECK(split("odd#name.yaml#Web") == "odd#name.yaml | Web");
  CHECK(split("a#b#c#d") == "a#b#c | d");
  CHECK(split("a#b#x") == "a#b | x");
}

TEST_CASE("file part: without a file the first sign separates") {
  CHECK(split("missing.yaml#Web#1") == "missing.yaml | Web#1");
  CHECK(split("-#Web") == "- | Web");
}
