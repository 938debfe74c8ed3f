#include "cli/io/standard_streams.hpp"

#include <cerrno>
#include <system_error>

#include "base/posix.hpp"

namespace bayplan::cli {

StandardInput::int_type StandardInput::underflow() {
  const ssize_t count = posix::read_waiting(descriptor_, buffer_.data(), buffer_.size());
  if (count < 0) throw std::system_error(errno, std::generic_category());
  if (count == 0) return traits_type::eof();
  setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
  return traits_type::to_int_type(buffer_.front());
}

std::streamsize StandardInput::showmanyc() {
  if (!posix::is_readable(descriptor_)) return 0;
  // Read at once: at the end there is always something to be read, and it is nothing.
  try {
    return traits_type::eq_int_type(underflow(), traits_type::eof()) ? -1 : egptr() - gptr();
  } catch (const std::system_error&) {
    return -1;  // the read that follows reports it
  }
}

StandardOutput::StandardOutput(int descriptor) : descriptor_(descriptor) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool StandardOutput::write_out(std::string_view text) {
  while (!text.empty() && error_ == 0) {
    const ssize_t count = posix::write_waiting(descriptor_, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else {
      error_ = errno;
    }
  }
  return error_ == 0;
}

bool StandardOutput::write_out() {
  write_out({pbase(), static_cast<std::size_t>(pptr() - pbase())});
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0;
}

std::streamsize StandardOutput::xsputn(const char* text, std::streamsize size) {
  // What is as large as the buffer is not copied to it.
  if (static_cast<std::size_t>(size) < buffer_.size()) return std::streambuf::xsputn(text, size);
  return write_out() && write_out({text, static_cast<std::size_t>(size)}) ? size : 0;
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
