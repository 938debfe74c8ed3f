#pragma once

namespace bayplan {

/// What a terminal obeys, or shows in another order or line than it stands: control characters (C0, DEL, C1), marks and
/// overrides of direction, U+2028 and U+2029. `printable` (utf8.hpp) replaces them.
bool is_terminal_control(char32_t code_point);

}  // namespace bayplan
