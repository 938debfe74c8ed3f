#include "report/lint/source_frame.hpp"

#include <sstream>

#include "catch.hpp"

using namespace bayplan;

namespace {

std::string frame_of(const std::string& text, Span span) {
  std::ostringstream out;
  const text::LineIndex lines(text);
  report::write_frame(out, lines, {.span = span}, 4, report::Style(false));
  return out.str();
}

}  // namespace

TEST_CASE("a frame shows the neighborhood of the mark in a line of any length") {
  const std::string left(1'000'000, 'a');
  const std::string text = left + "\xC3\xA9MARK" + left + "\xF0\x9F\x9A\xA2";
  const auto begin = static_cast<std::uint32_t>(left.size() + 2);
  const auto frame = frame_of(text, {begin, begin + 4});
  CHECK(frame.find("a\xC3\xA9MARK") != std::string::npos);
  CHECK(frame.size() < 500);
  CHECK(frame.substr(frame.size() - 5) == "^^^^\n");
}

TEST_CASE("many frames of one line of megabytes cost no more than their neighborhoods") {
  const std::string text(4u << 20, 'x');
  const text::LineIndex lines(text);
  std::ostringstream out;
  for (std::uint32_t at = 0; at < text.size(); at += 4096) {
    report::write_frame(out, lines, {.span = {at, at + 3}}, 4, report::Style(false));
  }
  CHECK(out.str().size() > 100'000);  // would take an hour if each frame walked the line
}

TEST_CASE("a mark behind the end of the text and one over all of a line are shown") {
  CHECK(frame_of("ab\n", {3, 3}).find("^\n") != std::string::npos);
  const std::string text = "\xE8\x88\xB9" + std::string(20'000, 'b');
  CHECK(frame_of(text, {0, 20'003}).size() < 600);
}
