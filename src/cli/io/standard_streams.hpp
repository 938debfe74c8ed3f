#pragma once
#include <array>
#include <streambuf>
#include <string_view>

namespace bayplan::cli {

/// Buffered standard input whose `in_avail` reports available input without blocking, which that of std::cin does not.
/// A failed read throws std::system_error: what was read until then is not the whole input.
class StandardInput : public std::streambuf {
 public:
  explicit StandardInput(int descriptor) : descriptor_(descriptor) {}
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 protected:
  int_type underflow() override;
  std::streamsize showmanyc() override;  ///< -1 at the end.

 private:
  int descriptor_;
  std::array<char, 1 << 16> buffer_;
};

/// Buffered standard output that remembers why a write failed, which std::cout does not.
class StandardOutput : public std::streambuf {
 public:
  explicit StandardOutput(int descriptor);
  ~StandardOutput() override { sync(); }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

  /// errno of the first failed write; 0 when all went well. EPIPE: the reader has left, which is no failure.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  bool write_out();
  bool write_out(std::string_view text);

  int descriptor_;
  int error_ = 0;
  std::array<char, 1 << 16> buffer_;
};

}  // namespace bayplan::cli
