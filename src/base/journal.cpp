#include "base/journal.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/files.hpp"
#include "base/posix.hpp"

namespace bayplan {
namespace {

constexpr std::size_t kBlock = 1u << 16;

Error failure_at(const std::string& path, int error) {
  return Error{std::strerror(error), path};
}

/// errno when it is none, 0 when it is one.
int regular_file_error(int descriptor, std::uint64_t& size) {
  struct stat info {};
  if (posix::fstat(descriptor, &info) != 0) return errno;
  size = static_cast<std::uint64_t>(info.st_size);
  return S_ISDIR(info.st_mode) ? EISDIR : S_ISREG(info.st_mode) ? 0 : EINVAL;
}

}  // namespace

Result<Journal> Journal::open(const std::string& path) {
  const int descriptor = posix::open(path.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor < 0 && errno == ENOENT) return folder_not_found(path);
  if (descriptor < 0) return failure_at(path, errno);
  std::uint64_t size = 0;
  int error = regular_file_error(descriptor, size);
  // File systems without locks do without.
  if (error == 0 && posix::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) error = EWOULDBLOCK;
  if (error == 0) return Journal(descriptor, path, size);
  posix::close(descriptor);
  if (error == EWOULDBLOCK) return Error{"another program is writing it", path};
  return error == EINVAL ? Error{"is not a regular file", path} : failure_at(path, error);
}

Journal::Journal(int descriptor, std::string path, std::uint64_t size)
    : descriptor_(descriptor), path_(std::move(path)), size_(size) {}

Journal::Journal(Journal&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)), size_(other.size_) {}

Journal::~Journal() {
  if (descriptor_ >= 0) posix::close(descriptor_);
}

Error Journal::failure() const {
  return failure_at(path_, errno);
}

Result<bool> Journal::append(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t count = posix::write_waiting(descriptor_, rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(count));
    } else {
      const Error error = failure();
      const auto restored = cut(size_);
      return restored ? error : restored.error();
    }
  }
  size_ += text.size();
  return true;
}

Result<bool> Journal::cut(std::uint64_t size) {
  if (posix::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return failure();
  size_ = size;
  return true;
}

Result<bool> Journal::rename(const std::string& name) {
  if (posix::rename(path_.c_str(), name.c_str()) != 0) return failure_at(name, errno);
  path_ = name;
  return true;
}

Result<LineReader> LineReader::open(const std::string& path) {
  const int descriptor = posix::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return failure_at(path, errno);
  std::uint64_t size = 0;
  const int error = regular_file_error(descriptor, size);
  if (error == 0) return LineReader(descriptor);
  posix::close(descriptor);
  return error == EINVAL ? Error{"is not a regular file", path} : failure_at(path, error);
}

LineReader::LineReader(LineReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), buffer_(std::move(other.buffer_)) {}

LineReader::~LineReader() {
  if (descriptor_ >= 0) posix::close(descriptor_);
}

/// Reads on behind what is in the buffer; false at the end.
bool LineReader::fill() {
  buffer_.erase(0, std::exchange(begin_, 0));
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kBlock);
  const ssize_t count = posix::read_waiting(descriptor_, buffer_.data() + had, kBlock);
  if (count < 0) error_ = errno;
  buffer_.resize(had + (count > 0 ? static_cast<std::size_t>(count) : 0));
  return count > 0;
}

bool LineReader::next() {
  std::size_t end = buffer_.find('\n', begin_);
  while (end == std::string::npos) {
    const std::size_t seen = buffer_.size() - begin_;
    if (!fill()) break;
    end = buffer_.find('\n', seen);
  }
  if (error_ != 0) return false;
  is_whole_ = end != std::string::npos;
  if (!is_whole_) end = buffer_.size();
  offset_ = next_offset_;
  line_ = std::string_view(buffer_).substr(begin_, end - begin_);
  if (line_.empty() && !is_whole_) return false;
  begin_ = end + (is_whole_ ? 1 : 0);
  next_offset_ += line_.size() + (is_whole_ ? 1 : 0);
  ++number_;
  return true;
}

}  // namespace bayplan
