#include "base/posix.hpp"

#include <array>
#include <cerrno>

namespace bayplan::posix {
namespace {

/// Calls `transfer` until it moves bytes, reaches the end or fails.
template <class Transfer>
ssize_t transfer_waiting(int descriptor, short event, const Transfer& transfer) {
  for (;;) {
    const ssize_t count = transfer();
    if (count >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return count;
    pollfd waiting{descriptor, event, 0};
    if (errno != EINTR) ::poll(&waiting, 1, -1);
  }
}

}  // namespace

std::string real_path(const std::string& path) {
  char* const real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result(real);
  std::free(real);
  return result;
}

std::string link_target(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  return length <= 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(length));
}

int duplicate(int descriptor) {
  return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
}

ssize_t read_waiting(int descriptor, void* into, std::size_t most) {
  return transfer_waiting(descriptor, POLLIN, [&] { return ::read(descriptor, into, most); });
}

ssize_t write_waiting(int descriptor, const void* bytes, std::size_t count) {
  return transfer_waiting(descriptor, POLLOUT, [&] { return ::write(descriptor, bytes, count); });
}

bool is_readable(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN) != 0;
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::uint64_t>(usage.ru_maxrss);
#else
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
#endif
}

HeldSignals::HeldSignals() {
  sigset_t all;
  sigfillset(&all);  // a macro on macOS
  ::pthread_sigmask(SIG_BLOCK, &all, &before_);
}

HeldSignals::~HeldSignals() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace bayplan::posix
