#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/application.hpp"
#include "cli/io/guarded_stream.hpp"
#include "cli/options/options.hpp"
#include "report/document/terminal.hpp"

namespace bayplan::cli {

/// One `--output FORMAT[=FILE]`.
struct Output {
  std::string format;
  std::string file;  ///< Empty = standard output.
};

/// The message for a file that could not be written: `error` says why.
Error cannot_write(Error error, std::string file);

/// Whether a file to write is one of the system's, which is written to and not replaced, by any number of outputs.
bool is_of_system(std::string_view file);

/// The outputs with the file of --output-file: it takes the place of standard output. Where none goes there, the file
/// is one more output, in the format of its ending, else the first of `known`.
std::vector<std::string> with_output_file(std::vector<std::string> outputs, const std::string& file,
                                          const std::vector<std::string_view>& known);

/// The outputs asked for, the first of `known` when none was. An unknown format is an error that names the nearest; two
/// outputs to one place are an error.
Result<std::vector<Output>> parse_outputs(const GlobalOptions& global, const std::vector<std::string_view>& known);

/// Whether any output is in one of the formats.
bool has_format(const std::vector<Output>& outputs, std::initializer_list<std::string_view> formats);

/// The outputs of a command while it runs. A file appears whole, when all is done, or not at all.
class OpenOutputs {
 public:
  struct One {
    std::string format;
    std::ostream& out;
    bool is_standard_output;
  };

  OpenOutputs(const std::vector<Output>& outputs, Streams& io);
  OpenOutputs(const OpenOutputs&) = delete;
  OpenOutputs& operator=(const OpenOutputs&) = delete;
  ~OpenOutputs();

  /// Returns the outputs that could be opened, in the requested order.
  const std::vector<One>& all() const { return all_; }
  /// Puts the files into their places. Gives kClean, or kUnusable when a file could not be written (the others are).
  int commit();

 private:
  class FileStream;

  std::ostream& guarded(std::string_view format, std::ostream& out, bool is_standard_output);

  Streams& io_;
  std::vector<std::unique_ptr<FileStream>> files_;
  std::vector<std::unique_ptr<GuardedStream>>
      guards_;  ///< Destroyed before the files, because they still write their last bytes.
  std::vector<One> all_;
  int code_ = kClean;
};

/// Writes each output with `write(format, stream, is_standard_output)`. A file appears whole or not at all. Gives
/// kClean, or kUnusable when a file could not be written (the others still are).
int write_outputs(
    const std::vector<Output>& outputs, Streams& io,
    const std::function<void(std::string_view format, std::ostream& out, bool is_standard_output)>& write);

/// How text looks there: only standard output is ever colored.
report::Style choose_style(const GlobalOptions& global, const Streams& io, bool is_standard_output);

/// The look and the extent that the global options ask for.
report::TextOptions text_options(const GlobalOptions& global, const Streams& io, bool is_standard_output);

}  // namespace bayplan::cli
