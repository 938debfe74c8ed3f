#include "cli/commands/sweep_results.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include <fmt/core.h>

#include "base/posix.hpp"
#include "cli/io/outputs.hpp"
#include "report/sweep/sweep_report.hpp"

namespace bayplan::cli {

using study::SweepSummary;

namespace {

/// The position of a line that is not valid.
struct Entry {
  std::int64_t index = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t number = 0;  ///< Number of the line, counted from 1.
};

Error error_at(const std::string& path, std::uint64_t line, std::string message, std::string help) {
  return Error{.message = std::move(message),
               .file = path,
               .line = static_cast<std::uint32_t>(line),
               .column = 1,
               .help = std::move(help)};
}

constexpr std::string_view kAnotherFile = "Write to another file, or start over with --fresh.";

Result<report::ReadSweepLine> checked_line(const std::string& path, const LineReader& reader, const SweepRange& range) {
  const auto line = report::read_sweep_line(reader.line());
  if (!line) return error_at(path, reader.number(), line.error().message, std::string(kAnotherFile));
  if (line->grid != range.grid) {
    return error_at(path, reader.number(),
                    fmt::format("these results belong to another grid ({}; this one is {})", line->grid, range.grid),
                    "The grid, a file that it names, or bayplan has changed since. " + std::string(kAnotherFile));
  }
  if (!range.block.holds(line->index)) {
    return error_at(path, reader.number(),
                    fmt::format("scenario {} is not in this shard, which has {} to {}", line->index, range.block.begin,
                                range.block.end - 1),
                    std::string(kAnotherFile));
  }
  return line;
}

Error cannot_read(const std::string& path, std::string_view why) {
  return Error{.message = fmt::format("cannot read: {}", why), .file = path};
}

/// Whether the whole file holds just the lines wanted, in order; they are added to `summary` as far as they do.
Result<bool> is_in_order(const std::string& path, const SweepRange& range, SweepSummary& summary) {
  auto reader = LineReader::open(path);
  if (!reader) return cannot_read(path, reader.error().message);
  std::int64_t next = range.block.begin;
  while (reader->next()) {
    const auto line = checked_line(path, *reader, range);
    if (!line) return line.error();
    if (line->index != next || !reader->is_whole()) return false;
    summary.add(next++, line->figures);
  }
  return next == range.block.end;
}

Result<std::vector<Entry>> read_entries(const std::string& path, const SweepRange& range) {
  auto reader = LineReader::open(path);
  if (!reader) return cannot_read(path, reader.error().message);
  std::vector<Entry> entries;
  while (reader->next()) {
    const auto line = checked_line(path, *reader, range);
    if (!line) return line.error();
    entries.push_back({line->index, reader->offset(), reader->line().size(), reader->number()});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.index < b.index; });
  return entries;
}

std::string text_at(std::ifstream& in, const Entry& entry) {
  std::string text(entry.length, '\0');
  in.clear();
  in.seekg(static_cast<std::streamoff>(entry.offset));
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

/// Lines that say the same of one scenario count once.
Result<bool> drop_doubles(const std::string& path, std::vector<Entry>& entries) {
  std::ifstream in(path, std::ios::binary);
  std::vector<Entry> kept;
  for (const auto& entry : entries) {
    if (kept.empty() || kept.back().index != entry.index) {
      kept.push_back(entry);
    } else if (text_at(in, kept.back()) != text_at(in, entry)) {
      return error_at(path, entry.number,
                      fmt::format("scenario {} has a different result in line {}", entry.index, kept.back().number),
                      "They come from different inputs: delete the wrong one.");
    }
  }
  entries = std::move(kept);
  return true;
}

std::optional<Error> gap_in(const std::string& path, const SweepRange& range, const std::vector<Entry>& entries) {
  std::int64_t next = range.block.begin;
  for (const auto& entry : entries) {
    if (entry.index != next) break;
    ++next;
  }
  if (next == range.block.end) return std::nullopt;
  return Error{.message = fmt::format("has {} of {} scenarios; scenario {} is the first one missing", entries.size(),
                                      range.block.size(), next),
               .file = path,
               .help = "Add the lines of the missing shards, or start over with --fresh."};
}

/// Writes the lines anew, in order and each once.
Result<bool> put_in_order(const std::string& path, const SweepRange& range, Files& files, SweepSummary& summary) {
  auto entries = read_entries(path, range);
  if (!entries) return entries.error();
  if (const auto dropped = drop_doubles(path, *entries); !dropped) return dropped;
  if (auto gap = gap_in(path, range, *entries)) return *gap;
  auto file = files.create(path);
  if (!file) return cannot_write(file.error(), path);
  std::ifstream in(path, std::ios::binary);
  for (const auto& entry : *entries) {
    const std::string text = text_at(in, entry);
    const auto line = report::read_sweep_line(text);
    if (!line) return cannot_read(path, "it changed while being read");
    summary.add(line->index, line->figures);
    (*file)->append(text + "\n");
  }
  const auto written = (*file)->commit();
  if (!written) return cannot_write(written.error(), path);
  return true;
}

/// What a run that ended left behind.
struct Begun {
  std::int64_t next = 0;
  std::uint64_t size = 0;  ///< Bytes of its complete lines.
  bool was_cut = false;    ///< The last line was not whole.
};

Result<Begun> read_begun(const std::string& path, const SweepRange& range, SweepSummary& summary) {
  auto reader = LineReader::open(path);
  if (!reader) return cannot_read(path, reader.error().message);
  Begun begun{range.block.begin};
  while (reader->next()) {
    if (!reader->is_whole()) {
      begun.was_cut = true;
      break;
    }
    const auto line = checked_line(path, *reader, range);
    if (!line) return line.error();
    if (line->index != begun.next) {
      return error_at(path, reader->number(), fmt::format("scenario {} instead of {}", line->index, begun.next),
                      std::string(kAnotherFile));
    }
    summary.add(begun.next++, line->figures);
    begun.size = reader->offset() + reader->line().size() + 1;
  }
  if (reader->error() != 0) return cannot_read(path, "input error");
  return begun;
}

bool is_device(const std::string& path) {
  struct stat info {};
  return posix::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

}  // namespace

Result<SweepResults> SweepResults::open(const std::string& path, const SweepRange& range, bool fresh, Files& files,
                                        SweepSummary& summary) {
  SweepResults results;
  results.path_ = path;
  results.next_ = range.block.begin;
  const bool is_there = DiskFiles().exists(path);
  if (is_there && (is_device(path) || DiskFiles().is_folder(path))) {
    auto device = files.create(path);
    if (!device) return cannot_write(device.error(), path);
    results.device_ = std::move(*device);
    return results;
  }
  if (is_there && !fresh) {
    const SweepSummary empty = summary;
    const auto in_order = is_in_order(path, range, summary);
    if (!in_order) return in_order.error();
    if (!*in_order) {
      summary = empty;
      if (const auto put = put_in_order(path, range, files, summary); !put) return put.error();
      results.note_ = fmt::format("{}: lines sorted", path);
    }
    results.next_ = range.block.end;
    results.is_complete_ = true;
    return results;
  }
  auto journal = Journal::open(path + ".partial");
  if (!journal) return cannot_write(journal.error(), journal.error().file);
  Begun begun{range.block.begin};
  if (!fresh) {
    const auto read = read_begun(path + ".partial", range, summary);
    if (!read) return read.error();
    begun = *read;
  }
  if (begun.size < journal->size()) {
    if (const auto cut = journal->cut(begun.size); !cut) return cut.error();
  }
  results.next_ = begun.next;
  if (begun.next > range.block.begin || begun.was_cut) {
    results.note_ =
        fmt::format("{}.partial: continuing after {} of {} scenarios{}", path, begun.next - range.block.begin,
                    range.block.size(), begun.was_cut ? "; an incomplete line is computed again" : "");
  }
  results.journal_.emplace(std::move(*journal));
  return results;
}

Result<bool> SweepResults::append(std::string_view lines) {
  if (!device_) return journal_->append(lines);
  device_->append(lines);
  return true;
}

Result<bool> SweepResults::finish() {
  if (device_) return device_->commit();
  return is_complete_ ? Result<bool>(true) : journal_->rename(path_);
}

}  // namespace bayplan::cli
