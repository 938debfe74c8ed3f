#include "base/posix.hpp"

#include <io.h>
#include <windows.h>
// After windows.h, which it needs.
#include <psapi.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

namespace bayplan::posix {
namespace {

/// Returns C:/project/web.json for /C:/project/web.json, and other paths unchanged. Windows accepts both kinds of
/// slashes.
const char* own(const char* path) {
  const bool has_drive = path[0] == '/' && std::isalpha(static_cast<unsigned char>(path[1])) != 0 && path[2] == ':' &&
                         (path[3] == '/' || path[3] == '\0');
  return has_drive ? path + 1 : path;
}

}  // namespace

int access(const char* path, int mode) {
  return ::access(own(path), mode);
}

int open(const char* path, int flags, int mode) {
  // Windows has no way to open a folder as a file, and says that access is denied.
  struct stat info {};
  if ((flags & O_ACCMODE) != O_RDONLY || ::stat(own(path), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return ::open(own(path), flags | O_BINARY, (mode & 0200) != 0 ? S_IREAD | S_IWRITE : S_IREAD);
  }
  errno = EISDIR;
  return -1;
}

DIR* opendir(const char* path) {
  return ::opendir(own(path));
}

int lstat(const char* path, struct stat* info) {
  return posix::stat(path, info);
}

int rename(const char* from, const char* to) {
  if (::MoveFileExA(own(from), own(to), MOVEFILE_REPLACE_EXISTING) != 0) return 0;
  errno = ::GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
  return -1;
}

int stat(const char* path, struct stat* info) {
  return ::stat(own(path), info);
}

int unlink(const char* path) {
  return ::unlink(own(path));
}

int fchmod(int, int) {
  return 0;
}

int flock(int, int) {
  return 0;
}

std::string real_path(const std::string& path) {
  struct stat info {};
  std::array<char, 32768> full{};
  if (posix::stat(path.c_str(), &info) != 0) return path;
  if (::GetFullPathNameA(own(path.c_str()), full.size(), full.data(), nullptr) == 0) return path;
  std::string result(full.data());
  std::replace(result.begin(), result.end(), '\\', '/');
  return result.size() > 1 && result[1] == ':' ? "/" + result : result;
}

std::string link_target(const std::string&) {
  return {};
}

int duplicate(int descriptor) {
  return ::dup(descriptor);
}

ssize_t read_waiting(int descriptor, void* into, std::size_t most) {
  return ::read(descriptor, into, static_cast<unsigned>(most));
}

ssize_t write_waiting(int descriptor, const void* bytes, std::size_t count) {
  return ::write(descriptor, bytes, static_cast<unsigned>(count));
}

bool is_readable(int descriptor) {
  HANDLE const handle = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
  if (::GetFileType(handle) != FILE_TYPE_PIPE) return true;
  DWORD waiting = 0;
  // At the end of a pipe reading does not wait either.
  return ::PeekNamedPipe(handle, nullptr, 0, nullptr, &waiting, nullptr) == 0 || waiting > 0;
}

std::uint64_t peak_memory() {
  PROCESS_MEMORY_COUNTERS counters{};
  ::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
  return counters.PeakWorkingSetSize;
}

HeldSignals::HeldSignals() = default;
HeldSignals::~HeldSignals() = default;

}  // namespace bayplan::posix
