#include "cli/io/guarded_stream.hpp"

#include <sstream>

#include "catch.hpp"

namespace bayplan::cli {
namespace {

/// Byte for byte, so that every place where a write may end is tried.
std::string guarded(std::string_view text, Guard guard = {}) {
  std::ostringstream out;
  GuardedStream stream(out, guard);
  for (const char byte : text) stream << byte;
  stream.finish();
  return out.str();
}

TEST_CASE("a guarded stream hands on what does no harm") {
  for (const char* text :
       {"a: b\n\tc::d\n", "p3.2xlarge#1 ##", "\u00e9\u2500\u25a0\u4e2d\U0001F600", "[x] #[y]", " : :", ":"})
    CHECK(guarded(text) == text);
}

TEST_CASE("a guarded stream replaces what steers a terminal") {
  CHECK(guarded("a\x1b[2Jb\x07\x7f\r\n") == "a\uFFFD[2Jb\uFFFD\uFFFD\uFFFD\n");
  CHECK(guarded("\xC2\x9B|\u202E|\u2066|\u2069|\u2070") == "\uFFFD|\uFFFD|\uFFFD|\uFFFD|\u2070");
  CHECK(guarded("\u061B\u061C|\u200D\u200E\u200F\u2010|\u2027\u2028\u2029\u202A") ==
        "\u061B\uFFFD|\u200D\uFFFD\uFFFD\u2010|\u2027\uFFFD\uFFFD\uFFFD");
  CHECK(guarded("\x1b[31mred\x1b[0m", {.allows_color = true}) == "\x1b[31mred\x1b[0m");
  CHECK(guarded("\x1b[31mred") == "\uFFFD[31mred");
  CHECK(guarded("\x1b]0;title\x1b[2J", {.allows_color = true}) == "\uFFFD]0;title\uFFFD[2J");
  CHECK(guarded("a\r\nb\rc", {.allows_line_end_of_csv = true}) == "a\r\nb\uFFFDc");
  CHECK(guarded("\r\x1b[K5 %") == "\uFFFD\uFFFD[K5 %");
}

TEST_CASE("a guarded stream leaves a pipeline no command") {
  CHECK(guarded("::error::x\n  ::add-mask::y\na ::z") == "\uFFFD:error::x\n  \uFFFD:add-mask::y\na ::z");
  CHECK(guarded("::error::x", {.line_starts = false}) == "::error::x");
  CHECK(guarded("x ##[error]y ##vso[task.z]") == "x ##\uFFFDerror]y ##vso\uFFFDtask.z]");
}

TEST_CASE("a guarded stream hands on the beginning of what never came") {
  CHECK(guarded("\xC2") == "\xC2");
  CHECK(guarded("a\x1b", {.allows_color = true}) == "a\uFFFD");
}

}  // namespace
}  // namespace bayplan::cli
