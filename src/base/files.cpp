#include "base/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include "base/edit_distance.hpp"
#include "base/path_sandbox.hpp"
#include "base/posix.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"

namespace bayplan {
namespace {

Error failure(const std::string& path, int error) {
  if (path.empty()) return Error{.message = "file name is empty"};
  return Error{std::strerror(error), path};
}

/// Closes on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int close() {
    const int result = fd_ >= 0 ? posix::close(fd_) : 0;
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

std::string size_text(std::size_t bytes) {
  return bytes % (1u << 20) == 0 ? std::to_string(bytes >> 20) + " MiB" : std::to_string(bytes) + " bytes";
}

/// False with errno set when the device is full or the reader has gone.
bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = posix::write_waiting(fd, content.data(), content.size());
    if (count < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// A NUL would end the name for the system: another file, which was not meant.
bool holds_nul(const std::string& path) {
  return path.find('\0') != std::string::npos;
}

Error nul_in_name(const std::string& path) {
  return Error{.message = "file name contains NUL", .file = path};
}

/// The descriptor that /dev/stdout, /dev/fd/3 and the like refer to, links followed one by one; nothing of other
/// paths.
std::optional<int> descriptor_in_path(std::string path) {
  const std::string own = posix::real_path("/dev/fd");  // on Linux a link to /proc/self/fd
  const std::string of_process = posix::real_path("/proc/self/fd");
  for (int links = 0; links < 40; ++links) {
    const std::string folder = folder_around(path);
    const std::string name = path.substr(path.rfind('/') + 1);
    const std::string place = posix::real_path(folder);
    if ((place == own || place == of_process) && !name.empty() && name.size() < 7 &&
        name.find_first_not_of("0123456789") == std::string::npos) {
      return std::stoi(name);
    }
    const std::string next = posix::link_target(path);
    if (next.empty()) return std::nullopt;
    path = next.front() == '/' ? next : folder + "/" + next;
  }
  return std::nullopt;
}

/// What is written to as it is and not replaced: a device, a pipe, a descriptor that is open already.
class Device : public NewFile {
 public:
  Device(int fd, std::string path) : file_(fd), path_(std::move(path)) {}

  void append(std::string_view text) override {
    if (error_ == 0 && !write_all(file_.get(), text)) error_ = errno;
  }

  Result<bool> commit() override {
    if (file_.close() != 0 && error_ == 0) error_ = errno;
    return error_ == 0 ? Result<bool>(true) : failure(path_, error_);
  }

 private:
  Descriptor file_;
  std::string path_;
  int error_ = 0;
};

/// Whether a symbolic link leads to nothing, or to itself in the end.
bool leads_nowhere(const std::string& path) {
  struct stat info {};
  if (posix::lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return false;
  return posix::stat(path.c_str(), &info) != 0 && (errno == ENOENT || errno == ELOOP);
}

bool is_json_or_yaml(std::string_view name) {
  return name.ends_with(".json") || name.ends_with(".yaml") || name.ends_with(".yml");
}

/// Advises what to do with a word that names something elsewhere, such as an ARN or a URL. Returns nothing for paths.
std::string help_for_remote(const std::string& path) {
  if (path.starts_with("arn:") && path.find(":task-definition/") != std::string::npos)
    return "bayplan never calls AWS; save it first: aws ecs describe-task-definition --task-definition " +
           shell_word(path) + " > task-definition.json";
  if (path.starts_with("arn:")) return "bayplan never calls AWS; name a file";
  if (path.starts_with("s3://"))
    return "bayplan is offline; download it first: aws s3 cp " + shell_word(path) + " task-definition.json";
  if (path.starts_with("http://") || path.starts_with("https://"))
    return "bayplan is offline; download it first: curl -fsSLo task-definition.json " + shell_word(path);
  if (path.starts_with("file://")) return "write the path without file://: " + shell_word(path.substr(7));
  return {};
}

/// The name that may be meant: extensions are no part of what a word looks like.
std::optional<std::string_view> nearest_file(std::string_view name, const std::vector<std::string>& names) {
  const auto stem_of = [](std::string_view file) { return file.substr(0, file.rfind('.')); };
  const auto extension_of = [&](std::string_view file) { return file.substr(stem_of(file).size()); };
  std::vector<std::string_view> files(names.begin(), names.end());
  std::stable_partition(files.begin(), files.end(),
                        [&](std::string_view file) { return extension_of(file) == extension_of(name); });
  std::vector<std::string_view> stems;
  for (const auto file : files) stems.push_back(stem_of(file));
  const auto near = nearest(stem_of(name), stems);
  // Of four letters, two changed ones are another word.
  constexpr std::size_t kShortWord = 4;
  const bool is_other_word =
      near && near->size() <= kShortWord && edit_distance(lower(stem_of(name)), lower(*near)) > 1;
  if (!near || is_other_word) return std::nullopt;
  return files[static_cast<std::size_t>(std::find(stems.begin(), stems.end(), *near) - stems.begin())];
}

/// "files in this folder: a.json, b.json": where nothing is named like what was given.
std::string help_listing(const std::string& folder, const std::vector<std::string>& names) {
  constexpr std::size_t kListed = 3;
  std::vector<std::string> listed;
  for (const auto& name : names) {
    if (!is_json_or_yaml(name) || name.starts_with('.')) continue;
    listed.push_back(listed.size() < kListed ? name : "...");
    if (listed.back() == "...") break;
  }
  const auto place = folder == "." ? "this folder" : "'" + folder + "'";
  if (listed.empty()) return "check the path: " + place + " has no JSON or YAML file";
  return "check the path: " + place + " has " + join(listed, ", ");
}

/// A folder where a file belongs: the scenario inside, else any file of its kind.
Error folder_instead(const std::string& path) {
  const auto names = DiskFiles().list(path);
  const std::string inside = path.ends_with('/') ? path : path + "/";
  std::string help = "name a file in it";
  if (names) {
    for (const auto& name : *names) {
      if (name == "scenario.yaml" || name == "scenario.yml" || name == "scenario.json")
        return Error{"is a folder", path, 0, 0, "did you mean '" + inside + name + "'?"};
    }
    const auto first = std::find_if(names->begin(), names->end(), is_json_or_yaml);
    if (first != names->end()) help += ", for example " + inside + *first;
  }
  return Error{"is a folder", path, 0, 0, help};
}

/// `suggests`: with the name that may be meant, where the folder has such a one.
Error unread(const std::string& path, int error, bool suggests) {
  if (leads_nowhere(path)) {
    const std::string help = "fix or remove the link";
    return Error{"is a broken link", path, 0, 0, help, std::string(kBrokenLink)};
  }
  Error unread = failure(path, error);
  if (error != ENOENT || path.empty() || !suggests) return unread;
  unread.help = help_for_remote(path);
  if (!unread.help.empty()) return unread;
  // A count belongs to --task: `bayplan fit web.json=3`.
  if (const auto equals = path.rfind('='); equals != std::string::npos && DiskFiles().exists(path.substr(0, equals))) {
    unread.help = "did you mean '" + path.substr(0, equals) + "'?";
    return unread;
  }
  const auto slash = path.rfind('/');
  const std::string beginning = slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
  const auto names = DiskFiles().list(folder_around(path));
  if (!names) {
    unread.help = "check the path: there is no folder '" + folder_around(path) + "'";
    return unread;
  }
  const auto near = nearest_file(std::string_view(path).substr(beginning.size()), *names);
  unread.help =
      near ? "did you mean '" + beginning + std::string(*near) + "'?" : help_listing(folder_around(path), *names);
  return unread;
}

class DiskFile : public NewFile {
 public:
  explicit DiskFile(std::string path) : path_(std::move(path)), file_(open()) {}
  ~DiskFile() override {
    if (is_named_) posix::unlink(temporary_.c_str());
  }

  int descriptor() const { return file_.get(); }

  void append(std::string_view text) override {
    if (error_ == 0 && !write_all(file_.get(), text)) error_ = errno;
  }

  Result<bool> commit() override {
    const posix::HeldSignals held;
    const bool is_new = error_ == 0 && !is_named_ && link_as(path_.c_str());  // where nothing has to give way
    if (error_ == 0 && !is_new && !is_named_ && !(is_named_ = name_it())) error_ = errno;
    if (file_.close() != 0 && error_ == 0) error_ = errno;
    if (error_ != 0 && is_new) posix::unlink(path_.c_str());
    if (error_ != 0) return failure(path_, error_);
    if (is_new) return true;
    if (posix::rename(temporary_.c_str(), path_.c_str()) != 0) return failure(path_, errno);
    is_named_ = false;
    return true;
  }

 private:
  /// Opens a file without a name if the system and its file system can, so that nothing is left behind however the
  /// program ends.
  int open() {
#ifdef O_TMPFILE
    const int nameless = posix::open(folder_around(path_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (nameless >= 0 && posix::access(link_to(nameless).c_str(), F_OK) == 0) return nameless;
    if (nameless >= 0) posix::close(nameless);  // no /proc to give it a name by
#endif
    int named = -1;
    is_named_ = take_name([&](const char* name) {
      named = posix::open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
      return named >= 0;
    });
    return named;
  }

#ifdef O_TMPFILE
  static std::string link_to(int fd) {
    return "/proc/self/fd/" + std::to_string(fd);
  }

  bool link_as(const char* name) {
    return ::linkat(AT_FDCWD, link_to(file_.get()).c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  }
#else
  static bool link_as(const char*) {
    return false;
  }
#endif

  bool name_it() {
    return take_name([&](const char* name) { return link_as(name); });
  }

  /// Tries temporary names until `take` gets one that no other file has.
  template <class Take>
  bool take_name(Take take) {
    for (unsigned attempt = 0; attempt < 100; ++attempt) {
      temporary_ = path_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt);
      if (take(temporary_.c_str())) return true;
      if (errno != EEXIST) return false;
    }
    return false;
  }

  std::string path_;
  std::string temporary_;
  bool is_named_ = false;
  Descriptor file_;
  int error_ = 0;
};

}  // namespace

Result<std::string> DiskFiles::read(const std::string& path, std::size_t limit) const {
  if (holds_nul(path)) return nul_in_name(path);
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const Descriptor file(posix::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  // Who would read nothing asks only whether it is there (is_broken_link).
  if (file.get() < 0) return unread(path, errno, limit > 0);
  struct stat info {};
  if (posix::fstat(file.get(), &info) != 0) return failure(path, errno);
  if (S_ISDIR(info.st_mode)) return folder_instead(path);
  if (!S_ISREG(info.st_mode)) return Error{"is not a regular file", path, 0, 0, "write its content to a file first"};
  const auto too_large = [&] {
    return Error{"is larger than " + size_text(limit), path, 0, 0, "change the limit with --max-input"};
  };
  if (static_cast<std::size_t>(info.st_size) > limit) return too_large();

  std::string content(static_cast<std::size_t>(info.st_size) + 1, '\0');  // so that the end shows without growing
  std::size_t length = 0;
  for (;;) {
    if (length == content.size()) content.resize(length + 4096);  // proc files say 0, growing files lie
    const ssize_t count = posix::read_waiting(file.get(), content.data() + length, content.size() - length);
    if (count < 0) return failure(path, errno);
    if (count == 0) break;
    length += static_cast<std::size_t>(count);
    if (length > limit) return too_large();
  }
  content.resize(length);
  return content;
}

namespace {

class DiskReader : public FileReader {
 public:
  DiskReader(int fd, std::string path) : file_(fd), path_(std::move(path)) {}

  Result<std::size_t> read(char* into, std::size_t most) override {
    const ssize_t count = posix::read_waiting(file_.get(), into, most);
    if (count < 0) return failure(path_, errno);
    return static_cast<std::size_t>(count);
  }

 private:
  Descriptor file_;
  std::string path_;
};

class TextReader : public FileReader {
 public:
  explicit TextReader(std::string text) : text_(std::move(text)) {}

  Result<std::size_t> read(char* into, std::size_t most) override {
    const std::size_t count = std::min(most, text_.size() - at_);
    std::memcpy(into, text_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::unique_ptr<FileReader>> Files::open(const std::string& path) const {
  auto text = read(path, std::numeric_limits<std::size_t>::max());
  if (!text) return text.error();
  return std::unique_ptr<FileReader>(std::make_unique<TextReader>(std::move(*text)));
}

Result<std::unique_ptr<FileReader>> DiskFiles::open(const std::string& path) const {
  if (holds_nul(path)) return nul_in_name(path);
  const int descriptor = posix::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return unread(path, errno, true);
  auto file = std::make_unique<DiskReader>(descriptor, path);
  struct stat info {};
  if (posix::fstat(descriptor, &info) != 0) return failure(path, errno);
  if (S_ISDIR(info.st_mode)) return Error{"is a folder", path, 0, 0, "name a file in it"};
  if (!S_ISREG(info.st_mode)) return Error{"is not a regular file", path, 0, 0, "write its content to a file first"};
  return std::unique_ptr<FileReader>(std::move(file));
}

bool DiskFiles::is_folder(const std::string& path) const {
  struct stat info {};
  return !holds_nul(path) && posix::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool DiskFiles::exists(const std::string& path) const {
  struct stat info {};
  return !holds_nul(path) && posix::stat(path.c_str(), &info) == 0;
}

std::string DiskFiles::absolute(const std::string& path) const {
  return holds_nul(path) ? path : posix::real_path(path);
}

Result<std::vector<std::string>> DiskFiles::list(const std::string& folder) const {
  if (holds_nul(folder)) return nul_in_name(folder);
  DIR* handle = posix::opendir(folder.c_str());
  if (handle == nullptr) return failure(folder, errno);
  std::vector<std::string> names;
  while (const dirent* entry = posix::readdir(handle)) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat info {};
    const std::string path = folder + "/" + name;
    if (posix::lstat(path.c_str(), &info) != 0) {
      if (errno == ENOENT) continue;  // gone since
      const int error = errno;
      posix::closedir(handle);
      return failure(path, error);
    }
    // A link to a folder may point at its own parent; links to files are read as the files they name.
    if (S_ISLNK(info.st_mode) && (posix::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))) continue;
    if (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) names.push_back(name);
  }
  posix::closedir(handle);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::unique_ptr<NewFile>> DiskFiles::create(const std::string& given) {
  if (holds_nul(given)) return nul_in_name(given);
  if (const auto descriptor = descriptor_in_path(given)) {
    const int fd = posix::duplicate(*descriptor);
    if (fd < 0) return failure(given, errno);
    return std::unique_ptr<NewFile>(std::make_unique<Device>(fd, given));
  }
  struct stat target {};
  const bool is_there = posix::stat(given.c_str(), &target) == 0;
  if (is_there && S_ISDIR(target.st_mode)) return failure(given, EISDIR);
  if (is_there && !S_ISREG(target.st_mode)) {
    const int fd = posix::open(given.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return failure(given, errno);
    return std::unique_ptr<NewFile>(std::make_unique<Device>(fd, given));
  }
  // Renaming would get round the mode that says not to write.
  if (is_there && posix::access(given.c_str(), W_OK) != 0) return failure(given, errno);
  const std::string path = is_there ? posix::real_path(given) : given;
  auto file = std::make_unique<DiskFile>(path);
  if (file->descriptor() < 0) {
    const int error = errno;
    if (error == ENOENT) return folder_not_found(path);
    return failure(path, error);
  }
  if (is_there) posix::fchmod(file->descriptor(), target.st_mode & 07777);
  return std::unique_ptr<NewFile>(std::move(file));
}

Result<bool> Files::write(const std::string& path, std::string_view content) {
  auto file = create(path);
  if (!file) return file.error();
  (*file)->append(content);
  return (*file)->commit();
}

Error folder_not_found(const std::string& path) {
  const auto folder = folder_around(path);
  return {.message = "folder not found: " + folder, .file = path, .help = "create it: mkdir -p " + shell_word(folder)};
}

std::string path_to_pass_on(std::string_view path, std::string_view folder) {
  const bool is_from_root = path.starts_with('/') || (path.size() > 2 && path[1] == ':' && path[2] == '/');
  if (!is_from_root) return std::string(path);
  const bool is_below =
      folder.size() > 1 && path.size() > folder.size() + 1 && path.starts_with(folder) && path[folder.size()] == '/';
  return std::string(path.substr(is_below ? folder.size() + 1 : path.rfind('/') + 1));
}

}  // namespace bayplan
