#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace bayplan {

/// Whether a file that begins so is gzip (RFC 1952, section 2.3.1).
bool is_gzip(std::string_view beginning);

/// Decompresses gzip piece by piece; several members one after another are one text (RFC 1952, section 2.2).
class GzipReader {
 public:
  GzipReader();
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  /// Appends what the next bytes of the file decompress to. False if they are damaged; what came before them has been
  /// appended.
  bool decompress(std::string_view bytes, std::string& text);
  /// Whether the bytes so far end with a complete member; a file that ends otherwise is truncated.
  bool is_complete() const;

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace bayplan
