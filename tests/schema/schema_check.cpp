// schema_check [--schema SCHEMA] FILE...: runs one schema alone, that of task definitions if none is named, and prints
// "valid" or "invalid" and the file, one a line. Faults follow, each after a tab. What a second validator must agree
// with.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "shape/check.hpp"
#include "shape/request_schemas.hpp"
#include "text/read.hpp"

namespace {

std::string read_file(const char* path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

void check_file(const bayplan::shape::Schema& schema, const char* path) {
  const auto document = bayplan::text::read_document(read_file(path), {.format = bayplan::text::format_of_name(path)});
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

void check_files(const bayplan::shape::Schema& schema, const std::vector<const char*>& paths) {
  for (const char* path : paths) check_file(schema, path);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> paths(argv + 1, argv + argc);
  if (paths.size() < 2 || std::string_view(paths[0]) != "--schema") {
    check_files(bayplan::shape::task_definition_schema(), paths);
    return 0;
  }
  const auto schema = bayplan::shape::Schema::load(read_file(paths[1]));
  if (!schema) {
    std::cerr << schema.error().message << '\n';
    return 1;
  }
  check_files(*schema, {paths.begin() + 2, paths.end()});
}
