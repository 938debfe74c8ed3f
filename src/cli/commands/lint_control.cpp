#include "cli/commands/lint_control.hpp"

#include <ostream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "cli/io/outputs.hpp"

namespace bayplan::cli {
namespace {

std::string count_text(std::size_t count, std::string_view singular) {
  return count_of(static_cast<std::int64_t>(count), singular);
}

}  // namespace

LintControl::LintControl(const ControlFlags& flags, const lint::Config& config, const lint::Options& options,
                         const lint::Tools& tools, Streams& io)
    : flags_(flags),
      options_(options),
      tools_(tools),
      io_(io),
      ignores_(config.file_ignores, options.selection, tools, io.files, io.clock == nullptr ? 0 : io.clock()) {
  if (!flags.create_baseline.empty()) {
    new_baseline_ = std::make_unique<lint::NewBaseline>(flags.create_baseline, io.files);
  }
}

bool LintControl::open() {
  if (new_baseline_ && !flags_.baseline.empty()) {
    fail(io_, {.message = "--create-baseline and --baseline cannot be combined: a new baseline holds every finding",
               .help = "Remove --baseline."});
    return false;
  }
  if (flags_.baseline.empty()) return true;
  auto read = lint::read_baseline(flags_.baseline, io_.files);
  for (const auto& error : read.errors) fail(io_, error);
  baseline_ = std::move(read.baseline);
  return read.errors.empty();
}

void LintControl::ignore(lint::FileReport& report) const {
  if (flags_.no_ignores) return;
  ignores_.apply(report);
  if (baseline_) baseline_->apply(report, options_.selection, tools_);
}

void LintControl::amend(lint::FileReport& report) const {
  ignore(report);
  if (new_baseline_) lint::silence_all(report);
}

void LintControl::take(const lint::FileReport& report) {
  notes_.insert(notes_.end(), report.notes.begin(), report.notes.end());
  if (new_baseline_) new_baseline_->add(report);
}

int LintControl::write_baseline(bool is_complete, bool quiet) {
  if (!is_complete) {
    return fail(io_, {.message = "not written, because some paths could not be read", .file = new_baseline_->path()});
  }
  if (const auto written = new_baseline_->write(); !written) {
    return fail(io_, cannot_write(written.error(), new_baseline_->path()));
  }
  if (!quiet) {
    fail(io_, {.message = fmt::format("wrote {} of {}; --baseline {} suppresses them",
                                      count_text(new_baseline_->size(), "finding"),
                                      count_text(new_baseline_->file_count(), "file"), new_baseline_->path()),
               .file = new_baseline_->path()});
  }
  return kClean;
}

void LintControl::tell_notes(const std::vector<std::string>& searched) {
  std::vector<std::string> folders;
  for (const auto& path : searched) {
    if (io_.files.is_folder(path)) folders.push_back(io_.files.absolute(path));
  }
  for (const auto& note : notes_) fail(io_, note);
  for (const auto& note : ignores_.notes(folders)) fail(io_, note);
  const std::size_t fixed = baseline_ ? baseline_->count_fixed() : 0;
  if (fixed == 0) return;
  fail(io_, {.message = fmt::format("{} of the baseline {} fixed; --create-baseline updates it",
                                    count_text(fixed, "finding"), fixed == 1 ? "is" : "are"),
             .file = flags_.baseline});
}

int LintControl::finish(const std::vector<std::string>& searched, bool is_complete, bool quiet) {
  if (!quiet && !flags_.no_ignores) tell_notes(searched);
  return new_baseline_ ? write_baseline(is_complete, quiet) : kClean;
}

}  // namespace bayplan::cli
