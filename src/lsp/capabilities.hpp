#pragma once
#include "base/json_writer.hpp"
#include "lsp/client.hpp"

namespace bayplan::lsp {

/// Writes the member `capabilities` of the answer to `initialize`: what this server does for the client.
void write_capabilities(JsonWriter& json, const Client& client);

/// Writes the request to be told when a config changes, be it by another program.
void write_watch_registration(JsonWriter& json);

}  // namespace bayplan::lsp
