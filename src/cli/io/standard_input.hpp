#pragma once
#include <array>
#include <streambuf>

namespace bayplan::cli {

/// Buffered standard input that can tell, without waiting, whether more has come (`in_avail`), which std::cin cannot.
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

}  // namespace bayplan::cli
