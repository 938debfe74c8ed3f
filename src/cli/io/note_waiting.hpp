#pragma once
#include <ostream>
#include <string_view>

#include "cli/application.hpp"

namespace bayplan::cli {

/// Says in a terminal that this command waits for the messages of a program. `how`: "editors start this server: ..."
inline void note_waiting(Streams& io, std::string_view how) {
  if (!io.out_is_terminal || io.is_quiet) return;
  io.err << "bayplan: waiting for messages on standard input; " << how << "; Ctrl-C ends\n";
}

}  // namespace bayplan::cli
