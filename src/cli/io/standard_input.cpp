#include "cli/io/standard_input.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace bayplan::cli {

StandardInput::int_type StandardInput::underflow() {
  ssize_t count = 0;
  do count = ::read(descriptor_, buffer_.data(), buffer_.size());
  while (count < 0 && errno == EINTR);
  if (count <= 0) return traits_type::eof();
  setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
  return traits_type::to_int_type(buffer_.front());
}

std::streamsize StandardInput::showmanyc() {
  pollfd waiting{descriptor_, POLLIN, 0};
  if (::poll(&waiting, 1, 0) <= 0 || (waiting.revents & POLLIN) == 0) return 0;
  // Read at once: at the end there is always something to be read, and it is nothing.
  const int_type next = underflow();
  return traits_type::eq_int_type(next, traits_type::eof()) ? -1 : egptr() - gptr();
}

}  // namespace bayplan::cli
