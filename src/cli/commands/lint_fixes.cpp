#include "cli/commands/lint_fixes.hpp"

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "cli/io/guarded_files.hpp"
#include "cli/io/guarded_stream.hpp"
#include "cli/io/outputs.hpp"
#include "lint/files/file_patterns.hpp"
#include "text/encoding.hpp"
#include "text/unified_diff.hpp"

namespace bayplan::cli {
namespace {

void tell_left(const lint::FixOutcome& outcome, bool quiet, Streams& io) {
  if (quiet) return;
  for (const auto& note : outcome.after.left) fail(io, note);
}

/// UTF-16 has zero bytes, which no terminal and no patch program takes.
bool is_utf16(const text::Decoded& decoded) {
  return decoded.encoding.form != text::Encoding::Form::kUtf8;
}

}  // namespace

void FixWriter::take(lint::FixOutcome outcome) {
  tell_left(outcome, quiet_, io_);
  if (outcome.after.fixed == 0) return;  // What could not be read, the report says.
  const std::string& path = outcome.candidate.path;
  if (outcome.candidate.content) {
    texts_[path] = std::move(outcome.after.bytes);
    fixed_ += outcome.after.fixed;
    return;
  }
  if (const auto written = rewrite(io_, path, outcome.after.bytes); !written) {
    fail(io_, cannot_write(written.error(), path));
    has_errors_ = true;
    return;
  }
  fixed_ += outcome.after.fixed;
}

bool FixWriter::finish(std::vector<lint::Candidate>& candidates) {
  bool was_read = false;
  for (auto& candidate : candidates) {
    if (!candidate.content) continue;
    if (const auto text = texts_.find(candidate.path); text != texts_.end()) candidate.content = text->second;
    io_.out << *candidate.content;
    was_read = true;
  }
  return was_read;
}

void write_file_ignores(const std::vector<UncommentedFile>& files, std::string_view folder, std::ostream& out) {
  for (const auto& file : files) {
    std::string pattern = "/";
    for (const char c : lint::path_seen_from(folder, file.path)) {
      if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
    out << "  - {files: [" << json_quoted(pattern) << "], rules: [" << join(file.rules, ", ") << "]}\n";
  }
}

void DiffPrinter::take(lint::FixOutcome outcome) {
  if (outcome.error) {
    fail(io_, *outcome.error);
    has_errors_ = true;
  }
  tell_left(outcome, quiet_, io_);
  if (outcome.is_checked) ++checked_;
  if (outcome.after.fixed == 0) return;
  fixed_ += outcome.after.fixed;
  ++files_;
  const std::string& path = outcome.candidate.path;
  const auto before = text::decode(outcome.before);
  if (is_utf16(before)) {
    fail(io_, {.message = "is UTF-16; its diff is shown as UTF-8 and will not apply", .file = path});
    print(text::unified_diff(path, before.text, text::decode(outcome.after.bytes).text));
  } else {
    print(text::unified_diff(path, outcome.before, outcome.after.bytes));
  }
}

/// Prints exact bytes for programs, so that the diff applies, and no terminal controls for people.
void DiffPrinter::print(std::string_view diff) {
  if (!io_.out_is_terminal) {
    io_.out << diff;
  } else {
    GuardedStream(io_.out, {.allows_line_end_of_csv = true}) << diff;
  }
}

void DiffPrinter::finish() {
  if (quiet_) return;
  if (fixed_ == 0) {
    io_.err << "nothing to fix\n";
  } else {
    io_.err << flags_ << " would fix " << count_of(static_cast<std::int64_t>(fixed_), "finding") << " in "
            << count_of(static_cast<std::int64_t>(files_), "file") << '\n';
  }
}

}  // namespace bayplan::cli
