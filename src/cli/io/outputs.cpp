#include "cli/io/outputs.hpp"

#include <algorithm>
#include <streambuf>

#include "base/edit_distance.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::cli {

namespace {

/// Standard output by its names as a file: then it is known that two outputs would run into one another there.
bool is_standard_output(std::string_view file) {
  return file == "-" || file == "/dev/stdout" || file == "/dev/fd/1" || file == "/proc/self/fd/1";
}

/// Short words differ by two letters from anything: 'yaml' is no misspelled 'html'.
std::optional<std::string_view> nearest_format(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t kShort = 4;
  if (word == "md") word = "markdown";
  const auto near = nearest(word, known);
  return near && word.size() <= kShort && edit_distance(lower(word), *near) > 1 ? std::nullopt : near;
}

/// The format that a file of the name has: "html" of "out.html"; empty when the command has no such format.
std::string format_of_file(std::string_view name, const std::vector<std::string_view>& known) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const auto extension = name.substr(dot + 1);
  const std::string_view format = extension == "md" ? "markdown" : extension == "txt" ? "text" : extension;
  return std::find(known.begin(), known.end(), format) == known.end() ? std::string() : std::string(format);
}

}  // namespace

Error cannot_write(Error error, std::string file) {
  error.message = "cannot write: " + error.message;
  error.file = std::move(file);
  return error;
}

bool is_of_system(std::string_view file) {
  return file.starts_with("/dev/") || file.starts_with("/proc/");
}

std::vector<std::string> with_output_file(std::vector<std::string> outputs, const std::string& file,
                                          const std::vector<std::string_view>& known) {
  if (file.empty() || known.empty()) return outputs;
  bool is_named = false;
  for (auto& output : outputs) {
    if (output.find('=') != std::string::npos) continue;
    output += "=" + file;
    is_named = true;
  }
  if (is_named) return outputs;
  const std::string format = format_of_file(file, known);
  outputs.push_back((format.empty() ? std::string(known.front()) : format) + "=" + file);
  return outputs;
}

Result<std::vector<Output>> parse_outputs(const GlobalOptions& global, const std::vector<std::string_view>& known) {
  std::vector<Output> outputs;
  if (known.empty()) return outputs;
  for (const auto& text : global.outputs) {
    const auto equals = text.find('=');
    Output output{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
    if (std::find(known.begin(), known.end(), output.format) == known.end()) {
      const auto near = nearest_format(output.format, known);
      const bool is_path = output.format.find_first_of("./") != std::string::npos;
      return Error{.message = "unknown output format '" + output.format + "'" +
                              (near ? "; did you mean '" + std::string(*near) + "'?" : ""),
                   .help = is_path ? "Name a file to read without an option; to write it: --output-file " +
                                         shell_word(output.format)
                                   : "Formats of this command: " + join({known.begin(), known.end()}, ", ") + "."};
    }
    if (equals != std::string::npos && output.file.empty())
      return Error{
          .message = "--output " + text + ": file name missing after '='",
          .help = "Write --output " + output.format + "=FILE, or " + output.format + " alone for standard output."};
    if (is_standard_output(output.file)) output.file.clear();
    for (const auto& other : outputs) {
      if (other.file == output.file) {
        return Error{"two outputs go to " + (output.file.empty() ? "standard output" : "'" + output.file + "'"),
                     {},
                     0,
                     0,
                     "Write all but one to a file: --output " + output.format + "=FILE."};
      }
    }
    outputs.push_back(std::move(output));
  }
  if (outputs.empty()) outputs.push_back({std::string(known.front()), {}});
  return outputs;
}

bool has_format(const std::vector<Output>& outputs, std::initializer_list<std::string_view> formats) {
  return std::any_of(outputs.begin(), outputs.end(), [&](const Output& output) {
    return std::find(formats.begin(), formats.end(), output.format) != formats.end();
  });
}

/// Hands what is written on to a file in blocks.
class OpenOutputs::FileStream : private std::streambuf, public std::ostream {
 public:
  FileStream(std::string path, std::unique_ptr<NewFile> file)
      : std::ostream(this), path_(std::move(path)), file_(std::move(file)), block_(1u << 16) {
    setp(block_.data(), block_.data() + block_.size());
  }

  const std::string& path() const { return path_; }
  Result<bool> commit() {
    hand_on();
    return file_->commit();
  }

 private:
  void hand_on() {
    file_->append({pbase(), static_cast<std::size_t>(pptr() - pbase())});
    setp(block_.data(), block_.data() + block_.size());
  }
  std::streambuf::int_type overflow(std::streambuf::int_type next) override {
    using Traits = std::streambuf::traits_type;
    hand_on();
    if (!Traits::eq_int_type(next, Traits::eof())) sputc(Traits::to_char_type(next));
    return Traits::not_eof(next);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    // What is as large as the block is not copied to it.
    if (static_cast<std::size_t>(size) < block_.size()) return std::streambuf::xsputn(text, size);
    hand_on();
    file_->append({text, static_cast<std::size_t>(size)});
    return size;
  }

  std::string path_;
  std::unique_ptr<NewFile> file_;
  std::vector<char> block_;
};

OpenOutputs::OpenOutputs(const std::vector<Output>& outputs, Streams& io) : io_(io) {
  io.has_reported = true;
  for (const auto& output : outputs) {
    if (output.file.empty()) {
      all_.push_back({output.format, guarded(output.format, io.out, true), true});
      continue;
    }
    auto file = io.files.create(output.file);
    if (!file) {
      code_ = fail(io, cannot_write(file.error(), output.file));
      continue;
    }
    files_.push_back(std::make_unique<FileStream>(output.file, std::move(*file)));
    all_.push_back({output.format, guarded(output.format, *files_.back(), false), false});
  }
}

OpenOutputs::~OpenOutputs() = default;

std::ostream& OpenOutputs::guarded(std::string_view format, std::ostream& out, bool is_standard_output) {
  if (!is_guarded(format)) return out;
  guards_.push_back(
      std::make_unique<GuardedStream>(out, choose_guard(format, is_standard_output && io_.out_is_colored)));
  return *guards_.back();
}

int OpenOutputs::commit() {
  for (const auto& guard : guards_) guard->finish();
  for (const auto& file : files_) {
    const auto written = file->commit();
    if (!written) {
      code_ = fail(io_, cannot_write(written.error(), file->path()));
    } else if (!io_.is_quiet && !is_of_system(file->path())) {
      io_.err << "bayplan: wrote " << printable(file->path()) << '\n';
    }
  }
  return code_;
}

int write_outputs(const std::vector<Output>& outputs, Streams& io,
                  const std::function<void(std::string_view, std::ostream&, bool)>& write) {
  OpenOutputs open(outputs, io);
  for (const auto& output : open.all()) write(output.format, output.out, output.is_standard_output);
  return open.commit();
}

report::Style choose_style(const GlobalOptions& global, const Streams& io, bool is_standard_output) {
  return report::Style(is_standard_output && report::wants_color(global.color, io.out_is_terminal, io.environment));
}

report::TextOptions text_options(const GlobalOptions& global, const Streams& io, bool is_standard_output) {
  return {choose_style(global, io, is_standard_output), report::glyphs_for(io.environment), global.quiet,
          global.verbose};
}

}  // namespace bayplan::cli
