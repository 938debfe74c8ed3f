#pragma once

namespace bayplan {

/// What a terminal obeys, or shows in another order than it stands: control characters (C0, DEL, C1) and bidirectional
/// overrides. `printable` (utf8.hpp) replaces them.
bool steers_terminal(char32_t code_point);

}  // namespace bayplan
