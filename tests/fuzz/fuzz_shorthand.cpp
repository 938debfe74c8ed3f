// Any text as a shorthand argument: no crash, and either a value whose places lie in the text, each in its parent, or a
// fault in the text. Any line of arguments: a request or errors.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "awscli/request.hpp"
#include "awscli/shorthand.hpp"
#include "base/memory_files.hpp"

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const bayplan::awscli::ShorthandValue& value, std::size_t size) {
  require(value.span.begin <= value.span.end && value.span.end <= size);
  require(value.key_span.begin <= value.key_span.end && value.key_span.end <= size);
  for (const auto& child : value.children) {
    require(child.span.begin >= value.span.begin && child.span.end <= value.span.end);
    check(child, size);
  }
}

/// Arguments end at line feeds.
std::vector<std::string> arguments_of(std::string_view text) {
  std::vector<std::string> arguments{"aws", "ecs", "register-task-definition"};
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    arguments.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return arguments;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bayplan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = awscli::parse_shorthand(text);
  require(parsed.value.has_value() != parsed.fault.has_value());
  if (parsed.value) check(*parsed.value, size);
  if (parsed.fault) require(parsed.fault->at <= size);

  static const awscli::Operations operations;
  const auto line = awscli::parse_command_line(arguments_of(text), operations);
  require(line.line.has_value() != !line.errors.empty());
  if (!line.line) return 0;
  const MemoryFiles files;
  const auto request = awscli::read_request(*line.line, {files, {}, nullptr});
  require(request.request.has_value() != !request.errors.empty());
  if (!request.request) return 0;
  const auto& document = *request.request->document;
  for (std::uint32_t i = 0; i < document.node_count(); ++i) {
    const auto span = document.node(i).span();
    require(span.begin <= span.end && span.end <= document.source().size());
    request.request->place_of(span.begin);
  }
  return 0;
}
