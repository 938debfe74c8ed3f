#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "text/document.hpp"
#include "text/json_reader.hpp"
#include "text/location.hpp"

namespace bayplan::shape {

/// Files of bayplan's own formats that were read so far, and all that is wrong with them.
class Sources {
 public:
  Sources(const Files& files, const Limits& limits) : files_(files), limits_(limits) {}

  /// Read JSON or YAML; null when that failed, with the errors noted. `from`: the value that names the file, if any.
  const text::Document* read_definition(const std::string& path, text::Value from) {
    return read(path, limits_.definition_bytes, from);
  }
  /// A file that may say nothing at all: then the document has no root.
  const text::Document* read_settings(const std::string& path, text::Value from) {
    return read(path, limits_.definition_bytes, from, true);
  }
  /// Reads a file of a scenario or cluster, which may be far larger.
  const text::Document* read_snapshot(const std::string& path, text::Value from) {
    return read(path, limits_.snapshot_bytes, from);
  }
  /// Reads a large JSON text of which `keep` chooses what is held in memory.
  const text::Document* read_parts(const std::string& path, text::Value from, text::RetentionRule keep) {
    return read(path, limits_.snapshot_bytes, from, false, std::move(keep));
  }
  /// Whether the value `from` may have `path` read (PathSandbox); false with the error noted at the value.
  bool may_name(text::Value from, const std::string& path);
  /// Takes up a document that was read elsewhere, out of a larger file that begins before it.
  void add(std::shared_ptr<const text::Document> document, const std::string& file, std::uint32_t first_line);
  /// A file that is read elsewhere: its errors are reported where it was named.
  void note_file(const std::string& file) { files_read_.push_back(file); }
  const Limits& limits() const { return limits_; }

  /// Runs a schema over `value`; false when something was found, which is noted.
  bool check_shape(std::string_view schema, text::Value value);

  void fail(text::Value at, std::string message, std::string help = {});
  void fail_at(Span span, text::Value in, std::string message,
               std::string help = {});          ///< `span` in the same document.
  void fail(Error error);                       ///< Adds an error of the command line.
  void fail_with(text::Value at, Error error);  ///< The error as it is, placed at `at`.
  bool has_errors() const { return !errors_.empty(); }
  std::size_t error_count() const { return errors_.size(); }

  Error error_at(text::Value at, std::string message, std::string help = {}) const;
  Error error_at(Span span, text::Value in, std::string message) const;  ///< `span` in the same document.
  std::string file_of(text::Value at) const;
  Error place_of(
      text::Value at) const;  ///< Returns the place of the key, or of the value if there is no key, without a message.

  const Files& files() const { return files_; }
  std::vector<Error>
  take_errors() &&;  ///< Returns the errors by file in the order of reading, then by position, each once.
  std::vector<std::shared_ptr<const text::Document>> documents() const;

 private:
  struct Source {
    std::shared_ptr<const text::Document> document;
    std::string file;
    text::LineIndex lines;
    std::uint32_t lines_before = 0;  ///< Number of lines in the file before the document.
  };

  const text::Document* read(const std::string& path, std::size_t limit, text::Value from, bool may_be_empty = false,
                             text::RetentionRule keep = {});
  bool check_known(text::Value value);
  const Source& find_source(const text::Document& document) const;
  Error error_in(const Source& source, std::uint32_t offset, std::string message, std::string help) const;

  const Files& files_;
  Limits limits_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::map<const text::Document*, const Source*> by_document_;
  std::vector<std::string> files_read_;
  std::vector<Error> errors_;
};

/// Path as written in `file`, from where the program runs.
std::string relative_to(const std::string& file, std::string_view path);

}  // namespace bayplan::shape
