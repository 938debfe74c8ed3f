#include "replay/records/read_records.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/gzip.hpp"
#include "base/strings.hpp"
#include "text/json_elements.hpp"

namespace bayplan::replay {
namespace {

constexpr std::size_t kPieceOfFile = std::size_t{1} << 18;
/// gzip unpacks to a thousand times its size at most: a piece of it, to 4 MiB.
constexpr std::size_t kPieceOfGzip = std::size_t{1} << 12;

bool is_record_file(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  constexpr std::string_view kEnds[] = {".json", ".jsonl", ".ndjson", ".log", ".csv"};
  return std::any_of(std::begin(kEnds), std::end(kEnds), [&](std::string_view end) { return name.ends_with(end); });
}

/// Whether the line is one whole JSON value.
bool is_value(std::string_view line) {
  JsonCursor cursor(line);
  cursor.skip();
  return cursor.ok() && cursor.at_end();
}

/// Whether records are inside a list of the value.
bool holds_list(std::string_view line) {
  JsonCursor cursor(line);
  if (cursor.peek() == '[') return true;
  const std::string_view start = trim(line.substr(0, 64));
  constexpr std::string_view kWrappers[] = {"\"Records\"", "\"Events\"", "\"events\""};
  return std::any_of(std::begin(kWrappers), std::end(kWrappers), [&](std::string_view key) {
    return start.starts_with('{') && trim(start.substr(1)).starts_with(key);
  });
}

/// The cells of one row of a CSV table, decoded.
std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = row[i];
    if (c == '"' && is_quoted && i + 1 < row.size() && row[i + 1] == '"') {
      cells.back() += row[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      cells.emplace_back();
    } else if (is_quoted || (c != '\r' && c != '\n')) {
      cells.back() += c;
    }
  }
  return cells;
}

/// The table that Athena gives of CloudTrail (column names of its documentation), row by row as records.
class AthenaTable {
 public:
  static bool is_header(std::string_view line) {
    return line.find("eventname") != std::string_view::npos && line.find("requestparameters") != std::string_view::npos;
  }

  explicit AthenaTable(std::string_view header) : columns_(cells_of(header)) {}

  /// The row as JSON of CloudTrail.
  std::string record_of(std::string_view row) const {
    const auto cells = cells_of(row);
    std::string record = "{";
    const auto add = [&](std::string_view key, std::string_view value) {
      fmt::format_to(std::back_inserter(record), "{}\"{}\":{}", record.size() == 1 ? "" : ",", key, value);
    };
    for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i) {
      if (cells[i].empty()) continue;
      if (columns_[i] == "requestparameters") add("requestParameters", cells[i]);
      if (columns_[i] == "responseelements") add("responseElements", cells[i]);
      if (columns_[i] == "useridentity") add("userIdentity", fmt::format("{{\"arn\":{}}}", quoted(arn_in(cells[i]))));
      for (const auto& [column, key] : kTexts) {
        if (columns_[i] == column) add(key, quoted(cells[i]));
      }
    }
    return record + "}";
  }

 private:
  static constexpr std::pair<std::string_view, std::string_view> kTexts[] = {{"eventsource", "eventSource"},
                                                                             {"eventname", "eventName"},
                                                                             {"eventtime", "eventTime"},
                                                                             {"eventid", "eventID"},
                                                                             {"errorcode", "errorCode"}};

  static std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      if (static_cast<unsigned char>(c) >= ' ') result += c;
    }
    return result + '"';
  }

  /// "{type=AssumedRole, ..., arn=arn:aws:sts::..., ...}": a struct of Athena in words.
  static std::string_view arn_in(std::string_view identity) {
    constexpr std::string_view kMember = " arn=";
    const auto begin = identity.find(kMember);
    if (begin == std::string_view::npos) return {};
    const auto rest = identity.substr(begin + kMember.size());
    return rest.substr(0, rest.find_first_of(",}"));
  }

  std::vector<std::string> columns_;
};

/// The text of one file, line by line if its first line is a whole value, else as one text.
class RecordText {
 public:
  RecordText(std::uint32_t file, const Limits& limits, RecordBuilder& builder)
      : file_(file), limits_(limits), builder_(builder) {}

  /// False when a line, or a text that must be read as a whole, is too large.
  bool take(std::string_view piece) {
    text_ += piece;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (line_ == 0 && mode_ == Mode::kUnknown && text_.starts_with(kByteOrderMark))
      text_.erase(0, kByteOrderMark.size());
    if (mode_ == Mode::kUnknown) decide(false);
    if (mode_ == Mode::kLines) take_lines();
    if (mode_ == Mode::kTable) take_rows();
    return text_.size() <= limits_.snapshot_bytes;
  }

