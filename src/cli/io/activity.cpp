#include "cli/io/activity.hpp"

#include <fmt/core.h>

#include "report/document/terminal.hpp"

namespace bayplan::cli {
namespace {

constexpr std::chrono::milliseconds kTick{500};

}  // namespace

Activity::~Activity() {
  end();
  thread_.join();
}

void Activity::begin(std::string_view phase) {
  if (listener_ && !phase.empty()) listener_(phase);
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  erase();
  phase_ = phase;
  began_ = Clock::now();
  if (phase_.empty() || is_over_) return;
  if (!thread_.has_started()) thread_ = start_thread([this] { run(); });
  if (!thread_.has_started()) show(phase_);
}

void Activity::say(std::string_view words) {
  if (listener_) listener_(words);
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  phase_.clear();
  if (!is_over_) show(words);
}

void Activity::pause() {
  const std::lock_guard lock(mutex_);
  phase_.clear();
  erase();
}

void Activity::end() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    erase();
  }
  ended_.notify_all();
}

void Activity::write(std::ostream& sink, std::string_view text) {
  const std::lock_guard lock(mutex_);
  erase();
  sink.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void Activity::run() {
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    ended_.wait_for(lock, kTick);
    const auto elapsed = Clock::now() - began_;
    if (is_over_ || phase_.empty() || elapsed < kTick) continue;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
    show(seconds == 0 ? phase_ : fmt::format("{}: {} s", phase_, seconds));
  }
}

void Activity::show(std::string_view words) {
  const auto fitting = words.substr(0, report::beginning_within(words, columns_ > 0 ? columns_ - 1 : 0));
  err_ << fmt::format("\r\x1b[K{}", fitting) << std::flush;  // in one piece
  is_shown_ = true;
}

void Activity::erase() {
  if (is_shown_) err_ << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

std::streambuf::int_type ActivityStream::overflow(std::streambuf::int_type next) {
  using Traits = std::streambuf::traits_type;
  if (!Traits::eq_int_type(next, Traits::eof())) {
    const char byte = Traits::to_char_type(next);
    xsputn(&byte, 1);
  }
  return sink_.good() ? Traits::not_eof(next) : Traits::eof();
}

std::streamsize ActivityStream::xsputn(const char* text, std::streamsize size) {
  if (is_report_) activity_.end();
  activity_.write(sink_, {text, static_cast<std::size_t>(size)});
  return sink_.good() ? size : 0;
}

int ActivityStream::sync() {
  sink_.flush();
  return sink_.good() ? 0 : -1;
}

}  // namespace bayplan::cli
