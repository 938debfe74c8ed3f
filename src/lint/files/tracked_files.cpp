#include "lint/files/tracked_files.hpp"

#include <algorithm>

#include "lint/files/folder_search.hpp"
#include "lint/files/git_folder.hpp"

namespace bayplan::lint {
namespace {

/// An index of half a million files with long names is about as large.
constexpr std::size_t kLargestIndex = 256 * 1024 * 1024;

/// Reads entries one after another; what lies beyond the end makes it fail, and it stays failed.
class IndexReader {
 public:
  IndexReader(std::string_view bytes, std::size_t name_size) : bytes_(bytes), name_size_(name_size) {}

  std::optional<std::vector<std::string>> run() && {
    if (take(4) != "DIRC") return std::nullopt;
    version_ = number(4);
    if (version_ < 2 || version_ > 4) return std::nullopt;
    const std::size_t count = number(4);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < count && !failed_; ++i) entry(paths);
    const bool has_checksum = at_ + name_size_ <= bytes_.size();
    if (failed_ || !has_checksum || !std::is_sorted(paths.begin(), paths.end())) return std::nullopt;
    return paths;
  }

 private:
  std::string_view take(std::size_t size) {
    if (failed_ || bytes_.size() - at_ < size) {
      failed_ = true;
      return {};
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  /// Big-endian.
  std::size_t number(std::size_t size) {
    std::size_t value = 0;
    for (const char c : take(size)) value = value << 8U | static_cast<unsigned char>(c);
    return value;
  }

  void entry(std::vector<std::string>& paths) {
    constexpr std::size_t kTimesAndDevice = 24, kOwnersAndSize = 12;
    constexpr std::size_t kExtended = 0x4000, kType = 0xF000, kRegular = 0x8000, kLink = 0xA000;
    const std::size_t begin = at_;
    take(kTimesAndDevice);
    const std::size_t type = number(4) & kType;
    take(kOwnersAndSize + name_size_);
    if ((number(2) & kExtended) != 0) take(2);
    version_ == 4 ? shortened_path() : padded_path(begin);
    if (!failed_ && (type == kRegular || type == kLink)) paths.push_back(path_);
  }

  /// Reads the text up to a zero byte.
  std::string_view text() {
    const std::size_t end = failed_ ? std::string_view::npos : bytes_.find('\0', at_);
    if (end == std::string_view::npos) {
      failed_ = true;
      return {};
    }
    const auto text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  /// Zero bytes fill the entry up to a multiple of eight.
  void padded_path(std::size_t begin) {
    path_ = text();
    while (!failed_ && (at_ - begin) % 8 != 0) {
      if (number(1) != 0) failed_ = true;
    }
  }

  /// Version 4: how much of the path before goes, and what follows the rest.
  void shortened_path() {
    const std::size_t dropped = variable_number();
    if (dropped > path_.size()) failed_ = true;
    if (failed_) return;
    path_.resize(path_.size() - dropped);
    path_ += text();
  }

  std::size_t variable_number() {
    std::size_t byte = number(1);
    std::size_t value = byte & 127U;
    while ((byte & 128U) != 0 && !failed_ && value < kLargestIndex) {
      byte = number(1);
      value = (value + 1) << 7U | (byte & 127U);
    }
    return value;
  }

  std::string_view bytes_;
  std::size_t name_size_;
  std::size_t version_ = 0;
  std::size_t at_ = 0;
  bool failed_ = false;
  std::string path_;
};

}  // namespace

std::optional<TrackedFiles> TrackedFiles::parse(std::string_view index, std::size_t name_size) {
  auto paths = IndexReader(index, name_size).run();
  if (!paths) return std::nullopt;
  TrackedFiles tracked;
  tracked.paths_ = std::move(*paths);
  return tracked;
}

TrackedFiles TrackedFiles::of(const std::string& root, const Files& files) {
  const auto git = find_git_folder(root, files);
  if (!git) return {};
  const auto index = files.read(inside(git->own, "index"), kLargestIndex);
  if (!index) return {};
  return parse(*index, object_name_size(*git, files)).value_or(TrackedFiles{});
}

bool TrackedFiles::holds(std::string_view path) const {
  return std::binary_search(paths_.begin(), paths_.end(), path, std::less<>());
}

bool TrackedFiles::holds_below(std::string_view folder) const {
  const std::string prefix = std::string(folder) + "/";
  const auto next = std::lower_bound(paths_.begin(), paths_.end(), prefix);
  return next != paths_.end() && next->starts_with(prefix);
}

}  // namespace bayplan::lint