  /// `is_whole`: the text does not end too early.
  void finish(bool is_whole) {
    if (mode_ == Mode::kUnknown) decide(true);
    if (mode_ == Mode::kTable) return finish_table(is_whole);
    if (mode_ != Mode::kLines) return walk(text_, line_ + 1);
    if (trim(text_).empty()) return;
    if (is_whole || is_value(text_)) return take_line(text_);
    ++line_;  // the last line is cut off, and that is said of the file
  }

 private:
  enum class Mode : std::uint8_t { kUnknown, kLines, kTable, kWhole };

  /// By the first line that says anything. Empty lines before it are counted and dropped.
  void decide(bool is_end) {
    for (;;) {
      const std::size_t line_end = text_.find('\n', searched_);
      if (line_end == std::string::npos && !is_end) {
        searched_ = text_.size();
        break;
      }
      const auto line = std::string_view(text_).substr(line_begin_, std::min(line_end, text_.size()) - line_begin_);
      const bool is_empty = trim(line).empty();
      if (!is_empty && !is_lead(line)) {
        mode_ = is_value(line) || !record_in(line).empty() ? Mode::kLines
                : AthenaTable::is_header(line)             ? Mode::kTable
                                                           : Mode::kWhole;
        break;
      }
      if (line_end == std::string::npos) break;
      has_lead_ = has_lead_ || !is_empty;
      searched_ = line_begin_ = line_end + 1;
      if (has_lead_) continue;
      ++line_;
      begin_ = line_begin_;
    }
    drop(begin_);
    line_begin_ -= std::exchange(begin_, 0);
    if (is_end && mode_ == Mode::kUnknown) mode_ = Mode::kWhole;
    if (mode_ != Mode::kUnknown) searched_ = 0;
  }

  /// Drops the first `count` bytes, which are done with.
  void drop(std::size_t count) {
    text_.erase(0, count);
    searched_ -= std::min(searched_, count);
  }

  /// A line of another program before the records: what it says is no JSON and no table.
  static bool is_lead(std::string_view line) {
    const char first = trim(line).front();
    return first != '{' && first != '[' && !AthenaTable::is_header(line) && record_in(line).empty() &&
           line.find('\0') == std::string_view::npos;
  }

  /// The record in a line that begins with something else, such as the time that `aws logs tail` writes.
  static std::string_view record_in(std::string_view line) {
    const auto begin = line.find('{');
    if (begin == std::string_view::npos || !is_value(line.substr(begin))) return {};
    return line.substr(begin);
  }

  void take_lines() {
    std::size_t begin = 0;
    for (;;) {
      const std::size_t line_end = text_.find('\n', searched_);
      if (line_end == std::string::npos) break;
      take_line(std::string_view(text_).substr(begin, line_end - begin));
      searched_ = begin = line_end + 1;
    }
    searched_ = text_.size();
    drop(begin);
  }

  /// A row ends with a line end that is in no quotes.
  void take_rows() {
    std::size_t begin = 0;
    for (; searched_ < text_.size(); ++searched_) {
      if (text_[searched_] == '"') is_quoted_ = !is_quoted_;
      if (text_[searched_] != '\n' || is_quoted_) continue;
      take_row(std::string_view(text_).substr(begin, searched_ - begin));
      begin = searched_ + 1;
    }
    drop(begin);
  }

  void take_row(std::string_view row) {
    const std::uint32_t first_line = line_ + 1;
    line_ += 1 + static_cast<std::uint32_t>(std::count(row.begin(), row.end(), '\n'));
    if (trim(row).empty()) return;
    if (!table_) return static_cast<void>(table_.emplace(row));
    builder_.add(table_->record_of(row), {file_, first_line});
  }

  void finish_table(bool is_whole) {
    take_rows();
    if (trim(text_).empty()) return;
    const bool is_closed = std::count(text_.begin(), text_.end(), '"') % 2 == 0;
    if (is_whole && is_closed) return take_row(text_);
    builder_.add_broken({file_, line_ + 1}, "the last row is cut off; what comes before it was read");
  }

  void take_line(std::string_view line) {
    ++line_;
    if (trim(line).empty()) return;
    if (holds_list(line)) return walk(line, line_);
    const auto record = trim(line).front() == '{' ? line : record_in(line);
    builder_.add(record.empty() ? line : record, {file_, line_});
  }

