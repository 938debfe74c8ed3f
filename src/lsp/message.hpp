#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/json_writer.hpp"
#include "text/document.hpp"

namespace bayplan::lsp {

/// Error codes of JSON-RPC 2.0 and LSP 3.17.
enum class ErrorCode : std::int32_t {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kServerNotInitialized = -32002,
  kRequestCancelled = -32800,
};

using Id = std::variant<std::monostate, std::int64_t, std::string>;  ///< monostate: null, none was readable.

/// Why there is no result.
struct Refusal {
  ErrorCode code = ErrorCode::kInvalidRequest;
  std::string message;
};

/// One message of the client. Values point into its document.
struct Message {
  std::shared_ptr<const text::Document> document;
  std::string method;
  std::optional<Id> id;          ///< Id of a request; a notification has none.
  text::Value params;            ///< Absent when there are none.
  bool is_response = false;      ///< The message answers a request of the server.
  std::optional<Refusal> fault;  ///< Set when it is none of these; then it is answered under `id`, or null.
};

/// Reads one message. Halves of surrogate pairs, which editors written in JavaScript can send, become U+FFFD.
Message read_message(std::string content);

void write_id(JsonWriter& json, const Id& id);
std::string error_response(const Id& id, const Refusal& refusal);

}  // namespace bayplan::lsp
