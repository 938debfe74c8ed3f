// schema_check FILE...: runs the task definition schema alone and prints "valid" or "invalid" and the file, one a line.
// Faults follow, each after a tab. What a second validator must agree with.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "shape/check.hpp"
#include "shape/task_definition_schema.hpp"
#include "text/read.hpp"

namespace {

void check_file(const bayplan::shape::Schema& schema, const char* path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  const auto document = bayplan::text::read_document(bytes.str(), {.format = bayplan::text::format_of_name(path)});
  if (!document->root()) {
    std::cout << "unreadable " << path << '\n';
    return;
  }
  const auto found = bayplan::shape::check(schema, document->root(), bayplan::model::Placeholders());
  std::cout << (found.empty() ? "valid " : "invalid ") << path << '\n';
  for (const auto& one : found) {
    std::cout << '\t' << one.node.pointer() << ": " << bayplan::shape::name_of(one.problem) << ' ' << one.key << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto schema = bayplan::shape::task_definition_schema();
  for (int i = 1; i < argc; ++i) check_file(schema, argv[i]);
}
