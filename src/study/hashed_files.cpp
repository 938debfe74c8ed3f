#include "study/hashed_files.hpp"

namespace bayplan::study {

void Fingerprint::add(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3;
  for (const char byte : bytes) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * kPrime;
  hash_ = (hash_ ^ bytes.size()) * kPrime;  // where one ends and the next begins
}

std::string Fingerprint::text() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 64; shift > 0; shift -= 4) text += kDigits[hash_ >> (shift - 4) & 15];
  return text;
}

Result<std::string> HashedFiles::read(const std::string& path, std::size_t limit) const {
  auto content = files_.read(path, limit);
  if (content) fingerprint_.add(*content);
  return content;
}

}  // namespace bayplan::study
