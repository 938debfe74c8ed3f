#include "base/gzip.hpp"

#include <zlib.h>

#include <array>

namespace bayplan {

bool is_gzip(std::string_view beginning) {
  return beginning.starts_with("\x1f\x8b");
}

namespace {

/// 15 bits of window, and 16 for the header of gzip (zlib.h, inflateInit2).
constexpr int kGzipWindow = 15 + 16;
constexpr std::size_t kPiece = std::size_t{1} << 16;

}  // namespace

struct GzipReader::Stream {
  z_stream state{};
  bool is_ready = false;
  bool is_complete = true;  ///< Nothing read, or the last member has ended.
};

GzipReader::GzipReader() : stream_(std::make_unique<Stream>()) {
  stream_->is_ready = inflateInit2(&stream_->state, kGzipWindow) == Z_OK;
}

GzipReader::~GzipReader() {
  if (stream_->is_ready) inflateEnd(&stream_->state);
}

bool GzipReader::is_complete() const {
  return stream_->is_complete;
}

bool GzipReader::decompress(std::string_view bytes, std::string& text) {
  if (!stream_->is_ready) return false;
  z_stream& state = stream_->state;
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib reads only
  state.avail_in = static_cast<uInt>(bytes.size());
  std::array<char, kPiece> piece;
  while (state.avail_in > 0 || state.avail_out == 0) {
    if (stream_->is_complete && state.avail_in == 0) break;
    if (stream_->is_complete && inflateReset(&state) != Z_OK) return false;  // the next member
    stream_->is_complete = false;
    state.next_out = reinterpret_cast<Bytef*>(piece.data());
    state.avail_out = kPiece;
    const int result = inflate(&state, Z_NO_FLUSH);
    text.append(piece.data(), kPiece - state.avail_out);
    if (result == Z_STREAM_END) {
      stream_->is_complete = true;
    } else if (result == Z_BUF_ERROR) {
      break;  // needs more bytes
    } else if (result != Z_OK) {
      return false;
    }
  }
  return true;
}

}  // namespace bayplan
