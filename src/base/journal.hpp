#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace bayplan {

/// A file on disk that grows line by line: what was appended stays, whatever ends the program.
class Journal {
 public:
  /// The file at `path`, made when there is none. An error when it cannot be written, is no regular file, or another
  /// program that journals has it open.
  static Result<Journal> open(const std::string& path);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  ~Journal();

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }  ///< Bytes.
  /// All of `text` or nothing of it: what a full disk took of it is cut off again.
  Result<bool> append(std::string_view text);
  Result<bool> cut(std::uint64_t size);          ///< Keeps the first `size` bytes.
  Result<bool> rename(const std::string& name);  ///< Replaces a file of that name.

 private:
  Journal(int descriptor, std::string path, std::uint64_t size);
  Error failure() const;  ///< Makes an error of errno.

  int descriptor_;
  std::string path_;
  std::uint64_t size_;
};

/// Reads a file line by line in constant memory.
class LineReader {
 public:
  /// An error when it cannot be read or is no regular file.
  static Result<LineReader> open(const std::string& path);
  LineReader(LineReader&& other) noexcept;
  LineReader& operator=(LineReader&&) = delete;
  ~LineReader();

  /// Goes to the next line; false at the end of the file, or when it cannot be read on (`error`).
  bool next();
  std::string_view line() const { return line_; }   ///< The line without its line feed; valid until `next`.
  bool is_whole() const { return is_whole_; }       ///< It ends with a line feed.
  std::uint64_t offset() const { return offset_; }  ///< Offset of the line, in bytes.
  std::uint64_t number() const { return number_; }  ///< Number of the line, from 1.
  int error() const { return error_; }              ///< errno, or 0.

 private:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}
  bool fill();

  int descriptor_;
  std::string buffer_;
  std::size_t begin_ = 0;  ///< Where the unread part of the buffer begins.
  std::string_view line_;
  bool is_whole_ = false;
  std::uint64_t offset_ = 0;
  std::uint64_t next_offset_ = 0;
  std::uint64_t number_ = 0;
  int error_ = 0;
};

}  // namespace bayplan
