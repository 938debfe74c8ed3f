#pragma once
#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <utility>

/// A maker of random inputs (`Maker`: all that it draws comes from a virtual `below`) whose draws are the fuzzer's
/// bytes, so that whatever the bytes are, a valid input is made, and a changed byte changes one choice. What the bytes
/// do not say any more is drawn from the maker's own generator.
template <class Maker>
class Drawn : public Maker {
 public:
  template <class... Arguments>
  Drawn(const std::uint8_t* data, std::size_t size, Arguments&&... arguments)
      : Maker(std::forward<Arguments>(arguments)...), bytes_(data, size) {}

  std::uint64_t below(std::uint64_t bound) override {
    if (bound <= 1) return 0;
    if (bytes_.remaining_bytes() == 0) return Maker::below(bound);
    return bytes_.ConsumeIntegralInRange<std::uint64_t>(0, bound - 1);
  }

 private:
  FuzzedDataProvider bytes_;
};
