#pragma once
/// The calls of POSIX that bayplan makes. Windows has substitutes of the same names, in posix_windows.cpp, as far as
/// its C library (MinGW-w64) lacks them or reads paths otherwise. Apart from the entry points of the program, no other
/// file includes headers of a system.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#ifdef _WIN32
#define O_CLOEXEC (O_NOINHERIT | O_BINARY)
#define O_NONBLOCK 0
#define LOCK_EX 0
#define LOCK_NB 0
#define S_ISLNK(mode) false
#else
#include <poll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <climits>
#include <csignal>
#include <cstdlib>
#endif

namespace bayplan::posix {

#ifdef _WIN32

// Paths are those of the program: "/C:/project/web.json" is C:\project\web.json.
int access(const char* path, int mode);
int open(const char* path, int flags, int mode = 0);
DIR* opendir(const char* path);
int lstat(const char* path, struct stat* info);
int rename(const char* from, const char* to);
int stat(const char* path, struct stat* info);
int unlink(const char* path);

int fchmod(int descriptor, int mode);
/// Succeeds without a lock: on Windows, two programs can write the same file at the same time.
int flock(int descriptor, int operation);

#else

using ::access;
using ::fchmod;
using ::flock;
using ::lstat;
using ::open;
using ::opendir;
using ::rename;
using ::stat;
using ::unlink;

#endif

using ::close;
using ::closedir;
using ::fstat;
using ::ftruncate;
using ::readdir;

/// Returns the path from the root with links and dots resolved, or the path as given if there is no such file.
std::string real_path(const std::string& path);
/// Returns the path that a symbolic link contains, or nothing if the file is not a link.
std::string link_target(const std::string& path);
/// Returns another descriptor of the same file, which a started program does not inherit, or -1 with errno set.
int duplicate(int descriptor);
/// `read` and `write` that continue after a signal and wait where the descriptor does not block: another program that
/// shares a terminal or a pipe (a shell's, Node.js) may have set it to O_NONBLOCK. Nothing else here reads or writes.
ssize_t read_waiting(int descriptor, void* into, std::size_t most);
ssize_t write_waiting(int descriptor, const void* bytes, std::size_t count);
/// Whether a read from the descriptor returns at once, with bytes or at the end.
bool is_readable(int descriptor);
/// Returns the largest amount of memory that the program has used, in bytes.
std::uint64_t peak_memory();

/// Blocks signals while it lives: a signal between creating a temporary name and renaming it would leave a file behind.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
#ifndef _WIN32
  sigset_t before_{};
#endif
};

}  // namespace bayplan::posix
