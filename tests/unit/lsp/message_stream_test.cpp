#include "lsp/message_stream.hpp"

#include <sstream>

#include "catch.hpp"

namespace message_stream_test {

namespace {

using namespace bayplan::lsp;
using Kind = Incoming::Kind;

}  // namespace

TEST_CASE("lsp message stream - contents come one after the other") {
  std::istringstream in(
      "Content-Length: 2\r\n\r\n{}content-type: application/vscode-jsonrpc; "
      "charset=utf-8\r\nCONTENT-LENGTH:3\r\n\r\nabc"
      "\r\nContent-Length: 0\n\n");
  MessageReader reader(in);
  auto incoming = reader.next();
  CHECK(incoming.kind == Kind::kContent);
  CHECK(incoming.text == "{}");
  CHECK(reader.is_waiting());
  CHECK(reader.next().text == "abc");
  incoming = reader.next();  // behind a line end too many, and with line ends of its own
  CHECK(incoming.kind == Kind::kContent);
  CHECK(incoming.text.empty());
  CHECK_FALSE(reader.is_waiting());
  CHECK(reader.next().kind == Kind::kEnd);
}

TEST_CASE("lsp message stream - headers that say no length are passed over") {
  for (const std::string header : {"Content-Type: x", "Content-Length: two", "Content-Length: -2",
                                   "Content-Length:", "Content-Length: 99999999999999999999", "no colon"}) {
    std::istringstream in(header + "\r\n\r\nContent-Length: 2\r\n\r\n{}");
    MessageReader reader(in);
    const auto incoming = reader.next();
    CHECK(incoming.kind == Kind::kUnframed);
    CHECK_FALSE(incoming.text.empty());
    CHECK(reader.next().text == "{}");
  }
  std::istringstream latin("Content-Type: x; charset=latin1\r\nContent-Length: 2\r\n\r\n{}");
  CHECK(MessageReader(latin).next().kind == Kind::kUnframed);
}

TEST_CASE("lsp message stream - too much is refused, and what follows is read") {
  std::istringstream in("Content-Length: " + std::to_string(kMaxContent + 1) + "\r\n\r\n" +
                        std::string(kMaxContent + 1, 'x') + "Content-Length: 2\r\n\r\n{}");
  MessageReader reader(in);
  CHECK(reader.next().kind == Kind::kTooLarge);
  CHECK(reader.next().text == "{}");

  std::istringstream endless(std::string(kMaxHeader + 1, 'x'));
  CHECK(MessageReader(endless).next().kind == Kind::kLost);
}

TEST_CASE("lsp message stream - a client that leaves amid a message has left") {
  for (const std::string text : {"", "Content-Le", "Content-Length: 5\r\n", "Content-Length: 5\r\n\r\n1234",
                                 "Content-Length: 999999999\r\n\r\n1234"}) {
    std::istringstream in(text);
    CHECK(MessageReader(in).next().kind == Kind::kEnd);
  }
}

TEST_CASE("lsp message stream - lengths that are written count bytes") {
  std::ostringstream out;
  write_message(out, "\"\xf0\x9f\x9a\x80\"");
  CHECK(out.str() == "Content-Length: 6\r\n\r\n\"\xf0\x9f\x9a\x80\"");
}

}  // namespace message_stream_test