  /// Records inside lists, and values one after another.
  void walk(std::string_view text, std::uint32_t first_line) {
    const bool is_wide = first_line == 1 && (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"));
    if (is_wide) return builder_.add_broken({file_, 0}, "is UTF-16 and was not read; save it as UTF-8");
    if (trim(text).empty()) return builder_.add_broken({file_, 0}, "is empty");
    std::uint32_t line = first_line;
    std::size_t counted = 0;
    const auto line_at = [&](std::size_t offset) {
      if (offset > counted) {
        line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                      text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
        counted = offset;
      }
      return line;
    };
    const text::ElementsWanted wanted{{"Records", "Events", "events"}, {}};
    const auto found = text::for_each_element(text, wanted, limits_, [&](const text::JsonElement& element) {
      builder_.add(text.substr(element.span.begin, element.span.end - element.span.begin),
                   {file_, line_at(element.span.begin)});
      return true;
    });
    if (!found.broken) return;
    const auto& fault = found.broken->fault;
    builder_.add_broken({file_, line_at(fault.span.begin)},
                        fmt::format("{}; what comes before it was read", fault.message));
  }

  std::uint32_t file_;
  const Limits& limits_;
  RecordBuilder& builder_;
  Mode mode_ = Mode::kUnknown;
  std::string text_;  ///< kLines, kTable: the line or row that has begun.
  /// Where the search for the next line end goes on: before it there is none that ends a line or row. A text that comes
  /// in many pieces is searched once.
  std::size_t searched_ = 0;
  bool is_quoted_ = false;      ///< kTable: `searched_` is in quotes.
  std::size_t line_begin_ = 0;  ///< kUnknown: of the line to decide by.
  std::size_t begin_ = 0;       ///< kUnknown: behind the empty lines at the beginning.
  bool has_lead_ = false;       ///< kUnknown: a line of another program came.
  std::optional<AthenaTable> table_;
  std::uint32_t line_ = 0;
};

std::optional<Error> read_file(const std::string& path, const Files& files, const Limits& limits,
                               RecordBuilder& builder) {
  auto file = files.open(path);
  if (!file) return file.error();
  const auto number = static_cast<std::uint32_t>(builder.history().files.size());
  builder.history().files.push_back(path);
  RecordText text(number, limits, builder);
  std::string piece(kPieceOfFile, '\0');
  std::string plain;
  std::unique_ptr<GzipReader> gzip;
  bool is_first = true;
  bool is_whole = true;
  for (;;) {
    const auto count = (*file)->read(piece.data(), piece.size());
    if (!count) return count.error();
    if (*count == 0) break;
    std::string_view bytes(piece.data(), *count);
    if (std::exchange(is_first, false) && is_gzip(bytes)) gzip = std::make_unique<GzipReader>();
    bool is_small_enough = true;
    while (is_whole && is_small_enough && !bytes.empty()) {
      const auto part = bytes.substr(0, gzip ? kPieceOfGzip : bytes.size());
      bytes.remove_prefix(part.size());
      if (gzip) {
        plain.clear();
        is_whole = gzip->decompress(part, plain);
      }
      is_small_enough = text.take(gzip ? plain : part);
    }
    if (!is_small_enough)
      return Error{fmt::format("has more than {} bytes without an end of line", limits.snapshot_bytes), path, 0, 0,
                   "one record per line has no limit (jq -c), or change the limit with --max-input"};
    if (!is_whole) break;
  }
  const bool is_truncated = is_whole && gzip && !gzip->is_complete();
  text.finish(is_whole && !is_truncated);
  if (!is_whole) builder.add_broken({number, 0}, "damaged gzip; what comes before the damage was read");
  if (is_truncated) builder.add_broken({number, 0}, "truncated gzip; what comes before the end was read");
  return std::nullopt;
}

std::optional<Error> read_folder(const std::string& path, const Files& files, const Limits& limits,
                                 RecordBuilder& builder) {
  const auto names = files.list(path);
  if (!names) return names.error();
  for (const auto& name : *names) {
    const std::string inside = path.ends_with('/') ? path + name : path + "/" + name;
    if (!files.is_folder(inside) && !is_record_file(name)) continue;
    if (auto error = read_records(inside, files, limits, builder)) return error;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> read_records(const std::string& path, const Files& files, const Limits& limits,
                                  RecordBuilder& builder) {
  return files.is_folder(path) ? read_folder(path, files, limits, builder) : read_file(path, files, limits, builder);
}

}  // namespace bayplan::replay
