#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <istream>
#include <ostream>
#include <string>

#include "base/files.hpp"
#include "cli/application.hpp"
#include "cli/io/process.hpp"
#include "cli/io/standard_streams.hpp"

int main(int argc, char** argv) {
  using namespace bayplan::cli;
  constexpr int kInput = 0, kOutput = 1, kErrors = 2;
  hold_standard_streams();
  keep_freed_memory();
  catch_signals();
  StandardInput input(kInput);
  std::istream in(&input);
  StandardOutput buffer(kOutput);
  std::ostream out(&buffer);
  StandardOutput error_buffer(kErrors);
  std::ostream err(&error_buffer);
  err << std::unitbuf;
  bayplan::DiskFiles files;
  Streams io{in,
             out,
             err,
             files,
             is_terminal(kOutput),
             is_terminal(kErrors),
             [](const char* name) -> const char* { return std::getenv(name); },
             []() -> std::int64_t { return std::time(nullptr); },
             interrupted};
  io.run_program = run_program;
  io.stamp = file_stamp;
  io.pause = pause_polling;
  io.out_columns = terminal_columns(kOutput);
  io.err_columns = terminal_columns(kErrors);
  const int code = run(command_words(argc, argv), io);
  out.flush();
  end_by_caught_signal();
  if (buffer.error() == EPIPE) return kClean;
  return buffer.error() == 0 ? code
                             : fail(io, {std::string("cannot write the output: ") + std::strerror(buffer.error())});
}
