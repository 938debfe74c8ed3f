#include "cli/io/standard_output.hpp"

#include <unistd.h>

#include <cerrno>

namespace bayplan::cli {

StandardOutput::StandardOutput(int descriptor) : descriptor_(descriptor) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool StandardOutput::write_out() {
  const char* at = pbase();
  while (at < pptr() && error_ == 0) {
    const ssize_t count = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
    if (count >= 0) {
      at += count;
    } else if (errno != EINTR) {
      error_ = errno;
    }
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0;
}

StandardOutput::int_type StandardOutput::overflow(int_type character) {
  if (!write_out()) return traits_type::eof();
  if (!traits_type::eq_int_type(character, traits_type::eof())) sputc(traits_type::to_char_type(character));
  return traits_type::not_eof(character);
}

int StandardOutput::sync() {
  return write_out() ? 0 : -1;
}

}  // namespace bayplan::cli
