#include "lsp/message.hpp"

#include "catch.hpp"

namespace {

using namespace bayplan::lsp;

ErrorCode fault_of(const std::string& content) {
  const auto message = read_message(content);
  REQUIRE(message.fault);
  return message.fault->code;
}

}  // namespace

TEST_CASE("lsp message - requests, notifications and responses are told apart") {
  const auto request = read_message(R"({"jsonrpc": "2.0", "id": 7, "method": "m", "params": {"a": 1}})");
  CHECK_FALSE(request.fault);
  CHECK(request.id == Id(std::int64_t{7}));
  CHECK(request.method == "m");
  CHECK(request.params.find("a").integer() == 1);
  const auto notification = read_message(R"({"jsonrpc": "2.0", "method": "m"})");
  CHECK_FALSE(notification.id);
  CHECK_FALSE(notification.params);
  CHECK(read_message(R"({"jsonrpc": "2.0", "id": "x", "result": null})").is_response);
  const auto null = read_message(R"({"jsonrpc": "2.0", "id": 1, "method": "shutdown", "params": null})");
  CHECK_FALSE(null.fault);
  CHECK_FALSE(null.params);
  CHECK(read_message(R"({"jsonrpc": "2.0", "id": "x", "method": "m"})").id == Id(std::string("x")));
}

TEST_CASE("lsp message - what is none of these is told by its code") {
  CHECK(fault_of("{") == ErrorCode::kParseError);
  CHECK(fault_of("{\"jsonrpc\": \"2.0\",}") == ErrorCode::kParseError);
  CHECK(fault_of("\xff") == ErrorCode::kParseError);
  CHECK(fault_of(std::string(300, '[') + std::string(300, ']')) == ErrorCode::kParseError);
  CHECK(fault_of("[]") == ErrorCode::kInvalidRequest);
  CHECK(fault_of(R"({"id": 7, "method": "m"})") == ErrorCode::kInvalidRequest);
  CHECK(fault_of(R"({"jsonrpc": 2.0, "id": 7, "method": "m"})") == ErrorCode::kInvalidRequest);
  CHECK(fault_of(R"({"jsonrpc": "2.0", "id": null, "method": "m"})") == ErrorCode::kInvalidRequest);
  CHECK(fault_of(R"({"jsonrpc": "2.0", "id": 1.5, "method": "m"})") == ErrorCode::kInvalidRequest);
  CHECK(fault_of(R"({"jsonrpc": "2.0", "id": 7, "method": "m", "params": 1})") == ErrorCode::kInvalidRequest);
  CHECK(read_message(R"({"jsonrpc": "2.0", "id": 7})").id == Id(std::int64_t{7}));
}

TEST_CASE("lsp message - halves of surrogate pairs become one character of one code unit") {
  const auto text_of = [](const std::string& escaped) {
    const auto message = read_message(R"({"jsonrpc": "2.0", "method": "m", "params": [")" + escaped + "\"]}");
    REQUIRE_FALSE(message.fault);
    return std::string(message.params.at(0).text());
  };
  const std::string replacement = "\xef\xbf\xbd";
  CHECK(text_of(R"(\ud83d)") == replacement);
  CHECK(text_of(R"(a\ude80b)") == "a" + replacement + "b");
  CHECK(text_of(R"(\ud83d\ude80\ud83d)") == "\xf0\x9f\x9a\x80" + replacement);
  CHECK(text_of(R"(\ud83d\ud83d\ude80)") == replacement + "\xf0\x9f\x9a\x80");
  CHECK(text_of(R"(\\ud83d\ude80)") == "\\ud83d" + replacement);
  CHECK(fault_of(R"({"jsonrpc": "2.0", "method": "m", "params": ["\ud83"]})") == ErrorCode::kParseError);
}

TEST_CASE("lsp message - errors carry the id that was read") {
  CHECK(error_response(Id(std::string("a\"")), {ErrorCode::kInvalidParams, "no"}) ==
        R"({"jsonrpc": "2.0", "id": "a\"", "error": {"code": -32602, "message": "no"}})");
  CHECK(error_response(Id(), {ErrorCode::kParseError, "no"}) ==
        R"({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "no"}})");
}
