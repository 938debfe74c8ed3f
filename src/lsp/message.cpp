#include "lsp/message.hpp"

#include <sstream>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "text/json_reader.hpp"

namespace bayplan::lsp {
namespace {

using Layout = JsonWriter::Layout;
using text::Value;

struct Parsed {
  std::shared_ptr<const text::Document> document;
  std::string fault;
};

Parsed parse_strictly(std::string content) {
  if (first_invalid_utf8(content)) return {nullptr, "the message is not UTF-8"};
  text::Builder builder(std::move(content), text::Format::kJson);
  if (const auto fault = text::read_json(builder.source(), Limits{}, builder)) return {nullptr, fault->message};
  return {std::move(builder).finish(), {}};
}

std::optional<unsigned> hex_unit(std::string_view escape) {
  if (escape.size() < 6 || escape[1] != 'u') return std::nullopt;
  unsigned unit = 0;
  for (const char c : escape.substr(2, 4)) {
    const bool is_digit = c >= '0' && c <= '9';
    const char low = static_cast<char>(c | 0x20);
    if (!is_digit && (low < 'a' || low > 'f')) return std::nullopt;
    unit = unit * 16 + static_cast<unsigned>(is_digit ? c - '0' : low - 'a' + 10);
  }
  return unit;
}

bool is_high(std::optional<unsigned> unit) {
  return unit && *unit >= 0xD800 && *unit < 0xDC00;
}

bool is_low(std::optional<unsigned> unit) {
  return unit && *unit >= 0xDC00 && *unit < 0xE000;
}

/// Escapes of halves of surrogate pairs, as that of U+FFFD: one code unit too, so positions stay what they are.
std::string with_whole_pairs(std::string text) {
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto unit = hex_unit(rest);
    if (!unit) {
      at += 2;
    } else if (is_high(unit) && rest.size() >= 12 && rest[6] == '\\' && is_low(hex_unit(rest.substr(6)))) {
      at += 12;
    } else {
      if (is_high(unit) || is_low(unit)) text.replace(at, 6, "\\uFFFD");
      at += 6;
    }
  }
  return text;
}

Parsed parse(const std::string& content) {
  auto parsed = parse_strictly(content);
  if (parsed.document || content.find("\\u") == std::string::npos) return parsed;
  auto whole = with_whole_pairs(content);
  return whole == content ? parsed : parse_strictly(std::move(whole));
}

std::optional<Id> id_of(Value value) {
  if (!value) return std::nullopt;
  if (value.is_string()) return Id(std::string(value.text()));
  if (const auto number = value.integer()) return Id(*number);
  return std::nullopt;
}

Message faulty(std::optional<Id> id, ErrorCode code, std::string message) {
  Message result;
  result.id = std::move(id);
  result.fault = Refusal{code, std::move(message)};
  return result;
}

Message faulty(std::optional<Id> id, std::string message) {
  return faulty(std::move(id), ErrorCode::kInvalidRequest, std::move(message));
}

}  // namespace

Message read_message(std::string content) {
  auto parsed = parse(content);
  if (!parsed.document) return faulty({}, ErrorCode::kParseError, "this is not JSON: " + parsed.fault);
  const Value root = parsed.document->root();
  if (!root.is_object()) return faulty({}, "a message is one JSON object");
  const Value id = root.find("id");
  const Value method = root.find("method");
  Value params = root.find("params");
  if (params && params.is_null()) params = Value();  // Emacs says so of requests that take none
  const auto known_id = id_of(id);
  const Value version = root.find("jsonrpc");
  if (!version || !version.is_string() || version.text() != "2.0")
    return faulty(known_id, "\"jsonrpc\" must be \"2.0\"");
  Message message{.document = parsed.document, .id = known_id, .params = params};
  if (!method && (root.find("result") || root.find("error"))) {
    message.is_response = true;
    return message;
  }
  if (!method || !method.is_string()) return faulty(known_id, "\"method\" must be a string");
  if (id && !known_id) return faulty({}, "\"id\" must be an integer or a string");
  if (params && !params.is_object() && !params.is_array()) {
    return faulty(known_id, "\"params\" must be an object or a list");
  }
  message.method = method.text();
  return message;
}

void write_id(JsonWriter& json, const Id& id) {
  json.key("id");
  if (const auto* number = std::get_if<std::int64_t>(&id)) {
    json.value(*number);
  } else if (const auto* text = std::get_if<std::string>(&id)) {
    json.value(*text);
  } else {
    json.null();
  }
}

std::string error_response(const Id& id, const Refusal& refusal) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object(Layout::kLine).member("jsonrpc", "2.0");
  write_id(json, id);
  json.key("error").begin_object();
  json.member("code", static_cast<std::int32_t>(refusal.code)).member("message", refusal.message);
  json.end_object().end_object();
  return out.str();
}

}  // namespace bayplan::lsp
